/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress line: what it says, that it goes away, and that it shares the terminal. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../repair/report/progress.h"
#include "reported.h"

static void assert_line(uint64_t done, uint64_t total, uint64_t elapsed_ms, size_t columns, const char *expected)
{
	const struct progress_task task = { 3, "inodes and forks", "inodes", total, &done };
	struct words w = { 0 };

	progress_add_line(&w, &task, elapsed_ms, columns);
	assert_string_equal(w.text, expected);
}

static void the_line_tells_share_time_left_and_rate(void **state)
{
	(void)state;
	assert_line(1000000, 5000000, 4000, 200,
		    "Phase 3 (inodes and forks): 20%, 17 s left, 250,000 inodes per s (1,000,000 of 5,000,000)");
}

static void what_is_not_known_is_left_out(void **state)
{
	(void)state;
	assert_line(0, 0, 100, 200, "Phase 3 (inodes and forks): 0 inodes");
	assert_line(0, 10, 100, 200, "Phase 3 (inodes and forks): 0% (0 of 10)");
	assert_line(7, 0, 1000, 200, "Phase 3 (inodes and forks): 7 inodes, 7 inodes per s");
	assert_line(7, 10, 0, 200, "Phase 3 (inodes and forks): 70%, 1 s left (7 of 10)");
}

static void what_does_not_fit_is_left_out_whole(void **state)
{
	(void)state;
	assert_line(1000000, 5000000, 4000, 79, "Phase 3 (inodes and forks): 20%, 17 s left, 250,000 inodes per s");
	assert_line(1000000, 5000000, 4000, 50, "Phase 3 (inodes and forks): 20%, 17 s left");
	assert_line(1000000, 5000000, 4000, 20, "Phase 3 (inodes and forks): 20%");
}

static void more_than_was_expected_is_all_of_it(void **state)
{
	(void)state;
	assert_line(12, 10, 1000, 200, "Phase 3 (inodes and forks): 100%, 12 inodes per s (12 of 10)");
}

static void huge_numbers_do_not_overflow(void **state)
{
	uint64_t done = UINT64_MAX - 1;
	const struct progress_task task = { 3, "t", "inodes", UINT64_MAX, &done };
	const struct progress_task slow = { 3, "t", "inodes", UINT64_MAX, &(uint64_t){ 1 } };
	struct words w = { 0 };

	(void)state;
	progress_add_line(&w, &task, UINT64_MAX, SIZE_MAX);
	assert_non_null(strstr(w.text, ": 99%, "));
	assert_non_null(strstr(w.text, "(18,446,744,073,709,551,614 of 18,446,744,073,709,551,615)"));
	w = (struct words){ 0 };
	progress_add_line(&w, &slow, UINT64_MAX, SIZE_MAX);
	assert_non_null(strstr(w.text, ": 0%, "));
}

static void sleep_ms(unsigned ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

/* What is on a terminal after this text: carriage returns go back, characters overwrite. */
static void show(const char *text, char screen[static 256])
{
	size_t column = 0;

	memset(screen, 0, 256);
	for (; *text; text++) {
		if (*text == '\r') {
			column = 0;
		} else {
			assert_true(column < 255);
			screen[column++] = *text;
		}
	}
	for (column = strlen(screen); column && screen[column - 1] == ' '; column--)
		screen[column - 1] = '\0';
}

static void a_live_line_is_rewritten_and_wiped_out(void **state)
{
	uint64_t done = 5000000;
	const struct progress_task task = { 3, "inodes", "inodes", 10000000, &done };
	char screen[256];
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = progress_start(out, true, 60, &task);

	(void)state;
	assert_non_null(p);
	sleep_ms(250);
	__atomic_store_n(&done, 6, __ATOMIC_RELAXED); /* a shorter line */
	sleep_ms(250);
	progress_pause(p);
	show(text, screen);
	assert_string_equal(screen, "");
	fputs("a note", out);
	fflush(out);
	sleep_ms(250);
	show(text, screen);
	assert_string_equal(screen, "a note"); /* nothing is drawn over it */
	fputs("\r      \r", out);
	progress_resume(p);
	sleep_ms(250);
	progress_stop(p);
	show(text, screen);
	assert_string_equal(screen, "");
	assert_non_null(strstr(text, "Phase 3 (inodes): 50%, "));
	assert_non_null(strstr(text, "Phase 3 (inodes): 0%, "));
	assert_null(strchr(text, '\n'));
	fclose(out);
	free(text);
}

static void a_live_line_fits_into_80_columns(void **state)
{
	uint64_t done = 1;
	const struct progress_task task = { 3,
					    "a title that goes on and on, longer than any terminal that was ever made",
					    "inodes", 1000000, &done };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = progress_start(out, true, 60, &task);

	(void)state;
	sleep_ms(250);
	progress_stop(p);
	fclose(out);
	assert_true(strcspn(text + 1, "\r") == 79);
	free(text);
}

static void plain_lines_come_at_their_interval(void **state)
{
	uint64_t done = 5;
	const struct progress_task task = { 2, "groups", "groups", 10, &done };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = progress_start(out, false, 1, &task);

	(void)state;
	sleep_ms(1500);
	progress_stop(p);
	fclose(out);
	assert_ptr_equal(strstr(text, "Phase 2 (groups): 50%, "), text);
	assert_null(strchr(text, '\r'));
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); /* one line */
	free(text);
}

static void stopping_does_not_wait_for_the_interval(void **state)
{
	uint64_t done = 5;
	const struct progress_task task = { 2, "groups", "groups", 10, &done };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	time_t start = time(NULL);

	(void)state;
	progress_stop(progress_start(out, false, 600, &task));
	assert_true(time(NULL) - start < 60);
	progress_stop(NULL);
	progress_pause(NULL);
	progress_resume(NULL);
	fclose(out);
	assert_string_equal(text, "");
	free(text);
}

static void *count_up(void *arg)
{
	for (unsigned i = 0; i < 100000; i++)
		__atomic_fetch_add((uint64_t *)arg, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void workers_count_while_it_reads(void **state)
{
	uint64_t done = 0;
	const struct progress_task task = { 3, "inodes", "inodes", 200000, &done };
	pthread_t threads[2];
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = progress_start(out, true, 60, &task);

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, count_up, &done), 0);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	sleep_ms(250);
	progress_stop(p);
	fclose(out);
	assert_non_null(strstr(text, "100%, "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_tells_share_time_left_and_rate),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(what_does_not_fit_is_left_out_whole),
		cmocka_unit_test(more_than_was_expected_is_all_of_it),
		cmocka_unit_test(huge_numbers_do_not_overflow),
		cmocka_unit_test(a_live_line_is_rewritten_and_wiped_out),
		cmocka_unit_test(a_live_line_fits_into_80_columns),
		cmocka_unit_test(plain_lines_come_at_their_interval),
		cmocka_unit_test(stopping_does_not_wait_for_the_interval),
		cmocka_unit_test(workers_count_while_it_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
