/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AGF, AGI and AGFL as the last mount logged them.  The log has those parts of 128 bytes that this mount changed: of an
 * AGF the first holds all fields, of an AGI the first and the third hold all but some heads of unlinked lists.
 */
#include "mend_header_logged.h"

#include <string.h>

#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend_logged.h"
#include "repair.h"

/* Whether a finding says that a header is not as it was written. */
static bool says_lost(enum finding finding)
{
	return finding == F_BLOCK_MAGIC || finding == F_BLOCK_CRC || finding == F_BLOCK_UUID ||
	       finding == F_IO_UNREADABLE;
}

static xdaddr_t daddr_of_header(const struct geometry *geo, agno_t agno, enum ag_sector number)
{
	return (xdaddr_t){ ag_sector_offset(geo, agno, number) >> SECTOR_LOG };
}

int mend_headers_logged(struct mend *m, const struct found *found, size_t count, struct log_history *ret)
{
	const struct geometry *geo = &m->now->geo;
	int error = 0;

	*ret = (struct log_history){ .geo = geo, .limit = log_history_limit(m->now) };
	if (!log_history_there(m->rc))
		return 0;
	for (size_t i = 0; i < count && error >= 0; i++) {
		const struct place *place = &found[i].place;
		xdaddr_t daddr;

		if (!says_lost(found[i].problem.finding) || place->agno.v >= geo->agcount)
			continue;
		daddr = daddr_of_header(geo, place->agno, object_kind(place->object)->sector);
		error = mend_ask_log(m, daddr);
		if (error > 0)
			error = log_history_want(ret, daddr, geo->sector_size >> SECTOR_LOG);
	}
	return error < 0 || !ret->count ? error : log_history_read(ret, m->rc);
}

/* Whether a header, whose magic number was set, is neither whole nor written later than the log's version of it. */
static bool is_lost(const struct geometry *geo, enum log_buf_type type, lsn_t logged, const uint8_t *sector)
{
	const lsn_t date = log_stamp_lsn(geo, type, sector);

	if (!log_stamp_torn(geo, type, sector, geo->sector_size))
		return false;
	/* what a tool has written, which leaves no date, is not in the log */
	return log_stamp_foreign(geo, type, sector) || (date.v != NULL_LSN && date.v <= logged.v);
}

void mend_header_from_log(const struct log_history *history, agno_t agno, enum ag_sector number, uint8_t *sector)
{
	const struct geometry *geo = history->geo;
	const struct object_kind *kind = object_of_sector(number);
	const enum log_buf_type type = kind->logged;
	struct log_trace *trace =
		log_history_find(history, daddr_of_header(geo, agno, number), geo->sector_size >> SECTOR_LOG);

	object_put_magic(geo, kind, sector);
	if (!trace || !trace->known || trace->type != type || !is_lost(geo, type, trace->lsn, sector))
		return;
	log_trace_complete(trace, sector);
	memcpy(sector, trace->bytes, geo->sector_size);
}
