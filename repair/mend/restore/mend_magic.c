/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores magic numbers of file blocks without other errors (ondisk 05, 06, 07): if a block decodes as one of the
 * possible kinds, it gets the magic number of that.  This comes before menders that give up blocks of unknown kind.  It
 * is certain if the checksum is right with that magic number.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/crc.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_object.h"
#include "repair.h"

bool mend_magic_wants(const struct found *found)
{
	const struct object_kind *kind = object_kind(found->place.object);

	return found->problem.finding == F_BLOCK_MAGIC && kind && kind->only && kind->decode &&
	       object_is_file_block(kind->object);
}

/*
 * Sets the magic number of this kind.  *ret_sure: how certain it is.  False: the block has it already, or does not
 * decode as that kind; it is unchanged.
 */
static bool set_right(struct mend *m, const struct object_kind *kind, const struct place *place, uint8_t *block,
		      size_t size, enum sure *ret_sure)
{
	const struct geometry *geo = &m->now->geo;
	const bool was_right = geo->crc && crc_is_right(block, size, kind->at.crc);
	uint8_t before[sizeof(be32_t)];

	/* another mender may have restored it meanwhile */
	if (object_has_magic(geo, kind, block))
		return false;
	memcpy(before, block + kind->magic_offset, kind->magic_width);
	if (!object_put_magic(geo, kind, block) || !mend_object_is(m, kind, place, block)) {
		memcpy(block + kind->magic_offset, before, kind->magic_width);
		return false;
	}
	*ret_sure = geo->crc && crc_is_right(block, size, kind->at.crc) ? SURE_CERTAIN : SURE_LIKELY;
	/* a wrong checksum stays wrong, and is a separate finding */
	if (was_right)
		crc_store(block, size, kind->at.crc);
	return true;
}

static int mend_one(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const struct place *place = &found->place;
	const struct object_kind *kind = object_kind(place->object);
	const size_t size = object_bytes(geo, kind, place);
	enum sure sure = SURE_LIKELY;
	uint64_t offset;
	bool done = false;
	uint8_t *block;
	int ret = 0;

	if (!object_offset(geo, kind, place, &offset))
		return 0;
	block = malloc(size);
	if (!block)
		return -ENOMEM;
	if (!mend_read(m, block, offset, size))
		for (kind = NULL; !done && (kind = object_next(place->object, kind));)
			done = set_right(m, kind, place, block, size, &sure);
	if (done) {
		ret = mend_write(m, block, offset, size);
		if (!ret)
			mend_done_sure(m, found, sure);
	}
	free(block);
	return ret;
}

int mend_magic(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret && !mend_exhausted(m); i++)
		if (found[i].place.ino.v != NULL_INO)
			ret = mend_one(m, &found[i]);
	return ret;
}
