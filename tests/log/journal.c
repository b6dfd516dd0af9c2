/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal IMAGE AFTER [big-endian] [short] [wrapped]: writes to the log of IMAGE the changes that turn it into AFTER,
 * another state of the same file system.  This gives dirty logs of versions and machines without a kernel at hand, with
 * a known result of their replay, except for unused bytes, which are zeroed in AFTER.  Both logs must be clean; that of
 * IMAGE as mkfs.xfs left it.  "short": items of 32-bit machines, "wrapped": a log that wraps around its end.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "changes.h"
#include "disk/sb.h"

#define ITEMS_PER_TRANSACTION 37
#define HEADER_SECTORS	      4 /* of an AG: superblock, AGF, AGI, AGFL */

struct states {
	int before, after;
	off_t size;
	struct volume volume;
	off_t log_start, log_end;
};

static struct volume volume_of(int fd)
{
	struct volume v = { 0 };
	struct sb_disk sb;

	if (pread(fd, &sb, sizeof(sb), 0) != (ssize_t)sizeof(sb))
		err(1, "superblock");
	v.block_size = be32_get(sb.blocksize);
	v.sector_size = be16_get(sb.sectsize);
	v.inode_size = be16_get(sb.inodesize);
	v.agblocks = be32_get(sb.agblocks);
	v.agblock_log = sb.agblklog;
	v.inopb_log = sb.inopblog;
	v.crc = (be16_get(sb.versionnum) & 15) == 5;
	memcpy(v.uuid, sb.uuid, sizeof(v.uuid));
	return v;
}

/* Compares a block or a sector, and adds the differences. */
static void compare(struct states *s, struct item_list *list, off_t offset, uint32_t len)
{
	static uint8_t before[65536], after[65536];

	if (pread(s->before, before, len, offset) != (ssize_t)len ||
	    pread(s->after, after, len, offset) != (ssize_t)len)
		err(1, "read at %lld", (long long)offset);
	if (memcmp(before, after, len) == 0)
		return;
	changes_add(list, &s->volume, (uint64_t)offset, len, before, after);
	if (pwrite(s->after, after, len, offset) != (ssize_t)len)
		err(1, "write at %lld", (long long)offset);
}

static void compare_all(struct states *s, struct item_list *list)
{
	const struct volume *v = &s->volume;
	const off_t ag_size = (off_t)v->agblocks * v->block_size, headers = HEADER_SECTORS * v->sector_size;

	for (off_t block = 0; block + v->block_size <= s->size; block += v->block_size) {
		off_t in_ag = block % ag_size, at = block;

		if (block >= s->log_start && block < s->log_end)
			continue;
		for (; at - block + in_ag < headers && at < block + v->block_size; at += v->sector_size)
			compare(s, list, at, v->sector_size);
		if (at == block)
			compare(s, list, block, v->block_size);
	}
}

static struct states open_states(const char *before, const char *after, const struct log_image *log)
{
	struct states s = { .before = log->fd, .after = open(after, O_RDWR) };
	struct stat st;

	if (s.after < 0 || fstat(s.after, &st) < 0)
		err(1, "%s", after);
	s.size = st.st_size;
	if (fstat(s.before, &st) < 0 || st.st_size != s.size)
		errx(1, "%s has another size", before);
	s.volume = volume_of(s.before);
	s.log_start = log->start;
	s.log_end = log->start + (off_t)log->bbs * LOG_BLOCK;
	return s;
}

int main(int argc, char **argv)
{
	struct log_form form = { 0 };
	struct item_list list = { 0 };
	struct log_writer writer;
	struct log_image log;
	struct states states;

	if (argc < 3)
		errx(2, "usage: journal IMAGE AFTER [big-endian] [short] [wrapped]");
	for (int i = 3; i < argc; i++) {
		form.big_endian |= strcmp(argv[i], "big-endian") == 0;
		form.short_items |= strcmp(argv[i], "short") == 0;
		form.wrapped |= strcmp(argv[i], "wrapped") == 0;
	}
	log_image_open(&log, argv[1]);
	states = open_states(argv[1], argv[2], &log);
	form.version = (uint8_t)be32_get(((const struct log_header_disk *)log.bytes)->version);
	form.checksums = states.volume.crc;
	compare_all(&states, &list);

	writer_start(&writer, &log, form);
	for (size_t i = 0; i < list.count; i += ITEMS_PER_TRANSACTION) {
		size_t rest = list.count - i;

		writer_transaction(&writer, list.items + i,
				   rest < ITEMS_PER_TRANSACTION ? rest : ITEMS_PER_TRANSACTION);
	}
	writer_end(&writer);
	log_image_close(&log);
	printf("%zu items, %u records, %u regions split\n", list.count, writer.records, writer.split);
	free(list.items);
	close(states.after);
	return 0;
}
