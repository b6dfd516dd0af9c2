/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws directories as nested rectangles with areas in proportion to used space. Positions are percentages, and letters
 * have the size of the page's text, so that it can be read at any width; cells without room for a label have only a
 * title.
 */
#define _GNU_SOURCE 1 /* memrchr() */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_out.h"
#include "report/quote.h"
#include "report/treemap.h"
#include "report/words.h"
#include "summary.h"

#define WIDTH	    100.0
#define HEIGHT	    50.0
#define STRIP	    2.0	  /* height of a directory's label, above its contents */
#define MARGIN	    0.15  /* around its contents */
#define LABEL_WIDTH 4.0	  /* smaller cells have no label */
#define SHOWN	    1000u /* a directory is drawn if it uses 1 / SHOWN of the total */
#define DRAWN_LEAST 3u	  /* levels below the root, even if fewer are listed */
#define DRAWN_MOST  6u
#define HUES	    8u

#define NO_NODE SIZE_MAX

struct node {
	const struct ranked *item;
	size_t dir;		    /* number in the path table */
	size_t first, next, parent; /* first child; next sibling, which is smaller; NO_NODE */
	size_t children;
};

struct drawing {
	const struct summary *summary;
	const struct path_table *paths;
	struct html *page;
	struct node *nodes;
	size_t count;
	struct byte_buffer path;
};

/* Chooses directories to draw, greatest first. 0 or -ENOMEM. */
static int choose(const struct summary *summary, struct ranking *chosen)
{
	const struct tree_usage *tree = &summary->tree;
	const size_t root = path_table_find(tree->paths, summary->geo->rootino);
	const unsigned asked = summary->depth > DRAWN_LEAST ? summary->depth : DRAWN_LEAST;
	const unsigned depth = asked < DRAWN_MOST ? asked : DRAWN_MOST;
	int ret = 0;

	for (size_t i = 0; root < tree->count && i < tree->count && !ret; i++)
		if (tree->depth[i] <= depth && tree->of[i].used && tree->of[i].used >= tree->of[root].used / SHOWN)
			ret = ranking_add(chosen, &(struct ranked){ .rank = tree->of[i].used,
								    .id = path_table_ino(tree->paths, i).v,
								    .fact = { tree->of[i].files, i } });
	ranking_sort(chosen);
	return ret;
}

static int by_dir(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	return x->dir < y->dir ? -1 : x->dir > y->dir;
}

static size_t node_of(const struct drawing *d, size_t dir)
{
	const struct node *node =
		d->count ? bsearch(&(struct node){ .dir = dir }, d->nodes, d->count, sizeof(*node), by_dir) : NULL;

	return node ? (size_t)(node - d->nodes) : NO_NODE;
}

/* Links each directory to its parent; chosen is in descending order. 0 or -ENOMEM. */
static int make_nodes(struct drawing *d, const struct ranking *chosen)
{
	d->nodes = calloc(chosen->count + 1, sizeof(*d->nodes));
	if (!d->nodes)
		return -ENOMEM;
	d->count = chosen->count;
	for (size_t i = 0; i < chosen->count; i++)
		d->nodes[i] = (struct node){
			.item = &chosen->v[i], .dir = (size_t)chosen->v[i].fact[1], .first = NO_NODE, .next = NO_NODE
		};
	qsort(d->nodes, d->count, sizeof(*d->nodes), by_dir);
	for (size_t i = chosen->count; i-- > 0;) { /* smallest first, so that the greatest heads the list */
		const size_t dir = (size_t)chosen->v[i].fact[1], node = node_of(d, dir);
		const size_t parent = node_of(d, path_table_parent(d->paths, dir));

		if (parent == NO_NODE || parent == node || d->summary->tree.depth[dir] == 0)
			continue;
		d->nodes[node].next = d->nodes[parent].first;
		d->nodes[parent].first = node;
		d->nodes[parent].children++;
	}
	return 0;
}

/* ---- drawing ---- */

static void put_title(const struct drawing *d, const char *what, uint64_t used, uint64_t files)
{
	struct words words = { 0 };
	FILE *line = html_line(d->page);

	quote_print(line, d->path.len ? d->path.bytes : (const uint8_t *)"/", d->path.len ? d->path.len : 1);
	words_add(&words, "%s: ", what);
	words_add_bytes(&words, used);
	if (files) {
		words_add(&words, " in ");
		words_add_count(&words, files, "file", "files");
	}
	fputs(words.text, line);
	html_put(d->page, "<title>");
	html_line_end(d->page);
	html_put(d->page, "</title>");
}

/* Begins a cell, which clips its contents; positions are percentages of the picture. */
static void begin_cell(const struct drawing *d, const struct treemap_rect *r, const char *class, unsigned hue,
		       uint64_t used)
{
	fprintf(d->page->out,
		"<svg x=\"%.3f%%\" y=\"%.3f%%\" width=\"%.3f%%\" height=\"%.3f%%\" class=\"%s c%u\" "
		"data-used=\"%" PRIu64 "\">",
		r->x * 100 / WIDTH, r->y * 100 / HEIGHT, r->width * 100 / WIDTH, r->height * 100 / HEIGHT, class, hue,
		used);
}

