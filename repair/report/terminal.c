/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks a terminal for its width. */
#include <sys/ioctl.h>

#include "terminal.h"

size_t terminal_width(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) || size.ws_col < 2)
		return DEFAULT_WIDTH - 1;
	return size.ws_col - 1u;
}
