/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts inodes, targets and names by inode, so that each file comes as a whole. */
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "repair.h"
#include "run.h"
#include "sets/spill.h"

#define MEMORY_MOST (64u << 20) /* bytes of records in memory; more would not be faster */

/* The order of records of an inode, in the upper bits of `sub`; inode numbers are smaller. */
enum record_kind {
	KIND_INODE,
	KIND_TARGET, /* with the offset in the target */
	KIND_NAME,   /* with the directory */
};
#define KIND_SHIFT 60

struct files {
	const struct geometry *geo;
	struct files_options options;
	struct spill *spill;
	struct path_table *paths;
	/* while files are read */
	struct spill_record next; /* read ahead */
	bool ahead;		  /* `next` is valid */
	xino_t ino;		  /* of the current file */
	bool root_returned;	  /* the root's name has been returned */
	bool name_returned;	  /* the name in `next` has been returned */
	struct byte_buffer target;
};

struct files *files_new(const struct repair *rc, const struct files_options *options)
{
	struct files *files = calloc(1, sizeof(*files));
	const size_t most = rc->run->memory.records;

	if (!files)
		return NULL;
	files->geo = &rc->geo;
	files->options = *options;
	files->spill = spill_new(rc->workers, most < MEMORY_MOST ? most : MEMORY_MOST);
	files->paths = path_table_new(&rc->geo, rc->workers);
	if (files->spill && files->paths)
		return files;
	files_free(files);
	return NULL;
}

void files_free(struct files *files)
{
	if (!files)
		return;
	spill_free(files->spill);
	path_table_free(files->paths);
	free(files->target.bytes);
	free(files);
}

/* ---- facts ---- */

static void add(struct files *files, unsigned worker, xino_t ino, enum record_kind kind, uint64_t at,
		const uint8_t *bytes, size_t len)
{
	spill_add(
		files->spill, worker,
		&(struct spill_record){
			.key = ino.v, .sub = (uint64_t)kind << KIND_SHIFT | at, .len = (uint16_t)len, .bytes = bytes });
}

bool files_is_users(const struct geometry *geo, const struct dinode *inode)
{
	return !inode->metadata && !inode->rtfile && inode->nlink && !dinode_is_internal(geo, inode->ino);
}

static void inode_found(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct files *files = ctx;
	struct file_record record;
	uint8_t packed[FILE_RECORD_MOST];

	if (!files_is_users(files->geo, inode))
		return;
	file_record_of(files->geo, inode, &record);
	if (!files->options.wanted || files->options.wanted(files->options.ctx, &record))
		add(files, worker, inode->ino, KIND_INODE, 0, packed, file_record_pack(&record, packed));
}

static void entry_found(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct files *files = ctx;

	if (entry->dot || entry->dotdot || entry->metadata || !entry->name || !ino_valid(files->geo, entry->target))
		return;
	add(files, worker, entry->target, KIND_NAME, entry->directory.v, entry->name, entry->namelen);
	path_table_add(files->paths, worker, entry);
}

static void target_found(void *ctx, unsigned worker, xino_t ino, uint32_t offset, const uint8_t *bytes, uint32_t len)
{
	struct files *files = ctx;

	if (files->options.targets && len <= UINT16_MAX)
		add(files, worker, ino, KIND_TARGET, offset, bytes, len);
}

const struct sink_ops files_sink = { .inode = inode_found, .entry = entry_found, .target = target_found };

/* ---- reading ---- */

/* Reads the next record into files->next. 0 or negative errno. */
static int read_ahead(struct files *files)
{
	const int ret = spill_next(files->spill, &files->next);

	files->ahead = ret > 0;
	return ret < 0 ? ret : 0;
}

static enum record_kind kind_of(const struct spill_record *r)
{
	return (enum record_kind)(r->sub >> KIND_SHIFT);
}

int files_settle(struct files *files, const struct dir_table *dirs)
{
	int ret = path_table_settle(files->paths, dirs);

	if (!ret)
		ret = spill_settle(files->spill);
	return ret ? ret : read_ahead(files);
}

int files_rewind(struct files *files)
{
	const int ret = spill_rewind(files->spill);

	return ret ? ret : read_ahead(files);
}

/* Joins the parts of a target. 0 or negative errno. */
static int read_target(struct files *files, struct file *file)
{
	int ret = 0;

	files->target.len = 0;
	while (!ret && files->ahead && files->next.key == file->ino.v && kind_of(&files->next) == KIND_TARGET) {
		ret = byte_buffer_add(&files->target, files->next.bytes, files->next.len);
		if (!ret)
			ret = read_ahead(files);
	}
	file->target = files->target.bytes;
	file->target_len = files->target.len;
	return ret;
}

int files_next(struct files *files, struct file *ret_file)
{
	int ret = 0;

	/* skip records of inodes that are unwanted or don't exist */
	while (!ret && files->ahead && kind_of(&files->next) != KIND_INODE)
		ret = read_ahead(files);
	if (ret || !files->ahead)
		return ret;
	*ret_file = (struct file){ .ino = { files->next.key } };
	file_record_unpack(files->next.bytes, &ret_file->record);
	files->ino = ret_file->ino;
	files->root_returned = files->name_returned = false;
	ret = read_ahead(files);
	if (!ret)
		ret = read_target(files, ret_file);
	return ret ? ret : 1;
}

int files_next_name(struct files *files, struct file_name *ret)
{
	int error = 0;

	if (files->ino.v == files->geo->rootino.v && !files->root_returned) {
		files->root_returned = true;
		*ret = (struct file_name){ .dir = { NULL_INO }, .name = (const uint8_t *)"" };
		return 1;
	}
	if (files->name_returned) /* it had to stay valid until now */
		error = read_ahead(files);
	files->name_returned = !error && files->ahead && files->next.key == files->ino.v;
	if (!files->name_returned)
		return error;
	*ret = (struct file_name){ .dir = { files->next.sub & (((uint64_t)1 << KIND_SHIFT) - 1) },
				   .name = files->next.bytes,
				   .len = (uint8_t)files->next.len };
	return 1;
}

const struct path_table *files_paths(const struct files *files)
{
	return files->paths;
}
