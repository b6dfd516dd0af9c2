/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The progress line: its text, its removal, and how it shares the terminal. */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../repair/report/progress.h"
#include "reported.h"

static void assert_line(uint64_t done, uint64_t total, uint64_t elapsed_ms, size_t columns, const char *expected)
{
	const struct progress_view view = { .phase = 3,
					    .title = "inodes and forks",
					    .step = "",
					    .unit = "inodes",
					    .done = done,
					    .total = total,
					    .elapsed_ms = elapsed_ms };
	struct words w = { 0 };

	progress_add_line(&w, &view, columns);
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
	assert_line(0, 0, 100, 200, "Phase 3 (inodes and forks): 0 inodes, 0 s");
	assert_line(0, 10, 100, 200, "Phase 3 (inodes and forks): 0% (0 of 10)");
	assert_line(7, 0, 1000, 200, "Phase 3 (inodes and forks): 7 inodes, 1 s, 7 inodes per s");
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
	struct progress_view view = { .phase = 3,
				      .title = "t",
				      .step = "",
				      .unit = "inodes",
				      .done = UINT64_MAX - 1,
				      .total = UINT64_MAX,
				      .elapsed_ms = UINT64_MAX };
	struct words w = { 0 };

	(void)state;
	progress_add_line(&w, &view, SIZE_MAX);
	assert_non_null(strstr(w.text, ": 99%, "));
	assert_non_null(strstr(w.text, "(18,446,744,073,709,551,614 of 18,446,744,073,709,551,615)"));
	w = (struct words){ 0 };
	view.done = 1;
	progress_add_line(&w, &view, SIZE_MAX);
	assert_non_null(strstr(w.text, ": 0%, "));
}

static void a_step_is_named(void **state)
{
	const struct progress_view view = {
		.phase = 8, .title = "mending", .step = "round 2, names", .unit = "findings", .done = 1, .total = 4
	};
	struct words w = { 0 };

	(void)state;
	progress_add_line(&w, &view, SIZE_MAX);
	assert_string_equal(w.text, "Phase 8 (mending), round 2, names: 25%, 1 s left (1 of 4)");
}

static void what_stands_still_is_named(void **state)
{
	struct progress_view view = { .phase = 4,
				      .title = "inodes",
				      .step = "",
				      .unit = "inodes",
				      .done = 1,
				      .total = 4,
				      .elapsed_ms = 20000,
				      .idle_ms = 9999,
				      .object = "inode",
				      .number = 1234 };
	struct words w = { 0 };

	(void)state;
	progress_add_line(&w, &view, 60);
	assert_string_equal(w.text, "Phase 4 (inodes): 25%, 1 min 01 s left, 0 inodes per s");
	w = (struct words){ 0 };
	view.idle_ms = 12000;
	progress_add_line(&w, &view, 60);
	assert_string_equal(w.text, "Phase 4 (inodes): 25%, nothing new for 12 s, at inode 1,234");
}

static void sleep_ms(unsigned ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static void look_at(const void *count, struct report_work_state *state)
{
	state->done = __atomic_load_n((const uint64_t *)count, __ATOMIC_RELAXED);
}

static struct progress *started(const struct progress_outputs *to)
{
	struct progress *p = progress_new(to);

	progress_start(p);
	return p;
}

/* Starts the progress of a phase of this number, and of work that adds to *done. */
static struct progress *start(FILE *out, bool live, unsigned interval, unsigned phase, const char *title,
			      uint64_t total, const uint64_t *done)
{
	const struct progress_outputs to = {
		.out = out, .live = live, .interval = interval, .err = stderr, .program = "test", .fd = -1
	};
	const struct report_work work = { .look = look_at, .ctx = done, .total = total, .unit = "inodes" };
	struct progress *p = started(&to);

	assert_non_null(p);
	progress_phase(p, phase, title);
	progress_work(p, &work);
	return p;
}

/* Stores what a terminal shows after this text: carriage returns go back, characters overwrite. */
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
	uint64_t done = 0;
	char screen[256];
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = start(out, true, 60, 3, "inodes", 10000000, &done);

	(void)state;
	__atomic_store_n(&done, 5000000, __ATOMIC_RELAXED);
	sleep_ms(250);
	progress_phase(p, 4, "i"); /* a shorter line */
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
	assert_non_null(strstr(text, "Phase 4 (i): 0"));
	assert_null(strchr(text, '\n'));
	fclose(out);
	free(text);
}

static void a_live_line_fits_into_80_columns(void **state)
{
	static const char title[] = "a title that goes on and on, longer than any terminal that was ever made";
	uint64_t done = 1;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = start(out, true, 60, 3, title, 1000000, &done);

	(void)state;
	sleep_ms(250);
	progress_stop(p);
	fclose(out);
	assert_true(strcspn(text + 1, "\r") == 79);
	free(text);
}

