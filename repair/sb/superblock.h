/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock that a check goes by: superblock_use.c, and phase_superblock.c, which chooses it. */
#ifndef XFSCK_REPAIR_SUPERBLOCK_H
#define XFSCK_REPAIR_SUPERBLOCK_H

#include <stddef.h>

struct repair;

/* Choose the superblock, open the devices it speaks of, and examine the log */
enum phase_result superblock_settle(struct repair *rc);
/* The same for a superblock that has been chosen: geo and primary are set. */
enum phase_result superblock_use(struct repair *rc);
/* Examine the log again, once what makes it clean is staged; and choose the superblock if that waited for the log. */
enum phase_result superblock_log_again(struct repair *rc);

/* other_device_open() for the external log, unless an earlier check has it open. */
int superblock_open_log(struct repair *rc, char *message, size_t size);
/* Find head and tail of the log, for which the geometry has a place. Returns how many problems were reported. */
unsigned superblock_find_log_ends(struct repair *rc);
/* The same if there is a log, and what the superblock says against it. */
enum phase_result superblock_examine_log(struct repair *rc);

#endif
