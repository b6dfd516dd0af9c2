/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transactions of a log (ondisk 11, "Operations in the payload", "Recovery rules"): how operations in records form
 * them, which ones count, in which order their items come, and what ends a log before its head.
 */
#include <time.h>

#include "../../repair/log/log_assembly.h"
#include "../../repair/log/log_index.h"
#include "../../repair/log/log_transactions.h"
#include "disk/log.h"
#include "log_items.h"
#include "logs.h"
#include "scratch_device.h"

enum { START = 1, COMMIT = 2, CONTINUE = 4, WAS_CONT = 8, END = 16 };
enum { PAYLOAD_ROOM = 200 * 512, SEEN = 64 };

struct bench {
	struct fixture *log;
	uint8_t payload[PAYLOAD_ROOM];
	uint32_t len, ops;
	bool be;
	uint32_t size; /* of the writer's buffers */
	struct scratch scratch;
	/* the results */
	struct seen {
		uint32_t tid, nitems;
		uint64_t lsn, committed;
		uint16_t type, nregions;
		uint32_t len;  /* of all regions */
		uint8_t value; /* of the second word of the first region, by which the tests tell items apart */
		uint32_t last; /* word of the last region */
		uint32_t at;
	} seen[SEEN];
	unsigned count;
	int answer; /* the answer to each item */
	uint64_t end;
	uint32_t commits;
	int ret;
};

static int begin(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	if (!b)
		return -1;
	*state = b;
	return new_log((void **)&b->log);
}

static int done(void **state)
{
	struct bench *b = *state;

	drop_log((void **)&b->log);
	free(b);
	return 0;
}

/* An operation of a transaction; data that is not given is zero. */
static void op(struct bench *b, uint32_t tid, uint8_t flags, const void *data, uint32_t len)
{
	uint8_t *at = b->payload + b->len;

	assert_true(b->len + 12 + len <= PAYLOAD_ROOM);
	memset(at, 0, 12 + len);
	put32(at, tid);
	put32(at + 4, len);
	at[8] = 0x69;
	at[9] = flags;
	if (data)
		memcpy(at + 12, data, len);
	b->len += 12 + len;
	b->ops++;
}

static void put_host(const struct bench *b, uint8_t *at, uint32_t value, unsigned size)
{
	for (unsigned k = 0; k < size; k++)
		at[k] = (uint8_t)(value >> 8 * (b->be ? size - 1 - k : k));
}

/* The header of a transaction of so many regions. */
static void header_bytes(const struct bench *b, uint8_t bytes[16], uint32_t count)
{
	memset(bytes, 0, 16);
	put_host(b, bytes, 0x5452414e, 4);
	put_host(b, bytes + 4, 40, 4);
	put_host(b, bytes + 12, count, 4);
}

static void start(struct bench *b, uint32_t tid, uint32_t count)
{
	uint8_t header[16];

	header_bytes(b, header, count);
	op(b, tid, START, NULL, 0);
	op(b, tid, 0, header, sizeof(header));
}

static void commit(struct bench *b, uint32_t tid)
{
	op(b, tid, COMMIT, NULL, 0);
}

static void item_bytes(const struct bench *b, uint8_t bytes[8], uint16_t type, uint16_t nregions, uint8_t value)
{
	memset(bytes, 0, 8);
	put_host(b, bytes, type, 2);
	put_host(b, bytes + 2, nregions, 2);
	/* of a buffer the low bytes are flags */
	put_host(b, bytes + 4, value, 2);
}

/* An item of one region. */
static void item(struct bench *b, uint32_t tid, uint16_t type, uint8_t value)
{
	uint8_t bytes[8];

	item_bytes(b, bytes, type, 1, value);
	op(b, tid, 0, bytes, sizeof(bytes));
}

