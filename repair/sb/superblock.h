/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock that a check goes by: phase_superblock.c. */
#ifndef XFSCK_REPAIR_SUPERBLOCK_H
#define XFSCK_REPAIR_SUPERBLOCK_H

struct repair;

/* Choose the superblock, open the devices it speaks of, and examine the log */
enum phase_result superblock_settle(struct repair *rc);
/* The same for a superblock that has been chosen: geo and primary are set. */
enum phase_result superblock_use(struct repair *rc);
/* Examine the log again, once what makes it clean is staged; and choose the superblock if that waited for the log. */
enum phase_result superblock_log_again(struct repair *rc);

#endif
