/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program on a device that can't be read everywhere, or is slow: it is xfsck, linked with --wrap=device_open,
 * --wrap=device_open_write, --wrap=fault_result, --wrap=fault_write, --wrap=sandbox_enter, --wrap=checkpoint_interval
 * and --wrap=save_end.
 *
 *   UNREADABLE=OFFSET+LENGTH[,...]  the bytes whose reads fail
 *   UNREADABLE_DEVICE=PATH          of this device only, rather than of all that are opened
 *   UNREADABLE_AFTER=N              once N reads that touch a range have gone well
 *   UNWRITABLE_AFTER=N              once N writes have gone well, all others fail, as where a pool below is full
 *   UNREADABLE_AT_FIRST=1           until the device is opened for writing
 *   BEFORE_WRITING=COMMAND          what the shell does then; there is no sandbox, which would not let it
 *   SLOW=REQUESTS,BYTES             no more requests, or bytes, a second
 *   CHECKPOINT_MS=N                 checkpoints (--checkpoint) are written every N milliseconds
 *   KILLED_AT=N                     the program is killed at its Nth read
 *   TERMINATED_AT=N                 it gets SIGTERM then; there is no sandbox, which would not let it
 *   KILLED_SAVING=N                 it is killed in the middle of writing its Nth checkpoint
 *   TESTED_EMULATED=1               there is no sandbox, since emulators have none
 *   STUCK_WRITING=N                 its Nth write does not end
 *   STUCK=SECONDS                   the first read that touches a range takes so long, and none fails
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../number.h"
#include "../../cache/fault.h"
#include "../../repair/sandbox/sandbox.h"
#include "../../repair/sets/save.h"

#define FAULTS_MAX 16

int __real_device_open(const char *path, const struct device_options *options, struct device **ret_device,
		       char *message, size_t size);
int __wrap_device_open(const char *path, const struct device_options *options, struct device **ret_device,
		       char *message, size_t size);

int __real_device_open_write(struct device *device, char *message, size_t size);
int __wrap_device_open_write(struct device *device, char *message, size_t size);

ssize_t __real_fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result);
ssize_t __wrap_fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result);
ssize_t __real_fault_write(struct device *device, uint64_t offset, size_t len);
ssize_t __wrap_fault_write(struct device *device, uint64_t offset, size_t len);

int __real_sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs);
int __wrap_sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs);

int __wrap_sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs)
{
	const bool without = getenv("BEFORE_WRITING") || getenv("TERMINATED_AT") || getenv("TESTED_EMULATED");

	return without ? 0 : __real_sandbox_enter(sandbox, needs);
}

uint64_t __real_checkpoint_interval(uint64_t cost);
uint64_t __wrap_checkpoint_interval(uint64_t cost);

uint64_t __wrap_checkpoint_interval(uint64_t cost)
{
	const char *ms = getenv("CHECKPOINT_MS");

	return ms ? number(ms) * 1000000u : __real_checkpoint_interval(cost);
}

int __real_save_end(struct saver *s);
int __wrap_save_end(struct saver *s);

/* True if a counted event has happened as often as an environment variable says. */
static bool is_time(const char *variable, atomic_uint *count)
{
	const char *at = getenv(variable);

	return at && atomic_fetch_add(count, 1) + 1 == number(at);
}

int __wrap_save_end(struct saver *s)
{
	static atomic_uint saved;

	if (is_time("KILLED_SAVING", &saved) && (s->used || s->bytes)) {
		if (pwrite(s->fd, s->buffer, s->used / 2, (off_t)s->bytes) < 0)
			warn("write");
		raise(SIGKILL);
	}
	return __real_save_end(s);
}

/* Ends the program at one of its reads. */
static void end_at_read(void)
{
	static atomic_uint killed, terminated;

	if (is_time("KILLED_AT", &killed))
		raise(SIGKILL);
	if (is_time("TERMINATED_AT", &terminated)) {
		kill(getpid(), SIGTERM);
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL); /* until the signal has arrived */
	}
}