/* Writes the gathered operations as one record.  Returns its LSN. */
static uint64_t record(struct bench *b)
{
	struct fixture *f = b->log;
	struct spec spec = { .blocks = (b->len + 511) / 512, .size = b->size ? b->size : 32768 };
	uint32_t cycle = f->cycle, bb = put_record(f, spec), headers = (spec.size + 32767) / 32768;

	for (uint32_t i = 0; i < spec.blocks; i++) {
		uint8_t *block = block_at(f, bb + headers + i), stamp[4];
		uint8_t *header = block_at(f, bb + i / 64);

		memcpy(stamp, block, 4);
		memcpy(block, b->payload + (size_t)i * 512, 512);
		memcpy(header + (i < 64 ? 44 : 4) + i % 64 * 4, block, 4);
		memcpy(block, stamp, 4);
	}
	put32(block_at(f, bb) + NUM_LOGOPS, b->ops);
	put32(block_at(f, bb) + FMT, b->be ? 2 : 1);
	put_crc(f, bb, &spec);
	memset(b->payload, 0, sizeof(b->payload));
	b->len = b->ops = 0;
	return lsn(cycle, bb);
}

static uint8_t word_value(const struct log_item *item)
{
	return item->regions[0].bytes[item->big_endian ? 5 : 4];
}

static int see(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	struct bench *b = ctx;
	struct seen seen = { .tid = transaction->tid,
			     .nitems = transaction->nitems,
			     .lsn = transaction->lsn.v,
			     .committed = transaction->committed.record.v,
			     .type = (uint16_t)item->type,
			     .nregions = (uint16_t)item->nregions,
			     .value = word_value(item),
			     .at = item->regions[0].at };

	for (uint32_t i = 0; i < item->nregions; i++) {
		assert_int_equal((uintptr_t)item->regions[i].bytes % 8, 0);
		assert_int_equal(item->big_endian, b->be);
		seen.len += item->regions[i].len;
	}
	seen.last = get32(item->regions[item->nregions - 1].bytes + item->regions[item->nregions - 1].len - 4);
	assert_true(b->count < SEEN);
	b->seen[b->count++] = seen;
	return b->answer;
}

/* The index must show the same items as the walk that made it. */
static void assert_again(struct bench *b, const struct log_index *index, const struct log_source *source,
			 enum log_walk walk, size_t limit)
{
	const struct check silent = check_silent(&b->log->geo);
	const struct log_visit visit = { walk, NULL, see, b };
	struct seen seen[SEEN];
	const unsigned count = b->count;

	memcpy(seen, b->seen, sizeof(seen));
	b->count = 0;
	assert_true(index->whole || b->log->state.condition != LOG_DIRTY);
	assert_int_equal(log_index_each(index, &silent, source, b->log->bbs, limit, &visit), 0);
	assert_int_equal(b->count, count);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(b->seen[i].tid, seen[i].tid);
		assert_int_equal(b->seen[i].nitems, seen[i].nitems);
		assert_true(b->seen[i].lsn == seen[i].lsn && b->seen[i].committed == seen[i].committed);
		assert_int_equal(b->seen[i].type, seen[i].type);
		assert_int_equal(b->seen[i].nregions, seen[i].nregions);
		assert_int_equal(b->seen[i].len, seen[i].len);
		assert_int_equal(b->seen[i].value, seen[i].value);
		assert_int_equal(b->seen[i].last, seen[i].last);
		assert_int_equal(b->seen[i].at, seen[i].at);
	}
}

static void walk_to(struct bench *b, enum log_walk walk, size_t limit, struct log_mark until)
{
	struct log_index index = { .limit = 1u << 20 };
	struct fixture *f = b->log;
	struct check c = { &f->geo, reported_add, &f->reported };
	struct log_source source = { .device = NULL };
	struct log_range range = { .log = &source,
				   .state = &f->state,
				   .bbs = f->bbs,
				   .until = until,
				   .walk = walk,
				   .limit = limit,
				   .index = &index };
	struct log_mark end = { { 0 }, 0 };

	scratch_open(&b->scratch, ENGINE_THREADS, (uint64_t)f->bbs * 512);
	assert_int_equal(pwrite(b->scratch.fd, f->bytes, (size_t)f->bbs * 512, 0), f->bbs * 512);
	source.device = b->scratch.device;
	b->count = 0;
	memset(&f->reported, 0, sizeof(f->reported));
	b->ret = log_transactions_each(&c, &range, see, b, &end);
	b->end = end.record.v;
	b->commits = end.commits;
	if (!b->ret)
		assert_again(b, &index, &source, walk, limit);
	log_index_free(&index);
	scratch_close(&b->scratch);
}

