/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the figures in the summary: the numbers of paths in place, moved, damaged, lost and missing.  They may be
 * worse than the truth only by the effects of the damage itself.
 */
#include <inttypes.h>
#include <string.h>

#include "truth.h"

/* True if the path of a name before the damage exists after the repair, with the same inode. */
static bool is_at_its_path(const struct truth *t, const struct name *name)
{
	const struct inode *was = tree_inode(&t->before, name->dir), *is = tree_inode(&t->after, name->dir);
	const struct name *now = tree_name(&t->after, name->dir, name->text);

	return was && is && now && now->ino == name->ino && !strcmp(was->path, is->path);
}

/* True if an inode exists after the repair, and is not lost+found with its number. */
static bool is_there(const struct inode *was, const struct inode *is)
{
	static const char lost_found[] = "./lost+found";

	return is && (strcmp(is->path, lost_found) != 0 || !strcmp(was->path, lost_found));
}

void compare_figures(struct truth *t)
{
	const struct figures *f = &t->account.figures;
	const uint64_t told_gone = f->lost + f->missing_most;
	uint64_t in_place = 0, gone = 0, gone_inodes = 0;

	if (!f->known)
		return;
	for (size_t i = 0; i < t->before.nnames; i++) {
		const struct name *name = &t->before.names[i];
		const struct inode *was = tree_inode(&t->before, name->ino), *is = tree_inode(&t->after, name->ino);

		in_place += was && is && is_at_its_path(t, name) && inode_is_whole(t, was, is);
		gone += was && !is_there(was, is) && !is_damaged_away(t, name->ino);
	}
	for (size_t i = 0; i < t->after.nnames; i++) { /* what the program takes for former names */
		const struct name *name = &t->after.names[i];
		const struct name *was = tree_name(&t->before, name->dir, name->text);

		in_place += (!was || was->ino != name->ino) && is_damaged_so(t, name->dir, name->text, name->ino);
	}
	/* the number of names of a lost inode may be unknown */
	for (size_t i = 0; i < t->before.ninodes; i++)
		gone_inodes += !is_there(&t->before.inodes[i], tree_inode(&t->after, t->before.inodes[i].ino));
	if (f->in_place > in_place)
		violation(t, "told: %" PRIu64 " in place, but %" PRIu64 " are", f->in_place, in_place);
	if (f->missing_known && told_gone < gone_inodes)
		violation(t, "told: %" PRIu64 " gone, but %" PRIu64 " are", told_gone, gone_inodes);
	if (f->missing_known && t->missing > f->missing_most)
		violation(t, "told: %" PRIu64 " missing, but %" PRIu64 " are", f->missing_most, t->missing);
	if (f->missing && f->lost + f->missing > gone && !f->about)
		violation(t, "told: at least %" PRIu64 " gone, but %" PRIu64 " are", f->lost + f->missing, gone);
}
