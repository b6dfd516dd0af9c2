/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --summary: space used by files, by owner and directory, and how files are stored. Files and names are collected
 * during the check, and added up later; how each file is stored is counted at once.
 */
#define _GNU_SOURCE 1 /* memrchr() */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "ask/files.h"
#include "ask/histogram.h"
#include "ask/inventory.h"
#include "ask/ranking.h"
#include "ask/table.h"
#include "check/names/search.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/json_out.h"
#include "report/quote.h"
#include "report/treemap.h"
#include "report/words.h"
#include "run.h"
#include "usage.h"

/* clang-format off */
#define AGE_TABLE(x)                                                                                                   \
	x(0, "in the future")                                                                                          \
	x(1, "up to a day")                                                                                            \
	x(7, "up to a week")                                                                                           \
	x(30, "up to 30 days")                                                                                         \
	x(90, "up to 90 days")                                                                                         \
	x(365, "up to a year")                                                                                         \
	x(730, "up to 2 years")                                                                                        \
	x(1825, "up to 5 years")                                                                                       \
	x(3650, "up to 10 years")                                                                                      \
	x(UINT32_MAX, "longer")
/* clang-format on */

enum {
#define x(days, text) AGE_##days,
	AGE_TABLE(x)
#undef x
		AGE_NR,
};

/* clang-format off */
#define STORED_TABLE(x)                                                                                                \
	x(SPARSE, "sparse", "sparse files, and holes in them")                                                         \
	x(UNWRITTEN, "unwritten", "with preallocated space, in the file or beyond it")                                 \
	x(BEYOND, "beyond", "with space beyond their end")                                                             \
	x(REFLINK, "reflink", "that may share data (reflink)")                                                         \
	x(FILE_EXTENTS, "file_extents", "regular files: extents in the inode")                                         \
	x(FILE_BTREE, "file_btree", "regular files: extents in a btree")                                               \
	x(DIR_INLINE, "directory_inline", "directories in the inode")                                                  \
	x(DIR_EXTENTS, "directory_extents", "directories in extents")                                                  \
	x(DIR_BTREE, "directory_btree", "directories in extents of a btree")                                           \
	x(LINK_INLINE, "link_inline", "symbolic links in the inode")                                                   \
	x(LINK_EXTENTS, "link_extents", "symbolic links in blocks")                                                    \
	x(ATTR_INLINE, "attributes_inline", "with attributes in the inode")                                            \
	x(ATTR_EXTENTS, "attributes_extents", "with attributes in extents")                                            \
	x(ATTR_BTREE, "attributes_btree", "with attributes in extents of a btree")
/* clang-format on */

enum stored {
#define x(symbol, key, text) STORED_##symbol,
	STORED_TABLE(x)
#undef x
		STORED_NR,
};

struct stored_sums {
	uint64_t files;
	uint64_t bytes; /* as the text says; else used bytes */
};

/* Types as listed; those without space of their own are combined. */
enum summary_type {
	TYPE_FILE,
	TYPE_DIRECTORY,
	TYPE_LINK,
	TYPE_OTHER,
	TYPE_NR,
};

enum owner_kind {
	OWNER_USERS,
	OWNER_GROUPS,
	OWNER_PROJECTS,
	OWNER_KINDS,
};

/* Indexes of ranked.fact[] for a file or directory. */
enum { TOP_FILES, TOP_APPARENT, TOP_USED, TOP_NAMES };

/* The result, when all facts are in. */
struct summary {
	const struct geometry *geo;
	int64_t now; /* seconds since 1970, for ages */
	unsigned depth;
	struct usage all;
	struct usage by_type[TYPE_NR];
	struct usage_table owners[OWNER_KINDS];
	struct histogram sizes; /* of regular files; weights are used bytes */
	struct usage ages[AGE_NR];
	struct tree_usage tree;
	uint64_t nameless; /* files without a directory entry */
	struct stored_sums stored[STORED_NR];
	uint64_t shared_blocks; /* shared by several files ... */
	uint64_t saved_blocks;	/* ... and saved by that */
	struct ranking largest; /* files by used bytes */
	struct ranking fullest; /* directories by used bytes of themselves and their files */
	struct ranking longest; /* directories by number of entries */
};

