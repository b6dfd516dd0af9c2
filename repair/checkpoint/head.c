/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of the file: its format, and the program that wrote it. The meaning of sums and the numbers of findings
 * change from version to version, so only the program that wrote a file can read it.
 */
#include <string.h>

#include "checkpoint/state.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "sets/save.h"

static const char magic[] = "xfsck checkpoint";

#define MAGIC_BYTES (sizeof(magic) - 1)

#define FORMAT 2u

/* Returns a checksum of all finding ids, which tells builds of the same version apart. */
static uint64_t shape(void)
{
	static const struct hash_key key = { { 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb,
					       0x2545f4914f6cdd1d } };
	uint64_t sum = 0;

	for (unsigned i = 0; i < FINDING_NR; i++)
		sum += hash2(&key, i,
			     hash_name(&key, (const uint8_t *)finding_id((enum finding)i),
				       strlen(finding_id((enum finding)i))));
	return sum;
}

void head_save(const struct repair *rc, struct saver *s)
{
	save_bytes(s, magic, MAGIC_BYTES);
	save_number(s, FORMAT);
	save_text(s, XFSCK_VERSION);
	save_word(s, shape());
	for (unsigned i = 0; i < 4; i++)
		save_word(s, rc->run->key.k[i]);
}

bool head_load(struct hash_key *ret_key, struct loader *l, struct words *why)
{
	char begin[MAGIC_BYTES], version[64];

	load_bytes(l, begin, sizeof(begin));
	if (!load_good(l) || memcmp(begin, magic, MAGIC_BYTES) != 0) {
		words_add(why, "it is no checkpoint of xfsck");
		return false;
	}
	if (load_number(l) != FORMAT) {
		words_add(why, "it has a format that this version of xfsck does not know");
		return false;
	}
	load_text(l, version, sizeof(version));
	if (load_good(l) && (strcmp(version, XFSCK_VERSION) != 0 || load_word(l) != shape())) {
		words_add(why, "xfsck %s wrote it%s: only that version can go on with it", version,
			  strcmp(version, XFSCK_VERSION) ? "" : ", but another build than this one");
		return false;
	}
	for (unsigned i = 0; i < 4; i++)
		ret_key->k[i] = load_word(l);
	if (!load_good(l))
		words_add(why, "it is damaged");
	return load_good(l);
}