static void walk_until(struct bench *b, enum log_walk walk, size_t limit, uint64_t until)
{
	walk_to(b, walk, limit, (struct log_mark){ { until }, 0 });
}

/* Walks all of a log with sound records, with enough memory. */
static void walk(struct bench *b)
{
	examine(b->log);
	assert_int_equal(b->log->reported.count, 0);
	assert_int_equal(b->log->state.condition, LOG_DIRTY);
	walk_until(b, LOG_WALK_LOGGED, 1u << 20, b->log->state.head.v);
}

static void assert_whole(struct bench *b, unsigned items)
{
	assert_int_equal(b->ret, 0);
	assert_int_equal(b->log->reported.count, 0);
	assert_true(b->end == b->log->state.head.v);
	assert_int_equal(b->count, items);
}

static void items_come_with_their_transaction(void **state)
{
	struct bench *b = *state;
	uint64_t first, second;

	for (unsigned be = 0; be < 2; be++) {
		b->be = be;
		start(b, 7, 2);
		item(b, 7, EFI, 1);
		first = record(b);
		b->log->tail = first;
		item(b, 7, INODE, 2);
		commit(b, 7);
		second = record(b);
		walk(b);
		assert_whole(b, 2);
		for (unsigned i = 0; i < 2; i++) {
			assert_int_equal(b->seen[i].tid, 7);
			assert_int_equal(b->seen[i].nitems, 2);
			assert_true(b->seen[i].lsn == first);
			assert_true(b->seen[i].committed == second);
			assert_int_equal(b->seen[i].nregions, 1);
			assert_int_equal(b->seen[i].len, 8);
			assert_int_equal(b->seen[i].value, i + 1);
		}
		assert_int_equal(b->seen[0].type, EFI);
		assert_int_equal(b->seen[1].type, INODE);
		/* after the header block, the operation and its header */
		assert_int_equal(b->seen[1].at, ((uint32_t)second + 1) * 512 + 12);
	}
}

static void pieces_of_a_region_are_joined(void **state)
{
	struct bench *b = *state;
	uint8_t bytes[24], header[16];

	header_bytes(b, header, 1);
	item_bytes(b, bytes, EFI, 1, 9);
	put32(bytes + 20, 0xcafe);
	op(b, 7, START, NULL, 0);
	op(b, 7, CONTINUE, header, 8); /* the header may be split, too */
	b->log->tail = record(b);
	op(b, 7, WAS_CONT | END, header + 8, 8);
	op(b, 7, CONTINUE, bytes, 0); /* or a record may have no room for any of it */
	record(b);
	op(b, 7, WAS_CONT | CONTINUE, bytes, 2); /* or as little as the type */
	record(b);
	op(b, 7, WAS_CONT | CONTINUE, bytes + 2, 18);
	record(b);
	op(b, 7, WAS_CONT | END, bytes + 20, 4);
	commit(b, 7);
	record(b);
	walk(b);
	assert_whole(b, 1);
	assert_int_equal(b->seen[0].value, 9);
	assert_int_equal(b->seen[0].len, 24);
	assert_int_equal(b->seen[0].last, 0xcafe);
}

