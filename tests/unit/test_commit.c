/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/commit/commit.c: what is on the medium before what, and what a failing device still gets.  pwrite() and
 * fsync() of the program are those below, which note each call and can fail.
 */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "../../repair/commit/commit.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "ag_headers.h"
#include "consent.h"
#include "options.h"
#include "report.h"

/* Blocks of 4096 bytes of two AGs of 256 blocks.  What is written together lies in one of them. */
enum {
	BLOCKS_OF_AG = 256,
	LOG_AT = 100, /* 64 sectors */
	LOG_RECORD = LOG_AT + 1,
	LOG_OTHER = LOG_AT + 2,
	REPLAYED = 120,
	HEADERS = BLOCKS_OF_AG,
	BNOBT,
	MENDED = BLOCKS_OF_AG + 50,
	FREE_FROM = BLOCKS_OF_AG + 100,
	FREE_TO = 2 * BLOCKS_OF_AG,
};

/* What is written, by place. */
enum place_of_write {
	TO_UNDO, /* the undo file */
	TO_REDO, /* free space */
	TO_SUPERBLOCK,
	TO_REPLAYED,
	TO_LOG_OTHER,
	TO_LOG_RECORD,
	TO_BLOCKS, /* mended ones */
	TO_HEADERS,
	PLACES,
};

#define MOST 200u

struct event {
	bool flush;
	enum place_of_write to; /* of a flush: only whether it is TO_UNDO */
	bool named;		/* the undo file had its name at that time */
	bool folder;		/* a flush of its folder */
	uint8_t superblock[SECTOR];
};

/* The calls of one commit. */
static struct trace_of_calls {
	pthread_mutex_t lock;
	bool on;
	ino_t device;	  /* of the file */
	const char *undo; /* NULL: none */
	unsigned fails;	  /* the event with this number fails, and those after it; 0: none */
	bool once;	  /* only that one fails */
	struct event events[MOST];
	unsigned count;
} calls = { .lock = PTHREAD_MUTEX_INITIALIZER };

static enum place_of_write place_of_block(uint64_t block)
{
	switch (block) {
	case 0:
		return TO_SUPERBLOCK;
	case LOG_RECORD:
		return TO_LOG_RECORD;
	case LOG_OTHER:
		return TO_LOG_OTHER;
	case REPLAYED:
		return TO_REPLAYED;
	case HEADERS:
		return TO_HEADERS;
	case BNOBT:
	case MENDED:
		return TO_BLOCKS;
	default:
		return block >= FREE_FROM && block < FREE_TO ? TO_REDO : PLACES;
	}
}

/* Notes a call.  False: it must fail. */
static bool noted(int fd, bool flush, const void *bytes, size_t len, off_t offset)
{
	struct event *event = &calls.events[calls.count];
	struct stat st;
	bool device;

	if (!calls.on || fstat(fd, &st))
		return true;
	device = st.st_ino == calls.device;
	if (!device && !calls.undo)
		return true;
	assert_true(calls.count < MOST);
	calls.count++;
	*event = (struct event){ .flush = flush, .to = device ? TO_SUPERBLOCK : TO_UNDO };
	event->folder = S_ISDIR(st.st_mode);
	event->named = calls.undo && access(calls.undo, F_OK) == 0;
	if (device && !flush) {
		event->to = place_of_block((uint64_t)offset >> 12);
		assert_int_equal(event->to, place_of_block(((uint64_t)offset + len - 1) >> 12));
		if (!offset)
			memcpy(event->superblock, bytes, SECTOR);
	}
	return !device || !calls.fails || calls.count < calls.fails || (calls.once && calls.count > calls.fails);
}

static bool noted_alone(int fd, bool flush, const void *bytes, size_t len, off_t offset)
{
	bool ret;

	pthread_mutex_lock(&calls.lock);
	ret = noted(fd, flush, bytes, len, offset);
	pthread_mutex_unlock(&calls.lock);
	if (!ret)
		errno = EIO;
	return ret;
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t offset)
{
	const struct iovec part = { (void *)(uintptr_t)bytes, len };

	return noted_alone(fd, false, bytes, len, offset) ? pwritev(fd, &part, 1, offset) : -1;
}

int fsync(int fd)
{
	return noted_alone(fd, true, NULL, 0, 0) ? fdatasync(fd) : -1;
}

/* ---- a repair that is to be committed ---- */

