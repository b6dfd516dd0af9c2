/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets one field of a superblock or AG header; the finding determines the field and its value. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "disk/agf.h"
#include "disk/agi.h"
#include "disk/sb.h"
#include "libxfs/crc.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend_logged.h"
#include "repair.h"

#define FIELD(struct_disk, member)                                                                                     \
	{                                                                                                              \
		offsetof(struct struct_disk, member), sizeof(((struct struct_disk *)0)->member)                        \
	}

/* Places of fields, by finding of MEND_field or MEND_sb; width 0: not about a single field. */
static const struct mend_place fields[FINDING_NR] = {
	[F_SB_VERSIONNUM] = FIELD(sb_disk, versionnum),
	[F_SB_FEATURES2] = FIELD(sb_disk, features2),
	[F_SB_BAD_FEATURES2] = FIELD(sb_disk, bad_features2),
	[F_SB_SECTSIZE] = FIELD(sb_disk, sectsize),
	[F_SB_BLOCKSIZE] = FIELD(sb_disk, blocksize),
	[F_SB_INODESIZE] = FIELD(sb_disk, inodesize),
	[F_SB_LOGSUNIT] = FIELD(sb_disk, logsunit),
	[F_SB_SECTLOG] = FIELD(sb_disk, sectlog),
	[F_SB_BLOCKLOG] = FIELD(sb_disk, blocklog),
	[F_SB_INODELOG] = FIELD(sb_disk, inodelog),
	[F_SB_INOPBLOCK] = FIELD(sb_disk, inopblock),
	[F_SB_INOPBLOG] = FIELD(sb_disk, inopblog),
	[F_SB_AGBLKLOG] = FIELD(sb_disk, agblklog),
	[F_SB_LOGSECTLOG] = FIELD(sb_disk, logsectlog),
	[F_SB_ROOTINO] = FIELD(sb_disk, rootino),
	[F_SB_RBMINO] = FIELD(sb_disk, rbmino),
	[F_SB_RSUMINO] = FIELD(sb_disk, rsumino),
	[F_SB_METADIRINO] = FIELD(sb_disk, metadirino),
	[F_SB_QFLAGS] = FIELD(sb_disk, qflags),
	[F_SB_QFLAGS_NEED] = FIELD(sb_disk, qflags),
	[F_SB_FLAGS] = FIELD(sb_disk, flags),
	[F_SB_SHARED_VN] = FIELD(sb_disk, shared_vn),
	[F_SB_IMAX_PCT] = FIELD(sb_disk, imax_pct),
	[F_SB_INPROGRESS] = FIELD(sb_disk, inprogress),
	[F_SB_RGBLKLOG] = FIELD(sb_disk, rgblklog),
	[F_SB_REXTSLOG] = FIELD(sb_disk, rextslog),
	[F_SB_INOALIGNMT] = FIELD(sb_disk, inoalignmt),
	[F_SB_SPINO_ALIGN] = FIELD(sb_disk, spino_align),
	[F_AGF_FREEBLKS_COUNT] = FIELD(agf_disk, freeblks),
	[F_AGF_LONGEST_COUNT] = FIELD(agf_disk, longest),
	[F_AGF_BTREEBLKS_COUNT] = FIELD(agf_disk, btreeblks),
	[F_AGF_RMAP_BLOCKS_COUNT] = FIELD(agf_disk, rmap_blocks),
	[F_AGF_REFCOUNT_BLOCKS_COUNT] = FIELD(agf_disk, refcount_blocks),
	[F_AGI_FREECOUNT_COUNT] = FIELD(agi_disk, freecount),
	[F_AGI_IBLOCKS_COUNT] = FIELD(agi_disk, iblocks),
	[F_AGI_FBLOCKS_COUNT] = FIELD(agi_disk, fblocks),
	[F_SB_NEEDSREPAIR] = FIELD(sb_disk, features_incompat),
	[F_SB_FREXTENTS_COUNT] = FIELD(sb_disk, frextents),
	[F_SB_FREXTENTS] = FIELD(sb_disk, frextents),
	[F_SB_ICOUNT_COUNT] = FIELD(sb_disk, icount),
	[F_SB_IFREE_COUNT] = FIELD(sb_disk, ifree),
	[F_SB_FDBLOCKS_COUNT] = FIELD(sb_disk, fdblocks),
};

struct mend_place mend_field_of_finding(enum finding finding)
{
	return fields[finding];
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
	const struct object_kind *kind = object_kind(found->place.object);
	const uint32_t size = geo->sector_size;
	uint8_t *bytes;
	uint64_t offset;
	int ret;

	if (!kind || kind->size != SIZE_SECTOR || !object_offset(geo, kind, &found->place, &offset))
		return 0;
	bytes = malloc(size);
	if (!bytes)
		return -ENOMEM;
	ret = mend_read(m, bytes, offset, size) ? -ENOENT : 0;
	if (!ret && mend_field_get(found, bytes) != found->problem.want) {
		mend_field_put(found, bytes);
		if (geo->crc)
			crc_store(bytes, size, kind->at.crc);
		ret = mend_write(m, bytes, offset, size);
		if (!ret)
			mend_done(m, found);
	}
	free(bytes);
	return mend_left(m, found, 1, ret);
}

int mend_field(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = set(m, &found[i]);
	return ret;
}
