/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other programs: a killed lvcreate leaves the volume suspended, so no signal for our group reaches them. */
#define _GNU_SOURCE 1

#include "tool.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Ends the group of this process, in the midst of a program; after that, the program has made a file if it went on. */
static void ended_with_us(int (*run)(const char *const argv[]))
{
	char made[] = "/tmp/xfsck-test-XXXXXX", command[128];
	const char *const argv[] = { "sh", "-c", command, NULL };
	int status;
	pid_t child;

	assert_true(mkstemp(made) >= 0);
	snprintf(command, sizeof(command), "kill -s KILL -- -%s; echo went on >%s", "$PPID", made);
	child = fork();
	if (!child) {
		setpgid(0, 0);
		run(argv);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	for (unsigned i = 0; i < 500; i++) {
		char text[16] = "";
		FILE *file = fopen(made, "re");

		assert_non_null(file);
		if (!fgets(text, sizeof(text), file))
			text[0] = '\0';
		fclose(file);
		if (!strcmp(text, "went on\n")) {
			unlink(made);
			return;
		}
		usleep(20000);
	}
	unlink(made);
	fail_msg("the program was killed, too");
}

static char message[512];

static int run_it(const char *const argv[])
{
	return tool_run(argv, message, sizeof(message));
}

static int read_it(const char *const argv[])
{
	char output[64];

	return tool_read(argv, output, sizeof(output), message, sizeof(message));
}

static int feed_it(const char *const argv[])
{
	return tool_feed(argv, "text", 4, message, sizeof(message));
}

static void a_signal_to_our_group_does_not_end_them(void **state)
{
	(void)state;
	ended_with_us(run_it);
	ended_with_us(read_it);
	ended_with_us(feed_it);
}

static void their_last_error_is_told(void **state)
{
	(void)state;
	assert_int_equal(run_it((const char *const[]){ "sh", "-c", "echo first >&2; echo last >&2; exit 3", NULL }),
			 -EIO);
	assert_string_equal(message, "sh failed: last");
	assert_int_equal(run_it((const char *const[]){ "/none", NULL }), -ENOENT);
	assert_int_equal(feed_it((const char *const[]){ "grep", "-q", "text", NULL }), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_to_our_group_does_not_end_them),
		cmocka_unit_test(their_last_error_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
