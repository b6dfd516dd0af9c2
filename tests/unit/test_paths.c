/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths from names: whole, in part, former, or none; for any tree, names in any order, by any worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../repair/names/paths.h"
#include "base/sink.h"
#include "dir_table_made.h"
#include "reported.h"

#define ROOT  128u
#define META  129u
#define LANES 3u

struct fixture {
	struct geometry geo;
	struct dir_parent table[8192];
	size_t ndirs;
	struct dir_table dirs;
	struct names *names;
	struct paths *paths;
	struct hash_key key;
	unsigned worker; /* of the next name */
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->geo = (struct geometry){ .rootino = { ROOT }, .uquotino = { 140 }, .gquotino = { NULL_INO } };
	f->names = names_new(LANES);
	assert_non_null(f->names);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	paths_free(f->paths);
	dir_table_free(&f->dirs);
	free(f);
	return 0;
}

/* Adds a directory and the target of its `..`. */
static void directory(struct fixture *f, uint64_t dir, uint64_t parent)
{
	f->table[f->ndirs++] = (struct dir_parent){ { dir }, { parent } };
	assert_int_equal(names_want(f->names, (xino_t){ dir }), 1);
}

static void entry(struct fixture *f, uint64_t dir, const char *name, uint64_t target)
{
	const struct sink sink = names_sink(f->names, &f->key);
	const struct entry_fact fact = { .directory = { dir },
					 .target = { target },
					 .name = (const uint8_t *)name,
					 .namelen = (uint8_t)strlen(name) };

	sink.ops->entry(sink.ctx, f->worker++ % LANES, &fact);
}

static void parent_pointer(struct fixture *f, uint64_t child, uint64_t dir, const char *name)
{
	const struct sink sink = names_sink(f->names, &f->key);
	const struct pptr_fact fact = {
		.child = { child }, .parent = { dir }, .name = (const uint8_t *)name, .namelen = (uint8_t)strlen(name)
	};

	sink.ops->pptr(sink.ctx, f->worker++ % LANES, &fact);
}

static void wanted(struct fixture *f, uint64_t ino)
{
	assert_true(names_want(f->names, (xino_t){ ino }) >= 0);
}

static void assert_path(struct fixture *f, uint64_t ino, enum path_kind kind, const char *expected)
{
	struct path path;

	if (!f->paths) {
		assert_int_equal(names_settle(f->names), 0);
		dir_table_made(&f->dirs, f->table, f->ndirs, SIZE_MAX);
		f->paths = paths_new(&f->geo, &f->dirs, f->names);
		assert_non_null(f->paths);
	}
	paths_find(f->paths, (xino_t){ ino }, &path);
	assert_int_equal(path.kind, kind);
	assert_int_equal(path.len, strlen(expected));
	assert_memory_equal(path.bytes, expected, path.len);
}

static void names_lead_to_the_root(void **state)
{
	struct fixture *f = *state;

	directory(f, ROOT, ROOT);
	directory(f, 200, ROOT);
	directory(f, 300, 200);
	wanted(f, 500);
	entry(f, ROOT, "a", 200);
	entry(f, 200, "b", 300);
	entry(f, 300, "file", 500);
	entry(f, 300, "unwanted", 501);
	assert_path(f, 500, PATH_WHOLE, "/a/b/file");
	assert_path(f, 300, PATH_WHOLE, "/a/b");
	assert_path(f, ROOT, PATH_WHOLE, "/");
	assert_path(f, 501, PATH_UNSOUGHT, "");
	assert_path(f, NULL_INO, PATH_UNSOUGHT, "");
}

static void of_hard_links_the_smallest_path_is_told(void **state)
{
	struct fixture *f = *state;

	directory(f, 200, ROOT);
	directory(f, 300, ROOT);
	directory(f, 400, 399); /* its parent is unknown */
	wanted(f, 500);
	wanted(f, 501);
	entry(f, ROOT, "z", 200);
	entry(f, ROOT, "b", 300);
	entry(f, 200, "a", 500);
	entry(f, 300, "y", 500);
	entry(f, 300, "x", 500);
	entry(f, 400, "a", 500);
	entry(f, ROOT, "bb", 501);
	entry(f, ROOT, "b-", 501);
	assert_path(f, 500, PATH_WHOLE, "/b/x");
	assert_path(f, 501, PATH_WHOLE, "/b-");
}

static void names_without_a_root_begin_with_an_ellipsis(void **state)
{
	struct fixture *f = *state;

	directory(f, 300, 999);
	directory(f, 400, 300);
	wanted(f, 500);
	wanted(f, 502);
	entry(f, 300, "b", 400);
	entry(f, 400, "file", 500);
	entry(f, 300, "other", 502);
	assert_path(f, 500, PATH_PARTIAL, "\xe2\x80\xa6/b/file");
	assert_path(f, 502, PATH_PARTIAL, "\xe2\x80\xa6/other");
	assert_path(f, 300, PATH_NONE, "");
}

