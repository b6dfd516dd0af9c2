/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tested ARGUMENT...: becomes the program in TESTED, under its own name, with options that tests want by default.  A
 * repair leaves nothing outside of the tests' folder: it keeps an undo file, and asks for consent, only if a test sets
 * these options.  A report has a line for each finding, unless a test sets a limit.  With TESTED_EMULATED, it runs
 * without a sandbox, which emulators lack.  With HELD, that program runs repairs: see tests/account/held.
 */
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

int main(int argc, char **argv)
{
	static char one_a_line[] = "--lines", no_undo[] = "--undo=none", accept[] = "--accept-loss";
	static char no_sandbox[] = "--no-sandbox";
	const char *program = getenv("TESTED"), *held = getenv("HELD");
	char **args = calloc((size_t)argc + 8, sizeof(*args));
	bool lines = argc > 1, undo = argc > 1, repair = argc > 1 && held && *held;
	int n = 0;

	if (!program || !args)
		errx(1, "TESTED is not set, or no memory");
	for (int i = 1; i < argc; i++) {
		lines &= !begins_with(argv[i], "--limit");
		repair &= strcmp(argv[i], "-n") != 0 && !begins_with(argv[i], "--rollback");
		undo &= strcmp(argv[i], "-n") != 0 && strcmp(argv[i], "--accept-loss") != 0 &&
			!begins_with(argv[i], "--undo") && !begins_with(argv[i], "--rollback");
	}
	if (repair) {
		args[n++] = getenv("HELD");
		args[n++] = getenv("TESTED");
	}
	args[n++] = argv[0];
	if (lines)
		args[n++] = one_a_line;
	if (undo) {
		args[n++] = no_undo;
		args[n++] = accept;
	}
	if (argc > 1 && getenv("TESTED_EMULATED"))
		args[n++] = no_sandbox;
	if (argc > 1)
		memcpy(args + n, argv + 1, ((size_t)argc - 1) * sizeof(*args));
	execv(repair ? args[0] : program, args);
	err(1, "%s", repair ? args[0] : program);
}
