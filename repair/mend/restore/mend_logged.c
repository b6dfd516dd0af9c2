/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores inodes, and blocks of directories, attributes, extent maps and symlinks, that are lost on disk but still in
 * the log, as the last mount left them (log/log_history.h).
 *
 * If the log has all of it, likewise restores inodes of AGs with damaged inode btrees, since inodes may be lost with
 * them; and readable inodes and blocks that are invalid or contradicted by others: they were changed later, or not
 * written, by something other than a mount.  Everything else stays as it was written.  It is certain, because log
 * records have checksums.
 */
#include <errno.h>
#include <stdlib.h>

#include "disk/symlink.h"
#include "libxfs/crc.h"
#include "libxfs/da.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "log/log_history.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "mend/collect/mend_object.h"
#include "mend_logged.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "sets/ordered.h"

struct logged_work {
	struct mend *m;
	struct log_history history;
	const struct found **of_trace; /* per trace wanted for a finding: history.traces[0, history.wanted) */
	const struct found **of_group; /* per AG: the finding that all its inodes are wanted for; NULL: they are not */
	struct device_window window;
};

/* True if a block or inode is lost: its header or checksum is wrong, or it is unreadable. */
static bool says_lost(enum finding finding)
{
	switch (finding) {
	case F_BLOCK_MAGIC:
	case F_BLOCK_CRC:
	case F_BLOCK_BLKNO:
	case F_BLOCK_OWNER:
	case F_BLOCK_UUID:
	case F_IO_UNREADABLE:
	case F_INODE_INO:
		return true;
	default:
		return false;
	}
}

static bool of_inode(const struct place *place)
{
	return (place->object == OBJ_INODE || place->object == OBJ_CLUSTER) && place->ino.v != NULL_INO;
}

/* True if the contents of an inode are invalid or contradicted: the log may have the right ones. */
static bool says_wrong(const struct found *found)
{
	switch (found->place.object) {
	case OBJ_INODE:
	case OBJ_DATA_FORK:
	case OBJ_ATTR_FORK:
	case OBJ_DIRECTORY: /* in short form; with blocks, the inode equals the log's version */
		break;
	default:
		return false;
	}
	switch (found->problem.finding) {
	case F_INODE_FREE_IN_USE:
	case F_INODE_USED_BUT_FREE:
	case F_SPACE_CLAIMED_TWICE:
		return true;
	default:
		return finding_severity(found->problem.finding) == SEV_CORRUPT;
	}
}

/* True for a file's block that only the log may still have; values of attributes are never logged. */
static bool of_block(const struct place *place)
{
	const struct object_kind *kind = object_kind(place->object);

	return kind && kind->only && object_is_file_block(place->object) && kind->logged != LB_ATTR_REMOTE &&
	       place->ino.v != NULL_INO;
}

/* True if the contents of a block are invalid, even with a right checksum. */
static bool block_says_wrong(const struct found *found)
{
	return of_block(&found->place) && finding_severity(found->problem.finding) == SEV_CORRUPT;
}

/* True if an AG's inodes may be lost with its inode btrees. */
static bool of_group(const struct found *found)
{
	return found->place.object == OBJ_AGI || found->place.object == OBJ_INOBT;
}

bool mend_logged_wants(const struct found *found)
{
	const struct place *place = &found->place;

	if (says_lost(found->problem.finding))
		return of_inode(place) || of_block(place) || of_group(found);
	return (says_wrong(found) && place->ino.v != NULL_INO) || block_says_wrong(found);
}

/* Returns the sectors to search for; of a symlink's extent, the first block: hardly any has more. */
static uint32_t sectors_of(const struct geometry *geo, const struct place *place)
{
	const size_t bytes = object_bytes(geo, object_kind(place->object), place);

	return (uint32_t)(bytes ? bytes : geo->block_size) >> SECTOR_LOG;
}

int mend_ask_log(struct mend *m, xdaddr_t daddr)
{
	return sector_set_add(&m->notes.asked.blocks, daddr);
}

