/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last log items of blocks and inodes: items in the byte order of the disk, as ondisk 04 and 11 have them. */
#include <stdlib.h>

#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "log_items.h"
#include "libxfs/crc.h"
#include "../../repair/log/log_history.h"
#include "options.h"
#include "in_range.h"

#define SECTOR	      1600u /* of a block */
#define AGNO	      1u
#define CHUNK	      16u /* block of AG 1 with inodes */
#define FIRST	      ((1ull << 17) + CHUNK * 8ull)
#define THE_INO	      (FIRST + 3)
#define INODES_SECTOR ((16384ull + CHUNK) * 8)
#define DATE	      0x200000040ull

enum {
	MAGIC = 0,
	MODE = 2,
	VERSION = 4,
	FORMAT = 5,
	NLINK = 16,
	SIZE = 56,
	NEXTENTS = 76,
	FORKOFF = 82,
	AFORMAT = 83,
	GEN = 92,
	NEXT_UNLINKED = 96,
	CRC = 100,
	INO = 152,
	UUID = 160,
	CORE_BYTES = 176,
};

struct fixture {
	struct geometry geo;
	struct log_history h;
	unsigned left_out; /* items that were not wanted */
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	f->geo = item_geometry();
	f->geo.head_lsn.v = UINT64_MAX;
	memset(f->geo.meta_uuid, 0x5a, 16);
	f->h = (struct log_history){ .geo = &f->geo, .limit = 1 << 20 };
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	log_history_free(&f->h);
	free(f);
	return 0;
}

/* A sum of everything in the traces. */
static uint64_t sum_of(const struct log_history *h)
{
	uint64_t sum = h->count;

	for (size_t i = 0; i < h->count; i++) {
		const struct log_trace *t = &h->traces[i];

		sum = sum * 31 + t->known;
		for (size_t k = 0; t->known && k < (size_t)t->len << SECTOR_LOG; k++)
			sum = sum * 31 + t->bytes[k];
		for (size_t k = 0; t->known && k < sizeof(t->chunks) / sizeof(t->chunks[0]); k++)
			sum = sum * 31 + t->chunks[k];
	}
	return sum;
}

/* Logs an item.  If it is not wanted, that must change nothing. */
static void logged(struct fixture *f, const struct item *i)
{
	const struct log_region *first = &i->item.regions[0];
	uint8_t bytes[LOG_ITEM_HEAD_BYTES] = { 0 };
	const uint64_t before = sum_of(&f->h);
	struct log_item_head head;
	bool wanted;

	memcpy(bytes, first->bytes, first->len < sizeof(bytes) ? first->len : sizeof(bytes));
	log_item_head(bytes, first->len, i->item.big_endian, &head);
	wanted = log_history_wants(&f->h, &head);
	f->left_out += !wanted;
	assert_int_equal(log_history_item(&f->h, (lsn_t){ DATE }, &i->item), 0);
	assert_true(wanted || sum_of(&f->h) == before);
}

/* Logs a buffer of 4 KiB with one chunk of 128 bytes, that of this number: all of it `fill`. */
static void chunk_logged(struct fixture *f, uint64_t sector, unsigned chunk, uint8_t fill)
{
	struct item i;

	item_begin(&i, false, BUF, 2, 24);
	item16(&i, 0, 6, 8);
	item64(&i, 0, 8, sector);
	item32(&i, 0, 16, 1);
	item32(&i, 0, 20, 1u << chunk);
	set_region_len(&i, 1, 128);
	memset(i.bytes[1], fill, 128);
	logged(f, &i);
}

static void cancel_logged(struct fixture *f, uint64_t sector, uint16_t sectors)
{
	struct item i;

	item_begin(&i, false, BUF, 1, 24);
	item16(&i, 0, 4, LOG_BUF_CANCEL);
	item16(&i, 0, 6, sectors);
	item64(&i, 0, 8, sector);
	item32(&i, 0, 16, 1);
	logged(f, &i);
}

/* An item of the inode: 8 bytes of each fork that is given. */
struct spec {
	uint64_t ino;
	uint16_t mode;
	uint8_t format, forkoff;
	uint64_t size;
	uint32_t nextents;
	bool data, attr;
	const char *bytes; /* of the data fork, 16; NULL: the target of a symlink, 8 */
};