static void transactions_may_be_interleaved_and_numbers_used_again(void **state)
{
	struct bench *b = *state;

	start(b, 7, 1);
	start(b, 7 + 4096, 1);
	item(b, 7, EFI, 1);
	item(b, 7 + 4096, EFI, 2);
	commit(b, 7 + 4096);
	b->log->tail = record(b);
	commit(b, 7);
	start(b, 7, 1);
	item(b, 7, EFI, 3);
	commit(b, 7);
	record(b);
	walk(b);
	assert_whole(b, 3);
	assert_int_equal(b->seen[0].value, 2);
	assert_int_equal(b->seen[1].value, 1);
	assert_int_equal(b->seen[2].value, 3);
	assert_true(b->seen[1].lsn < b->seen[2].lsn);
}

static void only_what_begins_and_ends_between_tail_and_head_counts(void **state)
{
	struct bench *b = *state;

	item(b, 5, EFI, 1); /* began before the tail */
	commit(b, 5);
	start(b, 6, 1);
	item(b, 6, EFI, 2);
	commit(b, 6);
	start(b, 7, 1);
	b->log->tail = record(b);
	item(b, 7, EFI, 3); /* and was never committed */
	record(b);
	walk(b);
	assert_whole(b, 1);
	assert_int_equal(b->seen[0].value, 2);
}

static void transactions_of_nothing_are_none(void **state)
{
	struct bench *b = *state;

	op(b, 7, START, NULL, 0);
	commit(b, 7);
	op(b, 8, START, NULL, 0);
	op(b, 8, 0, NULL, 0);
	commit(b, 8);
	b->log->tail = record(b);
	walk(b);
	assert_whole(b, 0);
}

static void recovery_has_an_order_of_its_own(void **state)
{
	static const uint8_t want[] = { 0x00, 4, 0x10, 3, 5, 0x01, 0x02 };
	struct bench *b = *state;

	start(b, 7, 7);
	item(b, 7, BUF, 0x02); /* cancelled */
	item(b, 7, BUF, 0x01); /* unlinked pointers */
	item(b, 7, EFI, 3);
	item(b, 7, BUF, 0x00);
	item(b, 7, ICREATE, 4);
	item(b, 7, BUF, 0x10);
	item(b, 7, INODE, 5);
	commit(b, 7);
	b->log->tail = record(b);
	examine(b->log);
	walk_until(b, LOG_WALK_RECOVERY, 1u << 20, b->log->state.head.v);
	assert_whole(b, sizeof(want));
	for (unsigned i = 0; i < sizeof(want); i++)
		assert_int_equal(b->seen[i].value, want[i]);
}

/* Records with extended headers, around the end of the log, in little memory and in much: the same. */
static void large_records_are_read_wherever_they_lie(void **state)
{
	static uint8_t region[24000];
	struct bench *b = *state;
	const size_t limits[] = { 1u << 24, 1u << 12 };

	put_blocks(b->log, BBS - 100 - b->log->at);
	assert_int_equal(b->log->at, BBS - 100);
	b->size = 65536;
	for (uint32_t k = 0; k < sizeof(region); k += 4)
		put32(region + k, k);
	start(b, 7, 6);
	for (unsigned i = 0; i < 2; i++) {
		item_bytes(b, region, INODE, 3, (uint8_t)(i + 1));
		op(b, 7, 0, region, sizeof(region));
		op(b, 7, 0, region, 16000);
		if (i == 0)
			b->log->tail = record(b);
		op(b, 7, 0, region, 8000 + 4 * i);
	}
	commit(b, 7);
	record(b);
	assert_true(b->log->at < 300); /* it wrapped */
	examine(b->log);
	for (unsigned k = 0; k < 2; k++) {
		walk_until(b, LOG_WALK_RECOVERY, limits[k], b->log->state.head.v);
		assert_whole(b, 2);
		for (unsigned i = 0; i < 2; i++) {
			assert_int_equal(b->seen[i].value, i + 1);
			assert_int_equal(b->seen[i].len, 48000 + 4 * i);
			assert_int_equal(b->seen[i].last, 8000 + 4 * i - 4);
		}
	}
}

