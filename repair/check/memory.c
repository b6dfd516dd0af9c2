/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides one limit (-m) among everything that takes memory.  The shares are upper bounds that are seldom all reached
 * at once: reading ahead takes memory during the sweep, the other parts when something is wrong.
 */
#include "memory.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/books/ledger.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "report/words.h"
#include "run.h"
#include "check/walk/traverse.h"

#define MIB	       (UINT64_C(1) << 20)
#define PROGRAM_BYTES  (16 * MIB) /* code, libraries, stacks, findings */
#define WAITING_BYTES  768u /* an item, its place in a queue, its inode in flight: mostly a directory of one block */
#define FINDINGS_MOST  200000u
#define GROUP_COPIES   3u /* of the facts about an AG that is mended: the facts, and the structures made from them */
#define FINDING_COPIES 2u /* of a check's findings: its own, and struct damage */
#define FIRST_COPIES                                                                                                   \
	7u /* of the first check's: two for it and two for the last check, one for menders, and names as two more */
#define DIRECTORY_OF	  8u /* at most one inode in so many is a directory, in most file systems */
#define DIRECTORY_SPILLED 4u /* if parents are in a file; includes a state while the tree is checked */
#define CGROUP		  "/sys/fs/cgroup"

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* Returns the limit.  total: as given by the user. */
static uint64_t total_of(uint64_t total)
{
	return total ? total : memory_of_system("") / 4;
}

uint64_t memory_of_map(uint64_t total)
{
	return total_of(total) / 4;
}

uint64_t memory_of_unpacking(uint64_t total)
{
	return total_of(total) - total_of(total) / 4;
}

struct memory memory_share(uint64_t total, unsigned workers)
{
	struct memory m = { .total = total_of(total) };
	uint64_t shared =
		m.total > 2 * PROGRAM_BYTES ? m.total - PROGRAM_BYTES : between(4 * MIB, m.total / 2, m.total);
	uint64_t rest = shared / 2, used;

	m.window = between(2 * MIB, shared / 12, 32 * MIB);
	m.request = 1u << 20;
	while (m.request > (64u << 10) && m.request > m.window / 4 / workers)
		m.request /= 2;
	m.waiting = between(4096, shared / 16 / WAITING_BYTES, 1u << 15);
	m.records = rest / 2;
	m.log = between(MIB, m.records / 4, 32 * MIB);
	m.survey = m.records / 4;
	m.staged = between(4 * MIB, rest / 4, 1024 * MIB);
	used = m.window + m.waiting * WAITING_BYTES + m.records + m.staged;
	m.kept = used < shared ? shared - used : 0;
	m.mending = m.records + m.kept;
	m.directories = m.total / 4;
	m.alone = memory_of_system("") / 2;
	if (m.alone < m.mending)
		m.alone = m.mending;
	return m;
}

void memory_return_freed(void)
{
#ifdef M_MMAP_THRESHOLD
	/* else freeing arrays raises the threshold up to 32 MiB, and rounds of mending fragment the heap */
	mallopt(M_MMAP_THRESHOLD, MIB);
#endif
}

void memory_trim(void)
{
#ifdef M_MMAP_THRESHOLD
	malloc_trim(0);
#endif
}

/* ---- memory of the system ---- */

/* Reads the number after `key` in a file (NULL: at the start of a line).  False: there is none, as for "max". */
static bool read_number(const char *path, const char *key, uint64_t *ret_number)
{
	FILE *in = fopen(path, "re");
	char line[256];
	bool found = false;

	while (in && !found && fgets(line, sizeof(line), in)) {
		size_t skip = key ? strlen(key) : 0;
		uint64_t number;
		char *end;

		if (key && strncmp(line, key, skip) != 0)
			continue;
		number = strtoull(line + skip, &end, 10);
		found = end != line + skip;
		if (found)
			*ret_number = number;
	}
	if (in)
		fclose(in);
	return found;
}

