/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of superblocks and headers that findings are about. */
#ifndef XFSCK_REPAIR_MEND_FIELD_H
#define XFSCK_REPAIR_MEND_FIELD_H

#include <stdint.h>

#include "findings.h"

struct found;

/* Where in a superblock or header the field is that a finding of MEND_field or MEND_sb is about; bytes. */
struct mend_place {
	uint16_t offset, width;
};
struct mend_place mend_field_of_finding(enum finding finding);
/* The value of that field in the object's bytes. */
uint64_t mend_field_get(const struct found *found, const uint8_t *bytes);
/* Store in that field what the finding says it should be. */
void mend_field_put(const struct found *found, uint8_t *bytes);

#endif
