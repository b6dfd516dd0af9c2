/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the table of findings, one a line: id, severity, class and message,
 * with tabs between them.  The manual page is made from it, and the tests
 * compare their folders with it.
 */
#include <stdio.h>

#include "../include/findings.h"

int main(void)
{
#define x(symbol, id, severity, class, mender, follows, message)                                                       \
	printf("%s\t%s\t%s\t%s\n", id, #severity, #class, message);
	FINDING_TABLE(x)
#undef x
	return ferror(stdout) || fclose(stdout);
}
