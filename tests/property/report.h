/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results, as tests/run wants them. */
#ifndef PROPERTY_REPORT_H
#define PROPERTY_REPORT_H

#include "trial.h"

/* Prints a line for each kind and, if verbose, before that, one for each field.  True if all is well. */
bool report(const struct trials *trials, bool verbose);

#endif
