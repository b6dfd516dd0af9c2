/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/sets/save.c: numbers are read back as written; files that are cut, changed or made up are refused. */
#define _GNU_SOURCE 1 /* memfd_create() */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../repair/sets/save.h"

static struct saver s;
static struct loader l;

static int new_file(void)
{
	int fd = memfd_create("saved", 0);

	assert_true(fd >= 0);
	return fd;
}

/* Makes a file with these bytes in the form of saved ones. */
static int file_of(const void *bytes, size_t len)
{
	int fd = new_file();

	save_begin(&s, fd);
	save_bytes(&s, bytes, len);
	assert_int_equal(save_end(&s), 0);
	return fd;
}

static uint64_t number_of(unsigned i)
{
	return i < 64 ? 1ull << i : i < 128 ? ~0ull >> (i - 64) : (uint64_t)i * 0x9e3779b97f4a7c15 >> i % 64;
}

#define NUMBERS 30000u /* more than a buffer holds */

static void numbers_come_back(void **state)
{
	int fd = new_file();
	uint64_t last = 0;
	char bytes[7];

	(void)state;
	save_begin(&s, fd);
	for (unsigned i = 0; i < NUMBERS; i++) {
		save_number(&s, number_of(i));
		save_near(&s, number_of(i), last);
		save_word(&s, number_of(i));
		save_bytes(&s, "seven..", 7);
		last = number_of(i);
	}
	assert_int_equal(save_end(&s), 0);
	assert_int_equal(load_begin(&l, fd), 0);
	last = 0;
	for (unsigned i = 0; i < NUMBERS; i++) {
		assert_true(load_number(&l) == number_of(i));
		assert_true(load_near(&l, last) == number_of(i));
		assert_true(load_word(&l) == number_of(i));
		load_bytes(&l, bytes, 7);
		assert_memory_equal(bytes, "seven..", 7);
		last = number_of(i);
	}
	assert_int_equal(load_end(&l), 0);
	close(fd);
}

static void small_numbers_are_short(void **state)
{
	int fd = new_file();

	(void)state;
	save_begin(&s, fd);
	save_number(&s, 127);
	save_near(&s, UINT64_MAX - 3, UINT64_MAX);
	save_near(&s, 2, UINT64_MAX - 2); /* all numbers are in a circle */
	assert_int_equal(save_end(&s), 0);
	assert_int_equal(s.bytes, 3);
	close(fd);
}

static void what_was_changed_or_cut_is_refused(void **state)
{
	int fd = file_of("0123456789", 10);
	uint8_t byte;

	(void)state;
	for (int i = 0; i < 26; i++) {
		assert_int_equal(pread(fd, &byte, 1, i), 1);
		byte ^= 4;
		assert_int_equal(pwrite(fd, &byte, 1, i), 1);
		assert_int_equal(load_begin(&l, fd), -EBADMSG);
		byte ^= 4;
		assert_int_equal(pwrite(fd, &byte, 1, i), 1);
	}
	assert_int_equal(load_begin(&l, fd), 0);
	for (int i = 25; i >= 0; i--) {
		assert_int_equal(ftruncate(fd, i), 0);
		assert_int_equal(load_begin(&l, fd), -EBADMSG);
	}
	close(fd);
}

/* Begins to read these bytes. */
static void begin(const void *bytes, size_t len)
{
	int fd = file_of(bytes, len);

	assert_int_equal(load_begin(&l, fd), 0);
}

static void what_makes_no_sense_is_an_error_that_sticks(void **state)
{
	static const uint8_t endless[12] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1 };
	static const uint8_t too_large[10] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2 };
	static const uint8_t largest[10] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1 };
	uint8_t bytes[4] = { 1, 1, 1, 1 };

	(void)state;
	begin(endless, sizeof(endless));
	assert_true(load_number(&l) == 0 && l.error == -EBADMSG);
	close(l.fd);
	begin(too_large, sizeof(too_large));
	assert_true(load_number(&l) == 0 && l.error == -EBADMSG);
	close(l.fd);
	begin(largest, sizeof(largest));
	assert_true(load_number(&l) == UINT64_MAX && load_end(&l) == 0);
	assert_true(load_word(&l) == 0 && l.error == -EBADMSG); /* there is no more */
	close(l.fd);
	begin("\x05\x06\x07", 3);
	assert_true(load_at_most(&l, 4) == 0 && l.error == -EBADMSG);
	assert_true(load_number(&l) == 0); /* though a number follows */
	load_bytes(&l, bytes, sizeof(bytes));
	assert_true(!bytes[0] && !bytes[3]);
	assert_int_equal(load_end(&l), -EBADMSG);
	close(l.fd);
	begin("\x02\x06\x07", 3);
	assert_int_equal(load_count(&l), 2);	  /* as many as there are bytes */
	assert_int_equal(load_end(&l), -EBADMSG); /* which have not been read */
	close(l.fd);
	begin("\x03\x06\x07", 3);
	assert_true(load_count(&l) == 0 && l.error == -EBADMSG);
	close(l.fd);
	begin("\x02", 1);
	assert_true(!load_bool(&l) && l.error == -EBADMSG);
	close(l.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_back),
		cmocka_unit_test(small_numbers_are_short),
		cmocka_unit_test(what_was_changed_or_cut_is_refused),
		cmocka_unit_test(what_makes_no_sense_is_an_error_that_sticks),
	};

	return cmocka_run_group_tests_name("save", tests, NULL, NULL);
}
