/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The phases of a run, in order:  x(name, title).  Each is a function
 * `enum phase_result phase_<name>(struct repair *)` in repair/phase_<name>.c; main() goes down the table.
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
	PHASE_ANSWERED,	   /* all that was asked is answered, and the file system need not be checked for it */
	PHASE_STOP,	   /* damage that leaves nothing more to check: the finding says so */
	PHASE_INTERRUPTED, /* a signal asked for the end, and another run can go on: that has been said */
	PHASE_FAILED,	   /* trouble of our own: it has been said on standard error */
};

struct repair;

#define x(name, title) enum phase_result phase_##name(struct repair *rc);
PHASE_TABLE(x)
#undef x

#endif
