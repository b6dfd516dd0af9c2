/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses by the number of inodes what to record of names. */
#include "names_noted.h"

#include <stdlib.h>

#include "check/memory.h"
#include "names/name_places.h"
#include "names/names_seen.h"
#include "names/paths.h"
#include "ask/ranked_paths.h"
#include "repair.h"
#include "base/sink.h"

struct names_noted {
	struct names_seen *seen; /* NULL: they would not fit */
	struct name_places *places;
};

struct names_noted *names_noted_new(const struct repair *rc)
{
	struct names_noted *noted = calloc(1, sizeof(*noted));
	const size_t most = ranked_places_most(rc);

	if (!noted)
		return NULL;
	if (inodes_expected(rc) <= most / NAME_SEEN_BYTES)
		noted->seen = names_seen_new(rc->workers, most);
	else
		noted->places = ranked_places(rc);
	if (noted->seen || noted->places)
		return noted;
	free(noted);
	return NULL;
}

void names_noted_free(struct names_noted *noted)
{
	if (!noted)
		return;
	names_seen_free(noted->seen);
	name_places_free(noted->places);
	free(noted);
}

void names_noted_add(struct names_noted *noted, unsigned worker, const struct entry_fact *entry)
{
	if (noted->seen)
		names_seen_add(noted->seen, worker, entry);
	else if (!entry->dot && !entry->dotdot)
		name_places_add(noted->places, worker, entry->directory, entry->target);
}

int names_noted_seek(const struct names_noted *noted, struct repair *rc, const struct ino_set *inos,
		     struct paths **ret_paths)
{
	struct ino_set near = { 0 };
	int ret = 0;

	if (noted->seen && names_seen_whole(noted->seen))
		return paths_seek_seen(rc, inos, noted->seen, ret_paths);
	if (noted->places)
		ret = name_places_find(noted->places, inos, &near);
	if (!ret)
		ret = paths_seek(rc, inos, &near, ret_paths);
	ino_set_free(&near);
	return ret;
}