static void a_walk_may_end_before_the_head(void **state)
{
	struct bench *b = *state;
	uint64_t second;

	start(b, 7, 1);
	item(b, 7, EFI, 1);
	commit(b, 7);
	start(b, 8, 1);
	item(b, 8, EFI, 2);
	b->log->tail = record(b);
	commit(b, 8);
	second = record(b);
	examine(b->log);
	walk_until(b, LOG_WALK_LOGGED, 1u << 20, second);
	assert_int_equal(b->ret, 0);
	assert_int_equal(b->count, 1);
	assert_true(b->end == second);
	b->answer = -71;
	walk_until(b, LOG_WALK_LOGGED, 1u << 20, b->log->state.head.v);
	assert_int_equal(b->ret, -71);
	assert_int_equal(b->count, 1);
}

static void a_walk_ends_behind_the_last_transaction_that_is_whole(void **state)
{
	struct bench *b = *state;
	uint64_t only;

	for (unsigned tid = 7; tid < 10; tid++) {
		start(b, tid, 1);
		item(b, tid, tid == 9 ? 0x9999 : EFI, (uint8_t)tid);
		commit(b, tid);
	}
	start(b, 10, 1);
	item(b, 10, EFI, 10);
	commit(b, 10);
	only = record(b);
	examine(b->log);
	walk_until(b, LOG_WALK_LOGGED, 1u << 20, b->log->state.head.v);
	assert_int_equal(b->ret, 0);
	assert_int_equal(b->log->reported.count, 1);
	assert_true(b->end == only);
	assert_int_equal(b->commits, 2);
	walk_to(b, LOG_WALK_RECOVERY, 1u << 20, (struct log_mark){ { only }, 2 });
	assert_int_equal(b->ret, 0);
	assert_int_equal(b->log->reported.count, 0);
	assert_true(b->end == only);
	assert_int_equal(b->commits, 2);
	assert_int_equal(b->count, 2);
	walk_to(b, LOG_WALK_RECOVERY, 1u << 20, (struct log_mark){ { only }, 1 });
	assert_int_equal(b->count, 1);
}

static void a_log_that_is_clean_has_no_transactions(void **state)
{
	struct bench *b = *state;

	put_unmount(b->log);
	examine(b->log);
	assert_int_equal(b->log->state.condition, LOG_CLEAN);
	walk_until(b, LOG_WALK_LOGGED, 1u << 20, b->log->state.head.v);
	assert_whole(b, 0);
}

/* One of the faults of a second transaction, after a sound one. */
struct fault {
	void (*put)(struct bench *b);
	enum finding finding;
	uint64_t got, want;
};

static void by_somebody_else(struct bench *b)
{
	start(b, 8, 1);
	b->payload[b->len - 28 + 8] = 0x6a;
}

static void longer_than_the_record(struct bench *b)
{
	start(b, 8, 1);
	put32(b->payload + b->len - 28 + 4, 513);
}

static void flags_nobody_knows(struct bench *b)
{
	start(b, 8, 1);
	op(b, 8, 0x40, NULL, 0);
}

static void commits_with_other_flags(struct bench *b)
{
	start(b, 8, 1);
	op(b, 8, COMMIT | END, NULL, 0);
}

static void started_twice(struct bench *b)
{
	start(b, 8, 1);
	start(b, 8, 1);
}

static void continued_out_of_nothing(struct bench *b)
{
	start(b, 8, 1);
	op(b, 8, WAS_CONT | END, NULL, 8);
}

static void never_continued(struct bench *b)
{
	start(b, 8, 1);
	op(b, 8, CONTINUE, NULL, 8);
	commit(b, 8);
}

static void without_header(struct bench *b)
{
	op(b, 8, START, NULL, 0);
	item(b, 8, EFI, 2);
	commit(b, 8);
}

static void one_region_less(struct bench *b)
{
	start(b, 8, 2);
	item(b, 8, EFI, 2);
	commit(b, 8);
}

static void unknown_item(struct bench *b)
{
	start(b, 8, 1);
	item(b, 8, 0x1239, 2);
	commit(b, 8);
}