static void plain_lines_come_at_their_interval(void **state)
{
	uint64_t done = 0;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = start(out, false, 1, 2, "groups", 10, &done);

	(void)state;
	__atomic_store_n(&done, 5, __ATOMIC_RELAXED);
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
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	time_t begin = time(NULL);

	(void)state;
	progress_stop(start(out, false, 600, 2, "groups", 10, &done));
	assert_true(time(NULL) - begin < 60);
	progress_stop(NULL);
	progress_pause(NULL);
	progress_resume(NULL);
	progress_phase(NULL, 1, "none");
	progress_work(NULL, NULL);
	progress_ask(NULL);
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
	pthread_t threads[2];
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress *p = start(out, true, 60, 3, "inodes", 200000, &done);

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

/* Each phase has a line at its begin and its end, however short it is, and numbers only grow. */
static void programs_are_told_of_every_phase(void **state)
{
	static const char expected[] = "1 0 1000 dev\n1 1000 1000 dev\n2 0 1000 dev\n2 1000 1000 dev\n"
				       "3 0 1000 dev\n3 500 1000 dev\n3 1000 1000 dev\n";
	uint64_t done = 0;
	struct report_work work = { .look = look_at, .ctx = &done, .total = 10, .unit = "inodes" };
	char text[4096] = "", *nothing;
	size_t size;
	FILE *out = open_memstream(&nothing, &size);
	struct progress_outputs to = { .out = out, .err = stderr, .program = "test", .fd_device = "dev" };
	struct progress *p;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	to.fd = ends[1];
	p = started(&to);
	for (unsigned phase = 1; phase <= 3; phase++)
		progress_phase(p, phase, "short");
	progress_work(p, &work); /* half of the phase, since more may follow */
	__atomic_store_n(&done, 10, __ATOMIC_RELAXED);
	sleep_ms(250);
	progress_work(p, NULL);
	progress_phase_end(p);
	progress_stop(p);
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, expected);
	close(ends[0]);
	close(ends[1]);
	fclose(out);
	assert_string_equal(nothing, "");
	free(nothing);
}

static void a_reader_that_does_not_read_or_goes_away_holds_nothing_up(void **state)
{
	char filler[4096] = { 0 }, *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct progress_outputs to = { .out = out, .err = stderr, .program = "test", .fd_device = "dev" };
	time_t begin = time(NULL);
	int ends[2];

	(void)state;
	for (unsigned gone = 0; gone < 2; gone++) {
		struct progress *p;

		assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
		while (!gone && write(ends[1], filler, sizeof(filler)) > 0)
			;
		if (gone)
			close(ends[0]);
		to.fd = ends[1];
		p = started(&to);
		progress_phase(p, 1, "full");
		sleep_ms(250);
		progress_phase_end(p);
		progress_stop(p);
		if (!gone)
			close(ends[0]);
		close(ends[1]);
	}
	assert_true(time(NULL) - begin < 60);
	fclose(out);
	free(text);
}

static void who_asks_is_answered(void **state)
{
	uint64_t done = 0;
	const struct report_work work = { .look = look_at, .ctx = &done, .total = 10, .unit = "inodes" };
	char *text, *answer;
	size_t size, answer_size;
	FILE *out = open_memstream(&text, &size), *err = open_memstream(&answer, &answer_size);
	const struct progress_outputs to = { .out = out, .err = err, .program = "test", .fd = -1 };
	struct progress *p = started(&to);

	(void)state;
	progress_phase(p, 7, "names");
	progress_work(p, &work);
	__atomic_store_n(&done, 5, __ATOMIC_RELAXED);
	sleep_ms(250);
	progress_pause(p);
	progress_ask(p);
	sleep_ms(250);
	progress_stop(p);
	fclose(out);
	fclose(err);
	assert_string_equal(text, "");
	assert_ptr_equal(strstr(answer, "test: Phase 7 (names): 50%, "), answer);
	assert_ptr_equal(strchr(answer, '\n'), answer + strlen(answer) - 1); /* one line */
	free(text);
	free(answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_tells_share_time_left_and_rate),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(what_does_not_fit_is_left_out_whole),
		cmocka_unit_test(more_than_was_expected_is_all_of_it),
		cmocka_unit_test(huge_numbers_do_not_overflow),
		cmocka_unit_test(a_step_is_named),
		cmocka_unit_test(what_stands_still_is_named),
		cmocka_unit_test(a_live_line_is_rewritten_and_wiped_out),
		cmocka_unit_test(a_live_line_fits_into_80_columns),
		cmocka_unit_test(plain_lines_come_at_their_interval),
		cmocka_unit_test(stopping_does_not_wait_for_the_interval),
		cmocka_unit_test(workers_count_while_it_reads),
		cmocka_unit_test(programs_are_told_of_every_phase),
		cmocka_unit_test(a_reader_that_does_not_read_or_goes_away_holds_nothing_up),
		cmocka_unit_test(who_asks_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