/* Returns the least limit of a control group (version 2) and its ancestors. */
static uint64_t least_of_ancestors(const char *root, char *group, uint64_t least)
{
	char path[8192];
	uint64_t limit;

	for (;;) {
		char *slash = strrchr(group, '/');

		snprintf(path, sizeof(path), "%s" CGROUP "%s/memory.max", root, group);
		if (read_number(path, NULL, &limit) && limit < least)
			least = limit;
		if (!slash)
			return least;
		*slash = 0;
	}
}

/* Does the same for version 1, with one limit for all ancestors.  In a container the group may appear as the top. */
static uint64_t least_of_hierarchy(const char *root, const char *group, uint64_t least)
{
	const char *const groups[] = { group, "" };
	char path[8192];
	uint64_t limit;

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s" CGROUP "/memory%s/memory.stat", root, groups[i]);
		if (read_number(path, "hierarchical_memory_limit ", &limit))
			return limit < least ? limit : least;
	}
	return least;
}

uint64_t memory_of_system(const char *root)
{
	uint64_t least = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	char path[4096], line[4096];
	FILE *groups;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	groups = fopen(path, "re");
	/* "number:controllers:/group", with number 0 and no controllers in version 2 */
	while (groups && fgets(line, sizeof(line), groups)) {
		char *controllers = strchr(line, ':');
		char *group = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = 0;
		group[strcspn(group, "\n")] = 0;
		if (strcmp(controllers, ":") == 0)
			least = least_of_ancestors(root, group, least);
		else if (strstr(controllers, "memory"))
			least = least_of_hierarchy(root, group, least);
	}
	if (groups)
		fclose(groups);
	return least;
}

void memory_keep_blocks(const struct repair *rc)
{
	device_keep(rc->run->device, rc->run->memory.kept);
}

static uint64_t bytes_staged(const struct repair *rc)
{
	uint64_t staged = 0;

	for (unsigned layer = 0; layer < LAYERS; layer++)
		staged += device_staged(rc->run->device, layer);
	return staged;
}

void memory_for_commit(const struct repair *rc)
{
	device_keep(rc->run->device, 0);
	/* at most one page of old contents for each staged sector of 512 bytes */
	device_keep_below(rc->run->device, between(0, bytes_staged(rc) * 8 + MIB, rc->run->memory.kept));
}

uint64_t memory_at_a_time(const struct repair *rc)
{
	const struct memory *memory = &rc->run->memory;
	/* memory reserved for the overlay: its limit, or half of `records` if that is less */
	const uint64_t overlay = between(0, memory->staged, memory->records / 2);
	uint64_t staged, room, listed;

	if (traverse_totals(rc->traverse).metadata_bytes <= memory->kept)
		return memory->records;
	staged = bytes_staged(rc);
	room = memory->mending + (staged < overlay ? overlay - staged : 0);
	listed = findings_bytes(rc->findings) * FINDING_COPIES;
	return room > memory->records + listed ? room - listed : memory->records;
}

void memory_for_records(const struct repair *rc, uint64_t bytes)
{
	if (bytes <= rc->run->memory.records)
		return;
	device_keep(rc->run->device, 0);
	memory_trim();
}

void memory_for_directories(struct repair *rc)
{
	struct memory *m = &rc->run->memory;
	const uint64_t table = between(0, inodes_expected(rc) / DIRECTORY_OF * MEMORY_DIRECTORY, m->directories),
		       bytes = between(0, table, (m->kept + m->expected) / 2), taken = m->expected;

	if (bytes <= taken)
		return;
	m->kept -= bytes - taken;
	m->mending -= bytes - taken;
	m->expected = bytes;
}

void memory_for_survey(struct repair *rc, uint64_t bytes)
{
	struct memory *m = &rc->run->memory;

	if (bytes <= m->survey || bytes > m->kept / 2)
		return;
	m->kept -= bytes;
	m->mending -= bytes;
	m->survey = bytes;
}