static const struct spec symlink_spec = { THE_INO, 0xa1ff, 1, 0, 8, 0, true, false, NULL };
static const struct spec empty_file = { THE_INO, 0x81a4, 2, 0, 0, 0, false, false, NULL };

static void inode_logged(struct fixture *f, struct spec spec)
{
	struct item i;
	unsigned regions = 2;

	item_begin(&i, true, INODE, 2, 56);
	item32(&i, 0, 4, LOG_INODE_CORE | (spec.data ? LOG_INODE_DDATA : 0) | (spec.attr ? LOG_INODE_ADATA : 0));
	item16(&i, 0, 8, spec.attr ? 8 : 0);
	item16(&i, 0, 10, !spec.data ? 0 : spec.bytes ? 16 : 8);
	item64(&i, 0, 16, spec.ino);
	item64(&i, 0, 40, INODES_SECTOR);
	item32(&i, 0, 48, 64);
	item32(&i, 0, 52, (spec.ino - FIRST) * 512);
	set_region_len(&i, 1, CORE_BYTES);
	item16(&i, 1, MAGIC, 0x494e);
	item16(&i, 1, MODE, spec.mode);
	i.bytes[1][VERSION] = 3;
	i.bytes[1][FORMAT] = spec.format;
	i.bytes[1][FORKOFF] = spec.forkoff;
	i.bytes[1][AFORMAT] = spec.forkoff ? 1 : 2;
	item32(&i, 1, NLINK, spec.mode ? 1 : 0);
	item64(&i, 1, SIZE, spec.size);
	item32(&i, 1, NEXTENTS, spec.nextents);
	item64(&i, 1, INO, spec.ino);
	memset(i.bytes[1] + UUID, 0x5a, 16);
	if (spec.data) {
		memcpy(i.bytes[regions], spec.bytes ? spec.bytes : "/a/b/c/d", spec.bytes ? 16 : 8);
		set_region_len(&i, regions++, spec.bytes ? 16 : 8);
	}
	if (spec.attr) {
		/* one attribute "a" without a value, in 4 and 4 bytes */
		memcpy(i.bytes[regions], "\0\x08\x01\0\x01\0\0a", 8);
		set_region_len(&i, regions++, 8);
	}
	set_nregions(&i, (uint16_t)regions);
	logged(f, &i);
}

static void chunk_made(struct fixture *f, uint32_t gen)
{
	struct item i;

	item_begin(&i, true, ICREATE, 1, 28);
	item32(&i, 0, 4, AGNO);
	item32(&i, 0, 8, CHUNK);
	item32(&i, 0, 12, 64);
	item32(&i, 0, 16, 512);
	item32(&i, 0, 20, 8);
	item32(&i, 0, 24, gen);
	logged(f, &i);
}

static void bytes_of_a_block_are_those_logged_last(void **state)
{
	struct fixture *f = *state;
	const struct log_trace *trace;

	assert_int_equal(log_history_want(&f->h, (xdaddr_t){ SECTOR }, 8), 0);
	chunk_logged(f, SECTOR + 8, 0, 0x11); /* of another block */
	assert_false(f->h.traces[0].known);
	chunk_logged(f, SECTOR, 1, 0x22);
	chunk_logged(f, SECTOR, 0, 0x33);
	chunk_logged(f, SECTOR, 1, 0x44);
	trace = &f->h.traces[0];
	assert_true(trace->known);
	assert_true(trace->lsn.v == DATE);
	assert_int_equal(trace->bytes[127], 0x33);
	assert_int_equal(trace->bytes[128], 0x44);
	assert_int_equal(trace->bytes[256], 0);
	assert_true(log_trace_covers(trace, 256));
	assert_false(log_trace_covers(trace, 257));
}

