/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws AGs, each as a grid of squares: how most blocks of a cell are used, and what is damaged or rebuilt. Squares of
 * one kind are a single path, so that an AG takes about 20 KB at most.
 */
#include "html_out.h"
#include "words.h"

#define GROUPS_MOST 64u /* AGs that are drawn; marked ones take precedence */
#define COLUMNS	    64u
#define ENOUGH	    4u /* a cell looks like metadata if one block in this many is */

enum look {
	LOOK_METADATA = MAP_METADATA,
	LOOK_LOG = MAP_LOG,
	LOOK_DATA = MAP_DATA,
	LOOK_FREE = MAP_FREE,
	LOOK_UNKNOWN,
	LOOK_NR,
};

struct sums {
	uint64_t blocks[MAP_USES], all;
	uint32_t damaged, rebuilt; /* cells */
};

static enum look look_of(const struct map_cell *cell, uint64_t all)
{
	enum look look = LOOK_UNKNOWN;
	uint64_t most = 0, sum = 0;

	if (cell->blocks[MAP_METADATA] && cell->blocks[MAP_METADATA] >= all / ENOUGH)
		return LOOK_METADATA;
	for (unsigned use = 0; use < MAP_USES; use++) {
		sum += cell->blocks[use];
		if (cell->blocks[use] > most) {
			most = cell->blocks[use];
			look = (enum look)use;
		}
	}
	return sum < all && all - sum >= most ? LOOK_UNKNOWN : look;
}

static void add_group(const struct group_map *map, uint32_t agno, struct sums *sums)
{
	const struct map_cell *cells = group_map_of(map, agno);

	for (uint32_t i = 0; i < map->cells; i++) {
		for (unsigned use = 0; use < MAP_USES; use++)
			sums->blocks[use] += cells[i].blocks[use];
		sums->all += group_map_blocks(map, agno, i);
		sums->damaged += cells[i].damaged;
		sums->rebuilt += cells[i].rebuilt;
	}
}

static bool is_marked(const struct group_map *map, uint32_t agno)
{
	struct sums sums = { 0 };

	add_group(map, agno, &sums);
	return sums.damaged || sums.rebuilt;
}

/* Draws the cells of one look; adjacent cells of a row share a subpath. */
static void put_look(struct html *h, uint32_t agno, enum look look)
{
	static const char *const names[LOOK_NR] = { "metadata", "log", "data", "free", "unknown" };
	const struct map_cell *cells = group_map_of(h->map, agno);
	bool any = false;

	for (uint32_t i = 0, n; i < h->map->cells; i += n) {
		for (n = 0; i + n < h->map->cells && (!n || (i + n) % COLUMNS); n++) {
			const uint64_t all = group_map_blocks(h->map, agno, i + n);

			if (!all || look_of(&cells[i + n], all) != look)
				break;
		}
		if (n) {
			fprintf(h->out, "%sM%u %uh%uv1h-%uz", any ? "" : "<path d=\"", i % COLUMNS, i / COLUMNS, n, n);
			any = true;
		}
		n += !n;
	}
	if (any)
		fprintf(h->out, "\" class=\"%s\"/>\n", names[look]);
}

/* Draws the marks; those for rebuilt cells are smaller, so that both are visible. */
static void put_mark(struct html *h, uint32_t agno, enum map_mark mark)
{
	const struct map_cell *cells = group_map_of(h->map, agno);
	bool any = false;

	for (uint32_t i = 0; i < h->map->cells; i++) {
		const unsigned x = i % COLUMNS, y = i / COLUMNS;

		if (!(mark == MAP_DAMAGED ? cells[i].damaged : cells[i].rebuilt))
			continue;
		if (!any)
			html_put(h, "<path d=\"");
		any = true;
		if (mark == MAP_DAMAGED)
			fprintf(h->out, "M%u %uh1v1h-1z", x, y);
		else
			fprintf(h->out, "M%u.25 %u.25h.5v.5h-.5z", x, y);
	}
	if (any)
		fprintf(h->out, "\" class=\"%s\"/>\n", mark == MAP_DAMAGED ? "damaged" : "rebuilt");
}

