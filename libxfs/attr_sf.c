/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes attributes in the inode: packed entries without an index (ondisk 07, "Short form").  Their number follows
 * from two fields, count and totsize; if these disagree, totsize is right if the entries fill it exactly.
 */
#include "attr.h"
#include "disk/attr.h"

#define FIRST_ENTRY ((uint32_t)sizeof(struct attr_sf_header_disk))

struct shortform {
	const struct check *c;
	struct check quiet;
	const uint8_t *fork;
	uint32_t end; /* entries end before this byte */
	xino_t ino;
	attr_visit *visit;
	void *ctx;
};

/* Reads the entry at byte pos.  False, with its length: it does not end before sf->end. */
static bool entry_get(const struct shortform *sf, uint32_t pos, struct attr_entry *ret_entry, uint32_t *ret_len)
{
	struct attr_sf_entry_disk disk;
	const uint8_t *name = sf->fork + pos + sizeof(disk);

	*ret_len = sizeof(disk);
	if (sf->end - pos < sizeof(disk))
		return false;
	memcpy(&disk, sf->fork + pos, sizeof(disk));
	*ret_len += (uint32_t)disk.namelen + disk.valuelen;
	if (sf->end - pos < *ret_len)
		return false;
	*ret_entry = (struct attr_entry){
		.flags = disk.flags,
		.namelen = disk.namelen,
		.name = name,
		.valuelen = disk.valuelen,
		.value = name + disk.namelen,
	};
	return true;
}

/* True if entries fill the bytes up to sf->end exactly; *ret_count: their number. */
static bool entries_fill(const struct shortform *sf, uint32_t *ret_count)
{
	struct attr_sf_entry_disk disk;
	uint32_t pos = FIRST_ENTRY;
	uint32_t count = 0;

	for (; pos < sf->end && sf->end - pos >= sizeof(disk); count++) {
		memcpy(&disk, sf->fork + pos, sizeof(disk));
		pos += (uint32_t)sizeof(disk) + disk.namelen + disk.valuelen;
	}
	*ret_count = count;
	return pos == sf->end;
}

/* True if the sound entry at byte pos is the same attribute as an earlier one; *ret_index: its index. */
static bool is_duplicate(const struct shortform *sf, uint32_t pos, const struct attr_entry *entry, uint32_t *ret_index)
{
	struct attr_entry other;
	uint32_t i = 0;
	uint32_t len;

	for (uint32_t at = FIRST_ENTRY; at < pos && entry_get(sf, at, &other, &len); at += len, i++) {
		/* the bytes of nearly all names differ, so they are compared first */
		if (other.namelen != entry->namelen || memcmp(other.name, entry->name, entry->namelen) != 0 ||
		    !attr_check(&sf->quiet, sf->ino, ATTR_NAMESPACES, at, i, &other) || !attr_same(&other, entry))
			continue;
		*ret_index = i;
		return true;
	}
	return false;
}

/* Visits the first count entries.  Reports faults within entries to `inside`.  False: the entries don't fit. */
static bool visit_entries(const struct shortform *sf, const struct check *inside, uint32_t count, uint32_t *ret_end)
{
	struct attr_entry entry;
	uint32_t pos = FIRST_ENTRY;
	uint32_t len, other;

	for (uint32_t i = 0; i < count; i++, pos += len) {
		if (!entry_get(sf, pos, &entry, &len))
			return problem_at(sf->c, F_ATTR_SF_ENTRY, pos, i, len, sf->end - pos);
		if (!attr_check(inside, sf->ino, ATTR_NAMESPACES, pos, i, &entry))
			continue;
		if (is_duplicate(sf, pos, &entry, &other))
			problem_at(inside, F_ATTR_DUPLICATE, pos, i, i, other);
		else
			sf->visit(sf->ctx, &entry);
	}
	*ret_end = pos;
	return true;
}

bool attr_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, xino_t ino, attr_visit *visit,
		    void *ctx)
{
	struct shortform sf = { c, check_silent(c->geo), fork, 0, ino, visit, ctx };
	struct attr_sf_header_disk hdr;
	uint32_t totsize, count, end;

	if (fork_size < sizeof(hdr))
		return problem(c, F_ATTR_SF_TOTSIZE, 0, fork_size, sizeof(hdr));
	memcpy(&hdr, fork, sizeof(hdr));
	totsize = be16_get(hdr.totsize);

	sf.end = totsize;
	if (totsize >= sizeof(hdr) && totsize <= fork_size && entries_fill(&sf, &count)) {
		check_eq(c, F_ATTR_SF_COUNT, offsetof(struct attr_sf_header_disk, count), hdr.count, count);
		visit_entries(&sf, c, count, &end);
		return true;
	}
	/* totsize or the length of an entry is wrong; all entries after such a one look wrong, so report only once */
	sf.end = (uint32_t)fork_size;
	if (visit_entries(&sf, &sf.quiet, hdr.count, &end))
		problem(c, F_ATTR_SF_TOTSIZE, offsetof(struct attr_sf_header_disk, totsize), totsize, end);
	return true;
}

uint32_t attr_sf_damaged(const struct geometry *geo, const uint8_t *fork, size_t fork_size, xino_t ino)
{
	const struct check quiet = check_silent(geo);
	struct shortform sf = { .quiet = quiet, .fork = fork, .ino = ino };
	struct attr_sf_header_disk hdr;
	uint32_t damaged = 0, pos = FIRST_ENTRY, len, count;

	if (fork_size < sizeof(hdr))
		return 0;
	memcpy(&hdr, fork, sizeof(hdr));
	sf.end = be16_get(hdr.totsize);
	if (sf.end < sizeof(hdr) || sf.end > fork_size || !entries_fill(&sf, &count)) {
		sf.end = (uint32_t)fork_size;
		count = hdr.count;
	}
	for (uint32_t i = 0; i < count; i++, pos += len) {
		struct attr_entry entry = { 0 };

		if (!entry_get(&sf, pos, &entry, &len))
			return damaged;
		damaged += !(entry.flags & (ATTR_INCOMPLETE | ATTR_PARENT)) &&
			   !attr_check(&quiet, ino, ATTR_NAMESPACES, pos, i, &entry);
	}
	return damaged;
}
