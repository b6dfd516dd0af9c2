/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write OPTIONS FILE     write a computed file system to a sparse file
 * write OPTIONS          what there is in it: inodes, directories, names, blocks, blocks of metadata, and findings
 *                        that damage makes
 * write OPTIONS --read=THREADS
 *                        compute all its metadata, and tell wall and processor time, bytes
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../number.h"
#include "computed.h"

#define BLOCK	4096u
#define STRETCH (1u << 20) /* bytes per read */

static void write_file(const struct computed *computed, const char *path)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	const uint64_t bytes = computed_bytes(computed);
	uint8_t block[BLOCK];

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		err(2, "%s", path);
	for (uint64_t at = 0; (at = computed_next(computed, at)) < bytes; at += BLOCK) {
		computed_read(computed, block, at, BLOCK);
		if (pwrite(fd, block, BLOCK, (off_t)at) != BLOCK)
			err(2, "%s", path);
	}
	if (close(fd))
		err(2, "%s", path);
}

struct reader {
	const struct computed *computed;
	atomic_uint_least64_t next; /* stretch */
	atomic_uint_least64_t bytes;
};

static void *read_some(void *arg)
{
	struct reader *reader = arg;
	const uint64_t end = computed_bytes(reader->computed);
	static _Thread_local uint8_t block[BLOCK];
	uint64_t at, done = 0;

	while ((at = atomic_fetch_add(&reader->next, 1) * STRETCH) < end) {
		const uint64_t stop = at + STRETCH < end ? at + STRETCH : end;

		for (; (at = computed_next(reader->computed, at)) < stop; at += BLOCK, done += BLOCK)
			computed_read(reader->computed, block, at, BLOCK);
	}
	atomic_fetch_add(&reader->bytes, done);
	return NULL;
}

static double seconds_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void read_all(const struct computed *computed, uint64_t threads)
{
	struct reader reader = { .computed = computed };
	pthread_t ids[64];
	const double wall = seconds_now(CLOCK_MONOTONIC), cpu = seconds_now(CLOCK_PROCESS_CPUTIME_ID);

	if (!threads || threads > 64)
		errx(2, "between 1 and 64 threads");
	for (uint64_t i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], NULL, read_some, &reader))
			errx(2, "no thread");
	}
	for (uint64_t i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	printf("%.3f %.3f %" PRIuLEAST64 "\n", seconds_now(CLOCK_MONOTONIC) - wall,
	       seconds_now(CLOCK_PROCESS_CPUTIME_ID) - cpu, atomic_load(&reader.bytes));
}

int main(int argc, char **argv)
{
	struct computed_options options;
	struct computed *computed;
	struct computed_facts facts;
	char message[256];

	if (argc < 2 || argc > 3)
		errx(2, "usage: write OPTIONS [FILE | --read=THREADS]");
	if (!computed_parse(argv[1], &options, message, sizeof(message)))
		errx(2, "%s", message);
	computed = computed_create(&options, message, sizeof(message));
	if (!computed)
		errx(2, "%s", message);
	facts = computed_facts(computed);
	if (argc == 2)
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", facts.inodes,
		       facts.directories, facts.names, facts.blocks, facts.metadata, facts.wrong);
	else if (!strncmp(argv[2], "--read=", 7))
		read_all(computed, number(argv[2] + 7));
	else
		write_file(computed, argv[2]);
	computed_destroy(computed);
	return 0;
}
