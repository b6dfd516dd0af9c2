/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets one field of a superblock or an AG header: the finding says where in the object it is, and what it should be. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/sb.h"
#include "libxfs/crc.h"
#include "mend/base/mend.h"

/* Which sector of the AG has the object, and at which offset its checksum is. False: it is none of these. */
static bool header_of(enum object object, enum ag_sector *ret_sector, uint32_t *ret_crc)
{
	switch (object) {
	case OBJ_SUPERBLOCK:
		*ret_sector = SB_SECTOR;
		*ret_crc = offsetof(struct sb_disk, crc);
		return true;
	case OBJ_AGF:
		*ret_sector = AGF_SECTOR;
		*ret_crc = offsetof(struct agf_disk, crc);
		return true;
	case OBJ_AGI:
		*ret_sector = AGI_SECTOR;
		*ret_crc = offsetof(struct agi_disk, crc);
		return true;
	default:
		return false;
	}
}

uint64_t mend_field_get(const struct found *found, const uint8_t *bytes)
{
	const struct mend_place field = mend_field_of_finding(found->problem.finding);
	uint64_t value = 0;

	for (unsigned i = 0; i < field.width; i++)
		value = value << 8 | bytes[field.offset + i];
	return value;
}

void mend_field_put(const struct found *found, uint8_t *bytes)
{
	const struct mend_place field = mend_field_of_finding(found->problem.finding);

	for (unsigned i = 0; i < field.width; i++)
		bytes[field.offset + i] = (uint8_t)(found->problem.want >> (8 * (field.width - 1 - i)));
}

static int set(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	uint32_t size = geo->sector_size, crc;
	enum ag_sector sector;
	uint8_t *bytes;
	uint64_t offset;
	int ret;

	if (!header_of(found->place.object, &sector, &crc))
		return 0;
	bytes = malloc(size);
	if (!bytes)
		return -ENOMEM;
	offset = ag_sector_offset(geo, found->place.agno, sector);
	ret = mend_read(m, bytes, offset, size);
	if (!ret && mend_field_get(found, bytes) != found->problem.want) {
		mend_field_put(found, bytes);
		if (geo->crc)
			crc_store(bytes, size, crc);
		ret = mend_write(m, bytes, offset, size);
		if (!ret)
			mend_done(m, found);
	}
	free(bytes);
	return ret == -EIO ? 0 : ret;
}

int mend_field(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = set(m, &found[i]);
	return ret;
}