/*
 * Adds up all files. Like `du`, it counts a file with several names once: in the directory with the lowest inode
 * number.
 */

#define DAY_SECONDS 86400

static const char *const age_texts[] = {
#define x(days, text) text,
	AGE_TABLE(x)
#undef x
};

static const struct {
	const char *key, *text;
} stored_words[] = {
#define x(symbol, key, text) { key, text },
	STORED_TABLE(x)
#undef x
};

static const char *const type_names[] = { [TYPE_FILE] = "regular files",
					  [TYPE_DIRECTORY] = "directories",
					  [TYPE_LINK] = "symbolic links",
					  [TYPE_OTHER] = "other" };

static const char *const owner_names[] = {
	[OWNER_USERS] = "user", [OWNER_GROUPS] = "group", [OWNER_PROJECTS] = "project"
};

static enum summary_type type_of(const struct file_record *record)
{
	return S_ISREG(record->mode)   ? TYPE_FILE
	       : S_ISDIR(record->mode) ? TYPE_DIRECTORY
	       : S_ISLNK(record->mode) ? TYPE_LINK
				       : TYPE_OTHER;
}

/* Returns the age class of a file. */
static unsigned age_of(const struct summary *summary, const struct file_record *record)
{
	static const uint32_t days[] = {
#define x(days, text) days,
		AGE_TABLE(x)
#undef x
	};
	const int64_t then = record->times[TIME_MODIFICATION].seconds;
	unsigned age = AGE_1;

	if (then > summary->now)
		return AGE_0;
	while (age + 1 < AGE_NR && summary->now - then > (int64_t)days[age] * DAY_SECONDS)
		age++;
	return age;
}

/* Counts a regular file by size and age, and ranks it. 0 or -ENOMEM. */
static int add_regular(struct summary *summary, const struct file *file, const struct usage *usage)
{
	histogram_add(&summary->sizes, file->record.size, usage->used);
	usage_add(&summary->ages[age_of(summary, &file->record)], usage);
	return ranking_add(
		&summary->largest,
		&(struct ranked){
			.rank = usage->used,
			.id = file->ino.v,
			.fact = { [TOP_FILES] = 1, [TOP_APPARENT] = usage->apparent, [TOP_USED] = usage->used } });
}

/* Counts the names of a file; adds its usage to its first directory, that of a directory to itself. 0 or -errno. */
static int add_names(struct summary *summary, struct files *files, const struct file *file, const struct usage *usage,
		     bool directory)
{
	struct tree_usage *tree = &summary->tree;
	size_t place = directory ? path_table_find(tree->paths, file->ino) : tree->count;
	struct file_name name;
	bool named = false;
	int ret;

	while ((ret = files_next_name(files, &name)) > 0) {
		const size_t dir = path_table_find(tree->paths, name.dir);

		named = true;
		if (dir == tree->count)
			continue;
		tree->names[dir]++;
		if (place == tree->count)
			place = dir;
	}
	if (place < tree->count)
		usage_add(&tree->of[place], usage);
	summary->nameless += !named;
	return ret;
}

static int add_file(struct summary *summary, struct files *files, const struct file *file)
{
	const struct file_record *record = &file->record;
	const enum summary_type type = type_of(record);
	const struct usage usage = { .files = 1,
				     .apparent = type == TYPE_FILE || type == TYPE_LINK ? record->size : 0,
				     .used = record->nblocks << summary->geo->block_log };
	int ret;

	usage_add(&summary->all, &usage);
	usage_add(&summary->by_type[type], &usage);
	ret = usage_table_add(&summary->owners[OWNER_USERS], record->uid, &usage);
	if (!ret)
		ret = usage_table_add(&summary->owners[OWNER_GROUPS], record->gid, &usage);
	if (!ret)
		ret = usage_table_add(&summary->owners[OWNER_PROJECTS], record->projid, &usage);
	if (!ret && type == TYPE_FILE)
		ret = add_regular(summary, file, &usage);
	return ret ? ret : add_names(summary, files, file, &usage, type == TYPE_DIRECTORY);
}

