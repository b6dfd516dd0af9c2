/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finishes a repair that was cut short: see commit/resume.c. */
#include "mend.h"

/* It is staged already. */
int mend_resume(struct mend *m, const struct found *found, size_t count)
{
	if (count)
		mend_done(m, found);
	return 0;
}
