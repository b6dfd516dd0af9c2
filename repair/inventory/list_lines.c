/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes lines of files.  There may be a billion of them, so nothing is printed by printf() or strftime(). */
#include "list_lines.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/json_out.h"
#include "report/quote.h"

#define DECIMAL_MOST 20u
#define LINE_MOST    2048u /* bytes of a line beside the path and the target */

/* ---- values: there is room for all of them, except for bytes of any length ---- */

static void put(struct byte_buffer *out, char c)
{
	out->bytes[out->len++] = (uint8_t)c;
}

static void put_string(struct byte_buffer *out, const char *s)
{
	while (*s)
		put(out, *s++);
}

/* Put a number, right-aligned in so many columns. */
static void put_aligned(struct byte_buffer *out, uint64_t number, unsigned columns)
{
	char digits[DECIMAL_MOST], *at = digits + sizeof(digits);
	unsigned count;

	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	count = (unsigned)(digits + sizeof(digits) - at);
	for (; columns > count; columns--)
		put(out, ' ');
	memcpy(out->bytes + out->len, at, count);
	out->len += count;
}

static void put_decimal(struct byte_buffer *out, uint64_t number)
{
	put_aligned(out, number, 0);
}

/* Put a number with leading zeroes. */
static void put_digits(struct byte_buffer *out, uint64_t number, unsigned digits, unsigned base)
{
	for (unsigned i = digits; i-- > 0; number /= base)
		out->bytes[out->len + i] = (uint8_t)('0' + number % base);
	out->len += digits;
}

/* Seconds since 1970, with nanoseconds. */
static void put_time(struct byte_buffer *out, struct time_stamp t)
{
	uint64_t seconds = (uint64_t)t.seconds;
	uint32_t nsec = t.nsec;

	if (t.seconds < 0) {
		put(out, '-');
		seconds = -seconds;
		if (nsec) { /* they count upwards */
			seconds--;
			nsec = NSEC_PER_SEC - nsec;
		}
	}
	put_decimal(out, seconds);
	put(out, '.');
	put_digits(out, nsec, 9, 10);
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
			put(out, flags[i].letter);
	if (r->flags2 & DIFLAG2_DAX)
		put(out, 'x');
	if (r->flags2 & DIFLAG2_COWEXTSIZE)
		put(out, 'C');
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

/* ---- bytes, as the formats have them; 0 or -ENOMEM ---- */

/* Make room for bytes, and for the rest of the line. */
static int make_room(struct byte_buffer *out, size_t len)
{
	return byte_buffer_reserve(out, len + LINE_MOST);
}

static int add_tsv(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	if (make_room(out, 2 * len))
		return -ENOMEM;
	for (size_t i = 0; i < len; i++) {
		static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
		const char *at = bytes[i] <= '\r' || bytes[i] == '\\' ? memchr(special, bytes[i], 4) : NULL;

		if (at)
			put(out, '\\');
		put(out, at ? letters[at - special] : (char)bytes[i]);
	}
	return 0;
}

/* RFC 4180 */
static int add_csv(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len && !quoted; i++)
		quoted = bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\n' || bytes[i] == '\r';
	if (make_room(out, 2 * len + 2))
		return -ENOMEM;
	if (quoted)
		put(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '"')
			put(out, '"');
		put(out, (char)bytes[i]);
	}
	if (quoted)
		put(out, '"');
	return 0;
}

/* True if the bytes stand for themselves in JSON and where names are quoted. */
static bool is_plain(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] < ' ' || bytes[i] >= 0x7f || bytes[i] == '"' || bytes[i] == '\\')
			return false;
	return true;
}

/* Add a text that a library has made, which is freed; NULL: out of memory. */
static int add_made(struct byte_buffer *out, char *text, size_t len)
{
	int ret = text ? make_room(out, len) : -ENOMEM;

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
		if (make_room(out, len + 2))
			return -ENOMEM;
		put(out, '"');
		byte_buffer_add(out, bytes, len);
		put(out, '"');
		return 0;
	}
	value = json_out_bytes((const char *)bytes, len);
	text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	json_decref(value);
	return add_made(out, text, text ? strlen(text) : 0);
}

static int add_quoted(struct byte_buffer *out, const uint8_t *bytes, size_t len)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory;

	if (is_plain(bytes, len))
		return make_room(out, len) ? -ENOMEM : byte_buffer_add(out, bytes, len);
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