static void too_many_regions(struct bench *b)
{
	uint8_t bytes[8];

	start(b, 8, 1);
	item_bytes(b, bytes, EFI, 258, 2);
	op(b, 8, 0, bytes, sizeof(bytes));
	commit(b, 8);
}

static void cut_off(struct bench *b)
{
	uint8_t bytes[8];

	start(b, 8, 1);
	item_bytes(b, bytes, EFI, 2, 2);
	op(b, 8, 0, bytes, sizeof(bytes));
	commit(b, 8);
}

static void of_odd_length(struct bench *b)
{
	uint8_t bytes[8];

	start(b, 8, 1);
	item_bytes(b, bytes, EFI, 1, 2);
	op(b, 8, 0, bytes, 7);
	commit(b, 8);
}

static void too_long(struct bench *b)
{
	uint8_t bytes[8];

	start(b, 8, 1);
	item_bytes(b, bytes, EFI, 1, 2);
	op(b, 8, CONTINUE, bytes, 8);
	op(b, 8, WAS_CONT | END, NULL, 65532);
	commit(b, 8);
}

static void more_than_there_are(struct bench *b)
{
	op(b, 8, 0, NULL, 500); /* the whole block */
	b->ops = 3;
}

static void the_first_fault_ends_the_log(void **state)
{
	static const struct fault faults[] = {
		{ by_somebody_else, F_LOG_OP_CLIENT, 0x6a, 0x69 },
		{ longer_than_the_record, F_LOG_OP_LEN, 513, 488 },
		{ flags_nobody_knows, F_LOG_OP_FLAGS, 0x40, 0 },
		{ commits_with_other_flags, F_LOG_OP_FLAGS, 0x12, 0 },
		{ started_twice, F_LOG_TRANSACTION_START, 8, 0 },
		{ continued_out_of_nothing, F_LOG_OP_CONTINUED, 1, 0 },
		{ never_continued, F_LOG_OP_CONTINUED, 0, 1 },
		{ without_header, F_LOG_TRANSACTION_HEADER, 8, 16 },
		{ one_region_less, F_LOG_TRANSACTION_ITEMS, 2, 1 },
		{ unknown_item, F_LOG_ITEM_TYPE, 0x1239, 0 },
		{ too_many_regions, F_LOG_ITEM_REGIONS, 258, 257 },
		{ cut_off, F_LOG_ITEM_CUT, 1, 2 },
		{ of_odd_length, F_LOG_ITEM_REGION_LEN, 7, 65536 },
		{ too_long, F_LOG_ITEM_REGION_LEN, 65540, 65536 },
		{ more_than_there_are, F_LOG_OP_COUNT, 3, 1 },
	};
	struct bench *b = *state;

	b->size = 131072;
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		uint64_t second;

		start(b, 7, 1);
		item(b, 7, EFI, 1);
		commit(b, 7);
		b->log->tail = record(b);
		faults[i].put(b);
		second = record(b);
		start(b, 9, 1);
		item(b, 9, EFI, 3);
		commit(b, 9);
		record(b);
		walk(b);
		assert_int_equal(b->ret, 0);
		assert_only(b->log, faults[i].finding, faults[i].got, faults[i].want);
		assert_int_equal(b->log->reported.problems[0].index, b->log->reported.problems[0].offset / 512);
		assert_true(b->end == second);
		assert_int_equal(b->count, 1);
		assert_int_equal(b->seen[0].value, 1);
	}
}

static void headers_count_regions_or_items(void **state)
{
	struct bench *b = *state;
	uint8_t bytes[8];

	for (uint32_t stated = 1; stated < 5; stated++) {
		start(b, 7, stated);
		item_bytes(b, bytes, EFI, 2, 1);
		op(b, 7, 0, bytes, sizeof(bytes));
		op(b, 7, 0, bytes, sizeof(bytes));
		item(b, 7, EFI, 2);
		commit(b, 7);
		b->log->tail = lsn(b->log->cycle, b->log->at);
		record(b);
		walk(b);
		if (stated == 2 || stated == 3)
			assert_whole(b, 2);
		else
			assert_only(b->log, F_LOG_TRANSACTION_ITEMS, stated, 3);
	}
}

