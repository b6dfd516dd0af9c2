/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats lines. There may be a billion: printf() is not used, nor strftime() for dates equal to the last one. */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "query.h"
#include "report/json_out.h"
#include "report/quote.h"
#include "sets/byte_buffer.h"

/* Rare cases go through libraries and the functions of reports. */

/* ---- fixed size, room was made before ---- */

static inline void list_put(struct byte_buffer *out, char c)
{
	out->bytes[out->len++] = (uint8_t)c;
}

/* ---- any size; 0 or -ENOMEM ---- */

#define DECIMAL_MOST 20u
#define LINE_MOST    2048u /* bytes of a line besides path and target */

static void list_put_string(struct byte_buffer *out, const char *s)
{
	while (*s)
		list_put(out, *s++);
}

/* Puts a number, right-aligned in this many columns. */
static void list_put_aligned(struct byte_buffer *out, uint64_t number, unsigned columns)
{
	char digits[DECIMAL_MOST], *at = digits + sizeof(digits);
	unsigned count;

	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	count = (unsigned)(digits + sizeof(digits) - at);
	for (; columns > count; columns--)
		list_put(out, ' ');
	memcpy(out->bytes + out->len, at, count);
	out->len += count;
}

/* Puts a number with leading zeroes. */
static void list_put_digits(struct byte_buffer *out, uint64_t number, unsigned digits, unsigned base)
{
	for (unsigned i = digits; i-- > 0; number /= base)
		out->bytes[out->len + i] = (uint8_t)('0' + number % base);
	out->len += digits;
}

/* Makes room for this many bytes, and the rest of a line. 0 or -ENOMEM. */
static int list_make_room(struct byte_buffer *out, size_t len)
{
	return byte_buffer_reserve(out, len + LINE_MOST);
}

static int add_tsv(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	if (list_make_room(out, 2 * len))
		return -ENOMEM;
	for (size_t i = 0; i < len; i++) {
		static const char special[4] = { '\t', '\n', '\r', '\\' }, letters[4] = { 't', 'n', 'r', '\\' };
		const char *at =
			bytes[i] <= '\r' || bytes[i] == '\\' ? memchr(special, bytes[i], sizeof(special)) : NULL;

		if (at)
			list_put(out, '\\');
		list_put(out, (char)(at ? letters[at - special] : bytes[i]));
	}
	return 0;
}

/* RFC 4180 */
static int add_csv(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len && !quoted; i++)
		quoted = bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\n' || bytes[i] == '\r';
	if (list_make_room(out, 2 * len + 2))
		return -ENOMEM;
	if (quoted)
		list_put(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '"')
			list_put(out, '"');
		list_put(out, (char)bytes[i]);
	}
	if (quoted)
		list_put(out, '"');
	return 0;
}

/* True if the bytes need no escapes, neither in JSON nor in quoted names. */
static bool is_plain(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] < ' ' || bytes[i] >= 0x7f || bytes[i] == '"' || bytes[i] == '\\')
			return false;
	return true;
}

/* Adds and frees a text from a library; NULL: out of memory. */
static int add_made(struct byte_buffer *out, char *text, size_t len)
{
	int ret = text ? list_make_room(out, len) : -ENOMEM;

	if (!ret)
		ret = byte_buffer_add(out, text, len);
	free(text);
	return ret;
}

static int add_json(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	json_t *value;
	char *text;

	if (is_plain(bytes, len)) {
		if (list_make_room(out, len + 2))
			return -ENOMEM;
		list_put(out, '"');
		byte_buffer_add(out, bytes, len);
		list_put(out, '"');
		return 0;
	}
	value = json_out_bytes((const char *)bytes, len);
	text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	json_decref(value);
	return add_made(out, text, text ? strlen(text) : 0);
}

/* Adds bytes as reports print names (report/quote.h). */
static int list_add_quoted(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory;

	if (is_plain(bytes, len))
		return list_make_room(out, len) ? -ENOMEM : byte_buffer_add(out, bytes, len);
	memory = open_memstream(&text, &size);
	if (!memory)
		return -ENOMEM;
	quote_print(memory, bytes, len);
	if (fclose(memory)) {
		free(text);
		return -ENOMEM;
	}
	return add_made(out, text, size);
}

