/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_TESTS_SKIP_H
#define XFSCK_TESTS_SKIP_H

#include <stdio.h>

/* Skips the rest of a test, for a reason that tests/run shows beside its name. */
#define SKIP_BECAUSE(reason)                                                                                           \
	do {                                                                                                           \
		printf("why: %s\n", reason);                                                                           \
		fflush(stdout);                                                                                        \
		skip();                                                                                                \
	} while (0)

#endif
