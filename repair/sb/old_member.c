/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognizes arrays with an outdated member, which had dropped out, or was restored from a backup.  Metadata of version
 * 5 has a date, the LSN of its last change.  On such a member, none is newer than the time when it dropped out, but on
 * the others some is.  If a period's changes are in one area, or at the same offset of all AGs, old and new do not
 * alternate in many places.
 */
#include "belongs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cache.h"
#include "consent.h"
#include "disk/inode.h"
#include "libxfs/log_stamp.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"

#define SMALLEST (16u << 10) /* bytes of an array's chunk, at least ... */
#define LARGEST	 (4u << 20)  /* ... and at most */
#define MEMBERS	 16u	     /* maximum members of an array */
#define ENOUGH	 12u	     /* samples of the member that should be newer */
#define OFFSETS	 8u	     /* offsets from the start of an AG at which there must be such samples */

/* A sample of the device with dated metadata. */
struct sample {
	uint64_t number; /* bytes of the device / size */
	uint64_t lsn;	 /* the newest */
};

struct dates {
	const struct geometry *geo;
	uint64_t size; /* bytes */
	bool noted;
	size_t count;
	struct sample all[BELONGS_SAMPLE / SMALLEST]; /* ascending */
};

/* A possible member of an array of so many. */
struct member {
	unsigned members, number;
	uint64_t size;	  /* bytes of a sample */
	uint64_t lsn;	  /* the newest of its own */
	uint64_t own;	  /* its own samples */
	uint64_t others;  /* samples of the others */
	uint64_t newer;	  /* samples of the others that are newer than all of its own */
	unsigned offsets; /* their offsets in an AG, OFFSETS at most */
};

static uint64_t date_of(const struct geometry *geo, const uint8_t *sector)
{
	const struct dinode_disk *disk = (const void *)sector;
	const lsn_t lsn = be16_get(disk->magic) == DINODE_MAGIC ? (lsn_t){ be64_get(disk->lsn) }
								: log_stamp_lsn(geo, LB_UNKNOWN, sector);

	return lsn.v == NULL_LSN ? 0 : lsn.v;
}

struct dates *old_member_dates(const struct repair *rc)
{
	struct dates *dates = rc->geo.crc ? malloc(sizeof(*dates)) : NULL;

	if (dates) {
		dates->geo = &rc->geo;
		dates->size = SMALLEST;
		dates->noted = false;
		dates->count = 0;
	}
	return dates;
}

void old_member_note(void *ctx, const uint8_t *sector, uint64_t where, uint64_t at)
{
	struct dates *dates = ctx;
	const uint64_t number = at / SMALLEST, lsn = where == at ? date_of(dates->geo, sector) : 0;
	struct sample *last = dates->count ? dates->all + dates->count - 1 : NULL;

	dates->noted = true;
	/* each change of an AG changes its start */
	if (!lsn || at % bytes_of_ag(dates->geo) < SMALLEST)
		return;
	if (last && last->number == number)
		last->lsn = lsn > last->lsn ? lsn : last->lsn;
	else if (dates->count < BELONGS_SAMPLE / SMALLEST)
		dates->all[dates->count++] = (struct sample){ number, lsn };
}

/* Makes samples twice as large. */
static void join(struct dates *dates)
{
	size_t count = 0;

	for (size_t i = 0; i < dates->count; i++) {
		const struct sample sample = { dates->all[i].number / 2, dates->all[i].lsn };
		struct sample *last = count ? dates->all + count - 1 : NULL;

		if (!last || last->number != sample.number)
			dates->all[count++] = sample;
		else if (sample.lsn > last->lsn)
			last->lsn = sample.lsn;
	}
	dates->count = count;
	dates->size *= 2;
}

/* Compares the samples of a member with those of the others. */
static void compare(const struct dates *dates, struct member *m)
{
	uint64_t offsets[OFFSETS];

	for (size_t i = 0; i < dates->count; i++) {
		const struct sample *sample = &dates->all[i];
		const uint64_t offset =
			sample->number / m->members * m->members * dates->size % bytes_of_ag(dates->geo);
		unsigned seen = 0;

		if (sample->number % m->members == m->number) {
			m->own++;
			continue;
		}
		m->others++;
		if (sample->lsn <= m->lsn)
			continue;
		m->newer++;
		while (seen < m->offsets && offsets[seen] != offset)
			seen++;
		if (seen == m->offsets && seen < OFFSETS)
			offsets[m->offsets++] = offset;
	}
}

/* Returns how many samples of the member should be newer; 0 if these are not all over the AGs. */
static uint64_t expected(const struct member *m)
{
	const uint64_t by_place = m->newer / (m->members - 1), by_share = m->others ? m->own * m->newer / m->others : 0;

	if (m->offsets < OFFSETS)
		return 0;
	return by_place < by_share ? by_place : by_share;
}

/* Returns the member with the oldest date of an array of so many. */
static struct member oldest(const struct dates *dates, unsigned members)
{
	struct member m = { .members = members, .size = dates->size };
	uint64_t newest[MEMBERS] = { 0 };

	for (size_t i = 0; i < dates->count; i++) {
		uint64_t *lsn = newest + dates->all[i].number % members;

		*lsn = dates->all[i].lsn > *lsn ? dates->all[i].lsn : *lsn;
	}
	for (unsigned i = 1; i < members; i++)
		m.number = newest[i] < newest[m.number] ? i : m.number;
	m.lsn = newest[m.number];
	compare(dates, &m);
	return m;
}

static void say(const struct repair *rc, const struct member *m)
{
	struct words note = { 0 };

	words_add(&note, "%s: no metadata in every %s piece of ", device_name(rc->run->device),
		  m->members == 2 ? "second" : "Nth");
	words_add_bytes(&note, m->size);
	if (m->members > 2)
		words_add(&note, ", N = %u", m->members);
	words_add(&note,
		  ", the first of which begins at byte %" PRIu64 ", is newer than log sequence number %" PRIu64
		  ":%" PRIu64 "; in %" PRIu64 " of %" PRIu64
		  " other pieces it is. An array looks like this one of whose members is of an earlier time.",
		  m->number * m->size, m->lsn >> 32, m->lsn & UINT32_MAX, m->newer, m->others);
	report_note(rc->report, note.text);
	consent_ask(&rc->run->consents, CONSENT_OLD_MEMBER);
}

void old_member_ask(const struct repair *rc, struct dates *dates)
{
	struct member best = { .members = 2 };

	if (!dates)
		return;
	if (!dates->noted)
		belongs_sample(rc->run->device, &rc->geo, BELONGS_SAMPLE, old_member_note, dates);
	for (; dates->size <= LARGEST; join(dates)) {
		for (unsigned members = 2; members <= MEMBERS; members++) {
			const struct member m = oldest(dates, members);

			if (expected(&m) > expected(&best))
				best = m;
		}
	}
	if (expected(&best) >= ENOUGH)
		say(rc, &best);
}
