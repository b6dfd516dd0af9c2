/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "checksum.h"
#include "disk/log.h"
#include "libxfs/crc.h"

/*
 * The checksum of a log record covers the header, without the rest of its block, and as many bytes after it as the
 * header says (ondisk 11).  Bytes after the record are not damaged, and are read from the original: the copy has
 * holes, which reads through a mapping would fill.
 */
static uint32_t log_checksum(const struct image *image, const struct object *object)
{
	uint64_t payload = object->start + LOG_BLOCK, end = object->start + object->length, len;
	struct log_header_disk header;
	uint32_t crc;

	memcpy(&header, image->bytes + object->start, sizeof(header));
	len = be32_get(header.len);
	if (len > image->log.end - payload)
		len = end - payload;
	header.crc = le32_put(0);
	crc = crc_add(CRC_SEED, &header, sizeof(header));
	crc = crc_add(crc, image->bytes + payload, len < end - payload ? len : end - payload);
	if (len > end - payload)
		crc = crc_add(crc, image->sound + end, len - (end - payload));
	return ~crc;
}

void checksum_fix(const struct image *image, const struct object *object)
{
	uint8_t *bytes = image->bytes + object->start;
	le32_t crc = le32_put(object->kind == KIND_LOG ? log_checksum(image, object)
						       : crc_block(bytes, object->length, object->crc));

	memcpy(bytes + object->crc, crc.b, sizeof(crc.b));
}