/* Adds bytes as tsv, csv or json. */
static int list_add_bytes(struct byte_buffer *out, enum list_format format, const uint8_t *bytes, size_t len)
{
	if (format == LIST_TSV)
		return add_tsv(out, bytes, len);
	return format == LIST_CSV ? add_csv(out, bytes, len) : add_json(out, bytes, len);
}

static void put_decimal(struct byte_buffer *out, uint64_t number)
{
	list_put_aligned(out, number, 0);
}

/* Puts seconds since 1970 with nanoseconds. */
static void put_time(struct byte_buffer *out, struct time_stamp t)
{
	uint64_t seconds = (uint64_t)t.seconds;
	uint32_t nsec = t.nsec;

	if (t.seconds < 0) {
		list_put(out, '-');
		seconds = -seconds;
		if (nsec) { /* nanoseconds count upwards */
			seconds--;
			nsec = NSEC_PER_SEC - nsec;
		}
	}
	put_decimal(out, seconds);
	list_put(out, '.');
	list_put_digits(out, nsec, 9, 10);
}

char list_type_letter(enum ftype type)
{
	static const char letters[FT_NR] = { [FT_REG] = 'f', [FT_DIR] = 'd',  [FT_SYMLINK] = 'l', [FT_CHR] = 'c',
					     [FT_BLK] = 'b', [FT_FIFO] = 'p', [FT_SOCK] = 's' };

	return (char)(letters[type] ? letters[type] : '?');
}

static char type_letter(uint16_t mode)
{
	return list_type_letter(dinode_type_of(mode));
}

/* Puts the letters of xfs_io's lsattr. */
static void put_flags(struct byte_buffer *out, const struct file_record *r)
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
			list_put(out, flags[i].letter);
	if (r->flags2 & DIFLAG2_DAX)
		list_put(out, 'x');
	if (r->flags2 & DIFLAG2_COWEXTSIZE)
		list_put(out, 'C');
	if (r->attr_fork)
		list_put(out, 'X');
}

/* Major and minor numbers as in xfs_db and stat(1). */
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

/* Gets a numeric field; false: it is not numeric. */
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

/* Puts a field that needs no escapes. */
static void put_text(struct byte_buffer *out, enum list_field field, const struct file_record *r)
{
	switch (field) {
	case LIST_FIELD_type:
		list_put(out, type_letter(r->mode));
		break;
	case LIST_FIELD_mode:
		list_put_digits(out, r->mode & 07777, 4, 8);
		break;
	case LIST_FIELD_flags:
		put_flags(out, r);
		break;
	case LIST_FIELD_rdev:
		if (is_device(r)) {
			put_decimal(out, major_of(r->rdev));
			list_put(out, ':');
			put_decimal(out, minor_of(r->rdev));
		}
		break;
	default:
		put_time(out, r->times[field - LIST_FIELD_atime]);
		break;
	}
}

/* Contents of a line. */
struct subject {
	const struct query *query;
	const struct geometry *geo;
	const struct file *file;
	const struct byte_buffer *path;
};

