/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Services for all menders: findings by inode, reads, writes, read-ahead, and reports of repairs. */
#include "mend.h"

#include <errno.h>
#include <stdio.h>

#include "array.h"
#include "fix_plan.h"
#include "libxfs/log_stamp.h"
#include "repair.h"
#include "report.h"
#include "report/mender.h"
#include "run.h"
#include "sets/sort.h"

/* A mender adds only findings that it is certain of; the next check finds other consequences. */

int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found)
{
	struct mend_following *f = &m->follows[kind];

	if (array_grow(&f->found, &f->room, f->count, sizeof(*f->found)) || !found_copy(&f->found[f->count], found))
		return -ENOMEM;
	f->count++;
	return 0;
}

struct place mend_place_of_inode(const struct geometry *geo, xino_t ino)
{
	struct place place = place_of(OBJ_INODE);

	place.ino = ino;
	place.agno = agno_of_ino(geo, ino);
	place.agbno = agbno_of_agino(geo, agino_of_ino(geo, ino));
	return place;
}

int mend_follows_inode(struct mend *m, enum mend_kind kind, enum finding finding, xino_t ino)
{
	const struct found found = { .place = mend_place_of_inode(&m->now->geo, ino),
				     .problem = { finding, 0, NO_INDEX, 0, 0 },
				     .times = 1 };

	return mend_follows(m, kind, &found);
}

int mend_follows_pptr(struct mend *m, xino_t ino, xino_t parent, const uint8_t *name, uint8_t namelen)
{
	struct found lacks = { .place = place_of(OBJ_INODE),
			       .problem = { F_PPTR_LACKS, 0, NO_INDEX, 0, parent.v },
			       .times = 1 };

	lacks.place.agno = agno_of_ino(&m->now->geo, ino);
	lacks.place.ino = ino;
	lacks.place.name = (struct name_view){ name, namelen };
	return m->now->geo.parent ? mend_follows(m, MEND_pptr, &lacks) : 0;
}

int mend_follows_count(struct mend *m, enum finding finding, uint64_t want)
{
	struct found found = { .place = place_of(OBJ_SUPERBLOCK),
			       .problem = { finding, 0, NO_INDEX, 0, want },
			       .times = 1 };

	if (m->now->geo.counters_lost)
		return 0;
	found.place.agno.v = 0;
	return mend_follows(m, MEND_field, &found);
}

#define READ_TIMES 4u /* menders may read this many times the size of the device */

int mend_found_order(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = ino_order(&x->place.ino, &y->place.ino);

	return order ? order : found_compare(x, y);
}

size_t mend_of_one_inode(const struct found *found, size_t count)
{
	size_t n = 1;

	while (n < count && found[n].place.ino.v == found->place.ino.v)
		n++;
	return n;
}

int mend_read_before(const struct mend *m, void *buf, uint64_t offset, size_t len)
{
	return device_read_below(m->rc->run->device, buf, offset, len, LAYER_MEND);
}

int mend_read(struct mend *m, void *buf, uint64_t offset, size_t len)
{
	__atomic_fetch_add(&m->bytes_read, len, __ATOMIC_RELAXED); /* there may be several threads */
	if (m->before)
		return mend_read_before(m, buf, offset, len);
	return device_read(m->rc->run->device, buf, offset, len);
}

struct device *mend_rt_device(const struct mend *m)
{
	return m->now->geo.rtstart ? m->rc->run->device : m->rc->run->rt_device;
}

int mend_read_data(struct mend *m, void *buf, bool realtime, fsbno_t block)
{
	const struct geometry *geo = &m->now->geo;

	if (realtime && !mend_rt_device(m))
		return -ENXIO;
	if (!realtime)
		return mend_read(m, buf, bytes_of_daddr(daddr_of_fsbno(geo, block)), geo->block_size);
	__atomic_fetch_add(&m->bytes_read, geo->block_size, __ATOMIC_RELAXED);
	return device_read(mend_rt_device(m), buf, bytes_of_daddr(daddr_of_rtbno(geo, block)), geo->block_size);
}

int mend_read_once(struct mend *m, void *buf, uint64_t offset, size_t len)
{
	__atomic_fetch_add(&m->bytes_read, len, __ATOMIC_RELAXED);
	return device_read_once(m->rc->run->device, buf, offset, len);
}

#define HOLE_STEP (1u << 20) /* bytes treated as data before the kernel is asked for holes again */

uint64_t mend_hole_blocks(const struct mend *m, struct mend_holes *holes, uint64_t offset)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t data;

	if (offset < holes->data)
		return 0;
	data = device_next_data(m->rc->run->device, offset, geo->block_size);
	holes->data = data + HOLE_STEP;
	return (data - offset) >> geo->block_log;
}

#define SKIPPED_MAX 16u /* findings that a mender may skip before read-ahead stops */
#define WORTH_IT    16u /* with fewer findings left, reading ahead costs more than it saves */

#define PAGES_EACH 3u /* maximum number of pages per finding */

/*
 * Sets the pages that will be read for a finding: those of its inode, of the directory for which it lacks a parent
 * pointer, and of a block.  Returns their number.
 */