/* Requests all inodes of an AG. 0 or -ENOMEM. */
static int want_group(struct logged_work *w, const struct found *found)
{
	const agno_t agno = found->place.agno;
	int new = agno.v < w->m->now->geo.agcount ? group_set_add(&w->m->notes.asked.groups, agno) : 0;

	if (new > 0)
		w->of_group[agno.v] = found;
	return new > 0 ? log_history_want_group(&w->history, agno) : new;
}

/* Requests the object of a finding, unless that was done before. 0 or -ENOMEM. */
static int want_finding(struct logged_work *w, const struct found *found)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct place *place = &found->place;
	xdaddr_t daddr;
	int new;

	if (of_group(found))
		return want_group(w, found);
	/* such a finding may be a consequence of mended inodes */
	if (!says_lost(found->problem.finding) && w->m->inodes_begun)
		return 0;
	if (of_inode(place) || says_wrong(found)) {
		new = ino_valid(geo, place->ino) ? ino_set_add(&w->m->notes.asked.inodes, place->ino) : 0;
		return new > 0 ? log_history_want_inode(&w->history, place->ino) : new;
	}
	if (!agbno_valid(geo, place->agno, place->agbno))
		return 0;
	daddr = daddr_of(geo, place->agno, place->agbno);
	new = mend_ask_log(w->m, daddr);
	return new > 0 ? log_history_want(&w->history, daddr, sectors_of(geo, place)) : new;
}

/* ---- deciding if it is lost and in the log ---- */

/*
 * Returns the bytes of an inode on disk: in own[], with room for one, or in the window.  Inodes are read together with
 * their neighbours, unless they are cached.  NULL: unreadable.
 */
static const uint8_t *inode_bytes(struct mend *m, struct device_window *window, const struct log_trace *trace,
				  uint8_t own[DINODE_SIZE_MAX])
{
	const uint64_t at = bytes_of_daddr(trace->daddr), start = at - at % DEVICE_WINDOW;

	if (device_kept(m->rc->run->device, own, at, m->now->geo.inode_size))
		return own;
	if (!window->begun || window->start != start) {
		window->begun = true;
		window->start = start;
		window->readable = !mend_read_once(m, window->bytes, start, DEVICE_WINDOW);
	}
	if (window->readable)
		return window->bytes + (at - start);
	return mend_read(m, own, at, m->now->geo.inode_size) ? NULL : own;
}

/* True if the bytes on disk are this inode, intact. disk NULL: unreadable. */
static bool is_inode_there(const struct geometry *geo, const struct log_trace *trace, const struct dinode_disk *disk)
{
	return disk && be16_get(disk->magic) == DINODE_MAGIC && be64_get(disk->ino) == trace->ino.v &&
	       memcmp(disk->uuid, geo->meta_uuid, sizeof(disk->uuid)) == 0 &&
	       crc_is_right(disk, geo->inode_size, offsetof(struct dinode_disk, crc));
}

/*
 * True if an existing inode should be restored: it differs from the log, and the log's version settles the finding.  It
 * stays if its LSN is later, or if it has none, because a tool that does not log wrote it later; unless it is free, but
 * in use in the inobt.
 */
static bool is_inode_wrong(const struct geometry *geo, const struct log_trace *trace, const struct dinode_disk *disk,
			   enum finding finding)
{
	const struct dinode_disk *logged = (const void *)trace->bytes;
	const size_t core = finding == F_SPACE_CLAIMED_TWICE ? sizeof(*disk) : 0;
	const lsn_t date = { be64_get(disk->lsn) };

	if (date.v > trace->lsn.v || (!date.v && finding != F_INODE_FREE_IN_USE))
		return false;
	if ((finding == F_INODE_USED_BUT_FREE) == (be16_get(logged->mode) != 0))
		return false;
	return memcmp((const uint8_t *)disk + core, trace->bytes + core, geo->inode_size - core) != 0;
}

