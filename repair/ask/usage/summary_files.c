/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up all files. Like `du`, it counts a file with several names once: in the directory with the lowest inode
 * number.
 */
#include <errno.h>
#include <sys/stat.h>

#include "summary.h"

#define DAY_SECONDS 86400

const char *summary_age_text(unsigned age)
{
	static const char *const texts[] = {
#define x(days, text) text,
		AGE_TABLE(x)
#undef x
	};

	return texts[age];
}

const char *summary_stored_text(enum stored stored)
{
	static const char *const texts[] = {
#define x(symbol, key, text) text,
		STORED_TABLE(x)
#undef x
	};

	return texts[stored];
}

const char *summary_stored_key(enum stored stored)
{
	static const char *const keys[] = {
#define x(symbol, key, text) key,
		STORED_TABLE(x)
#undef x
	};

	return keys[stored];
}

const char *summary_type_name(enum summary_type type)
{
	static const char *const names[] = { [TYPE_FILE] = "regular files",
					     [TYPE_DIRECTORY] = "directories",
					     [TYPE_LINK] = "symbolic links",
					     [TYPE_OTHER] = "other" };

	return names[type];
}

const char *summary_owner_name(enum owner_kind kind)
{
	static const char *const names[] = {
		[OWNER_USERS] = "user", [OWNER_GROUPS] = "group", [OWNER_PROJECTS] = "project"
	};

	return names[kind];
}

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

int summary_add_files(struct summary *summary, struct files *files)
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

int summary_trees(const struct summary *summary, struct ranking *ret_trees)
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
