/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbolic links whose target lies in blocks: the parts must join to the whole target (ondisk 08, invariant 3). */
#include "disk/symlink.h"
#include "inflight.h"

void walk_symlink_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, uint32_t len, xdaddr_t daddr,
			uint64_t fileoff)
{
	const struct hash_key *key = w->t->sink.key;
	const struct da_expect expect = { inflight->ino, daddr, { (uint32_t)fileoff }, DATA_FORK };
	struct symlink_part part;
	bool ok, locked;

	w->place.object = OBJ_SYMLINK;
	w->totals.metadata_blocks++;
	ok = symlink_remote_decode(&w->check, bytes, len, &expect, inflight->size, &part);
	if (ok && w->t->scope.contents)
		sink_tell(&w->t->sink, target, w->lane, inflight->ino, part.offset,
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
