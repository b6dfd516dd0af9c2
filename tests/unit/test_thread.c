/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cache/parallel.c: a thread gets no signal except the one for calls that the sandbox forbids. */
#include <stdarg.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "parallel.h"

static void *mask_of(void *ctx)
{
	pthread_sigmask(SIG_SETMASK, NULL, ctx);
	return NULL;
}

static void only_sigsys_comes_through(void **state)
{
	static const int left[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE, SIGCHLD };
	static const size_t stacks[] = { 0, 64u << 10 };

	(void)state;
	for (size_t k = 0; k < sizeof(stacks) / sizeof(stacks[0]); k++) {
		sigset_t before, inside, after;
		pthread_t thread;

		pthread_sigmask(SIG_SETMASK, NULL, &before);
		assert_int_equal(thread_start(&thread, stacks[k], mask_of, &inside), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
		pthread_sigmask(SIG_SETMASK, NULL, &after);
		for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
			assert_int_equal(sigismember(&inside, left[i]), 1);
			assert_int_equal(sigismember(&after, left[i]), sigismember(&before, left[i]));
		}
		assert_int_equal(sigismember(&inside, SIGSYS), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_sigsys_comes_through),
	};

	return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
