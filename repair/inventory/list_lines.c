/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints files as lines.  There may be a billion of them, so numbers are printed without printf(), and no stream is
 * locked for each character.
 */
#define _GNU_SOURCE 1 /* fwrite_unlocked() */

#include "list_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/json_out.h"
#include "report/quote.h"

#define DECIMAL_MOST 20u

/* ---- values ---- */

static void print_decimal(FILE *out, uint64_t number)
{
	char digits[DECIMAL_MOST], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	fwrite_unlocked(at, 1, (size_t)(digits + sizeof(digits) - at), out);
}

static void print_padded(FILE *out, uint64_t number, unsigned digits, unsigned base)
{
	char text[DECIMAL_MOST];

	for (unsigned i = digits; i-- > 0; number /= base)
		text[i] = (char)('0' + number % base);
	fwrite_unlocked(text, 1, digits, out);
}

/* Seconds since 1970, with nanoseconds: as find(1) prints them with %T@. */
static void print_time(FILE *out, struct time_stamp t)
{
	uint64_t seconds = (uint64_t)t.seconds;
	uint32_t nsec = t.nsec;

	if (t.seconds < 0) {
		putc_unlocked('-', out);
		seconds = -seconds;
		if (nsec) { /* they count upwards */
			seconds--;
			nsec = NSEC_PER_SEC - nsec;
		}
	}
	print_decimal(out, seconds);
	putc_unlocked('.', out);
	print_padded(out, nsec, 9, 10);
}

/* As find(1) has them. */
static char type_letter(uint16_t mode)
{
	switch (mode & MODE_TYPE) {
	case MODE_REG:
		return 'f';
	case MODE_DIR:
		return 'd';
	case MODE_SYMLINK:
		return 'l';
	case MODE_CHR:
		return 'c';
	case MODE_BLK:
		return 'b';
	case MODE_FIFO:
		return 'p';
	case MODE_SOCK:
		return 's';
	default:
		return '?';
	}
}

/* Letters as xfs_io's lsattr has them. */
static void print_flags(FILE *out, const struct file_record *r)
{
	static const struct {
		uint16_t bit;
		char letter;
	} flags[] = {
		{ DIFLAG_REALTIME, 'r' },   { DIFLAG_PREALLOC, 'p' },	{ DIFLAG_IMMUTABLE, 'i' },
		{ DIFLAG_APPEND, 'a' },	    { DIFLAG_SYNC, 's' },	{ DIFLAG_NOATIME, 'A' },
		{ DIFLAG_NODUMP, 'd' },	    { DIFLAG_RTINHERIT, 't' },	{ DIFLAG_PROJINHERIT, 'P' },
		{ DIFLAG_NOSYMLINKS, 'n' }, { DIFLAG_EXTSIZE, 'e' },	{ DIFLAG_EXTSZINHERIT, 'E' },
		{ DIFLAG_NODEFRAG, 'f' },   { DIFLAG_FILESTREAM, 'S' },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (r->flags & flags[i].bit)
			putc_unlocked(flags[i].letter, out);
	if (r->flags2 & DIFLAG2_DAX)
		putc_unlocked('x', out);
	if (r->flags2 & DIFLAG2_COWEXTSIZE)
		putc_unlocked('C', out);
}

/* The numbers of a device, as xfs_db and stat(1) know them. */
static uint32_t major_of(uint32_t rdev)
{
	return rdev >> 18;
}

static uint32_t minor_of(uint32_t rdev)
{
	return rdev & 0x3ffff;
}

static bool is_device(const struct file_record *r)
{
	return (r->mode & MODE_TYPE) == MODE_CHR || (r->mode & MODE_TYPE) == MODE_BLK;
}

static uint64_t sectors(const struct geometry *geo, const struct file_record *r)
{
	return r->nblocks << (geo->block_log - 9);
}

/* ---- bytes, as the formats have them ---- */

static void print_tsv(FILE *out, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char *escaped = bytes[i] == '\t'	 ? "\\t"
				      : bytes[i] == '\n' ? "\\n"
				      : bytes[i] == '\r' ? "\\r"
							 : "\\\\";

		if (bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '\\')
			fwrite_unlocked(escaped, 1, 2, out);
		else
			putc_unlocked(bytes[i], out);
	}
}