static int add_bytes(struct byte_buffer *out, enum list_format format, const uint8_t *bytes, size_t len)
{
	if (format == LIST_TSV)
		return add_tsv(out, bytes, len);
	return format == LIST_CSV ? add_csv(out, bytes, len) : add_json(out, bytes, len);
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

/* Put a field that needs no escapes. */
static void put_text(struct byte_buffer *out, enum list_field field, const struct file_record *r)
{
	switch (field) {
	case LIST_FIELD_type:
		put(out, type_letter(r->mode));
		break;
	case LIST_FIELD_mode:
		put_digits(out, r->mode & 07777, 4, 8);
		break;
	case LIST_FIELD_flags:
		put_flags(out, r);
		break;
	case LIST_FIELD_rdev:
		if (is_device(r)) {
			put_decimal(out, major_of(r->rdev));
			put(out, ':');
			put_decimal(out, minor_of(r->rdev));
		}
		break;
	default:
		put_time(out, r->times[field - LIST_FIELD_atime]);
		break;
	}
}

/* What a line is about. */
struct subject {
	const struct query *query;
	const struct geometry *geo;
	const struct file *file;
	const struct byte_buffer *path;
};

/* 0 or -ENOMEM */
static int add_field(struct byte_buffer *out, enum list_field field, const struct subject *s)
{
	const enum list_format format = s->query->list;
	uint64_t number;

	if (field == LIST_FIELD_path)
		return add_bytes(out, format, s->path->bytes, s->path->len);
	if (field == LIST_FIELD_target)
		return add_bytes(out, format, s->file->target, s->file->target_len);
	if (number_of(field, s->geo, s->file, &number)) {
		put_decimal(out, number);
		return 0;
	}
	if (format == LIST_JSON)
		put(out, '"');
	put_text(out, field, &s->file->record);
	if (format == LIST_JSON)
		put(out, '"');
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

/* 0 or -ENOMEM */
static int add_fields(struct byte_buffer *out, const struct subject *s)
{
	const bool json = s->query->list == LIST_JSON;
	const char separator = s->query->list == LIST_TSV ? '\t' : ',';
	bool any = false;
	int ret = 0;

	if (json)
		put(out, '{');
	for (unsigned i = 0; i < count_fields(s->query) && !ret; i++) {
		const enum list_field field = field_at(s->query, i);

		/* what a file does not have is left out where each field has its name */
		if (json && ((field == LIST_FIELD_target && !s->file->target_len) ||
			     (field == LIST_FIELD_rdev && !is_device(&s->file->record))))
			continue;
		if (any)
			put(out, separator);
		any = true;
		if (json) {
			put(out, '"');
			put_string(out, list_field_name(field));
			put_string(out, "\":");
		}
		ret = add_field(out, field, s);
	}
	if (json && !ret)
		put(out, '}');
	return ret;
}

/* "-rwxr-sr-t", as ls(1) has it */
static void put_mode(struct byte_buffer *out, uint16_t mode)
{
	static const char letters[] = "rwxrwxrwx";
	static const struct {
		uint16_t bit;
		unsigned at;
		char with, without; /* the right to execute */
	} special[] = { { 04000, 2, 's', 'S' }, { 02000, 5, 's', 'S' }, { 01000, 8, 't', 'T' } };
	char text[10] = { 0 };

	for (unsigned i = 0; i < 9; i++)
		text[i] = mode & 0400u >> i ? letters[i] : '-';
	for (unsigned i = 0; i < 3; i++)
		if (mode & special[i].bit)
			text[special[i].at] = text[special[i].at] == 'x' ? special[i].with : special[i].without;
	put(out, type_letter(mode) == 'f' ? '-' : type_letter(mode));
	put_string(out, text);
}

/* "2026-11-26 16:18", in local time */
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
	put_string(out, clock->text);
}

/* As find(1) prints files with -ls, but with numbers of owners: they have their names where the volume comes from. */
static int add_ls(struct byte_buffer *out, const struct subject *s, struct list_clock *clock)
{
	const struct file_record *r = &s->file->record;
	int ret;

	put_aligned(out, s->file->ino.v, 9);
	put_aligned(out, (sectors(s->geo, r) + 1) / 2, 9);
	put(out, ' ');
	put_mode(out, r->mode);
	put_aligned(out, r->nlink, 4);
	put_aligned(out, r->uid, 6);
	put_aligned(out, r->gid, 6);
	if (is_device(r)) {
		put_aligned(out, major_of(r->rdev), 6);
		put(out, ',');
		put_aligned(out, minor_of(r->rdev), 6);
	} else {
		put_aligned(out, r->size, 13);
	}
	put(out, ' ');
	put_date(out, r->times[TIME_MODIFICATION].seconds, clock);
	put(out, ' ');
	ret = add_quoted(out, s->path->bytes, s->path->len);
	if (!ret && s->file->target_len) {
		put_string(out, " -> ");
		ret = add_quoted(out, s->file->target, s->file->target_len);
	}
	return ret;
}

int list_line(struct byte_buffer *out, struct list_clock *clock, const struct query *query, const struct geometry *geo,
	      const struct file *file, const struct byte_buffer *path)
{
	const struct subject subject = { query, geo, file, path };
	int ret = make_room(out, 0);

	if (!ret && query->list == LIST_PATHS0)
		ret = make_room(out, path->len) ? -ENOMEM : byte_buffer_add(out, path->bytes, path->len);
	else if (!ret && query->list == LIST_TEXT)
		ret = add_ls(out, &subject, clock);
	else if (!ret)
		ret = add_fields(out, &subject);
	if (!ret)
		put(out, query->list == LIST_PATHS0 ? '\0' : '\n');
	return ret;
}
