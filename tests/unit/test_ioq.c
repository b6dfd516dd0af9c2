/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue of reads on both engines: they must give the same results. */
#define _GNU_SOURCE 1

#include "scratch_device.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "../../cache/device.h"
#include "../../cache/fault.h"
#include "privileged.h"
#include "in_range.h"

#define KIB	 1024u
#define MAX_READ (64 * KIB)
#define BYTES	 (1024 * KIB)

static const enum device_engine uring = ENGINE_URING, threads = ENGINE_THREADS;

static struct io *new_io(struct device *device, uint64_t offset, uint32_t len)
{
	struct io *io = calloc(1, sizeof(*io));

	*io = (struct io){ .offset = offset, .len = len, .buf = device_buffer(device, len), .cookie = io };
	memset(io->buf, 0xff, len);
	return io;
}

static void free_io(struct io *io)
{
	device_buffer_free(io->buf);
	free(io);
}

/* Submits one read and waits for it. */
static struct io *read_one(struct device *device, uint64_t offset, uint32_t len)
{
	struct ioq *ioq;
	struct io *io = new_io(device, offset, len);

	assert_int_equal(ioq_create(device, 1, &ioq), 0);
	assert_int_equal(ioq_submit(ioq, io), 0);
	assert_ptr_equal(ioq_wait(ioq), io);
	assert_ptr_equal(io->cookie, io);
	ioq_destroy(ioq);
	return io;
}

/* An aligned range of the first BYTES bytes. */
static void random_range(unsigned *seed, uint32_t align, uint64_t *ret_offset, uint32_t *ret_len)
{
	*ret_len = align * (1 + (uint32_t)rand_r(seed) % (MAX_READ / align));
	*ret_offset = align * ((uint64_t)rand_r(seed) % ((BYTES - *ret_len) / align + 1));
}

/* Keeps depth reads in flight.  Returns how many bytes came back wrong. */
static size_t read_at_random(struct device *device, unsigned depth, unsigned reads, unsigned seed)
{
	unsigned submitted = 0, completed = 0;
	struct ioq *ioq = NULL;
	size_t wrong = ioq_create(device, depth, &ioq) != 0;

	while (!wrong && completed < reads) {
		while (submitted < reads && submitted - completed < depth) {
			uint64_t offset;
			uint32_t len;

			random_range(&seed, device_align(device), &offset, &len);
			wrong += ioq_submit(ioq, new_io(device, offset, len)) != 0;
			submitted++;
		}

		struct io *io = ioq_wait(ioq);
		uint64_t at, n;

		if (io->error && device_unreadable(device, io->offset, io->len, &at, &n))
			wrong += !scratch_all_zero((uint8_t *)io->buf + (at - io->offset), n);
		else
			wrong += io->error || scratch_differences(io->buf, io->offset, io->len);
		free_io(io);
		completed++;
	}
	wrong += ioq_wait(ioq) != NULL;
	ioq_destroy(ioq);
	return wrong;
}

static void reads_in_any_order_give_the_right_bytes_at_any_depth(void **state)
{
	const enum device_engine *engine = *state;
	struct scratch scratch;

	scratch_open(&scratch, *engine, BYTES);
	assert_int_equal(device_uses_uring(scratch.device), *engine == ENGINE_URING);
	for (unsigned depth = 1; depth <= 64; depth += 1 + depth / 2)
		assert_int_equal(read_at_random(scratch.device, depth, 100, depth), 0);
	scratch_close(&scratch);
}

static void what_is_not_aligned_or_too_much_is_refused(void **state)
{
	const enum device_engine *engine = *state;
	struct scratch scratch;
	struct ioq *ioq;
	struct io *first, *second;

	scratch_open(&scratch, *engine, BYTES);
	assert_int_equal(ioq_create(scratch.device, 0, &ioq), -EINVAL);
	assert_int_equal(ioq_create(scratch.device, 1, &ioq), 0);
	first = new_io(scratch.device, 0, MAX_READ);
	second = new_io(scratch.device, MAX_READ, MAX_READ);
	assert_null(ioq_wait(ioq));
	first->offset = 100;
	assert_int_equal(ioq_submit(ioq, first), -EINVAL);
	first->offset = 0;
	first->len = 100;
	assert_int_equal(ioq_submit(ioq, first), -EINVAL);
	first->len = 0;
	assert_int_equal(ioq_submit(ioq, first), -EINVAL);
	first->len = MAX_READ;
	assert_int_equal(ioq_submit(ioq, first), 0);
	assert_int_equal(ioq_submit(ioq, second), -EBUSY);
	assert_ptr_equal(ioq_wait(ioq), first);
	assert_null(ioq_wait(ioq));
	free_io(first);
	free_io(second);
	ioq_destroy(ioq);
	scratch_close(&scratch);
}

