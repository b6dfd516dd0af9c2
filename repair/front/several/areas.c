/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which findings belong to which test. */
#include "areas.h"

#include <string.h>

#include "report.h"

static const struct {
	const char *name, *beginnings;
} areas[AREA_NR] = {
#define x(symbol, name, beginnings) [AREA_##symbol] = { name, beginnings },
	AREA_TABLE(x)
#undef x
};

const char *area_name(enum area area)
{
	return areas[area].name;
}

/* True if one of the words is the beginning of an id, up to its first dot. */
static bool has(const char *words, const char *id)
{
	const size_t length = strcspn(id, ".");

	for (size_t n; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (n == length && !memcmp(words, id, n))
			return true;
	}
	return false;
}

enum area area_of(enum finding finding)
{
	enum area area = 0;

	while (area < AREA_NR && !has(areas[area].beginnings, finding_id(finding)))
		area++;
	return area;
}