static void nothing_is_known_of_a_block_that_was_freed_but_what_came_after(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(log_history_want(&f->h, (xdaddr_t){ SECTOR }, 8), 0);
	chunk_logged(f, SECTOR, 0, 0x33);
	cancel_logged(f, SECTOR, 16); /* another buffer */
	assert_true(f->h.traces[0].known);
	cancel_logged(f, SECTOR, 8);
	assert_false(f->h.traces[0].known);
	chunk_logged(f, SECTOR, 1, 0x44);
	assert_true(f->h.traces[0].known);
	assert_int_equal(f->h.traces[0].bytes[0], 0);
	assert_false(log_trace_covers(&f->h.traces[0], 256));
}

static bool is_inode(struct fixture *f)
{
	return f->h.traces[0].known && log_trace_make_inode(&f->geo, &f->h.traces[0], false);
}

static void an_inode_is_known_if_its_forks_are(void **state)
{
	struct fixture *f = *state;
	struct spec without = symlink_spec, longer = symlink_spec;
	const uint8_t *bytes;

	assert_int_equal(log_history_want_inode(&f->h, (xino_t){ THE_INO }), 0);
	without.data = false;
	inode_logged(f, without);
	assert_false(is_inode(f));
	inode_logged(f, symlink_spec);
	assert_true(is_inode(f));
	inode_logged(f, without); /* the fork has not changed */
	assert_true(is_inode(f));
	bytes = f->h.traces[0].bytes;
	assert_memory_equal(bytes + CORE_BYTES, "/a/b/c/d", 8);
	assert_memory_equal(bytes + NEXT_UNLINKED, "\xff\xff\xff\xff", 4);
	assert_true(crc_is_right(bytes, 512, CRC));
	longer.size = 12;
	inode_logged(f, longer);
	assert_false(is_inode(f));
	inode_logged(f, empty_file);
	assert_true(is_inode(f));
}

static void attributes_are_left_out_where_they_are_not_known(void **state)
{
	struct fixture *f = *state;
	struct spec spec = symlink_spec;
	const uint8_t *bytes;

	assert_int_equal(log_history_want_inode(&f->h, (xino_t){ THE_INO }), 0);
	spec.forkoff = 10;
	inode_logged(f, spec);
	assert_false(log_trace_make_inode(&f->geo, &f->h.traces[0], true));
	assert_true(is_inode(f));
	bytes = f->h.traces[0].bytes;
	assert_int_equal(bytes[AFORMAT], 2);
	spec.attr = true;
	inode_logged(f, spec);
	assert_true(log_trace_make_inode(&f->geo, &f->h.traces[0], true));
	assert_int_equal(bytes[AFORMAT], 1);
	assert_memory_equal(bytes + CORE_BYTES + 80, "\0\x08\x01\0\x01\0\0a", 8);
	spec.attr = false;
	spec.forkoff = 12; /* it has moved */
	inode_logged(f, spec);
	assert_true(is_inode(f));
	assert_int_equal(bytes[AFORMAT], 2);
	assert_true(crc_is_right(bytes, 512, CRC));
}

static void one_that_was_deleted_is_free(void **state)
{
	struct fixture *f = *state;
	const struct spec freed = { .ino = THE_INO, .format = 2 };

	assert_int_equal(log_history_want_inode(&f->h, (xino_t){ THE_INO }), 0);
	inode_logged(f, symlink_spec);
	inode_logged(f, freed);
	assert_true(is_inode(f));
	assert_int_equal(f->h.traces[0].bytes[MODE + 1], 0);
	assert_int_equal(f->h.traces[0].bytes[CORE_BYTES], 0); /* of the target */
	/* the chunk is gone */
	cancel_logged(f, INODES_SECTOR, 64);
	assert_false(is_inode(f));
}

static void all_inodes_of_a_group_are_found(void **state)
{
	struct fixture *f = *state;

	chunk_made(f, 7);
	assert_int_equal(f->h.count, 0);
	assert_int_equal(log_history_want_group(&f->h, (agno_t){ 0 }), 0);
	chunk_made(f, 7);
	assert_int_equal(f->h.count, 0);
	assert_int_equal(log_history_want_group(&f->h, (agno_t){ AGNO }), 0);
	chunk_made(f, 7);
	inode_logged(f, symlink_spec);
	assert_int_equal(f->h.count, 64);
	for (size_t i = 0; i < f->h.count; i++) {
		struct log_trace *trace = &f->h.traces[i];

		assert_true(trace->ino.v == FIRST + i);
		assert_true(trace->daddr.v == INODES_SECTOR + i);
		assert_true(trace->known && log_trace_make_inode(&f->geo, trace, false));
		assert_int_equal(trace->bytes[MODE] != 0, trace->ino.v == THE_INO);
		assert_int_equal(trace->bytes[GEN + 3], trace->ino.v == THE_INO ? 0 : 7);
	}
}