static void only_the_bad_sectors_of_a_large_read_are_lost(void **state)
{
	const enum device_engine *engine = *state;
	struct fault bad[2] = {
		{ .offset = 200 * KIB, .len = 1, .error = -EIO, .times = FAULT_ALWAYS },
		{ .offset = 512 * KIB - 1, .len = 1, .error = -ENOMEM, .times = FAULT_ALWAYS },
	};
	struct scratch scratch;
	uint32_t align, last;
	uint64_t at, n;
	struct io *io;
	uint8_t *buf;

	scratch_open(&scratch, *engine, BYTES);
	fault_inject(scratch.device, bad, 2);
	align = device_align(scratch.device);
	last = 512 * KIB - align;
	io = read_one(scratch.device, 0, 512 * KIB);
	buf = io->buf;
	assert_int_equal(io->error, -EIO);
	assert_int_equal(scratch_differences(buf, 0, 200 * KIB), 0);
	assert_true(scratch_all_zero(buf + 200 * KIB, align));
	assert_int_equal(scratch_differences(buf + 200 * KIB + align, 200 * KIB + align, last - 200 * KIB - align), 0);
	assert_true(scratch_all_zero(buf + last, align));
	assert_true(device_unreadable(scratch.device, 0, BYTES, &at, &n));
	assert_int_equal(at, 200 * KIB);
	assert_int_equal(n, align);
	assert_true(device_unreadable(scratch.device, at + n, BYTES - at - n, &at, &n));
	assert_int_equal(at, last);
	assert_int_equal(n, align);
	free_io(io);

	io = read_one(scratch.device, last, align);
	assert_int_equal(io->error, -EIO); /* not read again */
	free_io(io);
	io = read_one(scratch.device, 512 * KIB, align);
	assert_int_equal(io->error, 0);
	free_io(io);
	scratch_close(&scratch);
}

static void errors_that_pass_and_short_reads_are_made_good(void **state)
{
	const enum device_engine *engine = *state;
	struct fault faults[] = {
		{ .offset = 0, .len = 1, .error = -EINTR, .times = 1 },
		{ .offset = 64 * KIB, .len = 1, .error = -EAGAIN, .times = 2 },
		{ .offset = 128 * KIB, .len = 1, .error = -EIO, .times = 1 },
		{ .offset = 192 * KIB, .len = 64 * KIB, .shorten_to = 8 * KIB, .times = FAULT_ALWAYS },
		{ .offset = 256 * KIB, .len = 64 * KIB, .shorten_to = 4 * KIB + 100, .times = FAULT_ALWAYS },
		{ .offset = 320 * KIB, .len = 1, .error = -EINVAL, .times = 1 },
	};
	struct scratch scratch;
	uint64_t at, n;

	scratch_open(&scratch, *engine, BYTES);
	fault_inject(scratch.device, faults, sizeof(faults) / sizeof(faults[0]));
	for (uint64_t offset = 0; offset < 384 * KIB; offset += 64 * KIB) {
		struct io *io = read_one(scratch.device, offset, 64 * KIB);

		assert_int_equal(io->error, 0);
		assert_int_equal(scratch_differences(io->buf, offset, io->len), 0);
		free_io(io);
	}
	assert_false(device_unreadable(scratch.device, 0, BYTES, &at, &n));
	scratch_close(&scratch);
}

static void use_truncated_loop(const char *path)
{
	static const enum device_engine engines[] = { ENGINE_AUTO, ENGINE_THREADS };
	uint64_t good = 512 * KIB + 3 * 512, at, n;
	char node[32], message[512];
	int loop = attach_loop(path, 512, node, sizeof(node));

	MUST(truncate(path, good) ==
	     0); /* the device keeps its size: the kernel has no data for the rest, and says EIO */
	for (unsigned i = 0; i < 2; i++) {
		const struct device_options options = { .engine = engines[i] };
		struct device *device;
		struct io *io;

		MUST(device_open(node, &options, &device, message, sizeof(message)) == 0);
		io = read_one(device, 0, BYTES);
		MUST(io->error == -EIO);
		MUST(scratch_differences(io->buf, 0, good) == 0);
		MUST(scratch_all_zero((uint8_t *)io->buf + good, BYTES - good));
		MUST(device_unreadable(device, 0, device_bytes(device), &at, &n));
		MUST(at == good && n == BYTES - good);
		free_io(io);
		device_close(device);
	}
	close(loop);
}