/* Waits for the time that a request takes on a device with a limited rate (SLOW). */
static void take_time(size_t len)
{
	static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
	const char *slow = getenv("SLOW");
	uint64_t requests, bytes, ns;
	char *comma;

	if (!slow)
		return;
	requests = strtoull(slow, &comma, 10);
	bytes = *comma == ',' ? number(comma + 1) : 0;
	if (!requests || !bytes)
		errx(2, "SLOW: \"%s\" is not two numbers", slow);
	ns = UINT64_C(1000000000) / requests;
	if (len * UINT64_C(1000000000) / bytes > ns)
		ns = len * UINT64_C(1000000000) / bytes;
	pthread_mutex_lock(&busy); /* one request at a time */
	nanosleep(&(struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) }, NULL);
	pthread_mutex_unlock(&busy);
}

ssize_t __wrap_fault_result(struct device *device, uint64_t offset, size_t len, ssize_t result)
{
	end_at_read();
	take_time(len);
	return __real_fault_result(device, offset, len, result);
}

ssize_t __wrap_fault_write(struct device *device, uint64_t offset, size_t len)
{
	static atomic_uint written;

	take_time(len);
	if (is_time("STUCK_WRITING", &written))
		for (;;)
			pause();
	return __real_fault_write(device, offset, len);
}

/* Parses a list of faults; ends the program if it is invalid. */
static size_t parse(char *list, struct fault *faults)
{
	size_t count = 0;
	const char *after = getenv("UNREADABLE_AFTER"), *stuck = getenv("STUCK");
	char *rest;

	for (char *range = strtok_r(list, ",", &rest); range; range = strtok_r(NULL, ",", &rest)) {
		char *plus = strchr(range, '+');

		if (!plus || count == FAULTS_MAX)
			errx(2, "UNREADABLE: \"%s\" is no range, or one too many", range);
		*plus = '\0';
		faults[count].offset = number(range);
		faults[count].len = number(plus + 1);
		faults[count].error = stuck ? 0 : -EIO;
		faults[count].delay_us = stuck ? (unsigned)number(stuck) * 1000000u : 0;
		atomic_init(&faults[count].spared, after ? (unsigned)number(after) : 0);
		atomic_init(&faults[count].times, stuck ? 1 : FAULT_ALWAYS);
		count++;
	}
	return count;
}

int __wrap_device_open(const char *path, const struct device_options *options, struct device **ret_device,
		       char *message, size_t size)
{
	const char *list = getenv("UNREADABLE"), *only = getenv("UNREADABLE_DEVICE");
	int ret = __real_device_open(path, options, ret_device, message, size);
	static struct fault faults[FAULTS_MAX]; /* they live as long as the program */
	char *copy;

	if (!ret && !list && (getenv("SLOW") || getenv("KILLED_AT") || getenv("TERMINATED_AT")))
		fault_inject(*ret_device, faults, 1); /* a fault without effect, so that fault_result() is called */
	if (ret || !list || (only && strcmp(only, path) != 0))
		return ret;
	copy = strdup(list);
	if (!copy)
		err(2, "%s", list);
	fault_inject(*ret_device, faults, parse(copy, faults));
	free(copy);
	return 0;
}

/* Makes all writes fail after that many. */
static void refuse_writes(struct device *device, const char *after)
{
	static struct fault full = { .len = UINT64_MAX, .writes = true, .error = -ENOSPC };

	atomic_init(&full.spared, (unsigned)number(after));
	atomic_init(&full.times, FAULT_ALWAYS);
	fault_inject(device, &full, 1);
}

int __wrap_device_open_write(struct device *device, char *message, size_t size)
{
	const char *command = getenv("BEFORE_WRITING"), *after = getenv("UNWRITABLE_AFTER");

	if (command && system(command))
		errx(2, "%s", command);
	if (getenv("UNREADABLE_AT_FIRST"))
		fault_inject(device, NULL, 0);
	if (after || getenv("STUCK_WRITING"))
		refuse_writes(device, after ? after : "1000000");
	return __real_device_open_write(device, message, size);
}
