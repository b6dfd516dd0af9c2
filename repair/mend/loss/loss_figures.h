/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of the account (losses.h): paths in place, moved, damaged, lost and missing. */
#ifndef XFSCK_REPAIR_LOSS_FIGURES_H
#define XFSCK_REPAIR_LOSS_FIGURES_H

#include "losses.h"

struct geometry;
struct loss_tally;
struct repair;

/* 0 or -ENOMEM; call loss_tally_end() in either case. */
int loss_tally_begin(struct loss_tally *tally, const struct geometry *geo);
void loss_tally_end(struct loss_tally *tally);

/*
 * When all inodes are compared.  names: that are there after the repair.  unknown_names: that hash indexes have beyond
 * those of inodes whose name is not known.  0 or negative errno.
 */
int loss_figures(const struct repair *rc, const struct repair *again, const struct loss_tally *tally, uint64_t names,
		 uint64_t unknown_names, struct loss_figures *ret);

#endif