static struct ranked rank_of(const struct tree_usage *tree, size_t dir, uint64_t rank)
{
	const struct usage *usage = &tree->of[dir];

	return (struct ranked){ .rank = rank,
				.id = path_table_ino(tree->paths, dir).v,
				.fact = { [TOP_FILES] = usage->files,
					  [TOP_APPARENT] = usage->apparent,
					  [TOP_USED] = usage->used,
					  [TOP_NAMES] = tree->names[dir] } };
}

/* Ranks directories by themselves. 0 or -ENOMEM. */
static int rank_directories(struct summary *summary)
{
	const struct tree_usage *tree = &summary->tree;
	int ret = 0;

	for (size_t i = 0; i < tree->count && !ret; i++) {
		const struct ranked by_bytes = rank_of(tree, i, tree->of[i].used);
		const struct ranked by_names = rank_of(tree, i, tree->names[i]);

		if (by_bytes.rank)
			ret = ranking_add(&summary->fullest, &by_bytes);
		if (!ret && by_names.rank)
			ret = ranking_add(&summary->longest, &by_names);
	}
	return ret;
}

/* Adds up all files, which must be settled. 0 or negative errno. */
static int summary_add_files(struct summary *summary, struct files *files)
{
	struct file file;
	int ret = tree_usage_new(&summary->tree, files_paths(files));

	while (!ret) {
		ret = files_next(files, &file);
		if (ret <= 0)
			break;
		ret = add_file(summary, files, &file);
	}
	for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++)
		usage_table_settle(&summary->owners[kind]);
	if (!ret)
		ret = rank_directories(summary);
	ranking_sort(&summary->largest);
	ranking_sort(&summary->fullest);
	ranking_sort(&summary->longest);
	return ret ? ret : tree_usage_settle(&summary->tree, summary->geo->rootino);
}

/* Ranks directories down to the requested depth by used bytes; fact[] as above. 0 or -ENOMEM. */
static int summary_trees(const struct summary *summary, struct ranking *ret_trees)
{
	const struct tree_usage *tree = &summary->tree;
	int ret = 0;

	*ret_trees = (struct ranking){ .most = SIZE_MAX };
	for (size_t i = 0; i < tree->count && !ret; i++) {
		const struct ranked item = rank_of(tree, i, tree->of[i].used);

		if (tree->depth[i] <= summary->depth)
			ret = ranking_add(ret_trees, &item);
	}
	ranking_sort(ret_trees);
	return ret;
}

/*
 * Draws directories as nested rectangles with areas in proportion to used space. Positions are percentages, and letters
 * have the size of the page's text, so that it can be read at any width; cells without room for a label have only a
 * title.
 */

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

/* Draws the directory tree; page: NULL, or in the right section. 0 or negative errno. */
static int summary_treemap(const struct summary *summary, const struct files *files, struct html *page)
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

/* JSON has a line "usage" for all files, each type, user, group, project and directory, and a line "contents". */

static void usage_cells(struct table *table, const struct usage *usage)
{
	table_number(table, usage->files);
	table_bytes(table, usage->apparent);
	table_bytes(table, usage->used);
}

static int tell_types(const struct summary *summary, const struct answer *to)
{
	struct table *table = table_new(to, "=by|<Files=id|number=files|size=size|used=used", SIZE_MAX);

	for (enum summary_type type = 0; type < TYPE_NR; type++) {
		table_text(table, "type");
		table_text(table, "%s", type_names[type]);
		usage_cells(table, &summary->by_type[type]);
		if (!summary->by_type[type].files)
			table_hide(table);
	}
	table_text(table, "all");
	table_label(table, "all");
	usage_cells(table, &summary->all);
	return table_end_lines(table, to, "usage");
}