/* Adds a field. 0 or -ENOMEM. */
static int add_field(struct byte_buffer *out, enum list_field field, const struct subject *s)
{
	const enum list_format format = s->query->list;
	uint64_t number;

	if (field == LIST_FIELD_path)
		return list_add_bytes(out, format, s->path->bytes, s->path->len);
	if (field == LIST_FIELD_target)
		return list_add_bytes(out, format, s->file->target, s->file->target_len);
	if (number_of(field, s->geo, s->file, &number)) {
		put_decimal(out, number);
		return 0;
	}
	if (format == LIST_JSON)
		list_put(out, '"');
	put_text(out, field, &s->file->record);
	if (format == LIST_JSON)
		list_put(out, '"');
	return 0;
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

/* Adds all fields of a line. 0 or -ENOMEM. */
static int add_fields(struct byte_buffer *out, const struct subject *s)
{
	const bool json = s->query->list == LIST_JSON;
	const char separator = s->query->list == LIST_TSV ? '\t' : ',';
	bool any = false;
	int ret = 0;

	if (json)
		list_put(out, '{');
	for (unsigned i = 0; i < count_fields(s->query) && !ret; i++) {
		const enum list_field field = field_at(s->query, i);

		/* JSON omits fields that do not apply */
		if (json && ((field == LIST_FIELD_target && !s->file->target_len) ||
			     (field == LIST_FIELD_rdev && !is_device(&s->file->record))))
			continue;
		if (any)
			list_put(out, separator);
		any = true;
		if (json) {
			list_put(out, '"');
			list_put_string(out, list_field_name(field));
			list_put_string(out, "\":");
		}
		ret = add_field(out, field, s);
	}
	if (json && !ret)
		list_put(out, '}');
	return ret;
}

/* Puts "-rwxr-sr-t", as in ls(1). */
static void put_mode(struct byte_buffer *out, uint16_t mode)
{
	static const char letters[] = "rwxrwxrwx";
	static const struct {
		uint16_t bit;
		unsigned at;
		char with, without; /* execute permission */
	} special[] = { { 04000, 2, 's', 'S' }, { 02000, 5, 's', 'S' }, { 01000, 8, 't', 'T' } };
	char text[10] = { 0 };

	for (unsigned i = 0; i < 9; i++)
		text[i] = (char)(mode & 0400u >> i ? letters[i] : '-');
	for (unsigned i = 0; i < 3; i++)
		if (mode & special[i].bit)
			text[special[i].at] = (char)(text[special[i].at] == 'x' ? special[i].with : special[i].without);
	list_put(out, (char)(type_letter(mode) == 'f' ? '-' : type_letter(mode)));
	list_put_string(out, text);
}

/* Puts "2026-11-26 16:18", in local time. */
static void put_date(struct byte_buffer *out, int64_t seconds, struct list_clock *clock)
{
	const int64_t minute = seconds / 60 - (seconds % 60 < 0);

	if (!clock->known || minute != clock->minute) {
		const time_t when = (time_t)seconds;
		struct tm tm;

		clock->known = true;
		clock->minute = minute;
		if (!localtime_r(&when, &tm) || !strftime(clock->text, sizeof(clock->text), "%Y-%m-%d %H:%M", &tm))
			memcpy(clock->text, "?", 2);
	}
	list_put_string(out, clock->text);
}

/* Puts a number in a column of this width, with a space in front even if the number is too long. */
static void put_column(struct byte_buffer *out, uint64_t number, unsigned columns)
{
	list_put(out, ' ');
	list_put_aligned(out, number, columns - 1);
}

/* Adds a line like find -ls, but with numeric owners, whose names belong to another system. 0 or -ENOMEM. */
static int add_ls(struct byte_buffer *out, const struct subject *s, struct list_clock *clock)
{
	const struct file_record *r = &s->file->record;
	int ret;

	list_put_aligned(out, s->file->ino.v, 9);
	put_column(out, (sectors(s->geo, r) + 1) / 2, 9);
	list_put(out, ' ');
	put_mode(out, r->mode);
	put_column(out, r->nlink, 4);
	put_column(out, r->uid, 6);
	put_column(out, r->gid, 6);
	if (is_device(r)) {
		put_column(out, major_of(r->rdev), 6);
		list_put(out, ',');
		list_put_aligned(out, minor_of(r->rdev), 6);
	} else {
		put_column(out, r->size, 13);
	}
	list_put(out, ' ');
	put_date(out, r->times[TIME_MODIFICATION].seconds, clock);
	list_put(out, ' ');
	ret = list_add_quoted(out, s->path->bytes, s->path->len);
	if (!ret && s->file->target_len) {
		list_put_string(out, " -> ");
		ret = list_add_quoted(out, s->file->target, s->file->target_len);
	}
	return ret;
}

int list_line(struct byte_buffer *out, struct list_clock *clock, const struct query *query, const struct geometry *geo,
	      const struct file *file, const struct byte_buffer *path)
{
	const struct subject subject = { query, geo, file, path };
	int ret = list_make_room(out, 0);

	if (!ret && query->list == LIST_PATHS0)
		ret = list_make_room(out, path->len) ? -ENOMEM : byte_buffer_add(out, path->bytes, path->len);
	else if (!ret && query->list == LIST_TEXT)
		ret = add_ls(out, &subject, clock);
	else if (!ret)
		ret = add_fields(out, &subject);
	if (!ret)
		list_put(out, query->list == LIST_PATHS0 ? '\0' : '\n');
	return ret;
}