static void no_choice_of_numbers_makes_it_slow(void **state)
{
	enum { RECORDS = 15, OPS = 8000 }; /* in one bucket: 7 billion looks */
	struct bench *b = *state;
	clock_t before = clock();

	b->size = 262144;
	for (uint32_t i = 0; i < RECORDS; i++) {
		for (uint32_t k = 0; k < OPS; k++)
			op(b, (i * OPS + k) << 12, START, NULL, 0);
		if (i == 0)
			b->log->tail = record(b);
		else
			record(b);
	}
	examine(b->log);
	walk_until(b, LOG_WALK_LOGGED, 128u << 20, b->log->state.head.v);
	assert_whole(b, 0);
	assert_true(clock() - before < 5 * CLOCKS_PER_SEC);
}

static bool is_odd(void *ctx, const struct log_item_head *head)
{
	(void)ctx;
	return head->buf_flags & 1;
}

static void only_wanted_items_are_visited(void **state)
{
	static const uint8_t values[] = { 1, 5, 3, 7 };
	struct bench *b = *state;
	struct log_source source = { .device = NULL };
	struct log_index index = { .limit = 1u << 20 };
	struct check silent = check_silent(&b->log->geo);
	struct log_range range = { .log = &source,
				   .state = &b->log->state,
				   .bbs = b->log->bbs,
				   .limit = 1u << 20,
				   .wanted = is_odd,
				   .index = &index };
	struct log_visit visit = { LOG_WALK_LOGGED, is_odd, see, b };
	struct log_mark end;

	for (uint32_t tid = 1; tid < 4; tid++) {
		start(b, tid, 2);
		item(b, tid, BUF, (uint8_t)tid);
		item(b, tid, BUF, (uint8_t)(tid + 4));
		commit(b, tid);
	}
	record(b);
	examine(b->log);
	range.until.record = b->log->state.head;
	scratch_open(&b->scratch, ENGINE_THREADS, (uint64_t)b->log->bbs * 512);
	assert_int_equal(pwrite(b->scratch.fd, b->log->bytes, (size_t)b->log->bbs * 512, 0), b->log->bbs * 512);
	source.device = b->scratch.device;
	for (unsigned again = 0; again < 2; again++) {
		b->count = 0;
		assert_int_equal(again ? log_index_each(&index, &silent, &source, b->log->bbs, 1u << 20, &visit)
				       : log_transactions_each(&silent, &range, see, b, &end),
				 0);
		assert_int_equal(b->count, 4);
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(b->seen[i].value, values[i]);
	}
	/* without room for it, there is none */
	log_index_free(&index);
	index.limit = 100;
	b->count = 0;
	assert_int_equal(log_transactions_each(&silent, &range, see, b, &end), 0);
	assert_int_equal(b->count, 4);
	assert_false(index.whole);
	log_index_free(&index);
	scratch_close(&b->scratch);
}

#define walk_test(name) cmocka_unit_test_setup_teardown(name, begin, done)

int main(void)
{
	const struct CMUnitTest tests[] = {
		walk_test(items_come_with_their_transaction),
		walk_test(pieces_of_a_region_are_joined),
		walk_test(transactions_may_be_interleaved_and_numbers_used_again),
		walk_test(only_what_begins_and_ends_between_tail_and_head_counts),
		walk_test(transactions_of_nothing_are_none),
		walk_test(recovery_has_an_order_of_its_own),
		walk_test(large_records_are_read_wherever_they_lie),
		walk_test(a_walk_may_end_before_the_head),
		walk_test(a_walk_ends_behind_the_last_transaction_that_is_whole),
		walk_test(a_log_that_is_clean_has_no_transactions),
		walk_test(the_first_fault_ends_the_log),
		walk_test(headers_count_regions_or_items),
		walk_test(no_choice_of_numbers_makes_it_slow),
		walk_test(only_wanted_items_are_visited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