static void what_the_kernel_cannot_read_is_lost_alone(void **state)
{
	(void)state;
	assert_privileged(use_truncated_loop);
}

static void reads_at_the_end_give_what_there_is(void **state)
{
	const enum device_engine *engine = *state;
	uint64_t end = BYTES + 700;
	struct scratch scratch;
	uint64_t at, n;
	struct io *io;
	int flags;

	scratch_open(&scratch, *engine, end);
	flags = fcntl(scratch.device->fd, F_GETFL);
	io = read_one(scratch.device, BYTES, 64 * KIB);
	assert_int_equal(io->error, -ENODATA);
	assert_int_equal(scratch_differences(io->buf, BYTES, 700), 0);
	assert_true(scratch_all_zero((uint8_t *)io->buf + 700, io->len - 700));
	free_io(io);
	assert_false(device_unreadable(scratch.device, 0, end, &at, &n));

	for (unsigned i = 0; i < 2; i++) {
		io = read_one(scratch.device, i ? UINT64_MAX - 64 * KIB + 1 : 4 * BYTES, 64 * KIB);
		assert_int_equal(io->error, -ENODATA);
		assert_true(scratch_all_zero(io->buf, io->len));
		free_io(io);
	}
	assert_int_equal(fcntl(scratch.device->fd, F_GETFL) & O_DIRECT, flags & O_DIRECT);

	assert_int_equal(ftruncate(scratch.fd, 100 * KIB + 10), 0);
	io = read_one(scratch.device, 64 * KIB, 64 * KIB);
	assert_int_equal(io->error, -ENODATA);
	assert_int_equal(scratch_differences(io->buf, 64 * KIB, 36 * KIB + 10), 0);
	assert_true(scratch_all_zero((uint8_t *)io->buf + 36 * KIB + 10, 28 * KIB - 10));
	free_io(io);
	assert_true(device_unreadable(scratch.device, 64 * KIB, 64 * KIB, &at, &n));
	assert_int_equal(at, 100 * KIB + 10);
	assert_int_equal(n, 28 * KIB - 10);
	scratch_close(&scratch);
}

static void requests_bytes_and_backward_steps_are_counted(void **state)
{
	static const uint64_t offsets_kib[] = { 0, 64, 256, 240, 128, 192, 960 };
	const enum device_engine *engine = *state;
	struct device_counts counts;
	struct scratch scratch;
	struct ioq *ioq;
	struct io *io;

	scratch_open(&scratch, *engine, BYTES - 100);
	assert_int_equal(ioq_create(scratch.device, 8, &ioq), 0);
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(ioq_submit(ioq, new_io(scratch.device, offsets_kib[i] * KIB, MAX_READ)), 0);
	while ((io = ioq_wait(ioq)))
		free_io(io);
	ioq_destroy(ioq);
	device_counts(scratch.device, &counts);
	assert_int_equal(counts.requests, 7);
	assert_int_equal(counts.bytes, 7 * MAX_READ - 100);
	assert_int_equal(counts.backward, 2);
	assert_int_equal(counts.errors, 0);
	scratch_close(&scratch);
}

static void holes_of_a_file_take_no_request(void **state)
{
	const uint64_t hole = 256 * KIB, end = 768 * KIB;
	const enum device_engine *engine = *state;
	struct device_counts counts;
	struct scratch scratch;
	struct ioq *ioq;
	struct io *io;

	scratch_open(&scratch, *engine, BYTES);
	if (fallocate(scratch.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)hole, (off_t)(end - hole))) {
		scratch_close(&scratch);
		SKIP_BECAUSE("no holes can be punched into files of the folder for temporary ones");
	}
	assert_int_equal(ioq_create(scratch.device, 16, &ioq), 0);
	for (uint64_t at = 32 * KIB; at < BYTES - MAX_READ; at += MAX_READ)
		assert_int_equal(ioq_submit(ioq, new_io(scratch.device, at, MAX_READ)), 0);
	while ((io = ioq_wait(ioq))) {
		const uint64_t before = io->offset < hole ? hole - io->offset : 0;
		const uint64_t from = before < MAX_READ ? before : MAX_READ;
		const uint64_t to = io->offset + MAX_READ <= end ? MAX_READ : io->offset < end ? end - io->offset : 0;

		assert_int_equal(io->error, 0);
		assert_int_equal(scratch_differences(io->buf, io->offset, from), 0);
		assert_true(to <= from || scratch_all_zero((uint8_t *)io->buf + from, to - from));
		assert_int_equal(scratch_differences((uint8_t *)io->buf + to, io->offset + to, MAX_READ - to), 0);
		free_io(io);
	}
	ioq_destroy(ioq);
	device_counts(scratch.device, &counts);
	assert_int_equal(counts.requests, 8); /* 4 that begin before the hole, 4 that end after it */
	scratch_close(&scratch);
}

