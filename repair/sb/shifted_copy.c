/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes copies with missing bytes in the middle, as dd with conv=noerror but without sync makes them at read
 * errors.  Everything after that is too early, by a multiple of 512 bytes.  Metadata shows where it belongs
 * (belongs.h).  If only an area was moved, as by a failing disk, metadata behind it is in its place.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "repair.h"
#include "report/findings.h"
#include "run.h"
#include "sb/belongs.h"

#define EARLIEST  (4u << 20)   /* bytes before its place in which missing metadata is looked for */
#define FIRST_MAX (256u << 20) /* bytes to read from the possible start of the shift */
#define GROUP_MAX (16u << 20)  /* bytes to read of each AG behind that */
#define GROUPS	  16u	       /* number of these AGs, the last ones */
#define FINDINGS  4u	       /* findings whose blocks are looked for, the last ones */
#define ENOUGH	  4u	       /* places that agree, with a span of at least BELONGS_FAR */

struct look {
	const struct repair *rc;
	uint8_t *buf;		  /* EARLIEST + BELONGS_BUFFER bytes */
	uint64_t early;		  /* the shift: bytes between the first metadata found and its place */
	uint64_t first;		  /* byte of the device: the first metadata with that shift */
	uint64_t last;		  /* byte of the device: the last with that shift */
	uint64_t before;	  /* the end of the last metadata before `first` that is in its place */
	unsigned shifted, placed; /* blocks with that shift, and blocks behind `first` that are in their place */
};

/* Finds how many bytes too early the metadata for `at` is; 0: it is in its place, or can't be found. */
static uint64_t find_early(struct look *look, uint64_t at)
{
	const uint64_t most = at < EARLIEST ? at & ~(uint64_t)(SECTOR_SIZE - 1) : EARLIEST;
	uint64_t where;

	/* unreadable bytes are zero; the last sectors are read only so that each is complete */
	if (at + SECTOR_SIZE > device_bytes(look->rc->run->device) ||
	    device_read_once(look->rc->run->device, look->buf, at - most, most + SECTOR_SIZE) == -ENOMEM)
		return 0;
	for (uint64_t early = 0; early <= most; early += SECTOR_SIZE)
		if (belongs_sector(look->rc->run->device, &look->rc->geo, look->buf + most - early, at - early,
				   &where) &&
		    where == at)
			return early;
	return 0;
}

static void count(void *ctx, const uint8_t *sector, uint64_t where, uint64_t at)
{
	struct look *look = ctx;

	(void)sector;
	if (where == at + look->early) {
		look->first = look->shifted++ ? look->first : at;
		look->last = at;
	} else if (where == at && look->shifted) {
		look->placed++;
	} else if (where == at) {
		look->before = at + SECTOR_SIZE;
	}
}

/* True if all metadata with an address, from some byte behind `start` on, is too early by the same distance. */
static bool is_shifted(struct look *look, uint64_t start)
{
	const struct geometry *geo = &look->rc->geo;
	const uint64_t ag_bytes = bytes_of_ag(geo);
	uint64_t end = (start / ag_bytes + 1) * ag_bytes;
	uint32_t next = (uint32_t)(end / ag_bytes);

	belongs_each(look->rc->run->device, geo, look->buf, start, end - start < FIRST_MAX ? end : start + FIRST_MAX,
		     count, look);
	if (next + GROUPS < geo->agcount)
		next = geo->agcount - GROUPS;
	for (; next < geo->agcount; next++) {
		/* the first blocks of the AG are before its start */
		start = next * ag_bytes - look->early;
		belongs_each(look->rc->run->device, geo, look->buf, start,
			     start + (ag_bytes < GROUP_MAX ? ag_bytes : GROUP_MAX), count, look);
	}
	return look->shifted >= ENOUGH && look->last - look->first >= BELONGS_FAR && look->placed * 16 <= look->shifted;
}

static enum phase_result tell_shift(const struct look *look)
{
	char sentence[640];

	snprintf(sentence, sizeof(sentence),
		 "%s is no whole copy: from byte %llu on everything lies %llu bytes too early (what is missing belongs "
		 "behind byte %llu). Nothing is written; make the copy again with conv=noerror,sync or ddrescue",
		 device_name(look->rc->run->device), (unsigned long long)look->first, (unsigned long long)look->early,
		 (unsigned long long)look->before);
	return trouble(look->rc, sentence);
}

static bool look_begin(struct look *look, const struct repair *rc)
{
	*look = (struct look){ .rc = rc, .buf = malloc(EARLIEST + BELONGS_BUFFER) };
	return look->buf;
}

/* Returns the first of the last AGs whose AGFs are all too early by the same distance. */
static uint32_t first_group(const struct look *look)
{
	const struct geometry *geo = &look->rc->geo;
	uint32_t agno = geo->agcount - 1;
	uint8_t sector[SECTOR_SIZE];
	uint64_t at, where;

	for (; agno > 0; agno--) {
		at = ag_sector_offset(geo, (agno_t){ agno - 1 }, AGF_SECTOR);
		if (at < look->early || device_read(look->rc->run->device, sector, at - look->early, sizeof(sector)) ||
		    !belongs_header(geo, sector, &where) || where != at)
			break;
	}
	return agno;
}

enum phase_result shifted_copy_by_headers(const struct repair *rc)
{
	const struct geometry *geo = &rc->geo;
	const agno_t last = { geo->agcount - 1 };
	enum phase_result result = PHASE_DONE;
	uint32_t first;
	struct look look;

	if (geo->agcount < 2 || belongs_has_header(rc->run->device, geo, last) || !look_begin(&look, rc))
		return PHASE_DONE;
	look.early = find_early(&look, ag_sector_offset(geo, last, AGF_SECTOR));
	if (look.early) {
		first = first_group(&look);
		if (is_shifted(&look, first ? ag_offset(geo, (agno_t){ first - 1 }) : 0))
			result = tell_shift(&look);
	}
	free(look.buf);
	return result;
}

/* Collects the places where the blocks of the last findings should be, ascending.  Returns their number. */
static unsigned last_places(const struct repair *rc, uint64_t places[FINDINGS])
{
	const struct found *found;
	unsigned count = 0;

	findings_rewind(rc->findings);
	while ((found = findings_next(rc->findings))) {
		uint64_t at;

		if (!belongs_found(&rc->geo, found, &at))
			continue;
		if (count && at <= places[count - 1])
			continue;
		if (count == FINDINGS)
			memmove(places, places + 1, --count * sizeof(places[0]));
		places[count++] = at;
	}
	findings_rewind(rc->findings);
	return count;
}

enum phase_result shifted_copy_by_findings(const struct repair *rc)
{
	const uint64_t ag_bytes = bytes_of_ag(&rc->geo);
	enum phase_result result = PHASE_DONE;
	uint64_t places[FINDINGS], start;
	struct look look;
	unsigned at;

	if (!rc->geo.crc || !look_begin(&look, rc))
		return PHASE_DONE;
	for (at = last_places(rc, places); at > 0 && !look.early; at--)
		look.early = find_early(&look, places[at - 1]);
	if (look.early) {
		/* far enough before it, but in the same AG, blocks before the shift are in their place */
		start = places[at] - places[at] % ag_bytes;
		start = places[at] - start > FIRST_MAX / 2 ? places[at] - FIRST_MAX / 2 : start;
		if (is_shifted(&look, start & ~(uint64_t)(SECTOR_SIZE - 1)))
			result = tell_shift(&look);
	}
	free(look.buf);
	return result;
}