static bool inode_prevails(struct mend *m, struct device_window *window, struct log_trace *trace,
			   const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t own[DINODE_SIZE_MAX];
	const struct dinode_disk *disk = (const void *)inode_bytes(m, window, trace, own);

	if (!is_inode_there(geo, trace, disk))
		return log_trace_make_inode(geo, trace, false);
	return found && says_wrong(found) && log_trace_make_inode(geo, trace, true) &&
	       is_inode_wrong(geo, trace, disk, found->problem.finding);
}

/* True if the header of these bytes has the trace's address, and the place's inode as owner. */
static bool says_its_place(struct mend *m, const struct log_trace *trace, const struct place *place,
			   const uint8_t *bytes)
{
	xdaddr_t daddr;
	xino_t owner;

	return log_stamp_place(&m->now->geo, bytes, trace->len << SECTOR_LOG, &daddr, &owner) &&
	       daddr.v == trace->daddr.v && owner.v == place->ino.v;
}

/* True if the trace is an intact remote block of this symlink, with its whole target. */
static bool is_symlink(struct mend *m, const struct log_trace *trace, const struct place *place)
{
	const struct da_expect expect = { place->ino, trace->daddr, { (uint32_t)place->fileoff.v }, DATA_FORK };
	unsigned problems = 0;
	const struct check check = check_counting(&m->now->geo, &problems);
	struct symlink_part part;
	struct mend_inode inode;
	bool is;

	if (mend_inode_decode(m, place->ino, &inode))
		return false;
	is = symlink_remote_decode(&check, trace->bytes, (size_t)trace->len << SECTOR_LOG, &expect, inode.inode.size,
				   &part);
	mend_inode_free(&inode);
	return is && !problems && log_trace_covers(trace, (uint32_t)sizeof(struct symlink_disk) + part.bytes);
}

/*
 * True if the trace is an intact block of the right kind.  If the block existed before, the log has only changed parts.
 * Decoding detects missing directory entries and extent records, but not attribute values, so attribute blocks must be
 * complete.
 */
static bool is_block(struct mend *m, const struct log_trace *trace, const struct place *place)
{
	const uint32_t len = trace->len << SECTOR_LOG;

	log_stamp_set(&m->now->geo, trace->type, trace->bytes, len, trace->lsn);
	if (!says_its_place(m, trace, place, trace->bytes))
		return false;
	if (place->object == OBJ_SYMLINK)
		return trace->type == LB_SYMLINK && is_symlink(m, trace, place);
	if (place->object == OBJ_ATTR_LEAF && !log_trace_covers(trace, len))
		return false;
	return mend_object_decodes(m, place, trace->bytes);
}

/*
 * True if an existing block should be restored: it differs from the log's version, which is intact.  It stays if its
 * LSN is later, because a mount that the log does not have wrote it; or if it has none, because a tool did.
 */
static bool is_block_wrong(struct mend *m, struct log_trace *trace, const struct place *place, const uint8_t *disk)
{
	const lsn_t date = log_stamp_lsn(&m->now->geo, trace->type, disk);

	if (date.v == NULL_LSN || date.v > trace->lsn.v)
		return false;
	log_trace_complete(trace, disk);
	return is_block(m, trace, place) && memcmp(disk, trace->bytes, (size_t)trace->len << SECTOR_LOG) != 0;
}

/* A lost block that was mended in the meantime stays. */
static bool block_prevails(struct mend *m, struct log_trace *trace, const struct found *found)
{
	const uint32_t len = trace->len << SECTOR_LOG;
	uint8_t *disk = malloc(len);
	bool is;

	if (!disk)
		return false;
	if (mend_read(m, disk, bytes_of_daddr(trace->daddr), len) || !says_its_place(m, trace, &found->place, disk))
		is = is_block(m, trace, &found->place);
	else
		is = !says_lost(found->problem.finding) && is_block_wrong(m, trace, &found->place, disk);
	free(disk);
	return is;
}