struct fixture {
	struct scratch scratch;
	struct options options;
	struct undo_place undo_place;
	struct run run;
	struct repair rc;
	FILE *err;
	char folder[64], undo[96];
};

static void stage(struct fixture *f, enum overlay_layer layer, const void *bytes, uint64_t offset, size_t len)
{
	assert_int_equal(device_stage(f->scratch.device, layer, bytes, offset, len), 0);
}

static void stage_block(struct fixture *f, enum overlay_layer layer, uint64_t block, int with)
{
	uint8_t bytes[4096];

	memset(bytes, with, sizeof(bytes));
	stage(f, layer, bytes, block << 12, sizeof(bytes));
}

/* The superblock with this count of free blocks. */
static void stage_superblock(struct fixture *f, enum overlay_layer layer, uint64_t free_blocks)
{
	uint8_t sector[SECTOR];

	superblock_fill(sector);
	put(sector, SB_FDBLOCKS, 8, free_blocks);
	put_crc(sector, SB_CRC);
	stage(f, layer, sector, 0, SECTOR);
}

/* The AGF of AG 1, and its bnobt, which has the free space: ondisk 02 and 03. */
static void fill_free_space(uint8_t agf[SECTOR], uint8_t bnobt[4096])
{
	static const struct {
		unsigned offset;
		uint32_t value;
	} fields[] = { { 0, 0x58414746 }, { 4, 1 },    { 8, 1 },    { 12, BLOCKS_OF_AG },
		       { 16, 1 },	  { 20, 2 },   { 24, 5 },   { 28, 1 },
		       { 32, 1 },	  { 36, 1 },   { 40, 0 },   { 44, 5 },
		       { 48, 6 },	  { 52, 156 }, { 56, 156 }, { 60, 0 },
		       { 80, 1 },	  { 84, 1 },   { 88, 6 },   { 92, 1 } };
	le32_t crc;

	memset(agf, 0, SECTOR);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		put(agf, fields[i].offset, 4, fields[i].value);
	put_uuid(agf, 64);
	put(agf, 208, 8, 0x100000040);
	put_crc(agf, 216);
	memset(bnobt, 0, 4096);
	put(bnobt, 0, 4, 0x41423342); /* AB3B */
	put(bnobt, 6, 2, 1);
	put(bnobt, 8, 8, UINT64_MAX);
	put(bnobt, 16, 8, BNOBT * 8);
	put_uuid(bnobt, 32);
	put(bnobt, 48, 4, 1);
	put(bnobt, 56, 4, FREE_FROM - BLOCKS_OF_AG);
	put(bnobt, 60, 4, FREE_TO - FREE_FROM);
	crc = le32_put(crc_block(bnobt, 4096, 52));
	memcpy(bnobt + 52, &crc, sizeof(crc));
}

enum { AGF_AT = (HEADERS << 12) + 512, BNOBT_AT = BNOBT << 12 };

static void stage_free_space(struct fixture *f)
{
	uint8_t agf[SECTOR], bnobt[4096];

	fill_free_space(agf, bnobt);
	stage(f, LAYER_MEND, agf, AGF_AT, sizeof(agf));
	stage(f, LAYER_MEND, bnobt, BNOBT_AT, sizeof(bnobt));
}

static void stage_sector(struct fixture *f, enum overlay_layer layer, uint64_t offset, int with)
{
	uint8_t bytes[SECTOR];

	memset(bytes, with, sizeof(bytes));
	stage(f, layer, bytes, offset, SECTOR);
}

static void stage_log_end(struct fixture *f, enum log_end_kind kind)
{
	f->run.log_end = (struct log_end){
		.kind = kind,
		.log = { .device = f->scratch.device, .start = (uint64_t)LOG_AT << 12 },
		.ending = { .head = { UINT64_C(0x100000000) + 8 }, .bbs = 64, .record = 2 },
	};
	stage_sector(f, LAYER_LOG, ((uint64_t)LOG_AT << 12) + 8 * SECTOR, 'h');
	stage_sector(f, LAYER_LOG, ((uint64_t)LOG_AT << 12) + 20 * SECTOR, 0);
}

