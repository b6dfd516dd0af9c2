/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves a ledger that is still posted to: the sums of all lanes together, since it does not matter which has which. */
#include "ledger_sums.h"

#include <string.h>

#include "sets/save.h"

static struct group_sums group_of_all(const struct ledger *ledger, uint32_t group)
{
	struct group_sums sum = { 0 };

	for (unsigned i = 0; i < ledger->nlanes; i++) {
		const struct group_sums *one = &ledger->lanes[i]->group[group];

		sum.bytes += one->bytes;
		sum.claim_bytes += one->claim_bytes;
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
			sum.v[a] += one->v[a];
	}
	return sum;
}

void ledger_save(const struct ledger *ledger, struct saver *s)
{
	for (uint32_t g = 0; g < group_count(ledger->geo); g++) {
		const struct group_sums sum = group_of_all(ledger, g);

		save_number(s, sum.bytes);
		save_number(s, sum.claim_bytes);
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
			save_word(s, sum.v[a]);
	}
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++) {
		uint64_t bytes = 0;

		for (unsigned i = 0; i < ledger->nlanes; i++)
			bytes += ledger->lanes[i]->inode_bytes[b];
		save_number(s, bytes);
		for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++) {
			uint64_t sum = 0;

			for (unsigned i = 0; i < ledger->nlanes; i++)
				sum += ledger->lanes[i]->inode[b][a];
			save_word(s, sum);
		}
	}
}

/* Forget all that was posted. */
static void clear(struct ledger *ledger)
{
	for (unsigned i = 0; i < ledger->nlanes; i++) {
		struct lane *lane = ledger->lanes[i];

		memset(lane->group, 0, group_count(ledger->geo) * sizeof(*lane->group));
		memset(lane->inode, 0, sizeof(lane->inode));
		memset(lane->inode_bytes, 0, sizeof(lane->inode_bytes));
	}
}

void ledger_load(struct ledger *ledger, struct loader *l)
{
	struct lane *lane = ledger->lanes[0];

	clear(ledger);
	for (uint32_t g = 0; g < group_count(ledger->geo); g++) {
		lane->group[g].bytes = load_number(l);
		lane->group[g].claim_bytes = load_number(l);
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
			lane->group[g].v[a] = load_word(l);
	}
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++) {
		lane->inode_bytes[b] = load_number(l);
		for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++)
			lane->inode[b][a] = load_word(l);
	}
}