static size_t pages_of(const struct mend *m, const struct found *found, uint64_t pages[PAGES_EACH])
{
	const struct geometry *geo = &m->now->geo;
	const struct mend_ahead *a = &m->ahead;
	const xino_t inodes[] = { found->place.ino, { found->problem.want } };
	fsbno_t block;
	size_t n = 0;

	for (size_t i = 0; i < 2; i++)
		if ((i == 0 || found->problem.finding == F_PPTR_LACKS) && ino_valid(geo, inodes[i]))
			pages[n++] = bytes_of_ino(geo, inodes[i]) / AHEAD_PAGE * AHEAD_PAGE;
	if (a->block && geo->block_size <= AHEAD_PAGE && a->block(m, a->ctx, found, &block))
		pages[n++] = bytes_of_daddr(daddr_of_fsbno(geo, block)) / AHEAD_PAGE * AHEAD_PAGE;
	return n;
}

void mend_inode_ahead(struct mend *m, xino_t ino)
{
	struct mend_ahead *a = &m->ahead;
	size_t last = a->next + SKIPPED_MAX < a->count ? a->next + SKIPPED_MAX : a->count;
	uint64_t pages[AHEAD_MAX];
	size_t n = 0, count = 0;

	if (a->next + WORTH_IT > a->count || ino.v < a->found[a->next].place.ino.v ||
	    ino.v > a->found[last - 1].place.ino.v)
		return;
	for (; a->next < a->count && n + PAGES_EACH <= AHEAD_MAX; a->next++)
		n += pages_of(m, &a->found[a->next], pages + n);
	sort_words(pages, n, 1);
	for (size_t i = 0; i < n; i++)
		if (!count || pages[count - 1] != pages[i])
			pages[count++] = pages[i];
	device_ahead(m->rc->run->device, pages, count);
}

bool mend_exhausted(const struct mend *m)
{
	return m->bytes_read / READ_TIMES > device_bytes(m->rc->run->device);
}

int mend_reset_lsn(struct mend *m, uint64_t offset)
{
	uint8_t sector[SECTOR_SIZE];

	if (mend_read(m, sector, offset, SECTOR_SIZE) || !log_stamp_reset(&m->now->geo, sector))
		return 0;
	return mend_write(m, sector, offset, SECTOR_SIZE);
}

int mend_write(const struct mend *m, const void *buf, uint64_t offset, size_t len)
{
	return device_stage(m->rc->run->device, LAYER_MEND, buf, offset, len);
}

bool mend_space_took(const struct mend *m, fsbno_t block, bool realtime)
{
	const struct mend_taken *taken = realtime ? &m->rt_taken : &m->taken;

	for (size_t i = 0; i < taken->count; i++)
		if (block.v - taken->ranges[i].start.v < taken->ranges[i].len)
			return true;
	return false;
}

/* Notes, for progress, that the mender has settled this finding, and the inode of the next one. */
static void note_settled(struct mend *m, const struct found *found)
{
	struct mend_ahead *a = &m->ahead;
	const size_t i = (size_t)(((uintptr_t)found - (uintptr_t)a->found) / sizeof(*found)) + 1;
	uint64_t ino;

	if ((uintptr_t)found < (uintptr_t)a->found || i > a->count)
		return;
	ino = i < a->count ? a->found[i].place.ino.v : 0;
	__atomic_store_n(&a->settled, i, __ATOMIC_RELAXED);
	__atomic_store_n(&a->ino, ino == NULL_INO ? 0 : ino, __ATOMIC_RELAXED);
}

void mend_done_so(struct mend *m, const struct found *found, enum sure sure, const char *text)
{
	const struct fix fix = { m->kind, text, sure };

	m->done++;
	m->likely += sure == SURE_LIKELY;
	m->guesses += sure == SURE_GUESS;
	mend_repeats_note(m, found);
	note_settled(m, found);
	if (m->rc->run->plan && !m->quiet)
		fix_plan_note(m->rc->run->plan, &m->now->geo, m->kind, &fix, found, m->rc->paths);
	if (!m->quiet)
		report_fix(m->rc->report, &fix, found, m->rc->paths);
}

void mend_done_sure(struct mend *m, const struct found *found, enum sure sure)
{
	mend_done_so(m, found, sure, mender_text(m->kind));
}

void mend_done(struct mend *m, const struct found *found)
{
	mend_done_sure(m, found, mender_sure(m->kind));
}

int mend_note_map_mended(struct mend *m, xino_t ino)
{
	return ino_set_put(&m->notes.map_mended, ino);
}

static uint64_t entry_hash(const struct mend *m, xino_t dir, xino_t ino, const struct name_view *name)
{
	const struct hash_key *key = &m->rc->run->key;

	return hash3(key, dir.v, ino.v, hash_name(key, name->bytes, name->len));
}

int mend_note_unsure(struct mend *m, xino_t dir, xino_t ino, const struct name_view *name)
{
	const int ret = number_set_add(&m->notes.names_unsure, entry_hash(m, dir, ino, name));

	return ret < 0 ? ret : 0;
}

bool mend_is_unsure(const struct mend *m, xino_t dir, xino_t ino, const struct name_view *name)
{
	return number_set_has(&m->notes.names_unsure, entry_hash(m, dir, ino, name));
}

int mend_note_parent_unknown(struct mend *m, xino_t ino)
{
	return ino_set_put(&m->notes.parent_unknown, ino);
}

int mend_note_rebuilt(struct mend *m, xino_t ino)
{
	return ino_set_put(&m->notes.rebuilt, ino);
}

void mend_not_rebuilt(const struct mend *m, agno_t agno, const char *why)
{
	char note[160];

	snprintf(note, sizeof(note), "The btrees of AG %u cannot be rebuilt: %s.", agno.v, why);
	report_note(m->rc->report, note);
}