static void open_fixture(struct fixture *f)
{
	uint8_t sector[SECTOR];
	struct stat st;

	memset(f, 0, sizeof(*f));
	scratch_open(&f->scratch, ENGINE_THREADS, (uint64_t)FREE_TO << 12);
	superblock_fill(sector);
	assert_int_equal(pwrite(f->scratch.fd, sector, SECTOR, 0), SECTOR);
	assert_int_equal(fstat(f->scratch.fd, &st), 0);
	f->err = fopen("/dev/null", "w");
	assert_non_null(f->err);
	f->options = (struct options){ .program = "xfsck", .keep = UNDO_NONE, .device = "device", .quiet = true };
	f->run.options = &f->options;
	f->run.device = f->scratch.device;
	f->run.undo_place = &f->undo_place;
	f->undo_place.folder = f->undo_place.file = -1;
	f->rc.run = &f->run;
	assert_int_equal(report_open(&f->options, 0, NULL, f->err, f->err, &f->rc.report), 0);
	f->rc.geo = headers_geometry();
	f->rc.geo.agcount = 2;
	f->rc.geo.agblocks = BLOCKS_OF_AG;
	f->rc.geo.agblock_log = 8;
	f->rc.geo.dblocks = FREE_TO;
	calls.count = 0;
	calls.fails = 0;
	calls.once = false;
	calls.undo = NULL;
	calls.device = st.st_ino;
}

/* A replay, a record that marks the log clean, and a repair of blocks, headers and superblock. */
static void stage_all(struct fixture *f)
{
	stage_block(f, LAYER_REPLAY, REPLAYED, 'r');
	stage_superblock(f, LAYER_REPLAY, 1111);
	stage_log_end(f, LOG_END_RECORD);
	f->run.log_replayed = true;
	stage_block(f, LAYER_MEND, MENDED, 'm');
	stage_free_space(f);
	stage_superblock(f, LAYER_MEND, 2222);
}

