/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks an inode in use: hands the inode itself to the sink, then goes into its forks (ondisk 04). */
#include "inflight.h"
#include "walk.h"

/* Hand the inode's next pointer to the sink; if it has no links, remember it for unlinked_check(). */
static void note_unlinked(struct walker *w, const struct dinode *inode)
{
	const struct geometry *geo = w->t->geo;
	agno_t agno = agno_of_ino(geo, inode->ino);
	struct ag_state *ag = &w->t->ags[agno.v];

	if (inode->next_unlinked.v != NULL_AGINO)
		sink_tell(&w->t->sink, unlinked, w->lane, agno, inode->next_unlinked);
	if (inode->nlink)
		return;
	pthread_mutex_lock(&w->t->ags_lock);
	walk_add(w, ag->unlinked, ag->unlinked_room, ag->nunlinked,
		 (struct unlinked_inode){ agino_of_ino(geo, inode->ino).v, inode->next_unlinked.v });
	pthread_mutex_unlock(&w->t->ags_lock);
}

void walk_inode(struct walker *w, const struct dinode *inode)
{
	struct inflight *inflight = inflight_begin(w, inode);

	if (!inflight)
		return;
	w->totals.directories += inode->ftype == FT_DIR;
	inflight->users = !inode->metadata && !inode->rtfile && !dinode_is_internal(w->t->geo, inode->ino);
	w->totals.users.inodes += inflight->users;
	w->totals.users.targets += inflight->users && inode->ftype == FT_SYMLINK;
	sink_tell(&w->t->sink, inode, w->lane, inode);
	note_unlinked(w, inode);
	if (w->t->quota)
		walk_quota_begin(w, inflight, inode);
	if (inode->rtfile)
		walk_rt_begin(w, inflight, inode);
	walk_fork(w, inflight, DATA_FORK, &inode->fork[DATA_FORK]);
	walk_fork(w, inflight, ATTR_FORK, &inode->fork[ATTR_FORK]);
	inflight_put(w, inflight);
}