/* Prints owners, heaviest first: all in JSON, the top ones as text. */
static int tell_owners(const struct summary *summary, enum owner_kind kind, const struct answer *to)
{
	static const char *const columns[] = { [OWNER_USERS] = "=by|User=id|files=files|size=size|+used=used",
					       [OWNER_GROUPS] = "=by|Group=id|files=files|size=size|+used=used",
					       [OWNER_PROJECTS] = "=by|Project=id|files=files|size=size|+used=used" };
	const struct usage_table *owners = &summary->owners[kind];
	struct ranking most = { .most = SIZE_MAX };
	struct table *table = table_new(to, columns[kind], summary->largest.most);
	int ret = 0;

	for (size_t i = 0; i < owners->count && !ret; i++)
		ret = ranking_add(
			&most, &(struct ranked){ .rank = owners->v[i].usage.used,
						 .id = owners->v[i].id,
						 .fact = { owners->v[i].usage.files, owners->v[i].usage.apparent } });
	ranking_sort(&most);
	for (size_t i = 0; i < most.count; i++) {
		table_text(table, "%s", owner_names[kind]);
		table_id(table, most.v[i].id);
		usage_cells(table, &(struct usage){ most.v[i].fact[0], most.v[i].fact[1], most.v[i].rank });
	}
	ranking_free(&most);
	answer_space(to);
	return table_end_lines(table, to, "usage") ? -ENOMEM : ret;
}

static int tell_trees(const struct summary *summary, const struct files *files, const struct answer *to)
{
	struct table *table =
		table_new(to, "=by|files=files|size=size|+used=used|=ino|=depth|<Directory=path", SIZE_MAX);
	struct byte_buffer path = { 0 };
	struct ranking trees;
	int ret = summary_trees(summary, &trees);

	for (size_t i = 0; i < trees.count && !ret; i++) {
		const struct ranked *item = &trees.v[i];

		ret = path_table_path(files_paths(files), (xino_t){ item->id }, &path);
		if (ret)
			break;
		table_text(table, "directory");
		usage_cells(table,
			    &(struct usage){ item->fact[TOP_FILES], item->fact[TOP_APPARENT], item->fact[TOP_USED] });
		table_id(table, item->id);
		table_number(table, summary->tree.depth[path_table_find(files_paths(files), (xino_t){ item->id })]);
		table_name(table, path.len ? path.bytes : (const uint8_t *)"/", path.len ? path.len : 1);
	}
	free(path.bytes);
	ranking_free(&trees);
	answer_space(to);
	return table_end_lines(table, to, "usage") ? -ENOMEM : ret;
}

static int tell_sizes(const struct summary *summary, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to, "Size of a regular file=from|<|=to|+files=files|+used=used", SIZE_MAX);

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++) {
		struct words end = { 0 };

		if (!summary->sizes.of[i].count)
			continue;
		if (i > 0 && i < 64) {
			words_add(&end, "to less than ");
			words_add_bytes(&end, histogram_to(i) + 1);
		}
		table_bytes(table, histogram_from(i));
		table_text(table, "%s", end.text);
		table_number(table, histogram_to(i));
		table_number(table, summary->sizes.of[i].count);
		table_bytes(table, summary->sizes.of[i].sum);
	}
	answer_space(to);
	return table_end(table, to, line, "by_size");
}

static int tell_ages(const struct summary *summary, const struct answer *to, json_t *line)
{
	struct table *table =
		table_new(to, "<Modified before now=modified|+files=files|size=size|+used=used", SIZE_MAX);

	for (unsigned age = 0; age < AGE_NR; age++) {
		if (!summary->ages[age].files)
			continue;
		table_text(table, "%s", age_texts[age]);
		usage_cells(table, &summary->ages[age]);
	}
	answer_space(to);
	return table_end(table, to, line, "by_age");
}

