/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one trial after the other.  Leftovers in free space look like metadata, and damage there need not be found.  The
 * uuid shows them: a wrong one must be found in every object that is read.  A trial that hits a leftover is repeated
 * elsewhere.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "../number.h"
#include "checker.h"
#include "checksum.h"
#include "damage.h"
#include "trial.h"

#define ATTEMPTS 20 /* to find a live object */

static const char *const no_options[] = { NULL };

static uint64_t random_number(struct trials *trials)
{
	return number_random(&trials->seed);
}

static uint64_t below(struct trials *trials, uint64_t n)
{
	return random_number(trials) % n;
}

/* Another value for the bits of mask, of one of the usual kinds of damage. */
static uint64_t other_value(struct trials *trials, uint64_t before, uint64_t mask)
{
	unsigned shift = (unsigned)__builtin_ctzll(mask);
	uint64_t value = before, bit;

	while (value == before) {
		switch (below(trials, 8)) {
		case 0:
			value = before + (1ull << shift);
			break;
		case 1:
			value = before - (1ull << shift);
			break;
		case 2:
			value = 0;
			break;
		case 3:
			value = mask;
			break;
		case 4:
		case 5:
			do {
				bit = 1ull << below(trials, 64);
			} while (!(bit & mask));
			value = before ^ bit;
			break;
		default:
			value = random_number(trials);
			break;
		}
		value = (before & ~mask) | (value & mask);
	}
	return value;
}

static struct damage pick(struct trials *trials, const struct group *group, const struct field *field)
{
	const struct place *place = &group->places[below(trials, group->nplaces)];
	const struct object *object = &trials->catalog->objects[place->object];
	struct damage d = {
		.catalog = trials->catalog,
		.image = trials->catalog->image,
		.object = object,
		.structure = group->structure,
		.field = field,
	};

	d.structure_start = object->start + place->offset + below(trials, place->count) * group->structure->size;
	d.start = d.structure_start + field->offset + below(trials, field->count) * field->size;
	d.before = number_get(d.image->sound + d.start, field->size);
	d.after = other_value(trials, d.before, field_mask(field));
	return d;
}

/* Writes the damage to the copy, and corrects the checksum, unless that is the damaged field. */
static void inflict(const struct damage *d)
{
	number_put(d->image->bytes + d->start, d->field->size, d->after);
	if (d->start != d->object->start + d->object->crc)
		checksum_fix(d->image, d->object);
}

static void undo(const struct damage *d)
{
	memcpy(d->image->bytes + d->object->start, sound_object(d), d->object->length);
}

/*
 * Prints a failure, and how to do the damage with tests/tools/poke, except to the log, whose checksum poke can't
 * correct.
 */
static void tell(enum kind kind, const struct damage *d, const char *what, const struct verdict *verdict)
{
	const char *name = strrchr(d->image->path, '/');

	printf("# %s %s: %s.%s at byte %llu: %#llx made %#llx\n", kind_name(kind), what, d->structure->name,
	       d->field->name, (unsigned long long)d->start, (unsigned long long)d->before,
	       (unsigned long long)d->after);
	printf("# poke %s %llu %u %#llx %llu %u %u\n", name ? name + 1 : d->image->path, (unsigned long long)d->start,
	       d->field->size, (unsigned long long)d->after, (unsigned long long)d->object->start, d->object->length,
	       d->object->crc);
	if (verdict->outcome != OUTCOME_CLEAN)
		printf("# %s\n%s\n", verdict->ending, verdict->output);
}

static void check(struct trials *trials, const struct damage *d, struct verdict *ret_verdict)
{
	inflict(d);
	checker_run(trials->program, no_options, d->image->copy, ret_verdict);
	undo(d);
	if (!image_intact(d->image))
		errx(1, "%s has written to the image", trials->program);
}

/* True if this outcome is right for damage to an object that is read. */
static bool is_found(const struct damage *d, enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_FOUND:
		return true;
	case OUTCOME_REFUSED:
		return d->object->kind == KIND_SUPERBLOCK;
	case OUTCOME_DIRTY:
		return d->object->kind == KIND_LOG;
	default:
		return false;
	}
}

/* Records whether an object is live, once. */
static void settle(struct trials *trials, const struct damage *d, enum life life)
{
	struct object *object = &trials->catalog->objects[d->object - trials->catalog->objects];
	struct score *score = &trials->scores[object->kind];

	if (object->life != LIFE_UNKNOWN)
		return;
	object->life = life;
	if (life == LIFE_LIVE)
		score->live++;
	else
		score->stale++;
}

/* True if the object is in use: then a wrong uuid is found. */
static bool is_live(struct trials *trials, const struct damage *d)
{
	static const struct field byte = { .name = "uuid", .count = 1, .size = 1 };
	struct damage uuid = *d;
	struct verdict verdict;

	if (d->object->life == LIFE_UNKNOWN && d->object->uuid != NO_UUID) {
		uuid.field = &byte;
		uuid.start = d->object->start + d->object->uuid;
		uuid.after = number_get(d->image->sound + uuid.start, 1) ^ 1;
		check(trials, &uuid, &verdict);
		settle(trials, d, is_found(d, verdict.outcome) ? LIFE_LIVE : LIFE_STALE);
	}
	return d->object->life != LIFE_STALE;
}

/* Runs one attempt.  False: it hit a leftover. */
static bool attempt(struct trials *trials, const struct damage *d, enum kind kind, struct tally *tally)
{
	struct score *score = &trials->scores[kind];
	const struct excuse *excuse = d->field->excuse;
	struct verdict verdict;

	check(trials, d, &verdict);
	if (is_found(d, verdict.outcome)) {
		settle(trials, d, LIFE_LIVE);
		tally->found++;
		score->found++;
	} else if (verdict.outcome != OUTCOME_CLEAN) {
		tell(kind, d, "broke the checker", &verdict);
		score->broken++;
	} else if (excuse && (!excuse->holds || excuse->holds(d))) {
		tally->excused++;
		score->excused++;
	} else if (is_live(trials, d)) {
		tell(kind, d, "not found", &verdict);
		score->missed++;
	} else {
		return false;
	}
	tally->tried++;
	score->trials++;
	return true;
}

bool trial_run(struct trials *trials, struct group *group, unsigned field)
{
	for (unsigned i = 0; i < ATTEMPTS && group->nplaces > 0; i++) {
		struct damage d = pick(trials, group, &group->structure->fields[field]);

		if (d.object->life != LIFE_STALE && attempt(trials, &d, group->kind, &group->tallies[field]))
			return true;
	}
	return false;
}

void trial_of_sound_image(struct trials *trials)
{
	const struct image *image = trials->catalog->image;
	struct verdict verdict;

	checker_run(trials->program, no_options, image->copy, &verdict);
	if (verdict.outcome != OUTCOME_CLEAN)
		errx(1, "%s is not found clean: %s\n%s", image->path, verdict.ending, verdict.output);
	if (!image_intact(image))
		errx(1, "%s has written to the image", trials->program);
}
