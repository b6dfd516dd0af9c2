/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places are kept by structure, so that a field that occurs once is picked as often as one that occurs everywhere.  No
 * bit of an object may belong to two fields, which catches walkers that misinterpret an object.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "catalog.h"

const char *kind_name(enum kind kind)
{
	static const char *const names[] = {
#define x(symbol, name) name,
		KINDS(x)
#undef x
	};

	return names[kind];
}

void catalog_start(struct catalog *catalog, const struct image *image)
{
	catalog->image = image;
	catalog->nobjects = 0;
	for (size_t i = 0; i < catalog->ngroups; i++)
		catalog->groups[i].nplaces = 0;
}

void catalog_free(struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->ngroups; i++) {
		free(catalog->groups[i].tallies);
		free(catalog->groups[i].places);
	}
	free(catalog->groups);
	free(catalog->objects);
	free(catalog->covered);
}

void catalog_object(struct catalog *catalog, const struct object *object)
{
	free(catalog->covered);
	catalog->covered = calloc(1, object->length);
	if (!catalog->covered || array_add(catalog->objects, catalog->objects_room, catalog->nobjects, *object))
		err(1, "catalog");
}

static const struct object *current(const struct catalog *catalog)
{
	return &catalog->objects[catalog->nobjects - 1];
}

const uint8_t *catalog_bytes(const struct catalog *catalog)
{
	return catalog->image->sound + current(catalog)->start;
}

struct group *catalog_group(const struct catalog *catalog, enum kind kind, const struct structure *structure)
{
	for (struct group *group = catalog->groups; group < catalog->groups + catalog->ngroups; group++)
		if (group->kind == kind && group->structure == structure)
			return group;
	return NULL;
}

static struct group *need_group(struct catalog *catalog, enum kind kind, const struct structure *structure)
{
	struct group *group = catalog_group(catalog, kind, structure);

	if (group)
		return group;
	if (array_add(catalog->groups, catalog->groups_room, catalog->ngroups,
		      (struct group){ .kind = kind, .structure = structure }))
		err(1, "catalog");
	group = &catalog->groups[catalog->ngroups - 1];
	group->tallies = calloc(structure->nfields, sizeof(*group->tallies));
	if (!group->tallies)
		err(1, "catalog");
	return group;
}

/* Records the bits of the object that one structure covers. */
static void cover(struct catalog *catalog, const struct structure *structure, size_t offset)
{
	const struct object *object = current(catalog);

	if (offset + structure->size > object->length)
		errx(1, "%s at byte %zu of the %s at byte %llu: beyond its end", structure->name, offset,
		     kind_name(object->kind), (unsigned long long)object->start);
	for (const struct field *f = structure->fields; f < structure->fields + structure->nfields; f++) {
		for (size_t i = 0; i < (size_t)f->count * f->size; i++) {
			uint8_t bits = (uint8_t)(field_mask(f) >> 8 * (f->size - 1 - i % f->size));
			uint8_t *covered = &catalog->covered[offset + f->offset + i];

			if (*covered & bits)
				errx(1, "%s.%s at byte %zu of the %s at byte %llu: something else is there",
				     structure->name, f->name, offset, kind_name(object->kind),
				     (unsigned long long)object->start);
			*covered |= bits;
		}
	}
}

void catalog_add(struct catalog *catalog, enum kind kind, const struct structure *structure, size_t offset,
		 size_t count)
{
	struct group *group = need_group(catalog, kind, structure);

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		cover(catalog, structure, offset + i * structure->size);
	if (array_add(group->places, group->places_room, group->nplaces,
		      (struct place){ (uint32_t)(catalog->nobjects - 1), (uint16_t)offset, (uint16_t)count }))
		err(1, "catalog");
}

void catalog_end_object(struct catalog *catalog, const struct structure *rest)
{
	const struct object *object = current(catalog);
	uint32_t start, end;

	for (start = 0; start < object->length; start = end + 1) {
		for (end = start; end < object->length && !catalog->covered[end]; end++)
			;
		if (end > start)
			catalog_add(catalog, object->kind, rest, start, end - start);
	}
}