/* Prints how files are stored; JSON has these as members of an object. */
static int tell_stored(const struct summary *summary, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to, "<Stored|files|bytes", SIZE_MAX);
	json_t *object = to->json ? json_object() : NULL;

	for (enum stored how = 0; how < STORED_NR; how++) {
		const struct stored_sums *sums = &summary->stored[how];

		if (to->json)
			json_out_set(to->json, object, stored_words[how].key,
				     json_pack("{s:o, s:o}", "files", json_out_number(sums->files), "bytes",
					       json_out_number(sums->bytes)));
		if (!sums->files)
			continue;
		table_text(table, "%s", stored_words[how].text);
		table_number(table, sums->files);
		table_bytes(table, sums->bytes);
	}
	if (to->json)
		json_out_set(to->json, line, "stored", object);
	answer_space(to);
	return table_end(table, to, NULL, NULL);
}

static void print_shared(const struct summary *summary, const struct answer *to)
{
	struct words words = { 0 };

	if (!summary->shared_blocks)
		return;
	words_add_bytes(&words, summary->shared_blocks << summary->geo->block_log);
	words_add(&words, " are shared between files, which saves ");
	words_add_bytes(&words, summary->saved_blocks << summary->geo->block_log);
	answer_space(to);
	answer_say(to, "%s.", words.text);
}

static int tell_largest(const struct summary *summary, struct paths *paths, const struct answer *to, json_t *line)
{
	struct table *table = table_new(to, "size=size|used=used|inode=ino|<Largest files=path", SIZE_MAX);

	for (size_t i = 0; i < summary->largest.count; i++) {
		const struct ranked *item = &summary->largest.v[i];

		table_bytes(table, item->fact[TOP_APPARENT]);
		table_bytes(table, item->fact[TOP_USED]);
		table_id(table, item->id);
		table_path(table, paths, item->id);
	}
	if (summary->largest.count)
		answer_space(to);
	return table_end(table, to, line, "largest_files");
}

#define DIRECTORY_COLUMNS "names=names|size of files=size|used=used|inode=ino|<"

static int tell_directories(const struct ranking *ranking, const char *columns, struct paths *paths,
			    const struct answer *to, json_t *line, const char *name)
{
	struct table *table = table_new(to, columns, SIZE_MAX);

	for (size_t i = 0; i < ranking->count; i++) {
		const struct ranked *item = &ranking->v[i];

		table_number(table, item->fact[TOP_NAMES]);
		table_bytes(table, item->fact[TOP_APPARENT]);
		table_bytes(table, item->fact[TOP_USED]);
		table_id(table, item->id);
		table_path(table, paths, item->id);
	}
	if (ranking->count)
		answer_space(to);
	return table_end(table, to, line, name);
}

static int tell_contents(const struct summary *summary, struct paths *paths, const struct answer *to, json_t *line)
{
	int ret = tell_sizes(summary, to, line);

	if (!ret)
		ret = tell_ages(summary, to, line);
	if (!ret)
		ret = tell_stored(summary, to, line);
	if (!ret)
		print_shared(summary, to);
	if (!ret)
		ret = tell_largest(summary, paths, to, line);
	if (!ret)
		ret = tell_directories(&summary->fullest,
				       DIRECTORY_COLUMNS "Largest directories, without those in them=path", paths, to,
				       line, "largest_directories");
	if (!ret)
		ret = tell_directories(&summary->longest, DIRECTORY_COLUMNS "Directories with most names=path", paths,
				       to, line, "longest_directories");
	return ret;
}

static json_t *contents_line(struct report_json *json, const struct summary *summary)
{
	const uint8_t log = summary->geo->block_log;
	json_t *line = json_out_line(json, "contents");

	json_out_set(json, line, "shared", json_out_number(summary->shared_blocks << log));
	json_out_set(json, line, "saved", json_out_number(summary->saved_blocks << log));
	json_out_set(json, line, "nameless", json_out_number(summary->nameless));
	return line;
}

