/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our io_uring rings: which requests they accept, and which the kernel refuses in them. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../cache/ring.h"

struct fixture {
	struct io_uring ring;
	int file;
	char bytes[8];
};

/* False: there is no io_uring here, or none that can be restricted (Linux 5.10). */
static bool begin(struct fixture *f)
{
	const struct io_uring_params params = { .flags = IORING_SETUP_R_DISABLED };
	struct io_uring_params tried = params;
	struct io_uring other;

	if (io_uring_queue_init_params(1, &other, &tried)) {
		print_message("no io_uring that can be restricted: not tested\n");
		return false;
	}
	io_uring_queue_exit(&other);
	assert_int_equal(ring_open(&f->ring, 4), 0);
	f->file = memfd_create("ring", MFD_CLOEXEC);
	assert_int_equal(write(f->file, "content", 8), 8);
	return true;
}

static void end(struct fixture *f)
{
	io_uring_queue_exit(&f->ring);
	close(f->file);
}

/* Returns the result of the request that was prepared. */
static int result(struct fixture *f)
{
	struct io_uring_cqe *cqe;
	int ret;

	/* a ring that is restricted may also stop at what it refuses, and complete that with its error */
	assert_true(io_uring_submit_and_wait(&f->ring, 1) >= 0);
	assert_int_equal(io_uring_peek_cqe(&f->ring, &cqe), 0);
	ret = cqe->res;
	io_uring_cqe_seen(&f->ring, cqe);
	return ret;
}

static void reads_are_done(void **state)
{
	struct fixture f;
	const struct iovec window = { f.bytes, sizeof(f.bytes) };
	struct io_uring_sqe *sqe;

	(void)state;
	if (!begin(&f))
		return;
	io_uring_prep_read(io_uring_get_sqe(&f.ring), f.file, f.bytes, 8, 0);
	assert_int_equal(result(&f), 8);
	assert_string_equal(f.bytes, "content");
	assert_int_equal(io_uring_register_files(&f.ring, &f.file, 1), 0);
	assert_int_equal(io_uring_register_buffers(&f.ring, &window, 1), 0);
	sqe = io_uring_get_sqe(&f.ring);
	io_uring_prep_read_fixed(sqe, 0, f.bytes, 4, 3, 0);
	io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	assert_int_equal(result(&f), 4);
	assert_memory_equal(f.bytes, "tent", 4);
	end(&f);
}

static void all_else_is_refused(void **state)
{
	const struct sockaddr_storage at = { .ss_family = AF_UNIX };
	struct fixture f;
	char bytes[8];

	(void)state;
	if (!begin(&f))
		return;
	io_uring_prep_write(io_uring_get_sqe(&f.ring), f.file, "changed", 8, 0);
	assert_int_equal(result(&f), -EACCES);
	assert_int_equal(pread(f.file, bytes, 8, 0), 8);
	assert_string_equal(bytes, "content");
	io_uring_prep_openat(io_uring_get_sqe(&f.ring), AT_FDCWD, "/dev/null", O_RDONLY, 0);
	assert_int_equal(result(&f), -EACCES);
	io_uring_prep_connect(io_uring_get_sqe(&f.ring), f.file, (const struct sockaddr *)&at, sizeof(at));
	assert_int_equal(result(&f), -EACCES);
	io_uring_prep_unlinkat(io_uring_get_sqe(&f.ring), AT_FDCWD, "/nothing", 0);
	assert_int_equal(result(&f), -EACCES);
	assert_true(io_uring_register_eventfd(&f.ring, f.file) < 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reads_are_done), cmocka_unit_test(all_else_is_refused) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
