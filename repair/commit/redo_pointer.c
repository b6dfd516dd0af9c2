/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pointer to a redo record, at the end of the primary superblock's first sector, which the superblock does not use.
 */
#include <string.h>

#include "commit.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"

static const char pointer_magic[] = "xfsckred";

struct pointer_disk {
	char magic[8];
	be64_t offset;
	be64_t bytes;
	be32_t crc;	/* of the record */
	be32_t own_crc; /* of the sector, with zeroes for this field and the superblock's checksum */
};
_Static_assert(sizeof(struct pointer_disk) == 32, "pointer to a redo record");

#define POINTER_AT (SECTOR_SIZE - sizeof(struct pointer_disk))
_Static_assert(sizeof(struct sb_disk) <= POINTER_AT, "the superblock and the pointer in one sector");

static uint32_t own_crc(const uint8_t *sector)
{
	uint8_t copy[SECTOR_SIZE];

	memcpy(copy, sector, sizeof(copy));
	((struct sb_disk *)copy)->crc = le32_put(0);
	return crc_block(copy, sizeof(copy), POINTER_AT + offsetof(struct pointer_disk, own_crc));
}

void redo_point(uint8_t *superblock, uint32_t size, bool sealed, const struct redo_place *place)
{
	struct pointer_disk *pointer = (struct pointer_disk *)(superblock + POINTER_AT);

	memcpy(pointer->magic, pointer_magic, sizeof(pointer->magic));
	pointer->offset = be64_put(place->offset);
	pointer->bytes = be64_put(place->bytes);
	pointer->crc = be32_put(place->crc);
	pointer->own_crc = be32_put(own_crc(superblock));
	if (sealed)
		sb_seal(superblock, size);
}

void redo_unpoint(uint8_t *superblock, uint32_t size)
{
	bool sealed = crc_is_right(superblock, size, offsetof(struct sb_disk, crc));
	struct redo_place place;

	if (!redo_pointed(superblock, &place))
		return;
	memset(superblock + POINTER_AT, 0, sizeof(struct pointer_disk));
	if (sealed)
		sb_seal(superblock, size);
}

bool redo_pointed(const uint8_t *superblock, struct redo_place *ret_place)
{
	const struct pointer_disk *pointer = (const struct pointer_disk *)(superblock + POINTER_AT);

	if (memcmp(pointer->magic, pointer_magic, sizeof(pointer->magic)) != 0 ||
	    be32_get(pointer->own_crc) != own_crc(superblock))
		return false;
	*ret_place = (struct redo_place){ be64_get(pointer->offset), be64_get(pointer->bytes), be32_get(pointer->crc) };
	return true;
}
