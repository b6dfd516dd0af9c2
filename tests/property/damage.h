/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One change of one field, for excuses, and excuses that many structures use. */
#ifndef PROPERTY_DAMAGE_H
#define PROPERTY_DAMAGE_H

#include "catalog.h"

struct damage {
	const struct catalog *catalog;
	const struct image *image;
	const struct object *object;
	const struct structure *structure;
	const struct field *field;
	uint64_t structure_start; /* bytes in the image */
	uint64_t start;
	uint64_t before;
	uint64_t after;
};

/* The original object. */
static inline const void *sound_object(const struct damage *d)
{
	return d->image->sound + d->object->start;
}

/* For excuses. */
bool damage_leaves_nonzero(const struct damage *d);
bool damage_leaves_boolean(const struct damage *d);

extern const struct excuse lsn_excuse;	  /* of a log sequence number */
extern const struct excuse pad_excuse;	  /* of padding */
extern const struct excuse nobody_excuse; /* of fields that are no longer used */

#endif
