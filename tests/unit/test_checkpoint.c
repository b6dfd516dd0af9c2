/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/checkpoint/rows.c, and the functions that save the rows: what is written is read back, and a changed byte, of
 * whatever value, leads to an error or to findings at most.
 */
#define _GNU_SOURCE 1 /* memfd_create() */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../fuzz/checkpoint_check.h"

#define VARIANTS 6u /* of the file systems of the fuzz targets */

/* Reads a state into a check, and goes on with the check if it can.  Returns 0 or negative errno. */
static int load(unsigned variant, const uint8_t *bytes, size_t size)
{
	struct checkpoint_check c;
	int fd = check_file(bytes, size), ret;

	check_make(&c, variant);
	ret = check_load(&c, fd);
	if (!ret)
		check_go_on(&c);
	close(fd);
	check_unmake(&c);
	return ret;
}

static void what_is_read_back_is_what_was_written(void **state)
{
	(void)state;
	for (unsigned variant = 0; variant < FUZZ_VARIANTS; variant++) {
		size_t size, again_size;
		uint8_t *bytes = check_state(variant, &size), *again;
		int fd = check_file(bytes, size);
		struct checkpoint_check c;

		check_make(&c, variant);
		assert_int_equal(check_load(&c, fd), 0);
		assert_int_equal(traverse_totals(c.rc.traverse).inodes, 2001);
		sweep_hold(c.rc.traverse->sweep);
		assert_int_equal(traverse_sweep(c.rc.traverse), 0);
		sweep_let_go(c.rc.traverse->sweep);
		again = check_bytes(&c, &again_size);
		assert_int_equal(again_size, size);
		close(fd);
		check_unmake(&c);
		assert_int_equal(load(variant, again, again_size), 0);
		free(again);
		free(bytes);
	}
}

static void a_state_that_ends_early_is_refused(void **state)
{
	size_t size;
	uint8_t *bytes = check_state(0, &size);

	(void)state;
	for (size_t cut = 0; cut < size; cut += cut < 64 || cut + 600 > size ? 1 : 97)
		assert_int_equal(load(0, bytes, cut), -EBADMSG);
	free(bytes);
}

/* Most of a state are sums, in which any value is valid. */
static void no_byte_does_harm(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };

	(void)state;
	for (unsigned variant = 0; variant < VARIANTS; variant++) {
		size_t size;
		uint8_t *bytes = check_state(variant, &size);

		for (size_t i = variant; i<size; i += i + 3000> size ? VARIANTS : 61) {
			const uint8_t was = bytes[i];

			bytes[i] = values[i / 7 % sizeof(values)];
			load(variant, bytes, size);
			bytes[i] = was;
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_back_is_what_was_written),
		cmocka_unit_test(a_state_that_ends_early_is_refused),
		cmocka_unit_test(no_byte_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
