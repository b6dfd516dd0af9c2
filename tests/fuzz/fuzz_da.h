/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expectations and visitors for the targets that decode directories and attributes. */
#ifndef XFSCK_TESTS_FUZZ_DA_H
#define XFSCK_TESTS_FUZZ_DA_H

#include "fuzz.h"
#include "libxfs/da.h"

/* A block of a directory's space (0: data, 1: leaf, 2: free), the first of it or a later one. */
static inline struct da_expect fuzz_dir_expect(const struct fuzz *f, unsigned space)
{
	uint32_t first = (uint32_t)((uint64_t)space << 35 >> f->geo.block_log);
	uint32_t later = f->variant % 16;

	return (struct da_expect){ { FUZZ_OWNER }, { 0x4320 }, { first + (later << f->geo.dirblk_log) }, DATA_FORK };
}

static inline struct da_expect fuzz_attr_expect(const struct fuzz *f)
{
	return (struct da_expect){ { FUZZ_OWNER }, { 0x4320 }, { f->variant }, ATTR_FORK };
}

static inline void fuzz_dir_entry(void *ctx, const struct dir_entry *entry)
{
	const struct fuzz *f = ctx;

	fuzz_promise(entry->namelen > 0);
	fuzz_promise(ino_valid(&f->geo, entry->target) == (entry->kind != ENTRY_INVALID));
	fuzz_touch(entry->name, entry->namelen);
}

static inline void fuzz_dir_leaf_entry(void *ctx, uint32_t hash, uint32_t address)
{
	(void)ctx;
	fuzz_touch(&hash, sizeof(hash));
	fuzz_touch(&address, sizeof(address));
}

static inline void fuzz_attr(void *ctx, const struct attr_entry *entry)
{
	const struct fuzz *f = ctx;

	fuzz_promise(entry->namelen > 0);
	fuzz_promise(!(entry->flags & ATTR_INCOMPLETE));
	fuzz_touch(entry->name, entry->namelen);
	if (entry->remote)
		fuzz_promise(!entry->value && entry->valueblk.v != 0 && entry->valuelen <= 65536);
	else
		fuzz_touch(entry->value, entry->valuelen);
	if (entry->flags & ATTR_PARENT)
		fuzz_promise(ino_valid(&f->geo, entry->parent));
}

#endif
