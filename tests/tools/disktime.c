/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disktime TRACE: computes how long a disk and a flash drive would be busy with the reads of a block trace, whose lines
 * are "issue SECTOR COUNT" and "complete SECTOR COUNT".  Prints one line of numbers: requests; those that begin before
 * the end of the last one; seconds on a disk, as traced and in one ascending pass over the same sectors; seconds on
 * flash, as traced and by the bytes alone.  These are models of typical drives, to compare programs that read the same
 * blocks.
 */
#define _GNU_SOURCE
#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 7200 revolutions per minute */
#define DISK_RATE     150e6  /* bytes per second */
#define DISK_ROTATION 4.2e-3 /* half a revolution */
#define DISK_SETTLE   1e-3
#define DISK_STROKE   15e-3 /* from the first to the last of DISK_BYTES */
#define DISK_BYTES    1e12
#define DISK_QUEUE    32

#define FLASH_RATE     500e6
#define FLASH_LATENCY  90e-6
#define FLASH_PARALLEL 8

struct request {
	double start, end; /* bytes */
	size_t before;	   /* requests that were complete when this one was issued */
};

struct trace {
	struct request *all;
	size_t count, room;
};

static void add(struct trace *trace, double sector, double count, size_t completed)
{
	if (trace->count == trace->room) {
		trace->room = trace->room ? 2 * trace->room : 1024;
		trace->all = reallocarray(trace->all, trace->room, sizeof(*trace->all));
		if (!trace->all)
			err(2, "memory");
	}
	if (completed > trace->count) /* some of these were issued before the trace began */
		completed = trace->count;
	trace->all[trace->count++] = (struct request){ sector * 512, (sector + count) * 512, completed };
}

static void load(struct trace *trace, const char *path)
{
	FILE *in = fopen(path, "r");
	size_t completed = 0;
	char line[256];

	if (!in)
		err(2, "%s", path);
	while (fgets(line, sizeof(line), in)) {
		const char *fields = strchr(line, ' ');
		char *behind_sector, *end;
		double sector, count;

		if (!fields)
			break;
		sector = strtod(fields, &behind_sector);
		count = strtod(behind_sector, &end);
		if (end == behind_sector)
			break;
		if (line[0] == 'i')
			add(trace, sector, count, completed);
		else
			completed++;
	}
	fclose(in);
}

/* Seconds from one place to another: a seek, or, a short way ahead, the rotation to there. */
static double disk_move(double from, double to)
{
	double seek = DISK_SETTLE + DISK_STROKE * sqrt(fabs(to - from) / DISK_BYTES) + DISK_ROTATION;
	double wait = (to - from) / DISK_RATE;

	return wait >= 0 && wait < seek ? wait : seek;
}

/* Seconds on a disk.  The drive takes the nearest of the requests in flight, as many as its queue holds. */
static double disk(const struct trace *trace)
{
	const struct request *queue[DISK_QUEUE];
	size_t queued = 0, next = 0, done = 0;
	double seconds = 0, head = 0;

	for (; done < trace->count; done++) {
		size_t best = 0;

		while (queued < DISK_QUEUE && next < trace->count && (!queued || trace->all[next].before <= done))
			queue[queued++] = &trace->all[next++];
		for (size_t i = 1; i < queued; i++)
			if (disk_move(head, queue[i]->start) < disk_move(head, queue[best]->start))
				best = i;
		seconds += disk_move(head, queue[best]->start) + (queue[best]->end - queue[best]->start) / DISK_RATE;
		head = queue[best]->end;
		queue[best] = queue[--queued];
	}
	return seconds;
}

/* Seconds on flash: by the bytes, or by the latency, which requests in flight share. */
static double flash(const struct trace *trace)
{
	double seconds = 0;

	for (size_t i = 0; i < trace->count; i++) {
		const struct request *request = &trace->all[i];
		size_t parallel = i + 1 - request->before < FLASH_PARALLEL ? i + 1 - request->before : FLASH_PARALLEL;

		seconds += fmax((request->end - request->start) / FLASH_RATE, FLASH_LATENCY / (double)parallel);
	}
	return seconds;
}

static size_t backward(const struct trace *trace)
{
	size_t count = 0;

	for (size_t i = 1; i < trace->count; i++)
		count += trace->all[i].start < trace->all[i - 1].end;
	return count;
}

static int by_start(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Seconds on either drive to read each of these sectors once, in order. */
static void limits(struct trace *trace, double *ret_disk, double *ret_flash)
{
	double disk = 0, bytes = 0, head = 0;

	qsort(trace->all, trace->count, sizeof(*trace->all), by_start);
	for (size_t i = 0; i < trace->count; i++) {
		double start = fmax(trace->all[i].start, head), end = fmax(trace->all[i].end, head);

		disk += disk_move(head, start) + (end - start) / DISK_RATE;
		bytes += end - start;
		head = end;
	}
	*ret_disk = disk;
	*ret_flash = bytes / FLASH_RATE;
}

int main(int argc, char **argv)
{
	struct trace trace = { 0 };
	double disk_seconds, disk_limit, flash_seconds, flash_limit;
	size_t backwards;

	if (argc != 2)
		errx(2, "usage: disktime TRACE");
	load(&trace, argv[1]);
	disk_seconds = disk(&trace);
	flash_seconds = flash(&trace);
	backwards = backward(&trace);
	limits(&trace, &disk_limit, &flash_limit);
	printf("%zu %zu %.3f %.3f %.3f %.3f\n", trace.count, backwards, disk_seconds, disk_limit, flash_seconds,
	       flash_limit);
	free(trace.all);
	return 0;
}
