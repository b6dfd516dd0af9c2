/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock that a check uses: superblock_use.c, and phase_superblock.c, which chooses it. */
#ifndef XFSCK_REPAIR_SUPERBLOCK_H
#define XFSCK_REPAIR_SUPERBLOCK_H

#include <stddef.h>

struct repair;

/* Chooses the superblock, opens the devices that it needs, and examines the log. */
enum phase_result superblock_settle(struct repair *rc);
/* Does the same for a superblock that has been chosen: geo and primary are set. */
enum phase_result superblock_use(struct repair *rc);
/* Examines the log again after a clean log was staged; chooses the superblock if that waited for the log. */
enum phase_result superblock_log_again(struct repair *rc);

/* Opens the external log as other_device_open(), unless an earlier check has opened it. */
int superblock_open_log(struct repair *rc, char *message, size_t size);
/* Finds head and tail of the log, for which the geometry has a place.  Returns how many problems were reported. */
unsigned superblock_find_log_ends(struct repair *rc);
/* Does the same if there is a log, and compares the superblock with it. */
enum phase_result superblock_examine_log(struct repair *rc);

#endif
