/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes incomplete copies.  The missing parts read as zeroes: the end of the device, or a part that a volume
 * lacks.  Most of it may be file data, for which there are no findings.  AG headers are never zeroes in a sound file
 * system, whatever made it.  If only sectors or a small area were zeroed, the rest of the AG is there.
 */
#include "belongs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cache.h"
#include "consent.h"
#include "disk/agf.h"
#include "libxfs/ag.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "report/words.h"
#include "run.h"
#include "sb/belongs.h"
#include "sets/ordered.h"
#include "zeroes.h"

#define BUFFER	  (1u << 20)   /* bytes that are read at once */
#define GROUP_MAX (64u << 20)  /* bytes to read of an AG from its start on */
#define SAMPLES	  256u	       /* sectors in the rest of the AG */
#define TAIL_MAX  (256u << 20) /* bytes to read before the last known zeroes */
#define GROUPS	  64u	       /* maximum of zeroed AGs to look for */
#define SHOWN	  8u	       /* maximum of zeroed AGs to report */

struct zeroes {
	const struct repair *rc;
	uint8_t *buf;	/* BUFFER */
	uint64_t end;	/* the end of the file system, or of the device if that is earlier, in bytes */
	uint64_t tail;	/* from this byte on there are only zeroes; end: there are none */
	uint64_t first; /* the first byte behind `tail` with missing metadata; UINT64_MAX: none */
	uint64_t last;
	uint32_t groups[GROUPS]; /* AGs that have only zeroes, but should not, ascending */
	unsigned count;
};

/* True if the device itself has zeroes there, without staged changes.  Unreadable bytes: false.  len: at most BUFFER.
 */
static bool is_zero(const struct zeroes *z, uint64_t at, size_t len)
{
	return device_read_below(z->rc->run->device, z->buf, at, len, 0) == 0 && all_zero(z->buf, len);
}

static bool are_zero(const struct zeroes *z, uint64_t at, uint64_t end)
{
	size_t len;

	for (; at < end; at += len) {
		len = end - at < BUFFER ? end - at : BUFFER;
		if (!is_zero(z, at, len))
			return false;
	}
	return true;
}

/* Returns the first byte of the zeroes before `end`, searching at most so many bytes back, in whole steps. */
static uint64_t zeroes_back(const struct zeroes *z, uint64_t end, uint64_t most, uint32_t step)
{
	uint64_t at = end;

	while (at > 0 && end - at < most) {
		const uint64_t start = (at - 1) / step * step;

		if (!is_zero(z, start, at - start))
			break;
		at = start;
	}
	return at;
}

static uint64_t zeroes_before(const struct zeroes *z, uint64_t end)
{
	return zeroes_back(z, zeroes_back(z, end, TAIL_MAX, BUFFER), BUFFER, SECTOR_SIZE);
}

static bool group_is_zero(const struct zeroes *z, agno_t agno)
{
	const struct geometry *geo = &z->rc->geo;
	const uint64_t start = ag_offset(geo, agno), bytes = (uint64_t)ag_length(geo, agno) << geo->block_log;
	const uint64_t read = bytes < GROUP_MAX ? bytes : GROUP_MAX, step = (bytes - read) / SAMPLES & ~(uint64_t)511;

	if (start + bytes > z->end || !are_zero(z, start, start + read))
		return false;
	for (unsigned i = 0; step && i < SAMPLES; i++)
		if (!is_zero(z, start + read + i * step, SECTOR_SIZE))
			return false;
	return true;
}

/* Returns the blocks in the repaired AG that are neither free, nor its own, nor the log; all without an AGF. */
static uint64_t blocks_in_use(const struct repair *rc, agno_t agno)
{
	const struct geometry *geo = &rc->geo;
	uint64_t own = geo->first_data_agbno + 3 /* roots of bnobt, cntbt and inobt */ + geo->finobt;
	const uint32_t length = ag_length(geo, agno);
	uint8_t sector[SECTOR_SIZE];
	const struct agf_disk *agf = (const struct agf_disk *)sector;

	if (device_read(rc->run->device, sector, ag_sector_offset(geo, agno, AGF_SECTOR), sizeof(sector)) ||
	    be32_get(agf->magicnum) != AGF_MAGIC)
		return length;
	own += (uint64_t)be32_get(agf->freeblks) + be32_get(agf->flcount);
	own += be32_get(agf->btreeblks);
	own += geo->rmapbt + (geo->reflink ? be32_get(agf->refcount_blocks) : 0);
	if (geo->logstart.v && agno_of_fsbno(geo, geo->logstart).v == agno.v)
		own += geo->logblocks;
	return own < length ? length - own : 0;
}

