/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls of the sandbox, by name. */
#ifndef XFSCK_REPAIR_CALL_TABLE_H
#define XFSCK_REPAIR_CALL_TABLE_H

#include <stddef.h>

/* A system call that is allowed, whatever its arguments, in runs of a family (enum sandbox_family; 0: all runs). */
struct allowed_call {
	const char *name;
	unsigned family;
};

extern const struct allowed_call allowed_calls[];
extern const size_t allowed_call_count;

/* Calls that end the program, unless allowed_calls[] has them. All others fail. */
extern const char *const hostile_calls[];
extern const size_t hostile_call_count;

#endif