/* Logs three blocks, of which there is room for two. */
static void three_logged(struct fixture *f)
{
	chunk_logged(f, SECTOR + 16, 0, 0x33);
	chunk_logged(f, SECTOR, 0, 0x33);
	chunk_logged(f, SECTOR + 8, 0, 0x33);
	chunk_logged(f, SECTOR + 16, 1, 0x33);
	chunk_logged(f, SECTOR, 1, 0x33);
	chunk_logged(f, SECTOR + 8, 1, 0x33);
}

static void what_there_is_no_room_for_is_known_in_another_part(void **state)
{
	struct fixture *f = *state;
	unsigned parts = 0, known[3] = { 0 };
	bool more = true;

	f->h.limit = 9000;
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(log_history_want(&f->h, (xdaddr_t){ SECTOR + 8 * i }, 8), 0);
	assert_int_equal(log_history_want_group(&f->h, (agno_t){ AGNO }), 0);
	for (; more && parts < 9; parts++) {
		three_logged(f);
		if (parts == 0) /* found, and not kept */
			inode_logged(f, empty_file);
		assert_true(f->h.used <= f->h.limit);
		for (unsigned i = 0; i < 3; i++) {
			known[i] += f->h.traces[i].known;
			if (f->h.traces[i].known)
				assert_true(log_trace_covers(&f->h.traces[i], 256));
			/* in the order of places */
			assert_true(!f->h.traces[i].known || !i || known[i - 1]);
		}
		assert_int_equal(log_history_next(&f->h, &more), 0);
		assert_int_equal(f->h.count, more ? 3 : f->h.count);
	}
	assert_true(parts > 1 && parts < 9);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(known[i], 1);
}

/* A block larger than the limit is a part of its own. */
static void a_block_is_known_whatever_is_allowed(void **state)
{
	struct fixture *f = *state;
	bool more;

	f->h.limit = 100;
	assert_int_equal(log_history_want(&f->h, (xdaddr_t){ SECTOR + 8 }, 8), 0);
	chunk_logged(f, SECTOR + 8, 0, 0x33);
	assert_true(f->h.traces[0].known);
	assert_int_equal(log_history_next(&f->h, &more), 0);
	assert_false(more);
}

struct names {
	unsigned count;
	uint64_t directory, target;
	char name[16];
};

static int count_name(void *ctx, xino_t directory, const struct dir_entry *entry)
{
	struct names *names = ctx;

	names->count++;
	names->directory = directory.v;
	names->target = entry->target.v;
	assert_in_range(entry->namelen, 1, sizeof(names->name) - 1);
	memcpy(names->name, entry->name, entry->namelen);
	names->name[entry->namelen] = 0;
	return 0;
}

static struct names names_in(struct fixture *f)
{
	struct names names = { 0 };

	assert_int_equal(log_history_names(&f->h, count_name, &names), 0);
	return names;
}

static void names_are_those_that_a_directory_had_last(void **state)
{
	struct fixture *f = *state;
	/* parent 128; "b", which is inode 0x20085 */
	static const char with[16] = "\x01\0\0\0\0\x80\x01\0\x60"
				     "b\0\x02\0\x85";
	static const char without[16] = "\0\0\0\0\0\x80";
	struct spec spec = { .ino = THE_INO, .mode = 0x41ed, .format = 1, .size = 14, .data = true, .bytes = with };
	struct names names;

	inode_logged(f, spec);
	assert_int_equal(f->h.count, 0); /* nobody asked */
	f->h.names = true;
	inode_logged(f, spec);
	names = names_in(f);
	assert_int_equal(names.count, 1);
	assert_true(names.directory == THE_INO);
	assert_true(names.target == 0x20085);
	assert_string_equal(names.name, "b");
	spec.bytes = without;
	spec.size = 6;
	inode_logged(f, spec);
	assert_int_equal(names_in(f).count, 0);
	spec.bytes = with;
	spec.size = 14;
	inode_logged(f, spec);
	assert_int_equal(names_in(f).count, 1);
	inode_logged(f, (struct spec){ .ino = THE_INO, .format = 2 }); /* it was deleted */
	assert_int_equal(names_in(f).count, 0);
}

