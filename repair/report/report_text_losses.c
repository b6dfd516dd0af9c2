/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sections "Lost" and "Changed" of the text report. Losses of one directory or file for one reason are printed
 * together. Long lists are cut; their last line says where the rest is.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "libxfs/da.h"
#include "libxfs/dinode.h"
#include "quote.h"
#include "report_losses.h"
#include "report_text.h"
#include "sets/number_set.h"

#define LINES_MOST    120u /* after which a section lists no more objects */
#define REGAINED_MOST 20u  /* the same for restored objects */
#define NAMES_MOST    100u /* names or ranges listed of one object */
#define LINE	      78u  /* columns of a line of names */

static void print_count(FILE *out, uint64_t count, const char *one, const char *many)
{
	struct words w = { 0 };

	words_add_count(&w, count, one, many);
	fputs(w.text, out);
}

/* Returns the verb for a repair that was made, or would be. */
static const char *made_so(const struct reported_losses *reported, const char *is, const char *would)
{
	return reported->no_modify ? would : is;
}

static void print_path(FILE *out, const struct reported_losses *reported, xino_t ino)
{
	struct path path;

	if (losses_path(reported, ino, &path)) {
		quote_marked(out, path.bytes, path.len);
	} else {
		fprintf(out, "inode %" PRIu64 " (no path)", ino.v);
	}
}

/* Prints the path of a name in a directory, before or after the repair as `find` chooses. */
static void print_in(FILE *out, const struct reported_losses *reported, losses_path_find *find, xino_t dir,
		     const uint8_t *name, size_t len)
{
	struct path path;

	if (find(reported, dir, &path)) {
		fputc('"', out);
		if (path.len > 1) /* the root's path is "/" */
			quote_print(out, path.bytes, path.len);
	} else {
		fprintf(out, "\"(inode %" PRIu64 ")", dir.v);
	}
	fputc('/', out);
	quote_print(out, name, len);
	fputc('"', out);
}

static const char *type_of(const struct loss *l)
{
	static const char *const types[FT_NR] = {
		[FT_UNKNOWN] = "",
		[FT_REG] = "",
		[FT_DIR] = " (directory)",
		[FT_CHR] = " (device)",
		[FT_BLK] = " (device)",
		[FT_FIFO] = " (pipe)",
		[FT_SOCK] = " (socket)",
		[FT_SYMLINK] = " (link)",
		[FT_WHITEOUT] = " (whiteout)",
	};

	return l->ftype < FT_NR ? types[l->ftype] : "";
}

/* Prints ": its inode is lost". */
static void print_reason(FILE *out, const struct loss *l)
{
	fprintf(out, ": %s", loss_reason_text(l->reason));
}

/* ---- names ---- */

static void print_one_name(FILE *out, const struct reported_losses *reported, const struct loss *l)
{
	fputs("  ", out);
	print_in(out, reported, losses_path, l->dir, l->bytes, l->namelen);
	fputs(type_of(l), out);
	print_reason(out, l);
	if (l->now_dir.v != NULL_INO) {
		fputs(made_so(reported, "; it is now ", "; it would be "), out);
		print_in(out, reported, losses_path_now, l->now_dir, l->bytes + l->namelen, l->now_len);
	}
	fputc('\n', out);
}

/* Prints names of one directory with the same fate, several per line. */
static void print_names(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count,
			const char *what)
{
	size_t column = LINE;

	fputs("  ", out);
	words_print_number(out, count);
	fputs(" entries of ", out);
	print_path(out, reported, l->dir);
	fprintf(out, " (%s):", what);
	for (size_t i = 0; i < count && i < NAMES_MOST; i++) {
		if (column + l[i].namelen + 4u > LINE) {
			fputs("\n    ", out);
			column = 4;
		} else {
			fputc(' ', out);
		}
		column += l[i].namelen + 4u;
		quote_marked(out, l[i].bytes, l[i].namelen);
		if (i + 1 < count)
			fputs(i + 1 < NAMES_MOST ? "," : " ...", out);
	}
	fputc('\n', out);
	if (count > NAMES_MOST)
		report_text_more(out, "    ", count - NAMES_MOST, reported->json);
}

static void print_altered_name(FILE *out, const struct reported_losses *reported, const struct loss *l)
{
	fputs("  ", out);
	print_in(out, reported, losses_path_now, l->now_dir, l->bytes + l->namelen, l->now_len);
	fputs(type_of(l), out);
	print_reason(out, l);
	fputc('\n', out);
}

