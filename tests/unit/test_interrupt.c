/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that are to end a run: in child processes, which end by them. */
#include "base/interrupt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "options.h"

enum moment { BEFORE, WHILE_WRITING, WHILE_WRITING_AND_AGAIN };

/* Sends a signal to a run in a child process. Returns the status of waitpid(); said: the child's messages. */
static int run_and_send(const struct options *options, enum moment moment, int number, char said[512])
{
	int ends[2], status = 0;
	ssize_t length;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		struct interrupt interrupt;

		dup2(ends[1], STDERR_FILENO);
		interrupt_begin(&interrupt, options, NULL);
		if (moment != BEFORE)
			interrupt_writing(&interrupt, "halfway");
		kill(getpid(), number);
		if (moment == WHILE_WRITING_AND_AGAIN) {
			kill(getpid(), number);
			sleep(4);
			kill(getpid(), number);
		}
		sleep(moment == WHILE_WRITING ? 1 : 10);
		interrupt_end(&interrupt);
		_exit(7);
	}
	close(ends[1]);
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	length = read(ends[0], said, 511);
	said[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	return status;
}

static const struct options as_xfsck = { .program = "xfsck", .device = "image" };
static const struct options as_fsck = { .program = "fsck.xfs", .device = "image", .fsck_codes = true };

static void before_anything_is_written_they_end_the_run_which_says_so(void **state)
{
	const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	char said[512];

	(void)state;
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int status = run_and_send(&as_xfsck, BEFORE, numbers[i], said);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), numbers[i]);
		assert_non_null(strstr(said, "nothing was written"));
		status = run_and_send(&as_fsck, BEFORE, numbers[i], said);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 32);
	}
}

static void what_is_being_written_is_finished(void **state)
{
	char said[512];
	int status = run_and_send(&as_xfsck, WHILE_WRITING, SIGINT, said);

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_non_null(strstr(said, "finished first"));
	status = run_and_send(&as_fsck, WHILE_WRITING, SIGPIPE, said);
	assert_true(WIFEXITED(status));
}

/* A closed terminal sends two at a time: these count as one. */
static void a_second_signal_ends_what_is_being_written(void **state)
{
	char said[512];
	int status = run_and_send(&as_xfsck, WHILE_WRITING_AND_AGAIN, SIGTERM, said);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	assert_non_null(strstr(said, "finished first"));
	assert_non_null(strstr(said, "SIGTERM: halfway"));
}

static void what_is_ignored_stays_so(void **state)
{
	char said[512];
	int status;

	(void)state;
	signal(SIGHUP, SIG_IGN);
	status = run_and_send(&as_xfsck, WHILE_WRITING, SIGHUP, said);
	signal(SIGHUP, SIG_DFL);
	assert_true(WIFEXITED(status));
	assert_string_equal(said, "");
}

/* Without a report there is no progress to print. */
static void who_asks_how_far_it_is_ends_nothing(void **state)
{
	char said[512];
	int status = run_and_send(&as_xfsck, WHILE_WRITING, SIGUSR1, said);

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_string_equal(said, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_anything_is_written_they_end_the_run_which_says_so),
		cmocka_unit_test(what_is_being_written_is_finished),
		cmocka_unit_test(a_second_signal_ends_what_is_being_written),
		cmocka_unit_test(what_is_ignored_stays_so),
		cmocka_unit_test(who_asks_how_far_it_is_ends_nothing),
	};

	/* shells make background processes ignore SIGINT */
	signal(SIGINT, SIG_DFL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
