/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor -n ... DEVICE: the least that any check needs.  It is xfsck, linked with --wrap=sweep_post, --wrap=ledger_sink
 * and --wrap=sandbox_enter, which records the blocks that a check reads and counts its facts.  At the end a bare loop
 * in one thread reads the same blocks into memory, in disk order and in large requests, computes the checksum of each,
 * reads each inode once, and computes one keyed hash per fact.  Prints the best of ROUNDS to standard error: seconds of
 * processor time, bytes read, blocks, inodes, facts.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../../include/array.h"
#include "../../include/libxfs/crc.h"
#include "check/books/ledger.h"
#include "../../repair/sandbox/sandbox.h"
#include "../../repair/sets/ordered.h"
#include "../../repair/base/sink.h"
#include "check/walk/walker.h"

#define ROUNDS	5
#define GAP	(12u << 10) /* bytes that are read through: as in a check on flash */
#define REQUEST (1u << 20)
#define LANES	256u

void __real_sweep_post(struct sweep *sweep, unsigned worker, unsigned group, struct sweep_item *item);
void __wrap_sweep_post(struct sweep *sweep, unsigned worker, unsigned group, struct sweep_item *item);
struct sink __real_ledger_sink(struct ledger *ledger);
struct sink __wrap_ledger_sink(struct ledger *ledger);
int __wrap_sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs);

struct piece {
	uint64_t offset;
	uint32_t length, unit;
	bool inodes;
};

static struct {
	const char *path;
	pthread_mutex_t lock;
	struct piece *pieces;
	size_t count, room;
	struct {
		uint64_t facts;
		uint8_t apart[64];
	} lanes[LANES];
	struct sink_both both;
} noted = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- recording ---- */

void __wrap_sweep_post(struct sweep *sweep, unsigned worker, unsigned group, struct sweep_item *item)
{
	const struct want *want = caa_container_of(item, const struct want, item);
	const struct piece piece = { item->offset, (uint32_t)item->length, item->unit, want->kind == WANT_CHUNK };

	pthread_mutex_lock(&noted.lock);
	if (array_add(noted.pieces, noted.room, noted.count, piece))
		errx(1, "out of memory");
	pthread_mutex_unlock(&noted.lock);
	__real_sweep_post(sweep, worker, group, item);
}

#define x(op, parameters, ...)                                                                                         \
	static void count_##op parameters                                                                              \
	{                                                                                                              \
		(void)ctx;                                                                                             \
		noted.lanes[worker % LANES].facts++;                                                                   \
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
SINK_TABLE(x) /* NOLINT(misc-unused-parameters) */
#pragma GCC diagnostic pop
#undef x

static const struct sink_ops count_ops = {
#define x(op, ...) .op = count_##op,
	SINK_TABLE(x)
#undef x
};

struct sink __wrap_ledger_sink(struct ledger *ledger)
{
	const struct sink real = __real_ledger_sink(ledger), count = { &count_ops, NULL, real.key };

	return sink_both(&noted.both, &real, &count);
}

/* The device is read again at the end. */
int __wrap_sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs)
{
	(void)sandbox;
	(void)needs;
	return 0;
}

/* ---- the bare loop ---- */

struct tally {
	uint64_t bytes, blocks, inodes;
	uint64_t sum; /* keeps the compiler from removing the loop */
};

static void look(const uint8_t *bytes, const struct piece *piece, struct tally *tally)
{
	for (uint32_t at = 0; at + piece->unit <= piece->length; at += piece->unit) {
		if (piece->inodes && !bytes[at + 2] && !bytes[at + 3])
			continue; /* its mode is 0: a free one, which is skipped */
		tally->sum += crc_add(CRC_SEED, bytes + at, piece->unit);
		if (piece->inodes) {
			tally->sum += bytes[at + 16] + bytes[at + 100];
			tally->inodes++;
		} else {
			tally->blocks++;
		}
	}
}

static void read_all(int fd, uint8_t *buffer, struct tally *tally)
{
	for (size_t i = 0, end; i < noted.count; i = end) {
		const uint64_t start = noted.pieces[i].offset;
		uint64_t to = start;

		for (end = i; end < noted.count; end++) {
			const struct piece *piece = &noted.pieces[end];

			if (end > i && (piece->offset > to + GAP || piece->offset + piece->length > start + REQUEST))
				break;
			if (piece->offset + piece->length > to)
				to = piece->offset + piece->length;
		}
		if (to > start + REQUEST)
			errx(1, "a piece of %llu bytes", (unsigned long long)(to - start));
		if (pread(fd, buffer, to - start, (off_t)start) < 0)
			err(1, "%s", noted.path);
		tally->bytes += to - start;
		for (size_t k = i; k < end; k++)
			look(buffer + (noted.pieces[k].offset - start), &noted.pieces[k], tally);
	}
}

static void hash_all(uint64_t facts, struct tally *tally)
{
	struct hash_key key;

	if (hash_key_random(&key))
		errx(1, "no random numbers");
	for (uint64_t i = 0; i < facts; i++)
		tally->sum += hash2(&key, i, facts);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(void)
{
	const int fd = open(noted.path, O_RDONLY);
	uint8_t *buffer = aligned_alloc(4096, REQUEST);
	struct tally tally = { 0 };
	uint64_t facts = 0;
	double best = 1e9;

	if (fd < 0 || !buffer)
		err(1, "%s", noted.path);
	for (unsigned i = 0; i < LANES; i++)
		facts += noted.lanes[i].facts;
	ordered_sort(noted.pieces, noted.count, MEMBERS(MEMBER(noted.pieces, offset)));
	for (unsigned i = 0; i < ROUNDS; i++) {
		const double start = seconds();

		tally = (struct tally){ 0 };
		read_all(fd, buffer, &tally);
		hash_all(facts, &tally);
		if (seconds() - start < best)
			best = seconds() - start;
	}
	fprintf(stderr, "floor %.3f %llu %llu %llu %llu%s\n", best, (unsigned long long)tally.bytes,
		(unsigned long long)tally.blocks, (unsigned long long)tally.inodes, (unsigned long long)facts,
		tally.sum ? "" : " (all is zero)");
	free(buffer);
	close(fd);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
	noted.path = argv[argc - 1];
	atexit(measure);
}
