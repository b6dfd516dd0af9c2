/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields that every V5 block carries, wherever its header has them (ondisk 00, invariant 4 and section 6). */
#ifndef XFSCK_LIBXFS_V5_H
#define XFSCK_LIBXFS_V5_H

#include "be.h"
#include "check.h"

/* Reports a uuid that is not the file system's metadata uuid. */
bool v5_check_uuid(const struct check *c, const uint8_t uuid[16], uint32_t offset);

/* Reports an LSN ahead of the log head; 0 and all-ones are always fine. */
bool v5_check_lsn(const struct check *c, uint64_t lsn, uint32_t offset);

#endif
