/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transactions in the order in which they were committed, with the places of their fragments. */
#include "log_index.h"

#include "array.h"
#include "log_assembly.h"

struct log_indexed {
	struct log_transaction transaction;
	bool big_endian;
	size_t nfragments, nitems;
};

/* Empties the index for good, since it may not take so much memory. */
static void fill_up(struct log_index *index)
{
	log_index_free(index);
	index->full = true;
}

static size_t bytes_of(const struct log_index *index)
{
	return index->ntransactions * sizeof(*index->transactions) + index->nfragments * sizeof(*index->fragments) +
	       index->nitems * sizeof(*index->items);
}

/* Makes room for so many more elements, as array_grow() for one. */
static int grow(void *array, size_t *room, size_t count, size_t more, size_t element)
{
	int ret = 0;

	while (!ret && *room < count + more)
		ret = array_grow(array, room, *room, element);
	return ret;
}

int log_index_add(struct log_index *index, const struct log_assembly *a, const struct log_fragments *t)
{
	const struct log_indexed indexed = { t->transaction, t->big_endian, t->count, a->count };

	if (index->full || !a->count)
		return 0;
	if (array_add(index->transactions, index->transaction_room, index->ntransactions, indexed) ||
	    grow(&index->fragments, &index->fragment_room, index->nfragments, t->count, sizeof(*index->fragments)) ||
	    grow(&index->items, &index->item_room, index->nitems, a->count, sizeof(*index->items)))
		return -ENOMEM;
	memcpy(index->fragments + index->nfragments, t->fragments, t->count * sizeof(*t->fragments));
	memcpy(index->items + index->nitems, a->items, a->count * sizeof(*a->items));
	index->nfragments += t->count;
	index->nitems += a->count;
	if (bytes_of(index) > index->limit)
		fill_up(index);
	return 0;
}

void log_index_end(struct log_index *index, const struct log_records *records)
{
	if (index->full)
		return;
	index->records = calloc(records->count + 1, sizeof(*index->records));
	for (size_t i = 0; i < records->count && index->records; i++)
		index->records[i] = records->records[i].bb;
	index->nrecords = records->count;
	index->whole = index->records;
}

void log_index_free(struct log_index *index)
{
	free(index->records);
	free(index->transactions);
	free(index->fragments);
	free(index->items);
	*index = (struct log_index){ .limit = index->limit };
}

int log_index_each(const struct log_index *index, const struct check *c, const struct log_source *source, uint64_t bbs,
		   size_t limit, const struct log_visit *visit)
{
	struct log_assembly a;
	size_t fragment = 0, item = 0;
	int ret = log_assembly_init(&a, c, c, source, bbs, limit);

	for (size_t i = 0; i < index->nrecords && !ret; i++)
		ret = log_records_know(&a.records, index->records[i]);
	for (size_t i = 0; i < index->ntransactions && !ret; i++) {
		const struct log_indexed *t = &index->transactions[i];
		const struct log_fragments fragments = { .transaction = t->transaction,
							 .big_endian = t->big_endian,
							 .fragments = index->fragments + fragment,
							 .count = t->nfragments };

		ret = log_assembly_visit(&a, &fragments, index->items + item, t->nitems, visit);
		fragment += t->nfragments;
		item += t->nitems;
	}
	log_assembly_free(&a);
	return ret;
}
