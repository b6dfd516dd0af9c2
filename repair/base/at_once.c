/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "options.h"

#define LINE 4608 /* bytes: a path and a few sentences */

void at_once(const struct options *options, const char *sentence)
{
	char line[LINE];
	int length = snprintf(line, sizeof(line), "%s%s: %s\n", isatty(STDERR_FILENO) ? "\n" : "", options->program,
			      sentence);
	ssize_t written;

	if (length >= (int)sizeof(line))
		length = sizeof(line) - 1;
	written = write(STDERR_FILENO, line, (size_t)length);
	(void)written; /* an error here can't be reported */
}

void at_once_unreadable(const void *options, const char *device, uint64_t offset, int error)
{
	char sentence[LINE];

	snprintf(sentence, sizeof(sentence),
		 "%s can't be read at byte %llu: %s. If its disk is failing, stop here and copy it first: ddrescue -d "
		 "DEVICE IMAGE MAP; then check and repair the copy",
		 device, (unsigned long long)offset, strerror(-error));
	at_once(options, sentence);
}