/* If the middle of a name has left the log, the rest still locates the inode: the name is completed to a valid one. */
static void a_name_known_in_part_is_one_that_can_be(void **state)
{
	struct fixture *f = *state;
	static const char fork[17] = "\x01\0\0\0\0\x80\x03\0\x60"
				     "a\0z\0\x02\0\x85";
	const struct spec spec = {
		.ino = THE_INO, .mode = 0x41ed, .format = 1, .size = 16, .data = true, .bytes = fork
	};
	struct names names;

	f->h.names = true;
	inode_logged(f, spec);
	names = names_in(f);
	assert_int_equal(names.count, 1);
	assert_true(names.target == 0x20085);
	assert_string_equal(names.name, "a_z");
}

/* A superblock with the LSN of the unmount record was written by a later repair. */
static void there_is_none_once_a_repair_has_written(void **state)
{
	const struct fixture *f = *state;
	const struct options options = { 0 };
	struct run run = { .options = &options };
	struct repair rc = { .run = &run, .geo = f->geo, .log = { .condition = LOG_CLEAN } };

	rc.geo.crc = true;
	rc.geo.logstart.v = 8;
	rc.geo.logblocks = 64;
	rc.log.unmount.v = DATE;
	rc.log.head.v = rc.log.tail.v = DATE + 2;
	rc.geo.sb_lsn.v = DATE - 8;
	assert_true(log_history_there(&rc));
	rc.geo.sb_lsn.v = DATE;
	assert_false(log_history_there(&rc));
	/* it has been mounted since */
	rc.log.unmount.v = DATE + 16;
	rc.log.head.v = rc.log.tail.v = DATE + 18;
	assert_true(log_history_there(&rc));
	/* the log is dirty: its last changes may have set the superblock's LSN, too */
	rc.log.condition = LOG_DIRTY;
	rc.log.unmount.v = 0;
	rc.geo.sb_lsn.v = DATE + 16;
	assert_true(log_history_there(&rc));
}

static void items_about_something_else_are_not_wanted(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(log_history_want(&f->h, (xdaddr_t){ SECTOR }, 8), 0);
	chunk_logged(f, SECTOR + 8, 0, 0x33);
	assert_int_equal(f->left_out, 1);
	cancel_logged(f, SECTOR + 8, 8);
	assert_int_equal(f->left_out, 2);
	inode_logged(f, symlink_spec);
	assert_int_equal(f->left_out, 3);
	chunk_made(f, 7);
	assert_int_equal(f->left_out, 4);
	assert_int_equal(log_history_want_inode(&f->h, (xino_t){ THE_INO }), 0);
	chunk_made(f, 7);
	inode_logged(f, symlink_spec);
	/* the inode is in this buffer */
	cancel_logged(f, INODES_SECTOR, 64);
	assert_false(f->h.traces[1].known);
	assert_int_equal(f->left_out, 4);
}

#define history_test(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		history_test(bytes_of_a_block_are_those_logged_last),
		history_test(nothing_is_known_of_a_block_that_was_freed_but_what_came_after),
		history_test(an_inode_is_known_if_its_forks_are),
		history_test(attributes_are_left_out_where_they_are_not_known),
		history_test(one_that_was_deleted_is_free),
		history_test(all_inodes_of_a_group_are_found),
		history_test(what_there_is_no_room_for_is_known_in_another_part),
		history_test(a_block_is_known_whatever_is_allowed),
		history_test(names_are_those_that_a_directory_had_last),
		history_test(a_name_known_in_part_is_one_that_can_be),
		history_test(there_is_none_once_a_repair_has_written),
		history_test(items_about_something_else_are_not_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
