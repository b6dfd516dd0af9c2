/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "damage.h"
#include "table.h"
#include "units.h"

bool damage_leaves_nonzero(const struct damage *d)
{
	return d->after != 0;
}

bool damage_leaves_boolean(const struct damage *d)
{
	return d->after <= 1;
}

static bool not_ahead(const struct damage *d)
{
	return d->after == NULL_LSN || d->after < d->image->head;
}

const struct excuse lsn_excuse = { "any log sequence number before the head of the log can be right, or none",
				   not_ahead };
const struct excuse pad_excuse = { "padding: nobody reads it, and not all of it has always been cleared", NULL };
const struct excuse nobody_excuse = { "a relic: nobody writes or reads it", NULL };

static const struct excuse unused_excuse = { "unused space keeps what was there before", NULL };
static const struct field unused_fields[] = ALONE("byte", 1, .excuse = &unused_excuse);
static const struct field zero_fields[] = ALONE("byte", 1);
const struct structure unused_structure = STRUCTURE("unused space", unused_fields, 1);
const struct structure zero_structure = STRUCTURE("space that must be zero", zero_fields, 1);
