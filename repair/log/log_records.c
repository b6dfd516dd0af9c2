/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of the log in memory.  Transactions are assembled from fragments of successive records, so payloads that have
 * been read are kept.  At the limit, the oldest are dropped, and read again if needed, which happens only if a
 * transaction is larger than the limit.
 */
#include "array.h"
#include "disk/log.h"
#include "log_records.h"

int log_records_init(struct log_records *r, const struct check *c, const struct log_source *source, uint64_t bbs,
		     size_t limit)
{
	*r = (struct log_records){ .check = *c, .source = source, .bbs = bbs, .limit = limit };
	r->scratch = malloc(LOG_MAX_RECORD);
	return r->scratch ? 0 : -ENOMEM;
}

void log_records_free(struct log_records *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->records[i].bytes);
	free(r->records);
	free(r->scratch);
}

/* Drops the oldest payloads, all of them if need be: callers have copied what they use. */
static void make_room(struct log_records *r, size_t len)
{
	for (size_t i = 0; i < r->count && r->bytes + len > r->limit; i++) {
		struct log_kept *kept = &r->records[r->next_to_drop];

		r->next_to_drop = (r->next_to_drop + 1) % r->count;
		if (kept->bytes)
			r->bytes -= kept->payload.len;
		free(kept->bytes);
		kept->bytes = NULL;
	}
}

static int load(struct log_records *r, struct log_kept *kept)
{
	struct log_source source = *r->source;

	if (!log_payload_read(&r->check, log_source_read, &source, r->bbs, kept->bb, r->scratch, &kept->payload))
		return -EIO;
	make_room(r, kept->payload.len);
	kept->bytes = malloc(kept->payload.len);
	if (!kept->bytes)
		return -ENOMEM;
	memcpy(kept->bytes, r->scratch, kept->payload.len);
	kept->payload.bytes = kept->bytes;
	r->bytes += kept->payload.len;
	return 0;
}

int log_records_add(struct log_records *r, uint32_t bb, const struct log_payload **ret_payload)
{
	struct log_kept kept = { .bb = bb };
	int ret = array_grow(&r->records, &r->room, r->count, sizeof(kept));

	if (ret)
		return ret;
	ret = load(r, &kept);
	if (ret)
		return ret;
	r->records[r->count] = kept;
	*ret_payload = &r->records[r->count++].payload;
	return 0;
}

int log_records_know(struct log_records *r, uint32_t bb)
{
	return array_add(r->records, r->room, r->count, (struct log_kept){ .bb = bb });
}

int log_records_get(struct log_records *r, uint32_t number, const struct log_payload **ret_payload)
{
	struct log_kept *kept = &r->records[number];
	int ret = kept->bytes ? 0 : load(r, kept);

	if (!ret)
		*ret_payload = &kept->payload;
	return ret;
}
