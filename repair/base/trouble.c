/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports errors that stop the program, as opposed to damage in the file system. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "repair.h"
#include "report.h"

enum phase_result trouble(const struct repair *rc, const char *sentence)
{
	report_trouble(rc->report, sentence);
	return PHASE_FAILED;
}

/* True if the error must come from the overlay's temporary files: no other files are created or grow during a run. */
static bool is_of_files(int error)
{
	switch (error) {
	case -ENOSPC:
	case -EDQUOT:
	case -ENOENT:
	case -ENOTDIR:
	case -ENAMETOOLONG:
	case -EACCES:
	case -EROFS:
		return true;
	default:
		return false;
	}
}

enum phase_result failed(const struct repair *rc, const char *what, int error)
{
	char sentence[320];

	snprintf(sentence, sizeof(sentence), "%s: %s%s", what, strerror(-error),
		 is_of_files(error) ? ", where temporary files go (TMPDIR, else /var/tmp); with more memory (-m) none "
				      "are needed"
				    : "");
	return trouble(rc, sentence);
}