static bool has_group(const struct zeroes *z, uint32_t agno)
{
	for (unsigned i = 0; i < z->count; i++)
		if (z->groups[i] == agno)
			return true;
	return false;
}

/* Finds the AGs that have only zeroes, among those with a damaged AGF. */
static void find_groups(struct zeroes *z)
{
	const struct found *found;

	findings_rewind(z->rc->findings);
	while (z->count < GROUPS && (found = findings_next(z->rc->findings))) {
		const agno_t agno = found->place.agno;

		if (found->place.object != OBJ_AGF || agno.v >= z->rc->geo.agcount || has_group(z, agno.v) ||
		    !group_is_zero(z, agno) || !blocks_in_use(z->rc, agno))
			continue;
		z->groups[z->count++] = agno.v;
	}
	findings_rewind(z->rc->findings);
	ordered_sort(z->groups, z->count, MEMBERS(ELEMENT(z->groups)));
}

/* Finds the span of objects that findings miss behind `tail`, where there are only zeroes. */
static void find_missed(struct zeroes *z)
{
	const struct found *found;
	uint64_t at;

	z->first = UINT64_MAX;
	z->last = 0;
	findings_rewind(z->rc->findings);
	while ((found = findings_next(z->rc->findings))) {
		if (!belongs_found(&z->rc->geo, found, &at) || at < z->tail || at >= z->end)
			continue;
		z->first = at < z->first ? at : z->first;
		z->last = at > z->last ? at : z->last;
	}
	findings_rewind(z->rc->findings);
}

/* True if the missing objects span more than a damaged area. */
static bool is_far(const struct zeroes *z)
{
	return z->first != UINT64_MAX && z->last - z->first >= BELONGS_FAR;
}

/* Finds the zeroes at the end: from the first of the last AGs on, if these are zeroed, and some before that. */
static void find_tail(struct zeroes *z)
{
	const struct geometry *geo = &z->rc->geo;
	uint32_t agno = geo->agcount;
	uint64_t zeroed;

	while (agno > 0 && has_group(z, agno - 1))
		agno--;
	zeroed = agno == geo->agcount ? z->end : ag_offset(geo, (agno_t){ agno });
	/* the missing objects are known; the device is read only if they are enough wherever the zeroes begin */
	z->tail = zeroed > TAIL_MAX + BUFFER ? zeroed - TAIL_MAX - BUFFER : 0;
	find_missed(z);
	if (agno == geo->agcount && !is_far(z)) {
		z->tail = z->end;
		return;
	}
	z->tail = zeroes_before(z, zeroed);
	find_missed(z);
	if (agno == geo->agcount && !is_far(z))
		z->tail = z->end;
	while (z->count && z->tail < z->end && z->groups[z->count - 1] >= agno)
		z->count--;
}

static void say(const struct zeroes *z)
{
	struct words note = { 0 };

	words_add(&note, "%s reads as zeroes ", device_name(z->rc->run->device));
	if (z->tail < z->end)
		words_add(&note, "from byte %" PRIu64 " to the end of the file system", z->tail);
	for (unsigned i = 0; i < z->count && i < SHOWN; i++)
		words_add(&note, "%s%" PRIu32,
			  i		     ? ", "
			  : z->tail < z->end ? " and in allocation groups "
			  : z->count == 1    ? "in allocation group "
					     : "in allocation groups ",
			  z->groups[i]);
	words_add(&note,
		  "%s, where metadata should be. A copy that was not finished looks like this. What files had there is "
		  "gone, and this report does not count data that reads as zeroes.",
		  z->count > SHOWN ? " and others" : "");
	report_note(z->rc->report, note.text);
	report_zeroed(z->rc->report);
	consent_ask(&z->rc->run->consents, CONSENT_UNFINISHED);
}

void unfinished_ask(const struct repair *rc)
{
	const uint64_t bytes = rc->geo.dblocks << rc->geo.block_log, size = device_bytes(rc->run->device);
	struct zeroes z = { .rc = rc, .buf = malloc(BUFFER) };

	if (!z.buf)
		return;
	z.end = bytes < size ? bytes : size / SECTOR_SIZE * SECTOR_SIZE;
	find_groups(&z);
	find_tail(&z);
	if (z.count || z.tail < z.end)
		say(&z);
	free(z.buf);
}