static void with_undo(struct fixture *f)
{
	snprintf(f->folder, sizeof(f->folder), "/tmp/xfsck-test-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	snprintf(f->undo, sizeof(f->undo), "%s/undo", f->folder);
	f->options.keep = UNDO_FILE;
	f->options.undo = f->undo;
	assert_int_equal(commit_may_keep(&f->rc), PHASE_DONE);
	calls.undo = f->undo;
}

static void close_fixture(struct fixture *f)
{
	undo_place_close(&f->undo_place);
	if (f->options.undo) {
		unlink(f->undo);
		assert_int_equal(rmdir(f->folder), 0);
	}
	assert_int_equal(report_close(f->rc.report, NULL, false, "", 0, 0), 0);
	fclose(f->err);
	scratch_close(&f->scratch);
}

static enum phase_result run(struct fixture *f)
{
	enum phase_result ret;

	calls.on = true;
	ret = commit(&f->rc);
	calls.on = false;
	return ret;
}

static unsigned times(enum place_of_write to)
{
	unsigned n = 0;

	for (unsigned i = 0; i < calls.count; i++)
		n += !calls.events[i].flush && calls.events[i].to == to;
	return n;
}

/* Returns the index of the first write there at or after an event. */
static unsigned first_from(enum place_of_write to, unsigned from)
{
	for (; from < calls.count; from++)
		if (!calls.events[from].flush && calls.events[from].to == to)
			return from;
	fail_msg("nothing was written to place %d", to);
	return 0;
}

static unsigned last(enum place_of_write to)
{
	unsigned i = calls.count;

	while (i-- > 0)
		if (!calls.events[i].flush && calls.events[i].to == to)
			return i;
	fail_msg("nothing was written to place %d", to);
	return 0;
}

/* Fails unless the device is flushed between the two events. */
static void assert_flush_between(unsigned earlier, unsigned later)
{
	assert_true(earlier < later);
	for (unsigned i = earlier + 1; i < later; i++)
		if (calls.events[i].flush && calls.events[i].to != TO_UNDO)
			return;
	fail_msg("events %u and %u, without a flush between them", earlier, later);
}

/* All of the former is on the medium before any of the latter. */
static void assert_before(enum place_of_write former, enum place_of_write latter)
{
	assert_flush_between(last(former), first_from(latter, 0));
}

/* ondisk 01: sb_features_incompat, XFS_SB_FEAT_INCOMPAT_NEEDSREPAIR.  The kernel does not mount such a file system. */
static bool is_marked(const struct event *event)
{
	return event->superblock[SB_INCOMPAT + 3] & 0x10;
}

/* The pointer to the redo record, at the end of the sector. */
static bool is_pointed(const struct event *event)
{
	return !memcmp(event->superblock + 480, "xfsckred", 8);
}

static uint32_t free_blocks(const struct event *event)
{
	return (uint32_t)event->superblock[SB_FDBLOCKS + 6] << 8 | event->superblock[SB_FDBLOCKS + 7];
}

/* ---- the order ---- */

static void the_redo_record_comes_before_its_pointer_and_the_mark(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	assert_before(TO_REDO, TO_SUPERBLOCK);
	close_fixture(&f);
}

static void the_mark_and_the_pointer_come_before_all_but_the_redo_record(void **state)
{
	unsigned mark;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	mark = first_from(TO_SUPERBLOCK, 0);
	assert_true(is_marked(&calls.events[mark]) && is_pointed(&calls.events[mark]));
	for (enum place_of_write to = TO_REPLAYED; to < PLACES; to++)
		assert_flush_between(mark, first_from(to, 0));
	close_fixture(&f);
}

static void the_replayed_superblock_comes_after_the_replayed_blocks_and_before_the_log(void **state)
{
	unsigned second;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	second = first_from(TO_SUPERBLOCK, first_from(TO_SUPERBLOCK, 0) + 1);
	assert_int_equal(free_blocks(&calls.events[second]), 1111);
	assert_true(is_marked(&calls.events[second]) && is_pointed(&calls.events[second]));
	assert_flush_between(last(TO_REPLAYED), second);
	assert_flush_between(second, first_from(TO_LOG_OTHER, 0));
	assert_flush_between(second, first_from(TO_LOG_RECORD, 0));
	close_fixture(&f);
}

static void the_record_that_marks_the_log_clean_comes_after_stale_blocks_are_cleared(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	assert_before(TO_LOG_OTHER, TO_LOG_RECORD);
	close_fixture(&f);
}

static void the_record_of_a_new_log_comes_before_the_rest_of_it(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	f.run.log_end.kind = LOG_END_NEW;
	assert_int_equal(run(&f), PHASE_DONE);
	assert_before(TO_LOG_RECORD, TO_LOG_OTHER);
	close_fixture(&f);
}

static void the_log_is_clean_before_anything_is_mended(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	assert_before(TO_LOG_RECORD, TO_BLOCKS);
	assert_before(TO_LOG_RECORD, TO_HEADERS);
	close_fixture(&f);
}

static void mended_blocks_come_before_the_headers_that_point_to_them(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	assert_int_equal(times(TO_BLOCKS), 2);
	assert_before(TO_BLOCKS, TO_HEADERS);
	close_fixture(&f);
}

static void the_superblock_without_mark_and_pointer_comes_last(void **state)
{
	unsigned final;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	final = last(TO_SUPERBLOCK);
	assert_false(is_marked(&calls.events[final]) || is_pointed(&calls.events[final]));
	assert_int_equal(free_blocks(&calls.events[final]), 2222);
	assert_flush_between(last(TO_HEADERS), final);
	for (unsigned i = final + 1; i < calls.count; i++)
		assert_true(calls.events[i].flush);
	assert_true(calls.count > final + 1);
	for (unsigned i = 0; i < final; i++)
		assert_true(calls.events[i].flush || calls.events[i].to != TO_SUPERBLOCK ||
			    is_marked(&calls.events[i]));
	close_fixture(&f);
}

static void the_undo_file_is_complete_before_the_first_write_to_the_device(void **state)
{
	unsigned first;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	with_undo(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	for (first = 0; calls.events[first].to == TO_UNDO; first++)
		;
	assert_true(calls.events[first].named);
	assert_true(first > 2 && calls.events[first - 1].folder);
	assert_true(calls.events[last(TO_UNDO) + 1].flush && last(TO_UNDO) + 1 < first - 1);
	close_fixture(&f);
}

static void the_undo_file_says_that_it_is_complete_when_its_contents_are_on_the_medium(void **state)
{
	unsigned header;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	with_undo(&f);
	assert_int_equal(run(&f), PHASE_DONE);
	header = last(TO_UNDO);
	assert_true(header > 1 && calls.events[header - 1].flush);
	close_fixture(&f);
}

/* ---- what is written at all ---- */

static void what_is_as_it_was_is_not_written(void **state)
{
	uint8_t same[4096];
	struct fixture f;

	(void)state;
	open_fixture(&f);
	for (unsigned i = 0; i < sizeof(same); i++)
		same[i] = scratch_byte(((uint64_t)MENDED << 12) + i);
	stage(&f, LAYER_MEND, same, (uint64_t)MENDED << 12, sizeof(same));
	assert_int_equal(run(&f), PHASE_DONE);
	assert_int_equal(calls.count, 0);
	close_fixture(&f);
}

/* The log still has everything, for the kernel as well. */
static void a_mere_replay_needs_no_mark_and_no_redo_record(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_block(&f, LAYER_REPLAY, REPLAYED, 'r');
	stage_superblock(&f, LAYER_REPLAY, 1111);
	stage_log_end(&f, LOG_END_RECORD);
	f.run.log_replayed = true;
	assert_int_equal(run(&f), PHASE_DONE);
	assert_int_equal(times(TO_REDO), 0);
	assert_int_equal(times(TO_SUPERBLOCK), 1);
	assert_false(is_marked(&calls.events[last(TO_SUPERBLOCK)]));
	assert_before(TO_REPLAYED, TO_SUPERBLOCK);
	assert_before(TO_SUPERBLOCK, TO_LOG_OTHER);
	assert_before(TO_LOG_OTHER, TO_LOG_RECORD);
	close_fixture(&f);
}

/* It is either written or not. */
static void a_single_sector_needs_no_mark_and_no_redo_record(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_sector(&f, LAYER_MEND, (uint64_t)MENDED << 12, 'm');
	assert_int_equal(run(&f), PHASE_DONE);
	assert_int_equal(times(TO_BLOCKS), 1);
	assert_int_equal(times(TO_SUPERBLOCK) + times(TO_REDO), 0);
	assert_true(calls.events[calls.count - 1].flush);
	close_fixture(&f);
}

/* Each of them is valid by itself. */
static void headers_alone_need_no_redo_record(void **state)
{
	uint8_t agf[SECTOR], bnobt[4096];
	struct fixture f;

	(void)state;
	open_fixture(&f);
	fill_free_space(agf, bnobt);
	assert_int_equal(pwrite(f.scratch.fd, agf, sizeof(agf), AGF_AT), sizeof(agf));
	assert_int_equal(pwrite(f.scratch.fd, bnobt, sizeof(bnobt), BNOBT_AT), sizeof(bnobt));
	put(agf, 52, 4, 155); /* free blocks */
	put_crc(agf, 216);
	stage(&f, LAYER_MEND, agf, AGF_AT, sizeof(agf));
	stage_sector(&f, LAYER_MEND, AGF_AT + SECTOR, 'm');
	assert_int_equal(run(&f), PHASE_DONE);
	assert_int_equal(times(TO_REDO), 0);
	assert_int_equal(times(TO_SUPERBLOCK), 2);
	assert_true(is_marked(&calls.events[first_from(TO_SUPERBLOCK, 0)]));
	assert_flush_between(last(TO_HEADERS), last(TO_SUPERBLOCK));
	close_fixture(&f);
}

static void without_consent_nothing_is_written(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	with_undo(&f);
	consent_ask(&f.run.consents, CONSENT_CONTENTS);
	assert_int_equal(run(&f), PHASE_STOP);
	assert_int_equal(calls.count, 0);
	close_fixture(&f);
}

static void an_undo_file_takes_the_place_of_consent_to_losses(void **state)
{
	(void)state;
	for (unsigned undo = 0; undo < 2; undo++) {
		struct fixture f;

		open_fixture(&f);
		stage_all(&f);
		if (undo)
			with_undo(&f);
		consent_ask(&f.run.consents, CONSENT_LOSSES);
		assert_int_equal(run(&f), undo ? PHASE_DONE : PHASE_STOP);
		if (!undo)
			assert_int_equal(calls.count, 0);
		close_fixture(&f);
	}
}

static void without_the_undo_file_that_the_user_names_nothing_is_written(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	with_undo(&f);
	close(open(f.undo, O_CREAT | O_WRONLY, 0600)); /* another program's */
	assert_int_equal(run(&f), PHASE_FAILED);
	for (enum place_of_write to = TO_REDO; to < PLACES; to++)
		assert_int_equal(times(to), 0);
	close_fixture(&f);
}

/* ---- devices that fail ---- */

/* The step of the order in which a write is allowed. */
static unsigned step_of(const struct event *event)
{
	static const unsigned steps[PLACES] = { [TO_REDO] = 1,	     [TO_REPLAYED] = 3, [TO_LOG_OTHER] = 5,
						[TO_LOG_RECORD] = 6, [TO_BLOCKS] = 7,	[TO_HEADERS] = 8 };

	if (event->to != TO_SUPERBLOCK)
		return steps[event->to];
	return !is_marked(event) ? 9 : free_blocks(event) == 1111 ? 4 : 2;
}

/* From the first failure on, every call fails: nothing of a later step is even tried. */
static void a_failing_device_gets_nothing_of_a_later_step(void **state)
{
	unsigned number = 1;
	enum phase_result result;

	(void)state;
	do {
		struct fixture f;

		open_fixture(&f);
		stage_all(&f);
		calls.fails = number;
		result = run(&f);
		assert_int_equal(result == PHASE_FAILED, calls.count >= number);
		for (unsigned i = number; i < calls.count; i++) {
			const struct event *failed = &calls.events[number - 1];

			assert_false(failed->flush);
			if (!calls.events[i].flush)
				assert_int_equal(step_of(&calls.events[i]), step_of(failed));
		}
		close_fixture(&f);
	} while (result != PHASE_DONE && ++number < MOST);
	assert_in_range(number, 16, MOST - 1);
}

/* A failure that does not last does not make the rest right. */
static void a_write_that_fails_once_ends_it(void **state)
{
	unsigned number = 1;
	enum phase_result result;

	(void)state;
	do {
		struct fixture f;

		open_fixture(&f);
		stage_all(&f);
		calls.fails = number;
		calls.once = true;
		result = run(&f);
		assert_int_equal(result == PHASE_FAILED, calls.count >= number);
		for (unsigned i = number; i < calls.count; i++)
			if (!calls.events[i].flush)
				assert_int_equal(step_of(&calls.events[i]), step_of(&calls.events[number - 1]));
		close_fixture(&f);
	} while (result != PHASE_DONE && ++number < MOST);
	assert_in_range(number, 16, MOST - 1);
}

/* Then the undo file is the way back, and no pointer is set. */
static void with_an_undo_file_it_goes_on_without_a_redo_record(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	stage_all(&f);
	with_undo(&f);
	run(&f);
	calls.fails = first_from(TO_REDO, 0) + 1;
	close_fixture(&f);
	for (unsigned undo = 0; undo < 2; undo++) {
		const unsigned fails = calls.fails;

		open_fixture(&f);
		stage_all(&f);
		if (undo)
			with_undo(&f);
		calls.fails = undo ? fails : 1;
		calls.once = true;
		assert_int_equal(run(&f), undo ? PHASE_DONE : PHASE_FAILED);
		assert_int_equal(times(TO_SUPERBLOCK) > 0, undo);
		for (unsigned i = 0; i < calls.count; i++)
			assert_false(is_pointed(&calls.events[i]));
		calls.fails = fails;
		close_fixture(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_redo_record_comes_before_its_pointer_and_the_mark),
		cmocka_unit_test(the_mark_and_the_pointer_come_before_all_but_the_redo_record),
		cmocka_unit_test(the_replayed_superblock_comes_after_the_replayed_blocks_and_before_the_log),
		cmocka_unit_test(the_record_that_marks_the_log_clean_comes_after_stale_blocks_are_cleared),
		cmocka_unit_test(the_record_of_a_new_log_comes_before_the_rest_of_it),
		cmocka_unit_test(the_log_is_clean_before_anything_is_mended),
		cmocka_unit_test(mended_blocks_come_before_the_headers_that_point_to_them),
		cmocka_unit_test(the_superblock_without_mark_and_pointer_comes_last),
		cmocka_unit_test(the_undo_file_is_complete_before_the_first_write_to_the_device),
		cmocka_unit_test(the_undo_file_says_that_it_is_complete_when_its_contents_are_on_the_medium),
		cmocka_unit_test(what_is_as_it_was_is_not_written),
		cmocka_unit_test(a_mere_replay_needs_no_mark_and_no_redo_record),
		cmocka_unit_test(a_single_sector_needs_no_mark_and_no_redo_record),
		cmocka_unit_test(headers_alone_need_no_redo_record),
		cmocka_unit_test(without_consent_nothing_is_written),
		cmocka_unit_test(an_undo_file_takes_the_place_of_consent_to_losses),
		cmocka_unit_test(without_the_undo_file_that_the_user_names_nothing_is_written),
		cmocka_unit_test(a_failing_device_gets_nothing_of_a_later_step),
		cmocka_unit_test(a_write_that_fails_once_ends_it),
		cmocka_unit_test(with_an_undo_file_it_goes_on_without_a_redo_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