/* Prints the result; paths: those of its rankings. 0 or negative errno. */
static int summary_tell(const struct summary *summary, const struct files *files, struct paths *paths,
			const struct answer *to)
{
	int ret = tell_types(summary, to);
	json_t *line;

	for (enum owner_kind kind = 0; kind < OWNER_KINDS && !ret; kind++)
		ret = tell_owners(summary, kind, to);
	if (!ret)
		ret = tell_trees(summary, files, to);
	if (ret)
		return ret;
	if (summary->nameless)
		answer_say(to, "... and %" PRIu64 " that no directory names", summary->nameless);
	line = to->json ? contents_line(to->json, summary) : NULL;
	ret = tell_contents(summary, paths, to, line);
	if (to->json)
		json_out_put(to->json, line);
	return ret;
}

struct summary_lane {
	struct stored_sums stored[STORED_NR];
	uint64_t shared, saved; /* blocks */
	uint8_t apart[64];
};

struct summary_asked {
	const struct geometry *geo;
	struct files *files;
	struct names_noted *names;
	struct summary summary;
	unsigned nlanes;
	struct summary_lane lanes[];
};

static int summary_begin(struct repair *rc, void **ret_ctx)
{
	struct summary_asked *asked = calloc(1, sizeof(*asked) + rc->workers * sizeof(asked->lanes[0]));
	const struct query *query = &rc->run->options->query;

	if (!asked)
		return -ENOMEM;
	*ret_ctx = asked;
	asked->geo = asked->summary.geo = &rc->geo;
	asked->nlanes = rc->workers;
	asked->files = files_new(rc, &(struct files_options){ 0 });
	asked->names = search_noted(rc, true);
	asked->summary.now = time(NULL);
	asked->summary.depth = query->summary_depth;
	asked->summary.largest.most = asked->summary.fullest.most = asked->summary.longest.most = query->top;
	return asked->files && asked->names ? 0 : -ENOMEM;
}

/* ---- facts ---- */

static void store(struct summary_lane *lane, enum stored how, uint64_t bytes)
{
	lane->stored[how].files++;
	lane->stored[how].bytes += bytes;
}

/* Counts how the data fork of an inode is stored. */
static void count_data(struct summary_lane *lane, const struct dinode *inode, uint64_t bytes)
{
	const enum fork_format format = inode->fork[DATA_FORK].format;

	switch (inode->ftype) {
	case FT_REG:
		store(lane, format == FMT_BTREE ? STORED_FILE_BTREE : STORED_FILE_EXTENTS, bytes);
		if (inode->reflink)
			store(lane, STORED_REFLINK, bytes);
		break;
	case FT_DIR:
		store(lane,
		      format == FMT_LOCAL   ? STORED_DIR_INLINE
		      : format == FMT_BTREE ? STORED_DIR_BTREE
					    : STORED_DIR_EXTENTS,
		      bytes);
		break;
	case FT_SYMLINK:
		store(lane, format == FMT_LOCAL ? STORED_LINK_INLINE : STORED_LINK_EXTENTS, bytes);
		break;
	default:
		break;
	}
}

/* Counts how its attributes are stored. An empty fork has the extents format, but no extents. */
static void count_attributes(struct summary_lane *lane, const struct dinode *inode, uint64_t bytes)
{
	if (!inode->fork[ATTR_FORK].present)
		return;
	switch (inode->fork[ATTR_FORK].format) {
	case FMT_LOCAL:
		store(lane, STORED_ATTR_INLINE, bytes);
		break;
	case FMT_BTREE:
		store(lane, STORED_ATTR_BTREE, bytes);
		break;
	case FMT_EXTENTS:
		if (inode->fork[ATTR_FORK].nextents)
			store(lane, STORED_ATTR_EXTENTS, bytes);
		break;
	default:
		break;
	}
}

