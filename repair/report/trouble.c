/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps us, not the file system, from going on. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "repair.h"

enum phase_result trouble(const struct repair *rc, const char *sentence)
{
	report_trouble(rc->report, sentence);
	return PHASE_FAILED;
}

enum phase_result failed(const struct repair *rc, const char *what, int error)
{
	char sentence[256];

	/* the only files that grow meanwhile are temporary ones: the overlay's */
	snprintf(sentence, sizeof(sentence), "%s: %s%s", what, strerror(-error),
		 error == -ENOSPC ? ", where temporary files go (TMPDIR, else /var/tmp)" : "");
	return trouble(rc, sentence);
}
