/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores entries of an attribute leaf with one wrong field, if the rest of the leaf leaves no doubt (ondisk 07, "Leaf
 * block").  The hash identifies the name of an entry.  Names do not overlap, so the start of the next one, and the
 * header's count of bytes, show how long a value was.
 */
#include "attr_leaf.h"

#define UNCERTAIN_MAX 4u /* with more invalid entries, the damage is not one field of each */
#define NAME_MAX_LEN  UINT8_MAX
#define NOWHERE	      0xfffffff0u /* block of the attribute fork that holds no value */

struct leaf_mend {
	struct attr_leaf_block b;
	struct attr_space starts; /* the first word of each name, and all entries */
	uint8_t *bytes;		  /* same as b.bytes, writable */
	uint32_t uncertain;	  /* number of entries that are not certain */
};

static struct attr_leaf_entry_disk *entry_of(struct leaf_mend *l, uint32_t index)
{
	return (struct attr_leaf_entry_disk *)(l->bytes + l->b.entries_offset) + index;
}

/* Bytes from the start of a name to the start of the next one. */
static uint32_t room_of(const struct leaf_mend *l, uint32_t start)
{
	return ATTR_LEAF_NAME_ALIGN + attr_space_run(&l->starts, start + ATTR_LEAF_NAME_ALIGN, l->b.size);
}

/* True if the entry in its present state is certain, and its bytes are free. */
static bool fits(const struct leaf_mend *l, uint32_t index)
{
	struct attr_name name;

	return attr_name_certain(&l->b, index, &name) &&
	       attr_space_run(&l->starts, name.start, l->b.size) >= ATTR_LEAF_NAME_ALIGN &&
	       name.len <= room_of(l, name.start);
}

/*
 * Tries other flags.  The hash shows whether a value is local, and whether it is a parent pointer, but not the
 * namespace: an attribute that is wrongly marked as a parent pointer, or is in two namespaces, goes to the user
 * namespace.
 */
static bool try_flags(struct leaf_mend *l, uint32_t index)
{
	struct attr_leaf_entry_disk *entry = entry_of(l, index);
	const uint8_t flags = entry->flags, known = flags & (ATTR_LOCAL | ATTR_NAMESPACES | ATTR_INCOMPLETE);
	const uint8_t candidates[] = { known, known ^ ATTR_LOCAL, ATTR_PARENT | ATTR_LOCAL, ATTR_LOCAL, 0 };
	const uint8_t namespace = flags & ATTR_NAMESPACES;
	const size_t count = namespace & ATTR_PARENT || namespace & (namespace - 1) ? sizeof(candidates) : 3;

	for (size_t i = 0; i < count; i++) {
		entry->flags = candidates[i];
		if (fits(l, index))
			return true;
	}
	entry->flags = flags;
	return false;
}

static bool try_namelen(struct leaf_mend *l, uint32_t index)
{
	const struct attr_leaf_entry_disk *entry = entry_of(l, index);
	uint32_t start = be16_get(entry->nameidx);
	uint32_t offset = entry->flags & ATTR_LOCAL ? (uint32_t)offsetof(struct attr_name_local_disk, namelen)
						    : (uint32_t)offsetof(struct attr_name_remote_disk, namelen);
	uint8_t *field, namelen;

	if (start < l->b.entries_offset || start >= l->b.size || offset >= l->b.size - start)
		return false;
	field = l->bytes + start + offset;
	namelen = *field;
	for (unsigned len = 1; len <= NAME_MAX_LEN; len++) {
		*field = (uint8_t)len;
		if (fits(l, index))
			return true;
	}
	*field = namelen;
	return false;
}

/*
 * Tries each place without a name: the one with this entry's hash is its name, unless two fit, of which one is the
 * remains of a removed name.
 */
static bool try_nameidx(struct leaf_mend *l, uint32_t index)
{
	struct attr_leaf_entry_disk *entry = entry_of(l, index);
	const be16_t was = entry->nameidx;
	uint32_t found = 0;
	unsigned times = 0;

	for (uint32_t start = attr_leaf_entry_offset(&l->b, l->b.count); start < l->b.size;
	     start += ATTR_LEAF_NAME_ALIGN) {
		entry->nameidx = be16_put((uint16_t)start);
		if (fits(l, index)) {
			found = start;
			times++;
		}
	}
	entry->nameidx = times == 1 ? be16_put((uint16_t)found) : was;
	return times == 1;
}

/*
 * Keeps an entry whose value has an invalid place or length: the value's blocks may have the right ones
 * (mend_attr_items.c).
 */
static bool try_remote(struct leaf_mend *l, uint32_t index)
{
	const struct attr_leaf_entry_disk *entry = entry_of(l, index);
	uint32_t start = be16_get(entry->nameidx);
	struct attr_name_remote_disk *remote, was;

	if (entry->flags & ATTR_LOCAL || start < l->b.entries_offset || start + sizeof(*remote) > l->b.size)
		return false;
	remote = (struct attr_name_remote_disk *)(l->bytes + start);
	was = *remote;
	remote->valuelen = be32_put(1);
	if (fits(l, index))
		return true;
	remote->valuelen = was.valuelen;
	remote->valueblk = be32_put(NOWHERE);
	if (fits(l, index))
		return true;
	remote->valueblk = was.valueblk;
	return false;
}

static void mend_uncertain(struct leaf_mend *l)
{
	struct attr_name name;

	for (uint32_t i = 0; i < l->b.count; i++) {
		if (attr_name_certain(&l->b, i, &name) ||
		    !(try_flags(l, i) || try_remote(l, i) || try_namelen(l, i) || try_nameidx(l, i)) ||
		    !attr_name_certain(&l->b, i, &name))
			continue;
		attr_space_take(&l->starts, name.start, ATTR_LEAF_NAME_ALIGN);
		l->uncertain--;
	}
}

/* ---- value lengths, which no hash covers ---- */

/*
 * Takes the place of the only uncertain entry, if any, whose value length may be wrong.  False: there are several, or
 * another name lies there.
 */
static bool claim_uncertain(struct leaf_mend *l)
{
	struct attr_name name;

	for (uint32_t i = 0; i < l->b.count && l->uncertain == 1; i++) {
		uint32_t start = be16_get(entry_of(l, i)->nameidx);

		if (!attr_name_certain(&l->b, i, &name))
			return start % ATTR_LEAF_NAME_ALIGN == 0 && start < l->b.size &&
			       attr_space_take(&l->starts, start, ATTR_LEAF_NAME_ALIGN);
	}
	return l->uncertain == 0;
}

/* True if the header says that names fill the block from firstused to its end. */
static bool is_compact(const struct leaf_mend *l)
{
	return l->b.fields->holes == 0 &&
	       (uint32_t)be16_get(l->b.fields->firstused) + be16_get(l->b.fields->usedbytes) == l->b.size;
}

/*
 * Finds the only name that does not fill its space, or exceeds it, and its right size according to the header's count.
 * False: there is none, or more than one, or the header does not match.
 */
static bool find_misfit(struct leaf_mend *l, uint32_t *ret_index, uint32_t *ret_bytes)
{
	uint32_t usedbytes = be16_get(l->b.fields->usedbytes), others = 0, misfits = 0, misfit_room = 0;
	bool compact = is_compact(l);
	struct attr_name name;

	for (uint32_t i = 0; i < l->b.count; i++) {
		bool certain = attr_name_certain(&l->b, i, &name);
		uint32_t room = room_of(l, be16_get(entry_of(l, i)->nameidx));

		if (certain && (compact ? name.len == room : name.len <= room)) {
			others += name.len;
			continue;
		}
		*ret_index = i;
		misfit_room = room;
		misfits++;
	}
	*ret_bytes = usedbytes - others;
	return misfits == 1 && others < usedbytes && (compact ? *ret_bytes == misfit_room : *ret_bytes <= misfit_room);
}

/*
 * Sets the length of a value.  Names are padded to whole words, so trailing zeros may be padding or part of the value.
 * They count as padding, unless the file system interprets the value, and it is valid only with them.
 */
static void set_valuelen(struct leaf_mend *l, uint32_t index, uint32_t bytes)
{
	const uint32_t start = be16_get(entry_of(l, index)->nameidx);
	struct attr_name_local_disk *local = (struct attr_name_local_disk *)(l->bytes + start);
	const uint32_t fixed = (uint32_t)sizeof(*local) + local->namelen;
	const be16_t was = local->valuelen;
	struct attr_name name;
	uint32_t least, len;

	if (!(entry_of(l, index)->flags & ATTR_LOCAL) || bytes < fixed)
		return;
	least = bytes - fixed < ATTR_LEAF_NAME_ALIGN ? 0 : bytes - fixed - (ATTR_LEAF_NAME_ALIGN - 1);
	for (len = bytes - fixed; len > least && l->bytes[start + fixed + len - 1] == 0;)
		len--;
	for (; len <= bytes - fixed; len++) {
		local->valuelen = be16_put((uint16_t)len);
		if (attr_name_certain(&l->b, index, &name) && name.len == bytes)
			return;
	}
	local->valuelen = was;
}

static void mend_valuelen(struct leaf_mend *l)
{
	uint32_t index = 0, bytes = 0;

	if (claim_uncertain(l) && find_misfit(l, &index, &bytes))
		set_valuelen(l, index, bytes);
}

void attr_leaf_mend(const struct geometry *geo, void *block, xino_t owner)
{
	const struct check check = check_silent(geo);
	struct leaf_mend l = { .bytes = block };
	struct attr_name name;

	attr_leaf_open(&check, block, owner, &l.b);
	if (l.b.count > attr_leaf_entries_possible(&l.b))
		return;
	attr_space_init(&l.starts, l.b.size);
	attr_space_take(&l.starts, 0, attr_leaf_entry_offset(&l.b, l.b.count));
	for (uint32_t i = 0; i < l.b.count; i++) {
		if (attr_name_certain(&l.b, i, &name))
			attr_space_take(&l.starts, name.start, ATTR_LEAF_NAME_ALIGN);
		else
			l.uncertain++;
	}
	if (l.uncertain > UNCERTAIN_MAX)
		return;
	mend_uncertain(&l);
	mend_valuelen(&l);
}