/* Puts the last component of the path, and used space. */
static void put_label(const struct drawing *d, const struct treemap_rect *r, uint64_t used)
{
	const uint8_t *name = d->path.len ? memrchr(d->path.bytes, '/', d->path.len) : NULL;
	struct words words = { 0 };
	FILE *line = html_line(d->page);

	if (r->width < LABEL_WIDTH || r->height < STRIP)
		return;
	if (name && name + 1 < d->path.bytes + d->path.len)
		quote_print(line, name + 1, d->path.len - (size_t)(name + 1 - d->path.bytes));
	else
		putc('/', line);
	words_add(&words, " ");
	words_add_bytes(&words, used);
	fputs(words.text, line);
	html_put(d->page, "<text x=\"4\" y=\"14\">");
	html_line_end(d->page);
	html_put(d->page, "</text>");
}

static void end_cell(const struct drawing *d)
{
	html_put(d->page, "</svg>\n");
}

/* Sets the part of a directory for its children; false: too small. */
static bool within(const struct treemap_rect *r, struct treemap_rect *ret_inner)
{
	*ret_inner =
		(struct treemap_rect){ r->x + MARGIN, r->y + STRIP, r->width - 2 * MARGIN, r->height - STRIP - MARGIN };
	return ret_inner->width > 0.5 && ret_inner->height > 0.5;
}

static int draw(struct drawing *d, size_t at, const struct treemap_rect *r, unsigned depth, unsigned hue);

/* Draws subdirectories, and one rectangle for files and small subdirectories. 0 or -ENOMEM. */
static int draw_children(struct drawing *d, const struct node *node, const struct treemap_rect *frame, unsigned depth,
			 unsigned hue)
{
	uint64_t *sizes = calloc(node->children + 1, sizeof(*sizes)), rest = node->item->rank;
	struct treemap_rect *rects = calloc(node->children + 1, sizeof(*rects));
	size_t count = 0, before = 0, at;
	int ret = sizes && rects ? 0 : -ENOMEM;

	for (at = node->first; at != NO_NODE && !ret; at = d->nodes[at].next) {
		sizes[count++] = d->nodes[at].item->rank;
		rest -= d->nodes[at].item->rank < rest ? d->nodes[at].item->rank : rest;
	}
	while (!ret && before < count && sizes[before] >= rest)
		before++;
	if (!ret) {
		memmove(sizes + before + 1, sizes + before, (count - before) * sizeof(*sizes));
		sizes[before] = rest;
		treemap_layout(sizes, count + 1, frame, rects);
	}
	if (!ret && rest) {
		begin_cell(d, &rects[before], "rest", hue, rest);
		put_title(d, ", its files, and what is small", rest, 0);
		html_put(d->page, "<rect width=\"100%\" height=\"100%\"/>");
		end_cell(d);
	}
	count = 0;
	for (at = node->first; at != NO_NODE && !ret; at = d->nodes[at].next, count++)
		ret = draw(d, at, &rects[count + (count >= before)], depth + 1, depth ? hue : (unsigned)count % HUES);
	free(sizes);
	free(rects);
	return ret;
}

/* Draws a directory and its contents. 0 or -ENOMEM. */
static int draw(struct drawing *d, size_t at, const struct treemap_rect *r, unsigned depth, unsigned hue)
{
	const struct node *node = &d->nodes[at];
	struct treemap_rect inner = { 0 };
	const bool tree = node->children && within(r, &inner);
	int ret = path_table_path(d->paths, (xino_t){ node->item->id }, &d->path);

	if (ret)
		return ret;
	begin_cell(d, r, !depth ? "root" : tree ? "tree" : "leaf", hue, node->item->rank);
	put_title(d, "", node->item->rank, node->item->fact[0]);
	html_put(d->page, "<rect width=\"100%\" height=\"100%\"/>");
	put_label(d, r, node->item->rank);
	end_cell(d);
	return tree ? draw_children(d, node, &inner, depth, hue) : 0;
}

int summary_treemap(const struct summary *summary, const struct files *files, struct html *page)
{
	struct drawing d = { .summary = summary, .paths = files_paths(files), .page = page };
	struct ranking chosen = { .most = (size_t)DRAWN_MOST * SHOWN };
	size_t root = NO_NODE;
	int ret = page ? choose(summary, &chosen) : 0;

	if (page && !ret)
		ret = make_nodes(&d, &chosen);
	if (page && !ret)
		root = node_of(&d, path_table_find(d.paths, summary->geo->rootino));
	if (root != NO_NODE) {
		html_put(page,
			 "<svg class=\"treemap\" role=\"img\" aria-label=\"Directories by what they take up\">\n");
		ret = draw(&d, root, &(struct treemap_rect){ 0, 0, WIDTH, HEIGHT }, 0, 0);
		html_put(page, "</svg>\n<p>Each directory is as large as what it takes up with all that is below it. "
			       "What is pale is files of the directory itself, and directories that are small.</p>\n");
	}
	free(d.nodes);
	free(d.path.bytes);
	ranking_free(&chosen);
	return ret;
}
