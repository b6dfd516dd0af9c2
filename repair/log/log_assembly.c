/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the items of one transaction from their fragments in the log (ondisk 11).  First checks the whole transaction:
 * its header, the number of regions of each item, the number of items.  Then copies the regions of each item together,
 * aligned and padded with zeros, and visits the item.
 */
#include "array.h"
#include "log_assembly.h"

#define REGION_ALIGN 8u

enum { TURNS = 4 }; /* of LOG_WALK_RECOVERY, see turn_of() */

int log_assembly_init(struct log_assembly *a, const struct check *c, const struct check *records,
		      const struct log_source *source, uint64_t bbs, size_t limit)
{
	*a = (struct log_assembly){ .c = c };
	return log_records_init(&a->records, records, source, bbs, limit);
}

void log_assembly_free(struct log_assembly *a)
{
	log_records_free(&a->records);
	free(a->items);
	free(a->bytes);
}

/* Copies up to len bytes of a region whose first fragment is `fragment`, and pads with zeros. */
static int copy_region(struct log_assembly *a, const struct log_fragments *t, size_t fragment, uint8_t *to, size_t len)
{
	size_t done = 0;

	for (size_t i = fragment; i < t->count && (i == fragment || !t->fragments[i].first) && done < len; i++) {
		const struct log_fragment *from = &t->fragments[i];
		size_t n = from->len < len - done ? from->len : len - done;
		const struct log_payload *payload;
		int ret = log_records_get(&a->records, from->record, &payload);

		if (ret)
			return ret;
		memcpy(to + done, payload->bytes + from->offset, n);
		done += n;
	}
	memset(to + done, 0, len - done);
	return 0;
}

/* Returns the bytes of the region that starts with this fragment; *ret_next is the first fragment of the next one. */
static uint64_t region_len(const struct log_fragments *t, size_t fragment, size_t *ret_next)
{
	uint64_t len = t->fragments[fragment].len;
	size_t next = fragment + 1;

	for (; next < t->count && !t->fragments[next].first; next++)
		len += t->fragments[next].len;
	*ret_next = next;
	return len;
}

/* Sets *ret_byte to the place of a fragment in the log, in bytes.  Returns 0 or a negative errno. */
static int fragment_byte(struct log_assembly *a, const struct log_fragment *fragment, uint32_t *ret_byte)
{
	const struct log_payload *payload;
	int ret = log_records_get(&a->records, fragment->record, &payload);

	if (!ret)
		*ret_byte = log_byte(a, payload, fragment->offset);
	return ret;
}

/* Reports a problem of the region that starts with this fragment, and sets a->broken.  0 or a negative errno. */
static int broken(struct log_assembly *a, const struct log_fragments *t, size_t fragment, enum finding finding,
		  uint64_t got, uint64_t want)
{
	uint32_t at;
	int ret = fragment_byte(a, &t->fragments[fragment], &at);

	if (ret)
		return ret;
	a->broken = true;
	problem_at(a->c, finding, at, at / LOG_BLOCK, got, want);
	return 0;
}

/* Returns the round of recovery: buffers and icreates; inodes, dquots and the rest; unlinked pointers; cancels. */
static uint8_t turn_of(const struct log_item_head *head)
{
	if (head->type != LI_BUF)
		return head->type == LI_ICREATE ? 0 : 1;
	if (head->buf_flags & LOG_BUF_CANCEL)
		return 3;
	return head->buf_flags & LOG_BUF_INODE ? 2 : 0;
}

/* Checks the item that starts with this fragment, and appends it; *ret_next is the first fragment behind it. */
static int index_item(struct log_assembly *a, const struct log_fragments *t, size_t fragment, size_t *ret_next)
{
	uint8_t bytes[LOG_ITEM_HEAD_BYTES];
	struct log_item_head head;
	size_t next = fragment;
	int ret = copy_region(a, t, fragment, bytes, sizeof(bytes));

	if (ret)
		return ret;
	log_item_head(bytes, region_len(t, fragment, &next), t->big_endian, &head);
	next = fragment;
	if (!head.known)
		return broken(a, t, fragment, F_LOG_ITEM_TYPE, head.type, 0);
	if (head.nregions == 0 || head.nregions > LOG_REGIONS_MAX)
		return broken(a, t, fragment, F_LOG_ITEM_REGIONS, head.nregions, LOG_REGIONS_MAX);
	for (uint32_t i = 0; i < head.nregions; i++) {
		size_t region = next;
		uint64_t len;

		if (region == t->count)
			return broken(a, t, fragment, F_LOG_ITEM_CUT, i, head.nregions);
		len = region_len(t, region, &next);
		if (len == 0 || len > LOG_REGION_MAX || len % 4 != 0)
			return broken(a, t, region, F_LOG_ITEM_REGION_LEN, len, LOG_REGION_MAX);
	}
	ret = array_add(a->items, a->room, a->count,
			(struct log_assembly_item){ .at = head.at,
						    .len = head.len,
						    .fragment = (uint32_t)fragment,
						    .type = head.type,
						    .nregions = head.nregions,
						    .buf_flags = head.buf_flags,
						    .turn = turn_of(&head) });
	if (ret)
		return ret;
	*ret_next = next;
	return 0;
}

