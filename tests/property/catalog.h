/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects of an image, and the places of the table's structures in them.  An object is the range of one checksum.
 */
#ifndef PROPERTY_CATALOG_H
#define PROPERTY_CATALOG_H

#include "field.h"
#include "image.h"

#define NO_UUID UINT16_MAX

enum life {
	LIFE_UNKNOWN,
	LIFE_LIVE,
	LIFE_STALE, /* a leftover in free space */
};

struct object {
	uint64_t start; /* byte in the image */
	uint32_t length;
	uint16_t crc;  /* offset of the checksum in the object */
	uint16_t uuid; /* offset of the uuid, or NO_UUID */
	enum kind kind;
	enum life life;
};

/* Structures of one type, adjacent. */
struct place {
	uint32_t object;
	uint16_t offset; /* bytes into the object */
	uint16_t count;
};

struct tally {
	unsigned tried;
	unsigned found;
	unsigned excused; /* not found, and impossible to find */
};

/* One structure, in objects of one kind or in their parts. */
struct group {
	enum kind kind;
	const struct structure *structure;
	struct tally *tallies; /* for each field */
	struct place *places;  /* in the current image */
	size_t nplaces, places_room;
};

struct catalog {
	const struct image *image;
	struct object *objects;
	size_t nobjects, objects_room;
	struct group *groups;
	size_t ngroups, groups_room;
	uint8_t *covered; /* bits of the current object that belong to a field */
};

/* Drops the objects and places of the previous image; keeps groups and their tallies. */
void catalog_start(struct catalog *catalog, const struct image *image);
void catalog_free(struct catalog *catalog);

/* Begins and ends an object, to which places are added; at its end, bits of no field become bytes of `rest`. */
void catalog_object(struct catalog *catalog, const struct object *object);
void catalog_end_object(struct catalog *catalog, const struct structure *rest);

/* The current object in the image. */
const uint8_t *catalog_bytes(const struct catalog *catalog);

/* Adds count structures from byte offset of the current object on. */
void catalog_add(struct catalog *catalog, enum kind kind, const struct structure *structure, size_t offset,
		 size_t count);

/* NULL: none. */
struct group *catalog_group(const struct catalog *catalog, enum kind kind, const struct structure *structure);

#endif
