/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Losses, changes and restored objects, a line each; ranges of one file share a line. */
#include <string.h>

#include "json_out.h"
#include "libxfs/dinode.h"
#include "names/paths.h"
#include "report_losses.h"

static const char *ftype_id(uint8_t ftype)
{
	static const char *const ids[FT_NR] = {
		[FT_UNKNOWN] = "unknown",      [FT_REG] = "file",	  [FT_DIR] = "directory",
		[FT_CHR] = "character device", [FT_BLK] = "block device", [FT_FIFO] = "pipe",
		[FT_SOCK] = "socket",	       [FT_SYMLINK] = "link",	  [FT_WHITEOUT] = "whiteout",
	};

	return ids[ftype < FT_NR ? ftype : FT_UNKNOWN];
}

static json_t *path_of(const struct reported_losses *reported, losses_path_find *find, xino_t ino)
{
	struct path path;

	return find(reported, ino, &path) ? json_out_bytes((const char *)path.bytes, path.len) : json_null();
}

/* Returns the function that finds paths for a record. */
static losses_path_find *find_of(const struct loss *l)
{
	return l->fate == FATE_GAINED ? losses_path_now : losses_path;
}

/* Returns the path of a name in a directory, before or after the repair as `find` chooses. */
static json_t *path_in(const struct reported_losses *reported, losses_path_find *find, xino_t dir, const uint8_t *name,
		       size_t len)
{
	uint8_t bytes[PATH_ROOM + 1 + UINT8_MAX];
	struct path path;
	size_t n;

	if (!find(reported, dir, &path))
		return json_null();
	n = path.len > 1 ? path.len : 0;
	memcpy(bytes, path.bytes, n);
	bytes[n++] = '/';
	memcpy(bytes + n, name, len);
	return json_out_bytes((const char *)bytes, n + len);
}

static void set_name(struct report_json *json, json_t *o, const struct reported_losses *reported, const struct loss *l)
{
	const char *name = (const char *)l->bytes;
	const bool known = l->namelen > 0;

	json_out_set(json, o, "path",
		     known ? path_in(reported, find_of(l), l->dir, l->bytes, l->namelen) : json_null());
	json_out_set(json, o, "directory", json_out_number_unless(l->dir.v, NULL_INO));
	json_out_set(json, o, "directory_path", path_of(reported, find_of(l), l->dir));
	json_out_set(json, o, "name", known ? json_out_bytes(name, l->namelen) : json_null());
	if (l->now_dir.v != NULL_INO)
		json_out_set(json, o, "now",
			     path_in(reported, losses_path_now, l->now_dir, l->bytes + l->namelen, l->now_len));
	if (l->from != l->to) {
		json_out_set(json, o, "old", json_out_number(l->from));
		json_out_set(json, o, "new", json_out_number(l->to));
	}
	json_out_set(json, o, "count", json_out_number(l->count));
}

static void set_ranges(struct report_json *json, json_t *o, const struct loss *l, size_t count)
{
	json_t *ranges = json_array();
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		json_t *range = json_object();

		json_out_set(json, range, "offset", json_out_number(l[i].from));
		json_out_set(json, range, "length", json_out_number(l[i].to - l[i].from));
		json_out_append(json, ranges, range);
		bytes += l[i].count;
	}
	json_out_set(json, o, "ranges", ranges);
	json_out_set(json, o, "bytes", json_out_number(bytes));
}

static void set_field(struct report_json *json, json_t *o, const struct loss *l)
{
	if (l->fate != FATE_CHANGED)
		return;
	json_out_set(json, o, "field", json_string(loss_field_id(l->field)));
	json_out_set(json, o, "old", json_integer((json_int_t)l->from));
	json_out_set(json, o, "new", json_integer((json_int_t)l->to));
}

static void put(struct report_json *json, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	json_t *o = json_out_line(json, loss_fate_id(l->fate));

	json_out_set(json, o, "what", json_string(loss_kind_id(l->kind)));
	json_out_set(json, o, "ino", json_out_number_unless(l->ino.v, NULL_INO));
	json_out_set(json, o, "file_type", json_string(ftype_id(l->ftype)));
	if (l->kind == LOSS_NAME) {
		set_name(json, o, reported, l);
	} else {
		json_out_set(json, o, "path", path_of(reported, find_of(l), l->ino));
	}
	if (l->kind == LOSS_DATA)
		set_ranges(json, o, l, count);
	if (l->kind == LOSS_ATTRIBUTE) {
		json_out_set(json, o, "name",
			     l->namelen ? json_out_bytes((const char *)l->bytes, l->namelen) : json_null());
		json_out_set(json, o, "flags", json_out_number(l->flags));
	}
	if (l->kind == LOSS_INODE)
		set_field(json, o, l);
	json_out_set(json, o, "reason", json_string(loss_reason_id(l->reason)));
	json_out_set(json, o, "witness", json_string(loss_witness_id(l->witness)));
	if (l->doubt != DOUBT_NONE) {
		json_out_set(json, o, "confirmed", json_false());
		json_out_set(json, o, "doubt", json_string(loss_doubt_id(l->doubt)));
	}
	json_out_put(json, o);
}

void report_json_losses(struct report_json *json, const struct reported_losses *reported)
{
	const struct loss_list *list = reported->list;

	for (size_t i = 0, n; i < list->count && json; i += n) {
		for (n = 1; list->all[i].kind == LOSS_DATA && i + n < list->count &&
			    loss_same_object(&list->all[i], &list->all[i + n]);
		     n++)
			;
		put(json, reported, &list->all[i], n);
	}
}

static void set_figures(struct report_json *json, json_t *all, const struct loss_figures *f)
{
	json_t *missing = json_object();

	json_out_set(json, missing, "least", json_out_number(f->missing));
	json_out_set(json, missing, "most", f->missing_known ? json_out_number(f->missing_most) : json_null());
	json_out_set(json, missing, "about", json_boolean(f->counters_old));
	json_out_set(json, all, "in_place", json_out_number(f->in_place));
	json_out_set(json, all, "moved", json_out_number(f->moved));
	json_out_set(json, all, "damaged", json_out_number(f->damaged));
	json_out_set(json, all, "unconfirmed", json_out_number(f->unconfirmed));
	json_out_set(json, all, "lost", json_out_number(f->lost));
	json_out_set(json, all, "missing", missing);
}

json_t *report_json_loss_totals(struct report_json *json, const struct losses *l)
{
	json_t *all;

	if (!l->known)
		return json_null();
	all = json_object();
	set_figures(json, all, &l->figures);
	for (unsigned kind = 0; kind < LOSS_NR; kind++) {
		const struct loss_count *count = &l->of[kind];
		json_t *one = json_object();

		json_out_set(json, one, "all", json_out_number(count->all));
		json_out_set(json, one, "lost", json_out_number(count->lost));
		json_out_set(json, one, "hidden", json_out_number(count->hidden));
		json_out_set(json, one, "changed", json_out_number(count->changed));
		json_out_set(json, one, "gained", json_out_number(count->gained));
		json_out_set(json, all, loss_kind_id(kind), one);
	}
	json_out_set(json, all, "files", json_out_number(l->files));
	json_out_set(json, all, "top_directory", json_boolean(l->top_directory));
	return all;
}
