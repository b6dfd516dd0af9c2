/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks an inode in use: passes the inode itself to the sink, then walks its forks (ondisk 04). */
#include "disk/symlink.h"
#include "inflight.h"
#include "walk.h"

/* Symbolic links whose target is in blocks: the parts must join to the whole target (ondisk 08, invariant 3). */

void walk_symlink_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, uint32_t len, xdaddr_t daddr,
			uint64_t fileoff)
{
	const struct hash_key *key = w->t->sink.key;
	const struct da_expect expect = { inflight->ino, daddr, { (uint32_t)fileoff }, DATA_FORK };
	struct symlink_part part;
	bool ok, locked;

	w->place.object = OBJ_SYMLINK;
	walk_seal(w, bytes, len, offsetof(struct symlink_disk, crc), &((const struct symlink_disk *)bytes)->owner);
	w->totals.metadata_blocks++;
	ok = symlink_remote_decode(&w->check, bytes, len, &expect, inflight->size, &part);
	if (ok && w->t->scope.contents)
		sink_tell(&w->t->sink, target, w->worker, inflight->ino, part.offset,
			  bytes + (w->t->geo->crc ? sizeof(struct symlink_disk) : 0), part.bytes);
	locked = inflight_lock(inflight);
	if (ok) {
		inflight->link.bytes += part.bytes;
		inflight->link.parts += hash2(key, 0, (uint64_t)part.offset + part.bytes) - hash2(key, 0, part.offset);
	} else {
		inflight_gap(w, inflight);
	}
	inflight_unlock(inflight, locked);
}

void symlink_settle(struct walker *w, struct inflight *inflight)
{
	const struct hash_key *key = w->t->sink.key;

	if (inflight->gap || !inflight->fork[DATA_FORK].extents)
		return;
	if (inflight->link.bytes != inflight->size)
		walk_problem(w, F_SYMLINK_LENGTH, NO_INDEX, inflight->link.bytes, inflight->size);
	else if (inflight->link.parts != hash2(key, 0, inflight->size) - hash2(key, 0, 0))
		walk_problem(w, F_SYMLINK_PARTS, NO_INDEX, 0, 0);
}

/* Passes the inode's next pointer to the sink; if it has no links, keeps it for unlinked_check(). */
static void note_unlinked(struct walker *w, const struct dinode *inode)
{
	const struct geometry *geo = w->t->geo;
	agno_t agno = agno_of_ino(geo, inode->ino);
	struct ag_state *ag = &w->t->ags[agno.v];

	if (inode->next_unlinked.v != NULL_AGINO)
		sink_tell(&w->t->sink, unlinked, w->worker, agno, inode->next_unlinked);
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
	walk_seal(w, inode->disk, w->t->geo->inode_size, offsetof(struct dinode_disk, crc), &inode->disk->ino);
	sink_tell(&w->t->sink, inode, w->worker, inode);
	note_unlinked(w, inode);
	if (w->t->quota)
		walk_quota_begin(w, inflight, inode);
	if (inode->rtfile)
		walk_rt_begin(w, inflight, inode);
	walk_fork(w, inflight, DATA_FORK, &inode->fork[DATA_FORK]);
	walk_fork(w, inflight, ATTR_FORK, &inode->fork[ATTR_FORK]);
	inflight_put(w, inflight);
}
