/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories whose inode is lost, and of which blocks with names are left. */
#ifndef XFSCK_REPAIR_MEND_DIR_STRAYS_H
#define XFSCK_REPAIR_MEND_DIR_STRAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "units.h"

struct mend;

/*
 * True if a sound block of names, of version 5, which lies at daddr and which nobody has, is left of this directory,
 * whose inode is lost.
 */
bool mend_dir_is_stray(struct mend *m, xino_t dir, agno_t agno, xdaddr_t daddr, const uint8_t *block);
/* Have the inode of such a directory made anew: its chunk first, if no inobt has it. 0 or -ENOMEM. */
int mend_dir_stray_found(struct mend *m, xino_t dir);

#endif
