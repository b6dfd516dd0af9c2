/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks one directory entry, whatever the format of its directory (ondisk 06): name, target, file type.  The caller
 * has found the entry.  The target may be missing or of another type: other checks compare that.
 */
#include "libxfs/dinode.h"
#include "dir_data.h"

static bool is_dots(const struct dir_entry *entry, unsigned dots)
{
	return entry->namelen == dots && entry->name[0] == '.' && (dots == 1 || entry->name[1] == '.');
}

bool dir_entry_is_dots(const struct dir_entry *entry)
{
	return is_dots(entry, entry->kind == ENTRY_DOT ? 1 : 2);
}

static bool check_name(const struct check *c, const struct dir_entry *entry, uint32_t offset, uint32_t index)
{
	size_t bad = da_name_bad_byte(entry->name, entry->namelen);

	if (bad < entry->namelen)
		return problem_at(c, F_DIR_ENTRY_NAME, offset, index, entry->name[bad], 0);
	if (is_dots(entry, 1) || is_dots(entry, 2))
		return problem_at(c, F_DIR_ENTRY_DOTS, offset, index, entry->namelen, 0);
	return true;
}

/* True for inodes that no directory of the users' tree may name (ondisk 12, D4).  NULL_INO and 0 are never valid. */
static bool ino_internal(const struct geometry *g, xino_t ino)
{
	return ino.v == g->rbmino.v || ino.v == g->rsumino.v || ino.v == g->uquotino.v || ino.v == g->gquotino.v ||
	       ino.v == g->pquotino.v;
}

static bool check_target(const struct check *c, const struct dir_entry *entry, uint32_t offset, uint32_t index)
{
	const struct geometry *g = c->geo;
	xino_t ino = entry->target;
	bool valid = ino_valid(g, ino);

	if (entry->kind != ENTRY_NAME) {
		/* unlike other entries, `..` may name the root of the metadata directory tree */
		if (!valid || ino_internal(g, ino))
			problem_at(c, F_DIR_DOTDOT_INO, offset, index, ino.v, 0);
	} else if (!valid) {
		problem_at(c, F_DIR_ENTRY_INO, offset, index, ino.v, 0);
	} else if (ino_internal(g, ino) || ino.v == g->metadirino.v) {
		problem_at(c, F_DIR_ENTRY_INTERNAL, offset, index, ino.v, 0);
	}
	return valid;
}

/* Checks the file type.  With the ftype feature, every entry has one: kernels never write "unknown". */
static void check_ftype(const struct check *c, const struct dir_entry *entry, uint32_t offset, uint32_t index)
{
	if (!c->geo->ftype)
		return;
	if (entry->kind != ENTRY_NAME && entry->ftype != FT_DIR)
		problem_at(c, F_DIR_DOTS_FTYPE, offset, index, entry->ftype, FT_DIR);
	else if (entry->ftype == FT_UNKNOWN || entry->ftype >= FT_NR)
		problem_at(c, F_DIR_ENTRY_FTYPE, offset, index, entry->ftype, 0);
}

bool dir_entry_check(const struct check *c, const struct dir_entry *entry, uint32_t offset, uint32_t index)
{
	if (entry->namelen == 0)
		return problem_at(c, F_DIR_ENTRY_NAMELEN, offset, index, 0, 0);
	/* if the name is wrong its length may be, and then the file type is elsewhere */
	if (entry->kind != ENTRY_NAME || check_name(c, entry, offset, index))
		check_ftype(c, entry, offset, index);
	return check_target(c, entry, offset, index);
}

const uint8_t *dir_entry_name_at(const uint8_t *bytes, size_t size, bool shortform, uint32_t offset, uint8_t *ret_len)
{
	const uint32_t len_at =
		shortform ? offsetof(struct dir_sf_entry_disk, namelen) : offsetof(struct dir_entry_disk, namelen);
	const uint32_t name_at =
		shortform ? offsetof(struct dir_sf_entry_disk, name) : offsetof(struct dir_entry_disk, name);

	if (offset > size || name_at > size - offset || bytes[offset + len_at] > size - offset - name_at)
		return NULL;
	*ret_len = bytes[offset + len_at];
	return bytes + offset + name_at;
}

void dir_entry_invalid(struct dir_entry *entry, dir_visit_entry *visit, void *ctx)
{
	if (entry->kind != ENTRY_NAME || entry->namelen == 0)
		return;
	entry->kind = ENTRY_INVALID;
	visit(ctx, entry);
}
