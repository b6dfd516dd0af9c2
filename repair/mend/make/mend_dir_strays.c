/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chunk of inodes that is overwritten takes its directories along, but their blocks lie elsewhere, and say whose they
 * are.  Made anew, the directories keep the names of files that are still there, and tell of those that are not.
 *
 * Blocks of directories that were deleted long ago look the same.  So what is free in the group must be known, which
 * the block is not; or it must have a name that leads to a sound inode of the name's type.  And nothing that looks like
 * an inode may lie in the directory's place: one that was deleted leaves a free inode.
 */
#include "mend_dir_strays.h"

#include "disk/dir.h"
#include "libxfs/dinode_mend.h"
#include "mend/base/mend.h"
#include "mend/base/mend_follows.h"
#include "mend_chunk_search.h"
#include "mend_dir.h"
#include "repair.h"
#include "check/walk/walker.h"

/* True if what lies in the place of an inode looks like one, or can't be read; not if it was freed for want of names.
 */
static bool has_inode(struct mend *m, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t bytes[DINODE_SIZE_MAX];

	if (ino_set_has(&m->notes.freed, ino))
		return false;
	return mend_read(m, bytes, bytes_of_ino(geo, ino), geo->inode_size) ||
	       chunk_looks_like_inode(geo, ino, (const struct dinode_disk *)bytes);
}

/* True if a name leads to an inode in use that is of the name's type. */
static bool leads_to_inode(struct mend *m, const struct dir_name *name)
{
	return ino_valid(&m->now->geo, name->ino) && name->ftype != FT_UNKNOWN &&
	       mend_chunks_type_there(m, name->ino) == (enum ftype)name->ftype;
}

/* True if it is known which blocks of the group are free. */
static bool is_free_known(const struct mend *m, agno_t agno)
{
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];

	return ag->have_agf && ag_tree_whole(ag, BT_BNO);
}

bool mend_dir_is_stray(struct mend *m, xino_t dir, agno_t agno, xdaddr_t daddr, const uint8_t *block)
{
	const struct geometry *geo = &m->now->geo;
	const bool first = be32_get(((const struct dir_blkhdr_disk *)block)->magic) == DIR_MAGIC_BLOCK;
	struct dir_names names = { 0 };
	bool sound = false, leads = false;

	if (!geo->crc || !ino_valid(geo, dir) || dir_is_root(geo, dir) || has_inode(m, dir))
		return false;
	if (dir_names_in_block(geo, dir, daddr, first, block, &names, &sound))
		sound = false;
	for (size_t i = 2; i < names.count && sound && !leads; i++)
		leads = is_free_known(m, agno) || leads_to_inode(m, &names.names[i]);
	dir_names_free(&names);
	return leads;
}

int mend_dir_stray_found(struct mend *m, xino_t dir)
{
	const struct found leads = { .place = place_of(OBJ_AG),
				     .problem = { F_DIR_ENTRY_DANGLING, 0, NO_INDEX, dir.v, 0 },
				     .times = 1 };
	const int ret = ino_set_add(&m->notes.stray_dirs, dir);

	if (ret <= 0)
		return ret;
	m->round.names_wait = true;
	return ino_set_has(&m->notes.freed, dir) ? mend_follows(m, MEND_inode_named, &leads)
						 : mend_follows_inode(m, MEND_ag_inodes, F_INODE_USED_BUT_FREE, dir);
}