void memory_for_findings(struct repair *rc)
{
	struct memory *m = &rc->run->memory;
	uint64_t bytes = between(0, findings_bytes(rc->findings) * FIRST_COPIES, m->kept / 2);

	if (!rc->traverse || traverse_totals(rc->traverse).metadata_bytes <= m->kept)
		return;
	m->kept -= bytes;
	m->mending -= bytes;
}

uint32_t memory_findings(const struct repair *rc)
{
	return (uint32_t)between(FINDINGS_SHOWN, rc->run->memory.records / 8 / sizeof(struct found), FINDINGS_MOST);
}

/* ---- memory that grows with the file system, whatever is allowed ---- */

uint64_t inodes_expected(const struct repair *rc)
{
	const struct geometry *geo = &rc->geo;

	return between(0, geo->icount, geo->dblocks << geo->inopb_log);
}

/* True if the table of directories may need a temporary file. */
static bool directories_spill(const struct repair *rc)
{
	return inodes_expected(rc) / DIRECTORY_OF * MEMORY_DIRECTORY > rc->run->memory.directories;
}

/* Returns an upper bound in bytes for most file systems.  The input of the table of directories counts, too. */
static uint64_t bytes_needed(const struct repair *rc)
{
	const struct geometry *geo = &rc->geo;
	uint64_t directories = inodes_expected(rc) / DIRECTORY_OF;
	uint64_t bytes = PROGRAM_BYTES + rc->run->memory.window + rc->run->memory.waiting * WAITING_BYTES;

	bytes += group_count(geo) * (sizeof(struct ag_state) + 512 + rc->workers * UINT64_C(64));
	bytes += directories_spill(rc) ? rc->run->memory.directories + directories * DIRECTORY_SPILLED
				       : directories * 2 * MEMORY_DIRECTORY;
	for (uint32_t group = 0; group < group_count(geo); group++)
		bytes += rc->traverse->shared[group].room * sizeof(struct shared_range);
	return bytes;
}

void memory_judge(const struct repair *rc)
{
	uint64_t needed = bytes_needed(rc);
	const bool short_of = needed > rc->run->memory.total;
	struct words note = { 0 };

	if (short_of || rc->run->options->verbose) {
		words_add(&note, "Checking this file system may take up to ");
		words_add_bytes(&note, needed);
		words_add(&note, " of memory; ");
		words_add_bytes(&note, rc->run->memory.total);
		words_add(&note, " are allowed (-m)");
		words_add(&note, short_of ? ", and it goes on with as little as it can." : ".");
		if (directories_spill(rc))
			words_add(&note, " What directories take beyond a quarter of that goes to a temporary file (in "
					 "$TMPDIR, else /var/tmp).");
	}
	if (note.length)
		report_note(rc->report, note.text);
}

void memory_judge_mending(const struct repair *rc)
{
	uint64_t needed = bytes_needed(rc) + findings_bytes(rc->findings) * FIRST_COPIES + rc->run->memory.survey;
	const bool verbose = rc->run->options->verbose;
	struct words note = { 0 };
	uint64_t largest = 0;

	for (uint32_t i = 0; i < group_count(&rc->geo) && rc->ledger; i++) {
		const uint64_t bytes = ledger_claim_bytes(rc->ledger, (group_t){ i });

		largest = bytes > largest ? bytes : largest;
	}
	needed += largest * GROUP_COPIES;
	if (needed <= rc->run->memory.total && !verbose)
		return;
	words_add(&note, "Mending this file system may take up to ");
	words_add_bytes(&note, needed);
	words_add(&note, " of memory; ");
	words_add_bytes(&note, rc->run->memory.total);
	words_add(&note, " are allowed (-m)%s",
		  needed > rc->run->memory.total ? ", and it goes on with as little as it can." : ".");
	report_note(rc->report, note.text);
}
