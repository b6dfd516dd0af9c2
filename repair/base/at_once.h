/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user must see at once, whatever other threads are printing. */
#ifndef XFSCK_REPAIR_AT_ONCE_H
#define XFSCK_REPAIR_AT_ONCE_H

#include <stdint.h>

struct options;

/* Print a sentence to standard error, without stdio, whose locks another thread may hold for long. */
void at_once(const struct options *options, const char *sentence);
/* As device_options.on_loss: say which device can't be read, and what to do; options: the struct options of the run. */
void at_once_unreadable(const void *options, const char *device, uint64_t offset, int error);

#endif