static void summary_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct summary_asked *asked = ctx;
	const uint64_t bytes = inode->nblocks << asked->geo->block_log;

	files_sink.inode(asked->files, worker, inode);
	if (!files_is_users(asked->geo, inode))
		return;
	count_data(&asked->lanes[worker], inode, bytes);
	count_attributes(&asked->lanes[worker], inode, bytes);
}

static void summary_entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct summary_asked *asked = ctx;

	files_sink.entry(asked->files, worker, entry);
	names_noted_add(asked->names, worker, entry);
}

static void summary_mapped(void *ctx, unsigned worker, const struct map_fact *map)
{
	const struct summary_asked *asked = ctx;
	struct summary_lane *lane = &((struct summary_asked *)ctx)->lanes[worker];
	const uint8_t log = asked->geo->block_log;
	const uint64_t size = blocks_of_bytes(asked->geo, map->size);
	const uint64_t within = map->blocks - map->beyond;

	if (map->fork != DATA_FORK || map->ftype != FT_REG || map->quota || map->rtfile || !map->whole)
		return;
	if (within < size)
		store(lane, STORED_SPARSE, (size - within) << log);
	if (map->unwritten)
		store(lane, STORED_UNWRITTEN, map->unwritten << log);
	if (map->beyond)
		store(lane, STORED_BEYOND, map->beyond << log);
}

static void summary_refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *record)
{
	struct summary_lane *at = &((struct summary_asked *)ctx)->lanes[worker];

	(void)group;
	if (record->cow || record->refcount < 2)
		return;
	at->shared += record->len;
	at->saved += (uint64_t)record->len * (record->refcount - 1);
}

/* ---- the answer ---- */

static void join(struct summary_asked *asked)
{
	struct summary *summary = &asked->summary;

	for (unsigned i = 0; i < asked->nlanes; i++) {
		const struct summary_lane *lane = &asked->lanes[i];

		for (enum stored how = 0; how < STORED_NR; how++) {
			summary->stored[how].files += lane->stored[how].files;
			summary->stored[how].bytes += lane->stored[how].bytes;
		}
		summary->shared_blocks += lane->shared;
		summary->saved_blocks += lane->saved;
	}
}

static int summary_answer(struct repair *rc, void *ctx, FILE *out)
{
	struct summary_asked *asked = ctx;
	struct summary *summary = &asked->summary;
	const struct ranking *const rankings[] = { &summary->largest, &summary->fullest, &summary->longest };
	const struct answer to = { out, report_answer_page(rc->report), report_answer_json(rc->report) };
	struct paths *paths = NULL;
	int ret = files_settle(asked->files, &rc->dirs);

	join(asked);
	if (!ret)
		ret = summary_add_files(summary, asked->files);
	if (!ret)
		ret = ranking_paths(rankings, 3, rc, asked->names, &paths);
	if (!ret)
		ret = summary_treemap(summary, asked->files, to.page);
	if (!ret)
		ret = summary_tell(summary, asked->files, paths, &to);
	paths_free(paths);
	return ret;
}

static void summary_end(void *ctx)
{
	struct summary_asked *asked = ctx;
	struct summary *summary = &asked->summary;

	for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++)
		usage_table_free(&summary->owners[kind]);
	tree_usage_free(&summary->tree);
	ranking_free(&summary->largest);
	ranking_free(&summary->fullest);
	ranking_free(&summary->longest);
	files_free(asked->files);
	names_noted_free(asked->names);
	free(asked);
}

const struct question question_summary = { .begin = summary_begin,
					   .sink = &(const struct sink_ops){ .inode = summary_inode,
									     .entry = summary_entry,
									     .mapped = summary_mapped,
									     .refcount = summary_refcount },
					   .answer = summary_answer,
					   .end = summary_end,
					   .section = HTML_SUMMARY,
					   .pages = true,
					   .maps = true };