static void behind_a_new_end_there_is_no_hole(void **state)
{
	const enum device_engine *engine = *state;
	struct scratch scratch;
	struct io *io;

	scratch_open(&scratch, *engine, BYTES);
	assert_int_equal(ftruncate(scratch.fd, 100 * KIB), 0);
	io = read_one(scratch.device, 512 * KIB, MAX_READ);
	assert_int_equal(io->error, -ENODATA);
	free_io(io);
	scratch_close(&scratch);
}

static void a_slow_read_does_not_hold_up_the_next(void **state)
{
	struct fault slow = { .len = 1, .delay_us = 200000, .times = FAULT_ALWAYS };
	struct scratch scratch;
	struct ioq *ioq;
	struct io *first, *second;

	(void)state;
	scratch_open(&scratch, ENGINE_THREADS, BYTES);
	fault_inject(scratch.device, &slow, 1);
	assert_int_equal(ioq_create(scratch.device, 2, &ioq), 0);
	first = new_io(scratch.device, 0, MAX_READ);
	second = new_io(scratch.device, MAX_READ, MAX_READ);
	assert_int_equal(ioq_submit(ioq, first), 0);
	assert_int_equal(ioq_submit(ioq, second), 0);
	assert_ptr_equal(ioq_wait(ioq), second);
	assert_ptr_equal(ioq_wait(ioq), first);
	ioq_destroy(ioq);
	free_io(first);
	free_io(second);
	scratch_close(&scratch);
}

static unsigned entries(const char *path)
{
	DIR *folder = opendir(path);
	unsigned n = 0;

	assert_non_null(folder);
	while (readdir(folder))
		n++;
	closedir(folder);
	return n;
}

static void nothing_is_left_behind(void **state)
{
	const enum device_engine *engine = *state;
	unsigned descriptors = entries("/proc/self/fd"), tasks = 0;
	struct scratch scratch;
	struct ioq *ioq;
	struct io *ios[8];

	scratch_open(&scratch, *engine, BYTES);
	for (unsigned i = 0; i < 20; i++) {
		assert_int_equal(ioq_create(scratch.device, 8, &ioq), 0);
		for (unsigned k = 0; k < 8; k++) {
			ios[k] = new_io(scratch.device, k * MAX_READ, MAX_READ);
			assert_int_equal(ioq_submit(ioq, ios[k]), 0);
		}
		ioq_destroy(ioq); /* with all of them in flight: it waits */
		for (unsigned k = 0; k < 8; k++) {
			assert_int_equal(scratch_differences(ios[k]->buf, ios[k]->offset, MAX_READ), 0);
			free_io(ios[k]);
		}
		if (i == 0)
			tasks = entries("/proc/self/task"); /* a sanitizer may have a thread of its own by now */
	}
	ioq_destroy(NULL);
	scratch_close(&scratch);
	assert_int_equal(entries("/proc/self/fd"), descriptors);
	for (unsigned tries = 0; entries("/proc/self/task") > tasks && tries < 100; tries++)
		usleep(10000); /* a joined thread stays in /proc for a moment */
	assert_in_range(entries("/proc/self/task"), 1, tasks);
}

struct worker {
	pthread_t thread;
	struct device *device;
	unsigned seed;
	size_t wrong;
};

static void *work(void *arg)
{
	struct worker *worker = arg;

	worker->wrong = read_at_random(worker->device, 4, 100, worker->seed);
	return NULL;
}

