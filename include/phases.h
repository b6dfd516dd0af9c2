/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The phases of a run, in order: x(name, title).  Each is a function `enum phase_result phase_<name>(struct repair *)`
 * in repair/phase_<name>.c; main() calls them one after the other.
 */
#ifndef XFSCK_PHASES_H
#define XFSCK_PHASES_H

#define PHASE_TABLE(x)                                                                                                 \
	x(superblock, "superblock and log") x(log, "log replay") x(names, "looking up the paths given")                \
		x(groups, "headers of the allocation groups") x(inodes, "btrees and inodes")                           \
			x(links, "sums, counters, connectivity") x(locate, "locating the differences")                 \
				x(paths, "paths of the affected inodes") x(mend, "repairing, in memory")               \
					x(inventory, "answering the question") x(commit, "writing")

enum phase_result {
	PHASE_DONE,
	PHASE_ANSWERED,	   /* the question is answered, and needs no check of the file system */
	PHASE_STOP,	   /* damage that leaves nothing to check, and that a finding reports */
	PHASE_INTERRUPTED, /* a signal ended the run, another run can resume it, and the user has a message */
	PHASE_FAILED,	   /* a failure other than damage, with a message on standard error */
};

struct repair;

#define x(name, title) enum phase_result phase_##name(struct repair *rc);
PHASE_TABLE(x)
#undef x

#endif
