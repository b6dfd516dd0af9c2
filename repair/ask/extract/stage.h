/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The staging directory in the target, with incomplete files named by inode number. It stays if a run is stopped, and
 * records its progress.
 */
#ifndef XFSCK_REPAIR_EXTRACT_STAGE_H
#define XFSCK_REPAIR_EXTRACT_STAGE_H

#include "sets/number_set.h"
#include "tree.h"
#include "units.h"

#define STAGE_OPEN  128u /* open files */
#define STAGE_FAILS 2u	 /* errors that affect one file only */

struct stage {
	struct out_tree *tree;
	int dir;
	bool found;		  /* it existed: an earlier run was stopped */
	struct stage_file *files; /* STAGE_OPEN of them */
	uint64_t uses;
	struct number_set failed[STAGE_FAILS]; /* inodes whose files failed, by error */
};

/*
 * Opens or creates it. 0 or negative errno: -EEXIST: its name is taken by something else; -EBUSY: by another run;
 * -EOPNOTSUPP: others could write to a new one.
 */
int stage_open(struct stage *stage, struct out_tree *tree);
/* Closes it. over: the run is complete; removes the notes, and the directory if it is then empty. */
void stage_close(struct stage *stage, bool over);

#define STAGE_NAME_ROOM 24u
const char *stage_name(xino_t ino, char name[static STAGE_NAME_ROOM]);
/*
 * Returns the descriptor of an inode's file, owned by the stage, valid until STAGE_OPEN others were requested. create:
 * creates a missing file. Negative errno: -ENOENT.
 */
int stage_file(struct stage *stage, xino_t ino, bool create);
/* Closes the file of an inode, before it is moved or removed. */
void stage_release(struct stage *stage, xino_t ino);
/*
 * Handles a write error. If it affects a single file, like a size limit, removes the file for good and returns 0.
 * Otherwise returns the error.
 */
int stage_fail(struct stage *stage, xino_t ino, int error);
/* Returns the error of an inode's file: a negative errno, or 0. */
int stage_failed(const struct stage *stage, xino_t ino);
bool stage_has(const struct stage *stage, xino_t ino);
/* Removes all staged files and notes. 0 or negative errno. */
int stage_clear(struct stage *stage);

/*
 * Notes of a run. swept: data before this place has been read; plan: checksum of the plan. False: there are none, or
 * they are invalid.
 */
struct stage_notes {
	uint64_t plan, swept;
};
bool stage_notes_read(const struct stage *stage, struct stage_notes *ret);
/* Writes the notes after flushing everything written before. 0 or negative errno. */
int stage_notes_write(const struct stage *stage, const struct stage_notes *notes);
/* Opens the list of unreadable ranges for reading and appending. A descriptor or negative errno. */
int stage_bad_open(const struct stage *stage);

#endif