/* Prints names of inodes if even the directory is unknown. */
static void print_names_of_inodes(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	uint64_t moved = 0;

	for (size_t i = 0; i < count; i++) {
		if (l[i].reason == DROP_ALTERED) {
			print_altered_name(out, reported, &l[i]);
			continue;
		}
		if (l[i].now_dir.v != NULL_INO) {
			moved += l[i].count;
			continue;
		}
		fputs("  ", out);
		print_count(out, l[i].count, "name", "names");
		fputs(" of ", out);
		print_path(out, reported, l[i].ino);
		fputs(l[i].doubt == DOUBT_AGE ? " may be lost: its inode may be outdated\n"
					      : ": nothing more is known\n",
		      out);
	}
	if (!moved)
		return;
	fputs("  ", out);
	print_count(out, moved, "unknown name", "unknown names");
	fprintf(out, ": %s in lost+found\n",
		moved == 1 ? made_so(reported, "its inode is", "its inode would be")
			   : made_so(reported, "their inodes are", "their inodes would be"));
}

/* Prints lost names that are unknown. */
static void print_unknown_names(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	uint64_t names = 0;

	if (l->dir.v == NULL_INO) {
		print_names_of_inodes(out, reported, l, count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		names += l[i].count;
	fputs("  ", out);
	if (names)
		print_count(out, names, "unknown name", "unknown names");
	else
		fputs("unknown names", out);
	fputs(" in ", out);
	print_path(out, reported, l->dir);
	fputs(" (directory block unreadable)", out);
	fputs(reported->list->names_unknown ? "; files in lost+found may have had these names\n" : "\n", out);
}

#define FEW 20u /* names that get a line each */

static void print_lost_names(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	if (l->witness == WITNESS_COUNT)
		print_unknown_names(out, reported, l, count);
	else if (count > FEW)
		print_names(out, reported, l, count, loss_reason_text(l->reason));
	else
		for (size_t i = 0; i < count; i++)
			print_one_name(out, reported, &l[i]);
}

/* Prints restored names of one directory. */
static void print_gained_names(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	const char *what = made_so(reported, "accessible again", "would be accessible again");

	if (count > FEW) {
		fputs("  ", out);
		words_print_number(out, count);
		fputs(" names in ", out);
		print_path(out, reported, l->dir);
		fprintf(out, ": %s\n", what);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		fputs("  ", out);
		print_in(out, reported, losses_path_now, l[i].dir, l[i].bytes, l[i].namelen);
		fprintf(out, "%s: %s\n", type_of(&l[i]), what);
	}
}

static void print_changed_names(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	for (size_t i = 0; i < count && i < NAMES_MOST; i++, l++) {
		fputs("  ", out);
		print_in(out, reported, losses_path, l->dir, l->bytes, l->namelen);
		if (l->now_dir.v != NULL_INO) {
			fputs(made_so(reported, " is now ", " would be "), out);
			print_in(out, reported, losses_path_now, l->now_dir, l->bytes + l->namelen, l->now_len);
			print_reason(out, l);
			fputc('\n', out);
		} else if (l->reason == DROP_UNCONFIRMED) {
			fputs(" may have had another name", out);
			print_reason(out, l);
			fputc('\n', out);
		} else {
			fprintf(out, " %s to inode %" PRIu64 " instead of %" PRIu64 "\n",
				made_so(reported, "now points", "would point"), l->to, l->from);
		}
	}
	if (count > NAMES_MOST)
		report_text_more(out, "  ", count - NAMES_MOST, reported->json);
}

/* ---- inode contents ---- */

static void print_range(FILE *out, const struct loss *l)
{
	words_print_number(out, l->from);
	fputs(" to ", out);
	words_print_number(out, l->to - 1);
}

static void print_data(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += l[i].count;
	fputs("  ", out);
	print_path(out, reported, l->ino);
	fputs(": ", out);
	print_count(out, bytes, "byte", "bytes");
	if (l->reason == DROP_AMID)
		fprintf(out, " %s among destroyed blocks, and may have been overwritten: bytes ",
			bytes == 1 ? "lies" : "lie");
	else if (l->reason == DROP_UNCONFIRMED)
		fprintf(out, " may be those of other blocks, since the checksum of the map was wrong: bytes ");
	else if (l->fate == FATE_CHANGED && l->witness == WITNESS_ROUND)
		fprintf(out, " %s read from unowned blocks that fit, and may belong to another file: bytes ",
			made_so(reported, "are", "would be"));
	else if (l->fate == FATE_CHANGED)
		fprintf(out, " %s from other blocks than before: bytes ", made_so(reported, "come", "would come"));
	else if (l->witness == WITNESS_COUNT)
		fprintf(out, " %s a hole, since part of the extent map is lost; they were among bytes ",
			made_so(reported, "are now", "would be"));
	else
		fprintf(out, " %s a hole: bytes ", made_so(reported, "are now", "would be"));
	for (size_t i = 0; i < count && i < NAMES_MOST; i++) {
		fputs(i ? ", " : "", out);
		print_range(out, &l[i]);
	}
	if (count > NAMES_MOST)
		fprintf(out, " ...%s", reported->json ? " (all in the JSON report)" : " (--json lists all)");
	if (l->fate == FATE_LOST && l->reason != DROP_UNKNOWN)
		print_reason(out, l);
	fputs(l->doubt == DOUBT_AGE ? " (its inode may be outdated)\n" : "\n", out);
}

static void print_attributes(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	if (l->witness == WITNESS_COUNT) {
		fputs("  ", out);
		print_path(out, reported, l->ino);
		fprintf(out, ": unknown attributes%s (in damaged attribute blocks)\n",
			l->doubt != DOUBT_NONE ? " may be lost" : "");
		return;
	}
	fputs("  ", out);
	print_path(out, reported, l->ino);
	fputs(count == 1 ? ": attribute " : ": attributes ", out);
	for (size_t i = 0; i < count && i < NAMES_MOST; i++) {
		const char *space = l[i].flags & ATTR_ROOT     ? "trusted."
				    : l[i].flags & ATTR_SECURE ? "security."
							       : "user.";

		fprintf(out, "%s\"%s", i ? ", " : "", l[i].namelen ? space : "(its name is lost, too)");
		quote_print(out, l[i].bytes, l[i].namelen);
		fputc('"', out);
	}
	if (l->fate == FATE_CHANGED && l->reason != DROP_UNCONFIRMED)
		fputs(" with another value\n", out);
	else
		fprintf(out, ": %s\n", loss_reason_text(l->reason));
}

static void print_target(FILE *out, const struct reported_losses *reported, const struct loss *l)
{
	fputs("  ", out);
	print_path(out, reported, l->ino);
	if (l->fate == FATE_CHANGED && l->reason != DROP_UNCONFIRMED)
		fprintf(out, ": the link target %s\n", made_so(reported, "has changed", "would change"));
	else
		fprintf(out, ": link target%s: %s\n", l->doubt == DOUBT_AGE ? " may be outdated" : "",
			loss_reason_text(l->reason));
}

static void print_value(FILE *out, const struct loss *l, uint64_t value)
{
	const time_t seconds = (time_t)value;
	char text[64];
	struct tm tm;

	if (l->field == LOSS_FIELD_MODE)
		fprintf(out, "%" PRIo64, value);
	else if (l->field < LOSS_FIELD_ATIME || l->field > LOSS_FIELD_CRTIME)
		fprintf(out, "%" PRIu64, value);
	else if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		fputs(text, out);
}

static void print_fields(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	fputs("  ", out);
	print_path(out, reported, l->ino);
	for (size_t i = 0; i < count; i++) {
		if (l[i].reason == DROP_STALE) {
			fprintf(out, "%s may lack its latest changes (%s)", i ? "," : ":",
				loss_reason_text(DROP_STALE));
			continue;
		}
		fprintf(out, "%s %s ", i ? "," : ":", loss_field_id(l[i].field));
		print_value(out, &l[i], l[i].from);
		fputs(" -> ", out);
		print_value(out, &l[i], l[i].to);
	}
	fputc('\n', out);
}

/* Prints inodes that are lost for the same reason, a line each. */
static void print_lost_inodes(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	const char *with_all = l->reason == DROP_RECREATED ? ""
			       : count == 1		   ? " and its contents"
							   : " and their contents";
	const char *indent = count == 1 ? "  " : "    ";

	if (count > 1) {
		fputs("  ", out);
		words_print_number(out, count);
		fprintf(out, " inodes%s (%s):\n", with_all, loss_reason_text(l->reason));
	}
	for (size_t i = 0; i < count && i < NAMES_MOST; i++) {
		fputs(indent, out);
		print_path(out, reported, l[i].ino);
		fputs(type_of(&l[i]), out);
		if (count == 1)
			fprintf(out, "%s: %s", with_all, loss_reason_text(l->reason));
		fputc('\n', out);
	}
	if (count > NAMES_MOST)
		report_text_more(out, indent, count - NAMES_MOST, reported->json);
}

/* True for an inode that may have lost its latest changes. */
static bool is_stale(const struct loss *l)
{
	return l->kind == LOSS_INODE && l->fate == FATE_CHANGED && l->reason == DROP_STALE;
}

/* Prints inodes that may have lost their latest changes, a line each. */
static void print_stale(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	fputs("  ", out);
	words_print_number(out, count);
	fprintf(out, " files may lack their latest changes (%s):\n", loss_reason_text(DROP_STALE));
	for (size_t i = 0; i < count && i < NAMES_MOST; i++) {
		fputs("    ", out);
		print_path(out, reported, l[i].ino);
		fputc('\n', out);
	}
	if (count > NAMES_MOST)
		report_text_more(out, "    ", count - NAMES_MOST, reported->json);
}

/* ---- sections ---- */

void report_text_loss(FILE *out, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	switch ((enum loss_kind)l->kind) {
	case LOSS_NAME:
		if (l->fate == FATE_GAINED)
			print_gained_names(out, reported, l, count);
		else if (l->fate != FATE_CHANGED)
			print_lost_names(out, reported, l, count);
		else
			print_changed_names(out, reported, l, count);
		break;
	case LOSS_DATA:
		print_data(out, reported, l, count);
		break;
	case LOSS_ATTRIBUTE:
		print_attributes(out, reported, l, count);
		break;
	case LOSS_TARGET:
		print_target(out, reported, l);
		break;
	default:
		if (l->fate == FATE_LOST)
			print_lost_inodes(out, reported, l, count);
		else if (count > 1 && l[0].ino.v != l[1].ino.v)
			print_stale(out, reported, l, count);
		else
			print_fields(out, reported, l, count);
	}
}

bool losses_listed_by_name(const struct loss *l, const struct ino_set *named)
{
	return l->kind == LOSS_INODE && l->fate == FATE_LOST && ino_set_has(named, l->ino);
}

/* True if both are printed together. */
static bool are_one_group(const struct loss *a, const struct loss *b, const struct ino_set *named)
{
	if (is_stale(a))
		return is_stale(b) && losses_left_out(a) == losses_left_out(b);
	if (a->kind != LOSS_INODE || a->fate != FATE_LOST)
		return loss_same_object(a, b) && losses_left_out(a) == losses_left_out(b);
	return b->kind == LOSS_INODE && b->fate == FATE_LOST && a->reason == b->reason &&
	       !losses_listed_by_name(b, named);
}

/* Returns the approximate number of lines of a group. */
static size_t lines_of(const struct loss *l, size_t count)
{
	const size_t listed = count < NAMES_MOST ? count : NAMES_MOST;

	if (l->fate == FATE_GAINED && count > FEW)
		return 1;
	if (l->kind == LOSS_NAME && l->fate != FATE_CHANGED && count > FEW)
		return 1 + listed / 4;
	return l->kind == LOSS_NAME || (l->kind == LOSS_INODE && l->fate == FATE_LOST) || is_stale(l) ? listed : 1;
}

static void print_fate(FILE *out, const struct reported_losses *reported, enum loss_fate fate,
		       const struct ino_set *named)
{
	const struct loss_list *list = reported->list;
	const size_t most = fate == FATE_GAINED ? REGAINED_MOST : LINES_MOST;
	size_t lines = 0, left = 0;

	for (size_t i = 0, n; i < list->count; i += n) {
		const struct loss *l = &list->all[i];

		for (n = 1; i + n < list->count && are_one_group(l, &list->all[i + n], named); n++)
			;
		if (l->fate != fate || losses_listed_by_name(l, named) || losses_left_out(l))
			continue;
		if (lines < most)
			report_text_loss(out, reported, l, n);
		else
			left++;
		lines += lines_of(l, n);
	}
	if (left) {
		fputs("  and ", out);
		words_print_number(out, left);
		fprintf(out, " more, %s\n", reported->json ? "all in the JSON report" : "which --json lists");
	}
}

void losses_named(const struct loss_list *list, struct ino_set *named)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct loss *l = &list->all[i];

		if (l->kind == LOSS_NAME && l->fate == FATE_LOST && l->ino.v && l->ino.v != NULL_INO &&
		    ino_set_put(named, l->ino))
			return;
	}
}

bool losses_has(const struct reported_losses *reported, enum loss_fate fate)
{
	const struct loss_figures *f = &reported->list->totals.figures;

	if (fate == FATE_LOST && (f->missing_most || !f->missing_known))
		return true;
	for (size_t i = 0; i < reported->list->count; i++)
		if (reported->list->all[i].fate == fate && !losses_left_out(&reported->list->all[i]))
			return true;
	return false;
}

void report_text_losses(FILE *out, const struct reported_losses *reported, enum loss_fate fate)
{
	struct ino_set named = { 0 };

	losses_named(reported->list, &named);
	print_fate(out, reported, fate, &named);
	if (fate == FATE_LOST)
		report_text_losses_missing(out, reported);
	ino_set_free(&named);
}

void report_text_losses_missing(FILE *out, const struct reported_losses *reported)
{
	struct words w = { 0 };

	if (losses_missing_words(&w, &reported->list->totals))
		fprintf(out, "  %s\n", w.text);
}

void report_text_losses_unlisted(FILE *out, const struct reported_losses *reported)
{
	if (!reported->list->left_out)
		return;
	fputs("  and ", out);
	print_count(out, reported->list->left_out, "change", "changes");
	fputs(" that there is no memory to list (-m allows more)\n", out);
}