static void every_thread_may_have_its_queue(void **state)
{
	const enum device_engine *engine = *state;
	struct fault bad = { .offset = BYTES / 2, .len = 1, .error = -EIO, .times = FAULT_ALWAYS };
	struct worker workers[3];
	struct scratch scratch;

	scratch_open(&scratch, *engine, BYTES);
	fault_inject(scratch.device, &bad, 1);
	for (unsigned i = 0; i < 3; i++) {
		workers[i] = (struct worker){ .device = scratch.device, .seed = i };
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
		assert_int_equal(workers[i].wrong, 0);
	}
	scratch_close(&scratch);
}

/* From here on the kernel refuses io_uring_enter() to this process. */
static void forbid_io_uring_enter(int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_enter, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { .len = sizeof(code) / sizeof(*code), .filter = code };

	NEEDS(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	NEEDS(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
	alarm(30); /* who waits for the kernel now waits forever */
}

static void use_ring_that_stops(const char *path)
{
	const struct device_options options = { .engine = ENGINE_URING };
	struct device *device;
	struct io *ios[8], *io;
	struct ioq *ioq;
	char message[512];

	MUST(device_open(path, &options, &device, message, sizeof(message)) == 0);
	MUST(ioq_create(device, 8, &ioq) == 0);
	for (unsigned i = 0; i < 8; i++)
		ios[i] = new_io(device, i * MAX_READ, MAX_READ);
	MUST(ioq_submit(ioq, ios[0]) == 0);
	MUST(ioq_wait(ioq) == ios[0]);
	forbid_io_uring_enter(ENOMEM);
	for (unsigned times = 0; times < 2; times++) {
		for (unsigned i = 1; i < 8; i++)
			MUST(ioq_submit(ioq, ios[i]) == 0);
		for (unsigned i = 1; i < 8; i++) {
			MUST((io = ioq_wait(ioq)));
			MUST(!io->error && scratch_differences(io->buf, io->offset, io->len) == 0);
			memset(io->buf, 0xff, io->len);
		}
		MUST(!ioq_wait(ioq));
	}
	ioq_destroy(ioq);
	for (unsigned i = 0; i < 8; i++)
		free_io(ios[i]);
	device_close(device);
}

static void reads_go_on_when_the_kernel_takes_no_more(void **state)
{
	(void)state;
	assert_privileged(use_ring_that_stops);
}

static void use_no_ring(const char *path)
{
	const struct device_options automatic = { .engine = ENGINE_AUTO }, uring_only = { .engine = ENGINE_URING };
	struct device *device;
	char message[512];

	forbid_io_uring_enter(EPERM);
	MUST(device_open(path, &uring_only, &device, message, sizeof(message)) == -EPERM);
	MUST(device_open(path, &automatic, &device, message, sizeof(message)) == 0);
	MUST(!device_uses_uring(device));
	free_io(read_one(device, 0, BYTES));
	device_close(device);
}

static void rings_that_cannot_be_used_are_not(void **state)
{
	(void)state;
	assert_privileged(use_no_ring);
}

static bool has_uring(void)
{
	struct scratch scratch;
	bool has;

	scratch_open(&scratch, ENGINE_AUTO, 4096);
	has = device_uses_uring(scratch.device);
	scratch_close(&scratch);
	return has;
}

#define ON(engine, test)                                                                                               \
	{                                                                                                              \
#engine ": " #test, test, NULL, NULL, (void *)&(engine)                                                \
	}
#define ON_BOTH(test) ON(threads, test), ON(uring, test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_BOTH(reads_in_any_order_give_the_right_bytes_at_any_depth),
		ON_BOTH(what_is_not_aligned_or_too_much_is_refused),
		ON_BOTH(only_the_bad_sectors_of_a_large_read_are_lost),
		ON_BOTH(errors_that_pass_and_short_reads_are_made_good),
		cmocka_unit_test(what_the_kernel_cannot_read_is_lost_alone),
		ON_BOTH(reads_at_the_end_give_what_there_is),
		ON_BOTH(requests_bytes_and_backward_steps_are_counted),
		ON_BOTH(holes_of_a_file_take_no_request),
		ON_BOTH(behind_a_new_end_there_is_no_hole),
		ON(threads, a_slow_read_does_not_hold_up_the_next),
		ON_BOTH(nothing_is_left_behind),
		ON_BOTH(every_thread_may_have_its_queue),
		ON(uring, reads_go_on_when_the_kernel_takes_no_more),
		ON(uring, rings_that_cannot_be_used_are_not),
	};

	if (!has_uring()) {
		print_message("io_uring is refused here: only the threads are tested\n");
		cmocka_set_skip_filter("uring*");
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