bool mend_logged_prevails(struct mend *m, struct device_window *window, struct log_trace *trace,
			  const struct found *found)
{
	return trace->ino.v != NULL_INO ? inode_prevails(m, window, trace, found) : block_prevails(m, trace, found);
}

/* ---- restoring it ---- */

/* Returns the finding that trace i is wanted for; for an inode of a wanted AG, the AG's finding at this inode. */
static struct found found_of(struct logged_work *w, size_t i)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct log_trace *trace = &w->history.traces[i];
	struct found found;

	if (i < w->history.wanted)
		return *w->of_trace[i];
	found = *w->of_group[agno_of_ino(geo, trace->ino).v];
	found.place = mend_place_of_inode(geo, trace->ino);
	return found;
}

static int mend_one(struct logged_work *w, size_t i)
{
	struct log_trace *trace = &w->history.traces[i];
	const struct found found = found_of(w, i);
	int ret;

	if (!mend_logged_prevails(w->m, &w->window, trace, i < w->history.wanted ? &found : NULL))
		return 0;
	ret = mend_write(w->m, trace->bytes, bytes_of_daddr(trace->daddr), (size_t)trace->len << SECTOR_LOG);
	if (ret)
		return ret;
	if (trace->attributes_left_out)
		mend_drop_attribute(w->m, trace->ino, 0, NULL, 0, DROP_NOTHING_TELLS);
	mend_done(w->m, &found);
	w->m->logged++;
	return ino_set_put(&w->m->round.settled, found.place.ino);
}

/* A trace with contents in the log. */
struct known {
	uint64_t daddr;
	size_t index;
};

/* Restores everything that the log has, in order of addresses. 0 or negative errno. */
static int mend_known(struct logged_work *w)
{
	struct known *known = calloc(w->history.count + 1, sizeof(*known));
	size_t count = 0;
	int ret = known ? 0 : -ENOMEM;

	for (size_t i = 0; i < w->history.count && known; i++)
		if (w->history.traces[i].known)
			known[count++] = (struct known){ w->history.traces[i].daddr.v, i };
	ordered_sort(known, count, MEMBERS(MEMBER(known, daddr)));
	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_one(w, known[i].index);
	free(known);
	return ret;
}

/* Reports the blocks of restored inodes, so that they are not handed out. 0 or negative errno. */
static int claim_settled(struct mend *m)
{
	xino_t *inos = ino_set_sorted(&m->round.settled);
	int ret = inos ? 0 : -ENOMEM;

	for (size_t i = 0; i < ino_set_count(&m->round.settled) && !ret; i++)
		ret = mend_inode_claims(m, inos[i]);
	free(inos);
	return ret;
}

int mend_logged(struct mend *m, const struct found *found, size_t count)
{
	struct logged_work *w = calloc(1, sizeof(*w));
	int ret = w ? 0 : -ENOMEM;
	bool more;

	if (w) {
		w->m = m;
		w->history = (struct log_history){ .geo = &m->now->geo, .limit = log_history_limit(m->now) };
		w->of_trace = calloc(count, sizeof(*w->of_trace));
		w->of_group = calloc(m->now->geo.agcount, sizeof(*w->of_group));
		ret = w->of_trace && w->of_group ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < count && !ret && log_history_there(m->rc); i++) {
		const size_t wanted = w->history.wanted;

		ret = want_finding(w, &found[i]);
		if (w->history.wanted > wanted)
			w->of_trace[wanted] = &found[i];
	}
	more = !ret && (w->history.wanted || w->history.groups);
	while (more && !ret) {
		ret = log_history_read(&w->history, m->rc);
		if (!ret)
			ret = mend_known(w);
		if (!ret)
			ret = log_history_next(&w->history, &more);
	}
	if (!ret)
		ret = claim_settled(m);
	if (w) {
		log_history_free(&w->history);
		free(w->of_trace);
		free(w->of_group);
	}
	free(w);
	return ret;
}