/* RFC 4180 */
static void print_csv(FILE *out, const uint8_t *bytes, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len && !quoted; i++)
		quoted = bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\n' || bytes[i] == '\r';
	if (!quoted) {
		fwrite_unlocked(bytes, 1, len, out);
		return;
	}
	putc_unlocked('"', out);
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '"')
			putc_unlocked('"', out);
		putc_unlocked(bytes[i], out);
	}
	putc_unlocked('"', out);
}

static void print_json(FILE *out, const uint8_t *bytes, size_t len)
{
	bool plain = true;
	json_t *value;

	for (size_t i = 0; i < len && plain; i++)
		plain = bytes[i] >= ' ' && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\';
	if (plain) {
		putc_unlocked('"', out);
		fwrite_unlocked(bytes, 1, len, out);
		putc_unlocked('"', out);
		return;
	}
	value = json_out_bytes((const char *)bytes, len);
	json_dumpf(value, out, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(value);
}

static void print_bytes(FILE *out, enum list_format format, const uint8_t *bytes, size_t len)
{
	if (format == LIST_TSV)
		print_tsv(out, bytes, len);
	else if (format == LIST_CSV)
		print_csv(out, bytes, len);
	else
		print_json(out, bytes, len);
}

/* ---- lines ---- */

const char *list_field_name(enum list_field field)
{
	static const char *const names[] = {
#define x(name) #name,
		LIST_FIELD_TABLE(x)
#undef x
	};

	return names[field];
}

/* The number that a field is; false: it is none. */
static bool number_of(enum list_field field, const struct geometry *geo, const struct file *file, uint64_t *ret)
{
	const struct file_record *r = &file->record;
	const uint64_t numbers[LIST_FIELD_NR] = {
		[LIST_FIELD_ino] = file->ino.v,	    [LIST_FIELD_gen] = r->gen,
		[LIST_FIELD_uid] = r->uid,	    [LIST_FIELD_gid] = r->gid,
		[LIST_FIELD_projid] = r->projid,    [LIST_FIELD_nlink] = r->nlink,
		[LIST_FIELD_size] = r->size,	    [LIST_FIELD_blocks] = sectors(geo, r),
		[LIST_FIELD_extents] = r->nextents, [LIST_FIELD_aextents] = r->anextents,
	};
	const bool is = (field >= LIST_FIELD_uid && field <= LIST_FIELD_aextents) || field == LIST_FIELD_ino ||
			field == LIST_FIELD_gen;

	*ret = numbers[field];
	return is;
}

/* True if JSON has the field as a string. */
static bool is_text(enum list_field field)
{
	return field == LIST_FIELD_type || field == LIST_FIELD_mode || field == LIST_FIELD_flags ||
	       field == LIST_FIELD_rdev || (field >= LIST_FIELD_atime && field <= LIST_FIELD_crtime);
}

/* Print a field that needs no escapes. */
static void print_text(FILE *out, enum list_field field, const struct file_record *r)
{
	switch (field) {
	case LIST_FIELD_type:
		putc_unlocked(type_letter(r->mode), out);
		break;
	case LIST_FIELD_mode:
		print_padded(out, r->mode & 07777, 4, 8);
		break;
	case LIST_FIELD_flags:
		print_flags(out, r);
		break;
	case LIST_FIELD_rdev:
		if (is_device(r)) {
			print_decimal(out, major_of(r->rdev));
			putc_unlocked(':', out);
			print_decimal(out, minor_of(r->rdev));
		}
		break;
	default:
		print_time(out, r->times[field - LIST_FIELD_atime]);
		break;
	}
}

static void print_field(FILE *out, enum list_field field, const struct query *query, const struct geometry *geo,
			const struct file *file, const struct path_bytes *path)
{
	uint64_t number;

	if (number_of(field, geo, file, &number)) {
		print_decimal(out, number);
	} else if (is_text(field)) {
		if (query->list == LIST_JSON)
			putc_unlocked('"', out);
		print_text(out, field, &file->record);
		if (query->list == LIST_JSON)
			putc_unlocked('"', out);
	} else if (field == LIST_FIELD_path) {
		print_bytes(out, query->list, path->bytes, path->len);
	} else {
		print_bytes(out, query->list, file->target, file->target_len);
	}
}

static unsigned count_fields(const struct query *query)
{
	return query->nfields ? query->nfields : LIST_FIELD_NR;
}

static enum list_field field_at(const struct query *query, unsigned i)
{
	return query->nfields ? (enum list_field)query->fields[i] : (enum list_field)i;
}

void list_heading(FILE *out, const struct query *query)
{
	if (query->list != LIST_TSV && query->list != LIST_CSV)
		return;
	for (unsigned i = 0; i < count_fields(query); i++) {
		if (i)
			putc(query->list == LIST_TSV ? '\t' : ',', out);
		fputs(list_field_name(field_at(query, i)), out);
	}
	putc('\n', out);
}

static void print_fields(FILE *out, const struct query *query, const struct geometry *geo, const struct file *file,
			 const struct path_bytes *path)
{
	const bool json = query->list == LIST_JSON;
	const char separator = query->list == LIST_TSV ? '\t' : ',';
	bool any = false;

	if (json)
		putc_unlocked('{', out);
	for (unsigned i = 0; i < count_fields(query); i++) {
		const enum list_field field = field_at(query, i);
		const char *name = list_field_name(field);

		/* what a file does not have is left out where each field has its name */
		if (json && ((field == LIST_FIELD_target && !file->target_len) ||
			     (field == LIST_FIELD_rdev && !is_device(&file->record))))
			continue;
		if (any)
			putc_unlocked(separator, out);
		any = true;
		if (json) {
			putc_unlocked('"', out);
			fwrite_unlocked(name, 1, strlen(name), out);
			fwrite_unlocked("\":", 1, 2, out);
		}
		print_field(out, field, query, geo, file, path);
	}
	if (json)
		putc_unlocked('}', out);
	putc_unlocked('\n', out);
}

/* "-rwxr-sr-t", as ls(1) has it */
static void mode_string(uint16_t mode, char text[static 11])
{
	static const char letters[] = "rwxrwxrwx";
	static const struct {
		uint16_t bit;
		unsigned at;
		char with, without; /* the right to execute */
	} special[] = { { 04000, 3, 's', 'S' }, { 02000, 6, 's', 'S' }, { 01000, 9, 't', 'T' } };

	text[0] = type_letter(mode) == 'f' ? '-' : type_letter(mode);
	for (unsigned i = 0; i < 9; i++)
		text[1 + i] = (char)(mode & 0400u >> i ? letters[i] : '-');
	for (unsigned i = 0; i < 3; i++)
		if (mode & special[i].bit)
			text[special[i].at] = text[special[i].at] == 'x' ? special[i].with : special[i].without;
	text[10] = '\0';
}

/* As find(1) prints files with -ls, but with numbers of owners: they have their names where the volume comes from. */
static void print_ls(FILE *out, const struct geometry *geo, const struct file *file, const struct path_bytes *path)
{
	const struct file_record *r = &file->record;
	const time_t when = (time_t)r->times[TIME_MODIFICATION].seconds;
	char mode[11], date[32] = "?", size[32];
	struct tm tm;

	mode_string(r->mode, mode);
	if (localtime_r(&when, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &tm);
	if (is_device(r))
		snprintf(size, sizeof(size), "%u, %u", major_of(r->rdev), minor_of(r->rdev));
	else
		snprintf(size, sizeof(size), "%" PRIu64, r->size);
	fprintf(out, "%9" PRIu64 " %8" PRIu64 " %s %3u %5u %5u %12s %s ", file->ino.v, (sectors(geo, r) + 1) / 2, mode,
		r->nlink, r->uid, r->gid, size, date);
	quote_print(out, path->bytes, path->len);
	if (file->target_len) {
		fputs(" -> ", out);
		quote_print(out, file->target, file->target_len);
	}
	putc_unlocked('\n', out);
}

void list_line(FILE *out, const struct query *query, const struct geometry *geo, const struct file *file,
	       const struct path_bytes *path)
{
	if (query->list == LIST_PATHS0) {
		fwrite_unlocked(path->bytes, 1, path->len, out);
		putc_unlocked('\0', out);
	} else if (query->list == LIST_TEXT) {
		print_ls(out, geo, file, path);
	} else {
		print_fields(out, query, geo, file, path);
	}
}
