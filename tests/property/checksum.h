/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the checksum of an object in the copy of an image right. */
#ifndef PROPERTY_CHECKSUM_H
#define PROPERTY_CHECKSUM_H

#include "catalog.h"

void checksum_fix(const struct image *image, const struct object *object);

#endif
