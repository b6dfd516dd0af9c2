/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that a replay across holes collects about the part behind them.  If a hole lost that blocks were freed, older
 * buffers for these blocks must not be replayed over the data of a newer file: data is not in the log.
 */
#include "log_across.h"

#include "array.h"
#include "sets/ordered.h"

void log_across_free(struct log_across *across)
{
	if (!across)
		return;
	free(across->later);
	free(across->spans);
	free(across->former);
	free(across);
}

int log_across_note(struct log_across *across, const struct log_inode *inode, uint32_t holes)
{
	const struct dinode_disk *core = (const void *)inode->core;
	const uint16_t mode = inode->core_len ? be16_get(core->mode) : 0;

	return array_add(across->later, across->later_room, across->nlater,
			 (struct log_later){ inode->ino, holes, mode });
}

int log_across_span(struct log_across *across, uint64_t from, uint64_t to, uint32_t holes, enum log_span_kind kind)
{
	return array_add(across->spans, across->spans_room, across->nspans,
			 (struct log_span){ from, to, to, holes, kind });
}

void log_across_settle(struct log_across *across)
{
	size_t count = 0;

	ordered_sort(across->later, across->nlater, MEMBERS(MEMBER(across->later, ino), MEMBER(across->later, holes)));
	for (size_t i = 0; i < across->nlater; i++) {
		if (count && across->later[count - 1].ino.v == across->later[i].ino.v)
			count--;
		across->later[count++] = across->later[i];
	}
	across->nlater = count;
	ordered_sort(across->spans, across->nspans, MEMBERS(MEMBER(across->spans, from)));
	for (size_t i = 1; i < across->nspans; i++)
		if (across->spans[i].reach < across->spans[i - 1].reach)
			across->spans[i].reach = across->spans[i - 1].reach;
}

const struct log_later *log_across_later(const struct log_across *across, xino_t ino)
{
	const size_t at = ordered_find(across->later, across->nlater, MEMBER(across->later, ino), ino.v);

	return at < across->nlater ? &across->later[at] : NULL;
}

/* True if a buffer of this type may be an older state of the span's blocks. */
static bool may_be_older(enum log_span_kind kind, enum log_buf_type type)
{
	switch (kind) {
	case LOG_SPAN_ATTR:
		return type == LB_ATTR_LEAF || type == LB_ATTR_REMOTE || type == LB_DA_NODE || type == LB_BTREE;
	case LOG_SPAN_SYMLINK:
		return type == LB_SYMLINK;
	default:
		return false;
	}
}

bool log_across_guards(const struct log_across *across, uint64_t from, uint64_t len, uint32_t holes,
		       enum log_buf_type type)
{
	size_t i = across ? ordered_from(across->spans, across->nspans, MEMBER(across->spans, from), from + len) : 0;

	while (i-- > 0 && across->spans[i].reach > from) {
		const struct log_span *span = &across->spans[i];

		if (span->to > from && span->holes > holes && !may_be_older(span->kind, type))
			return true;
	}
	return false;
}

size_t log_former_find(const struct log_across *across, uint64_t entry)
{
	return ordered_find(across->former, across->nformer, MEMBER(across->former, entry), entry);
}
