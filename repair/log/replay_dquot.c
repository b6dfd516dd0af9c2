/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays records of quota files (ondisk 11, "DQUOT"). */
#include "replay.h"

#include "disk/dquot.h"
#include "libxfs/log_apply.h"
#include "run.h"

/* Returns the quota type of the record as LOG_BUF_*DQUOT flags, to compare with the types that were turned off. */
static uint32_t types_of(const struct log_dquot *dquot)
{
	static const struct {
		uint8_t type;
		uint32_t flag;
	} types[] = {
		{ DQUOT_TYPE_USER, LOG_BUF_UDQUOT },
		{ DQUOT_TYPE_PROJECT, LOG_BUF_PDQUOT },
		{ DQUOT_TYPE_GROUP, LOG_BUF_GDQUOT },
	};
	uint8_t type = ((const struct dquot_disk *)dquot->dquot)->type;
	uint32_t flags = 0;

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (type & types[i].type)
			flags |= types[i].flag;
	return flags;
}

int replay_dquot(struct replay *r, const struct log_item *item)
{
	uint8_t record[sizeof(struct dquot_disk)];
	struct log_dquot dquot;
	uint64_t offset;
	bool ok;
	int ret;

	if (!log_dquot_decode(&r->check, item, &dquot) || (types_of(&dquot) & r->quota_off))
		return 0;
	offset = bytes_of_daddr(dquot.daddr) + dquot.offset;
	if (!replay_may_change(r, offset, sizeof(record)) || replay_is_guarded(r, dquot.daddr, dquot.len, LB_UDQUOT))
		return 0;
	ret = replay_read(r, record, offset, sizeof(record), &ok);
	if (ret || !ok)
		return ret;
	switch (log_dquot_apply(&r->check, &dquot, r->lsn, record)) {
	case LOG_APPLIED:
		return replay_write(r, record, offset, sizeof(record));
	case LOG_NEWER:
		r->counts->newer++;
		return 0;
	default:
		return 0;
	}
}