static void put_share(struct html *h, uint64_t share, uint64_t all, const char *what)
{
	fprintf(h->out, "%.1f %% %s", all ? (double)share * 100 / (double)all : 0, what);
}

static void put_sums(struct html *h, const struct sums *s)
{
	html_put(h, ": ");
	put_share(h, s->blocks[MAP_METADATA], s->all, "metadata, ");
	if (s->blocks[MAP_LOG])
		put_share(h, s->blocks[MAP_LOG], s->all, "log, ");
	put_share(h, s->blocks[MAP_DATA], s->all, "data, ");
	put_share(h, s->blocks[MAP_FREE], s->all, "free");
	if (s->damaged)
		fprintf(h->out, "; <b>%u damaged</b>", s->damaged);
	if (s->rebuilt)
		fprintf(h->out, "; <b>%u rebuilt</b>", s->rebuilt);
}

static void put_group(struct html *h, uint32_t agno)
{
	const uint32_t columns = h->map->cells < COLUMNS ? h->map->cells : COLUMNS;
	const uint32_t rows = (h->map->cells + COLUMNS - 1) / COLUMNS;
	struct sums sums = { 0 };

	add_group(h->map, agno, &sums);
	fprintf(h->out, "<figure><figcaption>AG %u", agno);
	put_sums(h, &sums);
	fprintf(h->out, "</figcaption><svg role=\"img\" aria-label=\"Map of AG %u\" viewBox=\"0 0 %u %u\">\n", agno,
		columns, rows);
	for (enum look look = 0; look < LOOK_NR; look++)
		put_look(h, agno, look);
	put_mark(h, agno, MAP_DAMAGED);
	put_mark(h, agno, MAP_REBUILT);
	html_put(h, "</svg></figure>\n");
}

static void put_legend(struct html *h)
{
	struct words w = { 0 };

	words_add_count(&w, h->map->blocks_per_cell, "block", "blocks");
	html_put(h, "<p>Each square is ");
	html_put(h, w.text);
	html_put(h, ", as the check found them: what most of them are used for, or metadata if a quarter is. "
		    "A block that files share counts for each.</p>\n<ul class=\"legend\">"
		    "<li><i class=\"metadata\"></i>metadata<li><i class=\"log\"></i>log<li><i class=\"data\"></i>files "
		    "and directories"
		    "<li><i class=\"free\"></i>free<li><i class=\"unknown\"></i>not known"
		    "<li><i class=\"damaged\"></i>damaged<li><i class=\"rebuilt\"></i>rebuilt</ul>\n");
}

void html_draw_map(struct html *h)
{
	struct sums rest = { 0 };
	uint32_t marked = 0, marked_room, plain_room, left = 0;

	html_enter(h, HTML_MAP);
	if (!h->map) {
		html_put(h, "<p>Nothing is known of them.</p>\n");
		return;
	}
	put_legend(h);
	for (uint32_t i = 0; i < h->map->geo.agcount; i++)
		marked += is_marked(h->map, i);
	marked_room = marked < GROUPS_MOST ? marked : GROUPS_MOST;
	plain_room = GROUPS_MOST - marked_room;
	html_put(h, "<div class=\"groups\">\n");
	for (uint32_t i = 0; i < h->map->geo.agcount; i++) {
		uint32_t *room = is_marked(h->map, i) ? &marked_room : &plain_room;

		if (*room) {
			--*room;
			put_group(h, i);
		} else {
			left++;
			add_group(h->map, i, &rest);
		}
	}
	html_put(h, "</div>\n");
	if (!left)
		return;
	fprintf(h->out, "<p>%u more group%s, which %s not drawn", left, left == 1 ? "" : "s", left == 1 ? "is" : "are");
	put_sums(h, &rest);
	html_put(h, "</p>\n");
}
