/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xfsck with little memory, linked with the functions below in place of the library's, also for the libraries that it
 * uses.
 *
 * Requests of libseccomp are neither counted nor refused: it does not check them, and builds a filter that lacks calls.
 *
 *   STARVED_AT=N     the Nth request for memory, from 1 on, fails
 *   STARVED_FROM=N   so does each from the Nth on
 *   STARVED_TELL=FD  at the end, the number of requests is written to this descriptor
 */
#define _GNU_SOURCE 1

#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../number.h"
#include "../../repair/sandbox/sandbox.h"

static atomic_ullong requests;
static bool sated; /* while there is only one thread */

int __real_sandbox_calls(const struct sandbox_needs *needs);
int __wrap_sandbox_calls(const struct sandbox_needs *needs);

int __wrap_sandbox_calls(const struct sandbox_needs *needs)
{
	int ret;

	sated = true;
	ret = __real_sandbox_calls(needs);
	sated = false;
	return ret;
}

static bool in_vain(void)
{
	unsigned long long n = sated ? 0 : atomic_fetch_add(&requests, 1) + 1;
	const char *at = getenv("STARVED_AT"), *from = getenv("STARVED_FROM");

	if (!n || ((!at || n != strtoull(at, NULL, 10)) && (!from || n < strtoull(from, NULL, 10))))
		return false;
	errno = ENOMEM;
	return true;
}

/* The library's function of this name. */
static void *real(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort();
	return function;
}

void *malloc(size_t size)
{
	static void *(*next)(size_t);

	if (!next)
		next = real("malloc");
	return in_vain() ? NULL : next(size);
}

void *calloc(size_t nmemb, size_t size)
{
	static void *(*next)(size_t, size_t);

	if (!next)
		next = real("calloc");
	return in_vain() ? NULL : next(nmemb, size);
}

void *realloc(void *ptr, size_t size)
{
	static void *(*next)(void *, size_t);

	if (!next)
		next = real("realloc");
	return in_vain() ? NULL : next(ptr, size);
}

void *reallocarray(void *ptr, size_t nmemb, size_t size)
{
	static void *(*next)(void *, size_t, size_t);

	if (!next)
		next = real("reallocarray");
	return in_vain() ? NULL : next(ptr, nmemb, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	static void *(*next)(size_t, size_t);

	if (!next)
		next = real("aligned_alloc");
	return in_vain() ? NULL : next(alignment, size);
}

__attribute__((destructor)) static void tell(void)
{
	const char *fd = getenv("STARVED_TELL");

	if (fd)
		dprintf((int)number(fd), "%llu\n", requests);
}
