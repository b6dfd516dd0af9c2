/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder in the target where files wait until they are whole, each named by its inode number.  It stays if a run is
 * stopped, and says how far that run was.
 */
#ifndef XFSCK_REPAIR_EXTRACT_STAGE_H
#define XFSCK_REPAIR_EXTRACT_STAGE_H

#include "sets/number_set.h"
#include "tree.h"
#include "units.h"

#define STAGE_OPEN  128u /* files that are open at a time */
#define STAGE_FAILS 2u	 /* errors that are about one file, and don't end the run */

struct stage {
	struct out_tree *tree;
	int dir;
	bool found;		  /* it was there: a run was stopped */
	struct stage_file *files; /* STAGE_OPEN of them */
	uint64_t uses;
	struct number_set failed[STAGE_FAILS]; /* inodes whose files can't be made, by why */
};

/*
 * Open it, and make it if there is none.  0 or negative errno: -EEXIST: what has its name is not ours; -EBUSY: another
 * run uses it.
 */
int stage_open(struct stage *stage, struct out_tree *tree);
/* Close it, and remove it if it is empty but for its notes, and the run is over. */
void stage_close(struct stage *stage, bool over);

#define STAGE_NAME_ROOM 24u
const char *stage_name(xino_t ino, char name[static STAGE_NAME_ROOM]);
/*
 * A descriptor of the file of an inode; create: make it if there is none.  It stays the stage's, until STAGE_OPEN
 * others have been asked for.  Negative errno: -ENOENT.
 */
int stage_file(struct stage *stage, xino_t ino, bool create);
/* The file is not used any more, before it is moved or removed. */
void stage_release(struct stage *stage, xino_t ino);
/*
 * An error of writing to the file of an inode: if it is about that file alone, as it is too large for the target, the
 * file is removed, and stays out.  0, or the error if it is about more than that.
 */
int stage_fail(struct stage *stage, xino_t ino, int error);
/* Why the file of an inode stays out: a negative errno; 0: it does not. */
int stage_failed(const struct stage *stage, xino_t ino);
bool stage_has(const struct stage *stage, xino_t ino);
/* Remove all that waits, and all notes. 0 or negative errno. */
int stage_clear(struct stage *stage);

/*
 * The notes of a run: all data that lies before `swept` is there; plan: what was to be read, as a number.  False: there
 * are none, or they can't be relied on.
 */
struct stage_notes {
	uint64_t plan, swept;
};
bool stage_notes_read(const struct stage *stage, struct stage_notes *ret);
/* Write them, when all that was written before is on the medium. 0 or negative errno. */
int stage_notes_write(const struct stage *stage, const struct stage_notes *notes);
/* A list of ranges that could not be read: opened for reading and adding. A descriptor or negative errno. */
int stage_bad_open(const struct stage *stage);

#endif