static void circles_end(void **state)
{
	struct fixture *f = *state;

	directory(f, 200, 300);
	directory(f, 300, 200);
	directory(f, 400, 400);
	wanted(f, 500);
	entry(f, 200, "two", 300);
	entry(f, 300, "three", 200);
	entry(f, 200, "file", 500);
	entry(f, 400, "itself", 400);
	assert_path(f, 500, PATH_PARTIAL, "\xe2\x80\xa6/two/three/file");
	assert_path(f, 200, PATH_PARTIAL, "\xe2\x80\xa6/two/three");
	assert_path(f, 400, PATH_PARTIAL, "\xe2\x80\xa6/itself");
}

static void a_directory_named_twice_is_where_its_dotdot_leads(void **state)
{
	struct fixture *f = *state;

	directory(f, 200, ROOT);
	directory(f, 300, ROOT);
	directory(f, 400, 300);
	entry(f, ROOT, "a", 200);
	entry(f, ROOT, "b", 300);
	entry(f, 200, "wrong", 400);
	entry(f, 300, "right", 400);
	assert_path(f, 400, PATH_WHOLE, "/b/right");
}

static void parent_pointers_tell_where_an_inode_was(void **state)
{
	struct fixture *f = *state;

	directory(f, 200, ROOT);
	wanted(f, 500);
	wanted(f, 501);
	wanted(f, 502);
	entry(f, ROOT, "a", 200);
	parent_pointer(f, 500, 200, "lost");
	parent_pointer(f, 501, 999, "lost");
	parent_pointer(f, 502, 200, "a");
	entry(f, 200, "z", 502);
	assert_path(f, 500, PATH_FORMER, "/a/lost");
	assert_path(f, 501, PATH_FORMER, "\xe2\x80\xa6/lost");
	assert_path(f, 502, PATH_WHOLE, "/a/z"); /* an entry outweighs a parent pointer */
}

static void inodes_of_the_file_system_have_names_of_their_own(void **state)
{
	struct fixture *f = *state;

	assert_path(f, 140, PATH_INTERNAL, "(user quota)");
	f->geo.metadir = true;
	f->geo.metadirino.v = META;
	assert_path(f, 140, PATH_UNSOUGHT, "");
	assert_path(f, META, PATH_METADATA, "/");
}

static void files_of_the_metadata_tree_are_told_apart(void **state)
{
	struct fixture *f = *state;

	f->geo.metadir = true;
	f->geo.metadirino.v = META;
	directory(f, META, META);
	directory(f, 200, META);
	wanted(f, 500);
	entry(f, META, "rtgroups", 200);
	entry(f, 200, "0.bitmap", 500);
	assert_path(f, 500, PATH_METADATA, "/rtgroups/0.bitmap");
}

static void of_a_long_path_the_middle_is_left_out(void **state)
{
	struct fixture *f = *state;
	char name[251] = "";
	struct path path;

	(void)state;
	memset(name, 'n', 250);
	for (uint64_t d = 1000; d < 1000 + 5000; d++) {
		directory(f, d, d == 1000 ? ROOT : d - 1);
		name[0] = (char)('a' + d % 26);
		entry(f, d == 1000 ? ROOT : d - 1, name, d);
	}
	assert_path(f, ROOT, PATH_WHOLE, "/");
	paths_find(f->paths, (xino_t){ 1000 + 15 }, &path); /* 16 names: 4016 bytes */
	assert_int_equal(path.kind, PATH_WHOLE);
	assert_int_equal(path.len, 16 * 251);
	paths_find(f->paths, (xino_t){ 1000 + 99 }, &path);
	assert_int_equal(path.kind, PATH_WHOLE);
	assert_true(path.len <= PATH_ROOM && path.len > PATH_ROOM - 4 * 251);
	assert_int_equal(path.bytes[1], 'a' + 1000 % 26);
	assert_int_equal(path.bytes[path.len - 250], 'a' + 1099 % 26);
	assert_memory_equal(path.bytes + 8 * 251, "/\xe2\x80\xa6/", 5);
	paths_find(f->paths, (xino_t){ 5999 }, &path); /* deeper than the limit */
	assert_int_equal(path.kind, PATH_PARTIAL);
}

/* Many links to one inode, by any worker in any order: the few that are kept are always the same. */
static void of_many_links_the_first_are_kept(void **state)
{
	struct fixture *f = *state;
	struct known_name *const *known;
	size_t count;
	char name[32];

	wanted(f, 500);
	wanted(f, 501);
	entry(f, ROOT, "single", 501);
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "n%04u", (i * 2377 + 7) % 5000);
		entry(f, ROOT, name, 500);
		entry(f, ROOT, name, 500);
	}
	assert_int_equal(names_settle(f->names), 0);
	known = names_of(f->names, (xino_t){ 500 }, &count);
	assert_int_equal(count, NAMES_KEPT);
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "n%04zu", i);
		assert_memory_equal(known[i]->bytes, name, 5);
	}
	assert_path(f, 500, PATH_WHOLE, "/n0000");
	assert_path(f, 501, PATH_WHOLE, "/single");
}