int log_assembly_index(struct log_assembly *a, struct log_fragments *t)
{
	uint8_t header[LOG_TRANSACTION_BYTES];
	uint32_t stated;
	size_t next = 0, regions = 0;
	uint64_t len;
	int ret;

	a->count = 0;
	a->broken = false;
	t->transaction.nitems = 0;
	if (t->count == 0)
		return 0;
	len = region_len(t, 0, &next);
	ret = copy_region(a, t, 0, header, sizeof(header));
	if (ret)
		return ret;
	if (len > sizeof(header) || !log_transaction_header(header, (uint32_t)len, t->big_endian, &stated))
		return broken(a, t, 0, F_LOG_TRANSACTION_HEADER, len, sizeof(header));
	while (next < t->count && !ret && !a->broken)
		ret = index_item(a, t, next, &next);
	if (ret || a->broken)
		return ret;
	for (size_t i = 0; i < a->count; i++)
		regions += a->items[i].nregions;
	/* current kernels count regions, old ones counted items */
	if (stated != regions && stated != a->count)
		return broken(a, t, 0, F_LOG_TRANSACTION_ITEMS, stated, regions);
	t->transaction.nitems = (uint32_t)a->count;
	return 0;
}

static size_t aligned(uint64_t len)
{
	return (size_t)(len + REGION_ALIGN - 1) / REGION_ALIGN * REGION_ALIGN;
}

/* Returns the bytes that a copy of the item's regions takes. */
static size_t item_bytes(const struct log_fragments *t, const struct log_assembly_item *item)
{
	size_t next = item->fragment, bytes = 0;

	for (uint32_t i = 0; i < item->nregions; i++)
		bytes += aligned(region_len(t, next, &next));
	return bytes;
}

static int copy_item(struct log_assembly *a, const struct log_fragments *t, const struct log_assembly_item *item,
		     struct log_region *regions)
{
	size_t bytes = item_bytes(t, item), next = item->fragment;
	uint8_t *at;

	if (bytes > a->bytes_room) {
		free(a->bytes);
		a->bytes = malloc(bytes);
		a->bytes_room = a->bytes ? bytes : 0;
		if (!a->bytes)
			return -ENOMEM;
	}
	at = a->bytes;
	for (uint32_t i = 0; i < item->nregions; i++) {
		size_t fragment = next;
		uint32_t len = (uint32_t)region_len(t, fragment, &next);
		int ret = copy_region(a, t, fragment, at, aligned(len));

		if (!ret)
			ret = fragment_byte(a, &t->fragments[fragment], &regions[i].at);
		if (ret)
			return ret;
		regions[i].bytes = at;
		regions[i].len = len;
		at += aligned(len);
	}
	return 0;
}

static bool is_wanted(const struct log_assembly_item *item, const struct log_visit *visit)
{
	const struct log_item_head head = { item->at, item->len, item->type, item->nregions, item->buf_flags, true };

	return !visit->wanted || visit->wanted(visit->ctx, &head);
}

int log_assembly_visit(struct log_assembly *a, const struct log_fragments *t, const struct log_assembly_item *items,
		       size_t count, const struct log_visit *visit)
{
	struct log_region regions[LOG_REGIONS_MAX];
	int ret = 0;

	for (unsigned turn = 0; turn < (visit->walk == LOG_WALK_LOGGED ? 1 : TURNS); turn++) {
		for (size_t i = 0; i < count && !ret; i++) {
			const struct log_assembly_item *at = &items[i];
			const struct log_item item = { (enum log_item_type)at->type, t->big_endian, at->nregions,
						       regions };

			if ((visit->walk == LOG_WALK_RECOVERY && at->turn != turn) || !is_wanted(at, visit))
				continue;
			ret = copy_item(a, t, at, regions);
			if (!ret)
				ret = visit->fn(visit->ctx, &t->transaction, &item);
		}
	}
	return ret;
}
