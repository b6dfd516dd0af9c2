/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An item is one text with one certainty. Their number is bounded by menders and outcomes, so memory does not grow with
 * the length of a repair, except by 16 bytes for each inode of which a whole fork was rebuilt: it counts once, although
 * several findings lead to it.
 */
#include "fix_list.h"

#include <stdlib.h>
#include <string.h>

#include "finding_text.h"
#include "mender.h"
#include "names/paths.h"
#include "report.h"
#include "sets/number_set.h"
#include "words.h"

struct item {
	struct item *next;
	enum sure sure;
	bool follows; /* all fixes are consequential: they update sums, or other records of the same fact */
	uint64_t count;
	char *text;
	struct ino_set whole; /* inodes of which a whole fork was rebuilt */
	unsigned nplaces;
	struct place_fixed {
		struct found found;
		char *text; /* NULL: same as the item's */
	} places[];	    /* the first `nplaces` */
};

struct fix_list {
	unsigned places;
	struct item *first, **end;
};

struct fix_list *fix_list_new(unsigned places)
{
	struct fix_list *list = calloc(1, sizeof(*list));

	if (list) {
		list->places = places;
		list->end = &list->first;
	}
	return list;
}

static void place_drop(struct place_fixed *place)
{
	found_drop(&place->found);
	free(place->text);
}

void fix_list_free(struct fix_list *list)
{
	while (list && list->first) {
		struct item *item = list->first;

		list->first = item->next;
		for (unsigned i = 0; i < item->nplaces; i++)
			place_drop(&item->places[i]);
		ino_set_free(&item->whole);
		free(item->text);
		free(item);
	}
	free(list);
}

/* True if the finding may be the consequence of another one, which has its own fix. */
static bool only_follows(enum finding finding)
{
	const enum follows follows = finding_follows(finding);

	return follows == FOLLOWS_SPACE || follows == FOLLOWS_ANY || follows == FOLLOWS_INODE ||
	       finding_class(finding) == CLASS_SUMMARY;
}

static struct item *item_of(struct fix_list *list, const char *text, enum sure sure)
{
	struct item *item = list->first;

	while (item && (item->sure != sure || strcmp(item->text, text) != 0))
		item = item->next;
	if (item)
		return item;
	item = calloc(1, sizeof(*item) + list->places * sizeof(item->places[0]));
	if (!item)
		return NULL;
	item->sure = sure;
	item->follows = true;
	item->text = strdup(text);
	if (!item->text) {
		free(item);
		return NULL;
	}
	*list->end = item;
	list->end = &item->next;
	return item;
}

/* True if the place is listed already, because a later round fixed it again. */
static bool has_place(const struct item *item, const struct found *found)
{
	for (unsigned i = 0; i < item->nplaces; i++)
		if (!found_compare(&item->places[i].found, found))
			return true;
	return false;
}

/* True if the fix rebuilt a whole directory, or all attributes or parent pointers of an inode, not a single entry. */
static bool is_whole(const struct fix *fix)
{
	switch (fix->mender) {
	case MEND_dir:
	case MEND_attr:
	case MEND_pptr:
		return !strcmp(fix->text, mender_text(fix->mender));
	default:
		return false;
	}
}

/* own: text for this place alone, or NULL. Out of memory: the place is not listed. */
static void add_place(struct item *item, const struct found *found, const char *own)
{
	struct place_fixed *place = &item->places[item->nplaces];

	place->text = own ? strdup(own) : NULL;
	if ((!own || place->text) && found_copy(&place->found, found))
		item->nplaces++;
	else
		free(place->text);
}

bool fix_list_add(struct fix_list *list, const struct fix *fix, const struct found *found)
{
	const bool varies = fix->text[strcspn(fix->text, "0123456789")];
	struct item *item = item_of(list, varies && fix->mender ? mender_text(fix->mender) : fix->text, fix->sure);

	if (!item)
		return false;
	if (has_place(item, found))
		return true;
	if (is_whole(fix) && found->place.ino.v != NULL_INO && !ino_set_add(&item->whole, found->place.ino))
		return true;
	item->count++;
	item->follows &= only_follows(found->problem.finding);
	if (item->nplaces < list->places)
		add_place(item, found, varies ? fix->text : NULL);
	return true;
}

/* Prints "150 times: recreated from other metadata (guess)". */
static void put_item(FILE *out, const struct item *item)
{
	if (item->count > 1) {
		words_print_number(out, item->count);
		fputs(" times: ", out);
	}
	fputs(item->text, out);
	if (item->sure != SURE_CERTAIN)
		fprintf(out, " (%s)", sure_name(item->sure));
}

static bool is_unsought(struct paths *paths, xino_t ino)
{
	struct path path;

	if (ino.v == NULL_INO)
		return false;
	paths_find(paths, ino, &path);
	return path.kind == PATH_UNSOUGHT;
}

int fix_list_inodes(const struct fix_list *list, struct paths *paths, struct ino_set *inos)
{
	int ret = 0;

	for (const struct item *item = list->first; item; item = item->next)
		for (unsigned i = 0; i < item->nplaces && !ret; i++) {
			const xino_t ino = finding_text_place_inode(&item->places[i].found.place);

			if (is_unsought(paths, ino))
				ret = ino_set_put(inos, ino);
		}
	return ret;
}

static void print_item(const struct item *item, struct layout *layout, struct paths *paths, struct paths *later)
{
	FILE *out = layout_line(layout);

	put_item(out, item);
	if (item->nplaces)
		fputc(':', out);
	layout_end(layout, 0, 2, TINT_NONE);
	for (unsigned i = 0; i < item->nplaces; i++) {
		out = layout_line(layout);
		finding_text_place(out, &item->places[i].found,
				   is_unsought(paths, item->places[i].found.place.ino) && later ? later : paths);
		if (item->places[i].text)
			fprintf(out, ": %s", item->places[i].text);
		layout_end(layout, 3, 2, TINT_NONE);
	}
	if (item->count > item->nplaces) {
		fputs("   and ", layout->out);
		words_print_number(layout->out, item->count - item->nplaces);
		fputs(" more\n", layout->out);
	}
}

static void print_those_that_follow(const struct fix_list *list, struct layout *layout)
{
	const char *separator = "Consequential: ";
	FILE *out = NULL;

	for (const struct item *item = list->first; item; item = item->next) {
		if (!item->follows)
			continue;
		if (!out)
			out = layout_line(layout);
		fputs(separator, out);
		put_item(out, item);
		separator = "; ";
	}
	if (out)
		layout_end(layout, 0, 2, TINT_NONE);
}

bool fix_list_empty(const struct fix_list *list)
{
	return !list->first;
}

void fix_list_print(const struct fix_list *list, struct layout *layout, struct paths *paths, struct paths *later)
{
	unsigned causes = 0;

	for (const struct item *item = list->first; item; item = item->next)
		causes += !item->follows;
	for (const struct item *item = list->first; item; item = item->next)
		if (!causes || !item->follows)
			print_item(item, layout, paths, later);
	if (causes)
		print_those_that_follow(list, layout);
}
