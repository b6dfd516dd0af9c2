/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <err.h>
#include <stdio.h>

#include "table.h"

static const struct structure *const table[] = {
#define x(name) &name##_structure,
	STRUCTURES(x)
#undef x
};
#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

const struct structure *table_get(size_t i)
{
	return i < TABLE_SIZE ? table[i] : NULL;
}

/* The bits of one byte of a structure that belong to a field. */
static uint8_t bits_of(const struct structure *s, size_t byte)
{
	uint8_t bits = 0;

	for (const struct field *f = s->fields; f < s->fields + s->nfields; f++) {
		size_t at = byte - f->offset;

		if (byte >= f->offset && at < (size_t)f->count * f->size)
			bits |= (uint8_t)(field_mask(f) >> 8 * (f->size - 1 - at % f->size));
	}
	return bits;
}

void table_check(void)
{
	for (size_t i = 0; i < TABLE_SIZE; i++)
		for (size_t byte = 0; byte < table[i]->size; byte++)
			if (bits_of(table[i], byte) != 0xff)
				errx(1, "byte %zu of the %s belongs to no field", byte, table[i]->name);
}

void table_list_excuses(void)
{
	for (size_t i = 0; i < TABLE_SIZE; i++) {
		const struct structure *s = table[i];

		for (const struct field *f = s->fields; f < s->fields + s->nfields; f++)
			if (f->excuse)
				printf("%s, %s: %s\n", s->name, f->name, f->excuse->reason);
	}
}
