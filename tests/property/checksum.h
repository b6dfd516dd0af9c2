/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrects the checksum of an object in the copy of an image. */
#ifndef PROPERTY_CHECKSUM_H
#define PROPERTY_CHECKSUM_H

#include "catalog.h"

void checksum_fix(const struct image *image, const struct object *object);

#endif