static void count_path(void *ctx, const struct path *path)
{
	static const char *const expected[] = { "/a/lost", "/a/z", "/b/z" };
	unsigned *seen = ctx;

	for (unsigned i = 0; i < 3; i++) {
		if (path->len != strlen(expected[i]) || memcmp(path->bytes, expected[i], path->len) != 0)
			continue;
		assert_int_equal(path->kind, i ? PATH_WHOLE : PATH_FORMER);
		*seen += 1u << 8 * i;
	}
}

/* Each name makes one path; a parent pointer does only if there is no such entry. */
static void all_paths_are_told(void **state)
{
	struct fixture *f = *state;
	unsigned seen = 0;

	directory(f, 200, ROOT);
	directory(f, 300, ROOT);
	wanted(f, 500);
	entry(f, ROOT, "a", 200);
	entry(f, ROOT, "b", 300);
	entry(f, 200, "z", 500);
	entry(f, 300, "z", 500);
	parent_pointer(f, 500, 200, "z");
	parent_pointer(f, 500, 300, "z");
	parent_pointer(f, 500, 200, "lost");
	assert_int_equal(names_settle(f->names), 0);
	dir_table_made(&f->dirs, f->table, f->ndirs, SIZE_MAX);
	f->paths = paths_new(&f->geo, &f->dirs, f->names);
	assert_non_null(f->paths);
	paths_each(f->paths, (xino_t){ 500 }, count_path, &seen);
	assert_int_equal(seen, 0x010101);
}

static void as_many_names_are_kept_as_are_wanted(void **state)
{
	struct fixture *f = *state;
	size_t count;
	char name[32];

	names_keep_more(f->names, 40);
	wanted(f, 500);
	for (unsigned i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "n%04u", i);
		entry(f, ROOT, name, 500);
	}
	assert_path(f, 500, PATH_WHOLE, "/n0000");
	names_of(f->names, (xino_t){ 500 }, &count);
	assert_int_equal(count, 40);
}

static void what_nobody_looked_for_is_not_known(void **state)
{
	struct path path;

	(void)state;
	paths_find(NULL, (xino_t){ 500 }, &path);
	assert_int_equal(path.kind, PATH_UNSOUGHT);
	assert_int_equal(path.len, 0);
}

/* Posts an entry like entry() does, with the type of a directory. */
static void directory_entry(struct fixture *f, uint64_t dir, const char *name, uint64_t target)
{
	const struct sink sink = names_sink(f->names, &f->key);
	const struct entry_fact fact = { .directory = { dir },
					 .target = { target },
					 .name = (const uint8_t *)name,
					 .namelen = (uint8_t)strlen(name),
					 .ftype = FT_DIR };

	sink.ops->entry(sink.ctx, f->worker++ % LANES, &fact);
}

static void names_that_were_kept_are_there_when_they_are_wanted(void **state)
{
	struct fixture *f = *state;

	wanted(f, 500);
	assert_int_equal(names_keep(f->names, (xino_t){ 300 }), 1);
	names_keep_directories(f->names, LANES);
	entry(f, 300, "file", 500);
	entry(f, 200, "kept", 300);
	directory_entry(f, ROOT, "unknown", 200);
	entry(f, 200, "dropped", 501);
	assert_int_equal(names_settle(f->names), 0);
	assert_true(names_know_directories(f->names));
	wanted(f, 300);
	wanted(f, 200);
	assert_path(f, 500, PATH_WHOLE, "/unknown/kept/file");
	assert_path(f, 501, PATH_UNSOUGHT, "");
}

static void more_directories_than_may_be_kept_are_not_all_known(void **state)
{
	struct fixture *f = *state;

	names_keep_directories(f->names, LANES);
	for (unsigned i = 0; i < LANES; i++)
		directory_entry(f, ROOT, "fits", 200 + i);
	directory_entry(f, ROOT, "does not", 300);
	assert_int_equal(names_settle(f->names), 0);
	assert_false(names_know_directories(f->names));
	directory_entry(f, ROOT, "is not asked for any more", 400);
	assert_path(f, 201, PATH_WHOLE, "/fits");
	assert_path(f, 300, PATH_UNSOUGHT, "");
	assert_path(f, 400, PATH_UNSOUGHT, "");
}

#define path_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		path_test(names_lead_to_the_root),
		path_test(of_hard_links_the_smallest_path_is_told),
		path_test(names_without_a_root_begin_with_an_ellipsis),
		path_test(circles_end),
		path_test(a_directory_named_twice_is_where_its_dotdot_leads),
		path_test(parent_pointers_tell_where_an_inode_was),
		path_test(inodes_of_the_file_system_have_names_of_their_own),
		path_test(files_of_the_metadata_tree_are_told_apart),
		path_test(of_a_long_path_the_middle_is_left_out),
		path_test(of_many_links_the_first_are_kept),
		path_test(all_paths_are_told),
		path_test(as_many_names_are_kept_as_are_wanted),
		path_test(names_that_were_kept_are_there_when_they_are_wanted),
		path_test(more_directories_than_may_be_kept_are_not_all_known),
		cmocka_unit_test(what_nobody_looked_for_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
