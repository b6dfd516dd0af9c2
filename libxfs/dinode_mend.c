/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs damaged inodes from their own bytes (ondisk 04).  Counts contradictions in the core and in the forks
 * (dinode_tally.c), and changes one field at a time until there are none: the best change found by trial
 * (dinode_guess.c) or, if no trial helps, the value that the violated rule requires (set_field()).  If too many fields
 * are lost, these are rebuilt first (dinode_head.c).
 */
#include "libxfs/dinode_mend.h"

#include "dinode_parts.h"
#include "libxfs/crc.h"

#define STEPS_MAX 64u /* most changes to one inode, against endless loops: it has fewer fields */

/* ---- rules ---- */

static void put_at(uint8_t *bytes, uint32_t offset, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		bytes[offset + i] = (uint8_t)(value >> (8 * (width - 1 - i)));
}

/* The width in bytes of the field at this offset, since problems have only the offset. */
static unsigned width_at(uint32_t offset)
{
	switch (offset) {
	case DINODE_OFF(format):
	case DINODE_OFF(forkoff):
	case DINODE_OFF(aformat):
	case DINODE_OFF(version):
		return 1;
	case DINODE_OFF(metatype):
	case DINODE_OFF(anextents):
	case DINODE_OFF(projid_hi):
	case DINODE_OFF(dmstate):
	case DINODE_OFF(flags):
	case DINODE_OFF(mode):
	case DINODE_OFF(magic):
		return 2;
	case DINODE_OFF(large_nextents):
	case DINODE_OFF(size):
	case DINODE_OFF(nblocks):
	case DINODE_OFF(flags2):
	case DINODE_OFF(ino):
		return 8;
	default:
		return 4;
	}
}

static void set_time(const struct geometry *g, struct dinode_disk *disk, const struct problem *p)
{
	uint8_t *bytes = (uint8_t *)disk;

	(void)g;
	if (p->finding == F_INODE_NSEC)
		put_at(bytes, p->offset + 4, 4, 0);
	else
		put_at(bytes, p->offset, 8, BIGTIME_END - 1);
}

/* Clears an invalid hint, together with its flags. */
static void drop_hint(const struct geometry *g, struct dinode_disk *disk, const struct problem *p)
{
	if (p->finding == F_INODE_EXTSIZE) {
		disk->extsize = be32_put(0);
		disk->flags = be16_put(be16_get(disk->flags) & (uint16_t) ~(DIFLAG_EXTSIZE | DIFLAG_EXTSZINHERIT));
	} else if (g->crc) {
		disk->cowextsize = be32_put(0);
		disk->flags2 = be64_put(be64_get(disk->flags2) & ~(uint64_t)DIFLAG2_COWEXTSIZE);
	}
}

/* Flags that are probably damage: files hardly ever inherit nosymlinks, which has no effect on them. */
static uint16_t unlikely_flags(const struct dinode_disk *disk)
{
	return (be16_get(disk->mode) & MODE_TYPE) == MODE_DIR ? 0 : DIFLAG_NOSYMLINKS;
}

static void set_metafile(struct dinode_disk *disk, const struct problem *p)
{
	if (p->finding == F_INODE_META_FLAGS)
		disk->flags = be16_put(be16_get(disk->flags) | (uint16_t)p->want);
	else if (p->want) /* the right type is known only for directories */
		disk->metatype = be16_put((uint16_t)p->want);
	else
		disk->flags2 = be64_put(be64_get(disk->flags2) & ~(uint64_t)DIFLAG2_METADATA);
}

/* A valid size.  If a symbolic link has none, the length of the text in its fork, if any. */
static uint64_t size_to_set(const struct geometry *g, const struct dinode_disk *disk, uint64_t want)
{
	const char *fork = (const char *)disk + dinode_core_size(g);
	const uint64_t text = strnlen(fork, dinode_data_room(g, disk));

	if ((be16_get(disk->mode) & MODE_TYPE) == MODE_SYMLINK && !be64_get(disk->size) && text > want)
		return text;
	return want > INT64_MAX ? INT64_MAX : want;
}

/* Sets the field of a problem to a valid value.  False: the inode does not show which. */
static bool set_field(const struct geometry *g, struct dinode_disk *disk, const struct problem *p)
{
	uint8_t *bytes = (uint8_t *)disk;
	uint64_t want = p->want;

	switch (p->finding) {
	case F_BLOCK_UUID:
		memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
		return true;
	case F_BLOCK_LSN:
		disk->lsn = be64_put(0);
		return true;
	case F_INODE_NLINK: /* any valid value will do: another mender counts the links, and sets the count */
		disk->nlink = be32_put(1);
		return true;
	case F_INODE_TIME:
	case F_INODE_NSEC:
		set_time(g, disk, p);
		return true;
	case F_INODE_EXTSIZE:
	case F_INODE_COWEXTSIZE:
		drop_hint(g, disk, p);
		return true;
	case F_INODE_META_FLAGS:
		set_metafile(disk, p);
		return true;
	case F_INODE_METATYPE:
		if (be64_get(disk->flags2) & DIFLAG2_METADATA && g->crc)
			set_metafile(disk, p);
		else
			disk->metatype = be16_put(0);
		return true;
	case F_INODE_SB_TYPE:
		want = dinode_mode_of((enum ftype)want, be16_get(disk->mode));
		break;
	case F_INODE_MODE:
	case F_INODE_FREE_IN_USE:
		want = dinode_mode_of(FT_REG, be16_get(disk->mode));
		break;
	case F_INODE_FLAGS: /* the field is damaged */
		want &= ~(uint64_t)unlikely_flags(disk);
		break;
	case F_INODE_SIZE:
		want = size_to_set(g, disk, want);
		break;
	case F_INODE_USED_BUT_FREE:
		return false;
	default:
		break;
	}
	put_at(bytes, p->offset, width_at(p->offset), want);
	return true;
}

