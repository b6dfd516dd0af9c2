/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps extents and attributes as records, sorted by inode, kind and offset. */
#include "contents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "repair.h"
#include "run.h"
#include "sets/spill.h"

#define MEMORY_MOST (64u << 20) /* bytes of records in memory */
#define KIND_SHIFT  60

struct contents {
	const struct geometry *geo;
	const struct ino_set *wanted;
	struct spill *spill;
	struct spill_record next; /* read ahead */
	bool ahead;		  /* `next` is valid */
	bool returned;		  /* `next` has been returned, and had to stay valid until now */
};

/* Record of an extent; of a lost part, only len. */
struct kept_extent {
	uint64_t start, len;
	uint32_t group, pad;
};

/* Record of an attribute, followed by its name, and its value unless that is remote. */
struct kept_attribute {
	uint32_t valuelen, valueblk;
	uint8_t flags, namelen, remote, pad;
};

#define ATTRIBUTE_MOST 65535u /* the most bytes of a record */

struct contents *contents_new(const struct repair *rc, const struct ino_set *wanted)
{
	struct contents *contents = calloc(1, sizeof(*contents));
	const size_t most = rc->run->memory.records / 2;

	if (!contents)
		return NULL;
	contents->geo = &rc->geo;
	contents->wanted = wanted;
	contents->spill = spill_new(rc->workers, most < MEMORY_MOST ? most : MEMORY_MOST);
	if (contents->spill)
		return contents;
	free(contents);
	return NULL;
}

void contents_free(struct contents *contents)
{
	if (contents)
		spill_free(contents->spill);
	free(contents);
}

/* ---- facts ---- */

static bool is_wanted(const struct contents *c, uint64_t ino)
{
	return ino_valid(c->geo, (xino_t){ ino }) && (!c->wanted || ino_set_has(c->wanted, (xino_t){ ino }));
}

static void add(struct contents *c, unsigned worker, uint64_t ino, enum contents_kind kind, uint64_t offset,
		const void *bytes, size_t len)
{
	spill_add(c->spill, worker,
		  &(struct spill_record){ .key = ino,
					  .sub = (uint64_t)kind << KIND_SHIFT | offset,
					  .len = (uint16_t)len,
					  .bytes = bytes });
}

/* Ignores unwritten extents, and blocks of directories and symlinks, whose contents are reported elsewhere. */
static void claim_found(void *ctx, unsigned worker, const struct claim *claim)
{
	struct contents *c = ctx;
	const bool attr = claim->flags == RMAP_ATTR;
	const struct kept_extent kept = { claim->at.start.v, claim->at.len, claim->at.group.v, 0 };

	if (claim->owner >= OWNER_COW || claim->offset >> KIND_SHIFT ||
	    !(attr || (!claim->flags && claim->object != OBJ_INODE)) || !is_wanted(c, claim->owner))
		return;
	add(c, worker, claim->owner, attr ? CONTENTS_ATTR_MAP : CONTENTS_DATA, claim->offset, &kept, sizeof(kept));
}

static void attribute_found(void *ctx, unsigned worker, xino_t ino, const struct attr_entry *e)
{
	struct contents *c = ctx;
	const struct kept_attribute kept = { e->valuelen, e->valueblk.v, e->flags, e->namelen, !e->value, 0 };
	const size_t value = e->value ? e->valuelen : 0, len = sizeof(kept) + e->namelen + value;
	uint8_t small[512], *bytes = small;

	if (!is_wanted(c, ino.v))
		return;
	if (len > sizeof(small))
		bytes = len <= ATTRIBUTE_MOST ? malloc(len) : NULL;
	if (!bytes) {
		add(c, worker, ino.v, CONTENTS_ATTR_LOST, 0, NULL, 0);
		return;
	}
	memcpy(bytes, &kept, sizeof(kept));
	memcpy(bytes + sizeof(kept), e->name, e->namelen);
	if (value)
		memcpy(bytes + sizeof(kept) + e->namelen, e->value, value);
	add(c, worker, ino.v, CONTENTS_ATTRIBUTE, 0, bytes, len);
	if (bytes != small)
		free(bytes);
}

static void unmapped_found(void *ctx, unsigned worker, xino_t ino, enum fork fork, uint64_t offset, uint64_t end)
{
	struct contents *c = ctx;
	const struct kept_extent kept = { .len = end > offset ? end - offset : 0 };

	if (offset >> KIND_SHIFT || !is_wanted(c, ino.v))
		return;
	add(c, worker, ino.v, fork == ATTR_FORK ? CONTENTS_ATTR_LOST : CONTENTS_DATA_LOST, offset, &kept, sizeof(kept));
}

const struct sink_ops contents_sink = { .claim = claim_found,
					.attribute = attribute_found,
					.unmapped = unmapped_found };

/* ---- reading ---- */

static int read_ahead(struct contents *c)
{
	const int ret = spill_next(c->spill, &c->next);

	c->ahead = ret > 0;
	c->returned = false;
	return ret < 0 ? ret : 0;
}

int contents_settle(struct contents *c)
{
	const int ret = spill_settle(c->spill);

	return ret ? ret : read_ahead(c);
}

int contents_rewind(struct contents *c)
{
	const int ret = spill_rewind(c->spill);

	return ret ? ret : read_ahead(c);
}

static struct attr_entry attribute_of(const struct spill_record *r)
{
	struct kept_attribute kept;
	const uint8_t *name = r->bytes + sizeof(kept);

	memcpy(&kept, r->bytes, sizeof(kept));
	return (struct attr_entry){ .flags = kept.flags,
				    .namelen = kept.namelen,
				    .remote = kept.remote,
				    .name = name,
				    .valuelen = kept.valuelen,
				    .value = kept.remote ? NULL : name + kept.namelen,
				    .valueblk = { kept.valueblk } };
}

int contents_next(struct contents *c, xino_t ino, enum contents_kind last, struct contents_record *ret)
{
	int error = c->returned ? read_ahead(c) : 0;

	while (!error && c->ahead && c->next.key < ino.v)
		error = read_ahead(c);
	if (error || !c->ahead || c->next.key != ino.v || c->next.sub >> KIND_SHIFT > last)
		return error;
	c->returned = true;
	*ret = (struct contents_record){ .kind = (enum contents_kind)(c->next.sub >> KIND_SHIFT),
					 .offset = c->next.sub & (((uint64_t)1 << KIND_SHIFT) - 1) };
	if (ret->kind == CONTENTS_ATTRIBUTE) {
		ret->attribute = attribute_of(&c->next);
	} else if (c->next.len) {
		struct kept_extent kept;

		memcpy(&kept, c->next.bytes, sizeof(kept));
		ret->at = (struct blocks){ { kept.group }, { kept.start }, kept.len };
	}
	return 1;
}
