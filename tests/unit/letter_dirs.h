/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of menders of names: directories whose names are single letters, each the name of one inode.  They are in
 * short form, so that they need no block, and their date is that of their inode.
 */
#ifndef XFSCK_TESTS_LETTER_DIRS_H
#define XFSCK_TESTS_LETTER_DIRS_H

#include <ctype.h>

#include "mending.h"

#include "../../repair/mend/make/mend_dir.h"
#include "disk/dir.h"
#include "libxfs/dinode_mend.h"
#include "libxfs/dir_build.h"

enum {
	DIRECTORY = 1 << 18 | 20 << 3, /* in block 20 of AG 1, like OTHER */
	OTHER,
	ROOT = 128,
	LETTERS = 1 << 18 | 24 << 3, /* inode of `a`: see inode_of() */
	MOST = 26,
};

static inline struct geometry letter_dirs_geometry(void)
{
	struct geometry geo = mending_geometry();

	geo.agcount = 2;
	geo.agblocks = 256;
	geo.dblocks = 2 * 256;
	geo.rootino.v = ROOT;
	geo.metadir = false;
	geo.dirblk_log = 0;
	return geo;
}

static inline uint64_t inode_of(char letter)
{
	return LETTERS + (uint64_t)(unsigned char)(tolower(letter) - 'a');
}

/* Sets names[] to `.`, `..` and the letters, and returns their number.  A capital is the same name, of another inode.
 */
static inline size_t fill_names(const char *letters, uint64_t dir, uint8_t *bytes, struct dir_name *names)
{
	size_t n = 2;

	names[0] = (struct dir_name){ .ino = { dir }, .name = (const uint8_t *)".", .namelen = 1, .ftype = FT_DIR };
	names[1] = (struct dir_name){ .ino = { ROOT }, .name = (const uint8_t *)"..", .namelen = 2, .ftype = FT_DIR };
	for (size_t i = 0; letters[i]; i++, n++) {
		bytes[i] = (uint8_t)tolower(letters[i]);
		names[n] = (struct dir_name){ .ino = { inode_of(letters[i]) + (isupper(letters[i]) ? 32 : 0) },
					      .name = bytes + i,
					      .namelen = 1,
					      .ftype = FT_REG };
	}
	for (size_t i = 0; i < n; i++)
		names[i].hash = da_hashname(names[i].name, names[i].namelen, false);
	return n;
}

static inline void put_inode(struct mending *f, uint64_t ino, enum ftype ftype, const char *letters, uint64_t lsn)
{
	const struct geometry *geo = &f->rc.geo;
	uint8_t bytes[512], letter[MOST];
	struct dinode_disk *disk = (struct dinode_disk *)bytes;
	struct dir_name names[MOST + 2];
	const size_t n = fill_names(letters, ino, letter, names);
	const uint32_t core = geo->crc ? sizeof(*disk) : DINODE_SIZE_V4;
	uint32_t size;

	dinode_make_empty(geo, bytes, (xino_t){ ino }, 1, ftype);
	if (ftype == FT_DIR) {
		assert_true(dir_build_sf(geo, bytes + core, sizeof(bytes) - core, names, n, &size));
		disk->format = DINODE_FMT_LOCAL;
		disk->size = be64_put(size);
		disk->nlink = be32_put(2);
	}
	if (geo->crc) {
		disk->lsn = be64_put(lsn);
		crc_store(bytes, sizeof(bytes), offsetof(struct dinode_disk, crc));
	}
	mending_put(f, bytes_of_ino(geo, (xino_t){ ino }), bytes, sizeof(bytes));
}

/* Fails unless the directory has these names now, in any order. */
static inline void assert_names(struct mending *f, uint64_t ino, const char *letters)
{
	struct dir_name want[MOST + 2];
	uint8_t letter[MOST];
	const size_t n = fill_names(letters, ino, letter, want);
	struct dir_edit dir;

	assert_int_equal(dir_edit_begin(&f->m, (xino_t){ ino }, &dir), 0);
	for (size_t i = 2; i < n; i++) {
		const struct name_view view = { want[i].name, 1 };
		const size_t at = dir_names_next(&f->rc.geo, &dir.names, &view, dir.names.count);

		if (at == dir.names.count)
			fail_msg("%c is missing", want[i].name[0]);
		assert_int_equal(dir.names.names[at].ino.v, want[i].ino.v);
	}
	assert_int_equal(dir.names.count, n);
	dir_edit_end(&dir);
}

/* Fails unless just these names were dropped, with this reason. */
static inline void assert_dropped(const struct mending *f, const char *letters, enum drop_reason reason)
{
	const struct drops *drops = &f->m.drops;

	assert_int_equal(drops->count, strlen(letters));
	for (size_t i = 0; i < drops->count; i++) {
		assert_int_equal(drops->all[i].kind, LOSS_NAME);
		assert_int_equal(drops->all[i].reason, reason);
		assert_non_null(strchr(letters, drops->all[i].name[0]));
	}
}

#endif