/* Changes fields until there are no contradictions, or no rule for the first one.  True if none is left in the core. */
static bool set_all(const struct geometry *g, uint8_t *bytes, xino_t ino, bool allocated, enum ftype ftype,
		    const struct dinode_witness *witness)
{
	struct tally tally = { 0 };

	for (unsigned step = 0; step < STEPS_MAX; step++) {
		if (allocated && dinode_guess_field(g, bytes, ino, ftype, witness))
			continue;
		tally = dinode_tally(g, bytes, ino, allocated, FT_UNKNOWN, NULL);
		if (!tally.have_first || !set_field(g, (struct dinode_disk *)bytes, &tally.first))
			break;
	}
	return !tally.have_first;
}

/* ---- repairs by the checksum ---- */

/*
 * Restores one byte, or the mode, to the value with which the checksum is right: only one in 2^32 values fits by
 * chance, so it is the former one.  False: more has changed.
 */
static bool undo_change(const struct geometry *g, uint8_t *bytes)
{
	const struct dinode_disk *disk = (const struct dinode_disk *)bytes;
	uint32_t stored = le32_get(disk->crc);
	const uint32_t mode = DINODE_OFF(mode);
	uint8_t high = bytes[mode], low = bytes[mode + 1], was;
	size_t at;

	if (crc_block(bytes, g->inode_size, DINODE_OFF(crc)) == stored)
		return true;
	if (crc_find_byte(bytes, g->inode_size, DINODE_OFF(crc), &at, &was)) {
		bytes[at] = was;
		return true;
	}
	for (uint32_t value = 0; value <= UINT16_MAX; value++) {
		bytes[mode] = (uint8_t)(value >> 8);
		bytes[mode + 1] = (uint8_t)value;
		if (crc_block(bytes, g->inode_size, DINODE_OFF(crc)) == stored)
			return true;
	}
	bytes[mode] = high;
	bytes[mode + 1] = low;
	return false;
}

bool dinode_set_right(const struct geometry *g, void *bytes, xino_t ino, bool allocated, enum ftype ftype,
		      const struct metafile *metafile, const struct dinode_witness *witness)
{
	struct dinode_disk *disk = bytes;
	const bool as_stored = !g->crc || undo_change(g, bytes);
	bool sound;

	if (allocated && dinode_head_lost(g, bytes))
		dinode_restore_head(g, bytes, ino, ftype, witness);
	if (metafile && dinode_tally(g, bytes, ino, allocated, ftype, witness).problems)
		dinode_make_metafile(g, bytes, metafile);
	sound = set_all(g, bytes, ino, allocated, ftype, witness);
	if (!as_stored)
		disk->flags = be16_put(be16_get(disk->flags) & (uint16_t)~unlikely_flags(disk));
	if (g->crc)
		crc_store(bytes, g->inode_size, DINODE_OFF(crc));
	return sound;
}

bool dinode_set_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness)
{
	bool sound = dinode_guess_border(g, bytes, ino, witness);

	if (sound && g->crc)
		crc_store(bytes, g->inode_size, DINODE_OFF(crc));
	return sound;
}

bool dinode_set_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness)
{
	bool sound = dinode_guess_counts(g, bytes, ino, witness);

	if (sound && g->crc)
		crc_store(bytes, g->inode_size, DINODE_OFF(crc));
	return sound;
}

/* ---- recognition of inodes ---- */

/*
 * Recognizes inodes of version 1 and 2, which are identified only by magic and version: if just one of the two is
 * right, the rest must be free of contradictions.
 */
static bool recognize_old(const struct geometry *g, const void *bytes, xino_t ino)
{
	uint8_t copy[DINODE_SIZE_MAX] = { 0 };
	struct dinode_disk *disk = (struct dinode_disk *)copy;
	bool magic, version;

	memcpy(copy, bytes, g->inode_size);
	magic = be16_get(disk->magic) == DINODE_MAGIC;
	version = disk->version == DINODE_VERSION_1 || disk->version == DINODE_VERSION_2;
	if (magic == version)
		return magic;
	disk->magic = be16_put(DINODE_MAGIC);
	if (!version)
		disk->version = DINODE_VERSION_2;
	return dinode_tally(g, copy, ino, true, FT_UNKNOWN, NULL).problems == 0;
}

bool dinode_recognize(const struct geometry *g, const void *bytes, xino_t ino)
{
	const struct dinode_disk *disk = bytes;
	bool magic = be16_get(disk->magic) == DINODE_MAGIC;
	unsigned witnesses = magic;

	if (!g->crc)
		return recognize_old(g, bytes, ino);
	witnesses += disk->version == DINODE_VERSION;
	witnesses += be64_get(disk->ino) == ino.v;
	witnesses += memcmp(disk->uuid, g->meta_uuid, sizeof(disk->uuid)) == 0;
	witnesses += be32_get(disk->pad2[0]) == 0 && be32_get(disk->pad2[1]) == 0 && be32_get(disk->pad2[2]) == 0;
	return witnesses >= 3;
}
