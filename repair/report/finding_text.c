/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts one finding into words: its place, and its message with values. Message templates belong to the program; only
 * numbers come from the disk, and names, which quote_print() writes.
 */
#include <inttypes.h>
#include <string.h>

#include "finding_text.h"
#include "libxfs/btree.h"
#include "libxfs/dinode.h"
#include "quote.h"

static void add_quoted(FILE *out, const char *before, const struct path *path, const char *behind)
{
	fputs(before, out);
	quote_print(out, path->bytes, path->len);
	fputs(behind, out);
}

static void add_path(FILE *out, xino_t ino, struct paths *paths)
{
	struct path path;

	paths_find(paths, ino, &path);
	switch (path.kind) {
	case PATH_UNSOUGHT:
		break;
	case PATH_NONE:
		fputs(" (no path)", out);
		break;
	case PATH_WHOLE:
	case PATH_PARTIAL:
		add_quoted(out, " \"", &path, "\"");
		break;
	case PATH_METADATA:
		add_quoted(out, " (metadata) \"", &path, "\"");
		break;
	case PATH_INTERNAL:
		add_quoted(out, " ", &path, "");
		break;
	case PATH_FORMER:
		add_quoted(out, " (was \"", &path, "\")");
		break;
	}
}

void finding_text_inode(FILE *out, uint64_t ino, struct paths *paths)
{
	fprintf(out, "inode %" PRIu64, ino);
	add_path(out, (xino_t){ ino }, paths);
}

/* Returns the name of a special owner (ondisk 03), or NULL if the owner is an inode. */
static const char *special_owner(uint64_t owner)
{
	static const char *const names[] = {
		[-OWNER_FS] = "the AG headers",
		[-OWNER_LOG] = "the log",
		[-OWNER_AG] = "the free-space btrees or free list",
		[-OWNER_INOBT] = "the inode btrees",
		[-OWNER_INODES] = "inode chunks",
		[-OWNER_REFC] = "the refcount btree",
		[-OWNER_COW] = "copy-on-write staging",
	};

	return -owner < sizeof(names) / sizeof(names[0]) ? names[-owner] : NULL;
}

static void add_owner(FILE *out, uint64_t owner, struct paths *paths)
{
	const char *special = special_owner(owner);

	if (special)
		fputs(special, out);
	else
		finding_text_inode(out, owner, paths);
}

static void add_ftype(FILE *out, uint64_t ftype, struct paths *paths)
{
	static const char *const names[FT_NR] = {
		[FT_UNKNOWN] = "of unknown type", [FT_REG] = "a file",	       [FT_DIR] = "a directory",
		[FT_CHR] = "a character device",  [FT_BLK] = "a block device", [FT_FIFO] = "a fifo",
		[FT_SOCK] = "a socket",		  [FT_SYMLINK] = "a symlink",  [FT_WHITEOUT] = "a whiteout",
	};

	(void)paths;
	if (ftype < FT_NR)
		fputs(names[ftype], out);
	else
		fprintf(out, "of type %" PRIu64, ftype);
}

static void add_object(FILE *out, uint64_t object, struct paths *paths)
{
	(void)paths;
	if (object < OBJECT_NR)
		fputs(object_name((enum object)object), out);
	else
		fprintf(out, "object %" PRIu64, object);
}

static void add_decimal(FILE *out, uint64_t value, struct paths *paths)
{
	(void)paths;
	fprintf(out, "%" PRIu64, value);
}

static void add_hex(FILE *out, uint64_t value, struct paths *paths)
{
	(void)paths;
	fprintf(out, "0x%" PRIx64, value);
}

/* Writes the word of a placeholder {one|many} that fits the number. False: the placeholder has another form. */
static bool add_number_word(FILE *out, const char *placeholder, size_t length, uint64_t number)
{
	const char *bar = memchr(placeholder, '|', length), *end = placeholder + length - 1;

	if (!bar)
		return false;
	if (number == 1)
		fwrite(placeholder + 1, 1, (size_t)(bar - placeholder) - 1, out);
	else
		fwrite(bar + 1, 1, (size_t)(end - bar) - 1, out);
	return true;
}

/*
 * Writes the value of a {placeholder}; length includes the braces. *number is the value written last. False: unknown.
 */
static bool add_value(FILE *out, const char *placeholder, size_t length, const struct problem *p, struct paths *paths,
		      uint64_t *number)
{
	const struct {
		const char *name;
		uint64_t value;
		void (*add)(FILE *out, uint64_t value, struct paths *paths);
	} values[] = {
		{ "{got}", p->got, add_decimal },
		{ "{want}", p->want, add_decimal },
		{ "{got:x}", p->got, add_hex },
		{ "{want:x}", p->want, add_hex },
		{ "{got:inode}", p->got, finding_text_inode },
		{ "{want:inode}", p->want, finding_text_inode },
		{ "{got:owner}", p->got, add_owner },
		{ "{want:owner}", p->want, add_owner },
		{ "{got:ftype}", p->got, add_ftype },
		{ "{want:ftype}", p->want, add_ftype },
		{ "{got:object}", p->got, add_object },
		{ "{want:object}", p->want, add_object },
		{ "{index}", p->index, add_decimal },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (strlen(values[i].name) == length && !memcmp(values[i].name, placeholder, length)) {
			values[i].add(out, values[i].value, paths);
			*number = values[i].value;
			return true;
		}
	}
	return add_number_word(out, placeholder, length, *number);
}

void finding_text_fill(FILE *out, const char *template, const struct problem *problem, struct paths *paths)
{
	const char *s = template;
	uint64_t number = 0;

	while (*s) {
		size_t plain = strcspn(s, "{");
		size_t length;

		fwrite(s, 1, plain, out);
		s += plain;
		if (!*s)
			break;
		length = strcspn(s, "}");
		if (!s[length] || !add_value(out, s, length + 1, problem, paths, &number)) {
			fputc('{', out);
			length = 0;
		}
		s += length + 1;
	}
}

void finding_text_message(FILE *out, const struct problem *problem, struct paths *paths)
{
	finding_text_fill(out, finding_template(problem->finding), problem, paths);
}

/* Returns the word for a record of an object. */
static const char *record_word(enum object object)
{
	switch (object) {
	case OBJ_AGFL:
		return "slot";
	case OBJ_AGI:
		return "bucket";
	case OBJ_DIRECTORY:
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_DIR_LEAF:
	case OBJ_DIR_FREE:
	case OBJ_DA_NODE:
	case OBJ_ATTR_FORK:
	case OBJ_ATTR_LEAF:
		return "entry";
	default:
		return "record";
	}
}

static bool ends_with_block(const char *name)
{
	size_t length = strlen(name);

	return length >= 5 && !strcmp(name + length - 5, "block");
}

/* True if the finding contains the path of its inode, which had none when paths were looked up. Sets its directory. */
static bool tells_path(const struct found *found, struct paths *paths, struct path *ret_directory)
{
	struct path own;

	if (found->problem.finding != F_PPTR_LACKS || !found->place.name.len)
		return false;
	paths_find(paths, found->place.ino, &own);
	paths_find(paths, (xino_t){ found->problem.want }, ret_directory);
	return !own.len && ret_directory->kind == PATH_WHOLE;
}

/* Writes the path of the inode that a finding is about. */
static void add_path_of(FILE *out, const struct found *found, struct paths *paths)
{
	const struct name_view *name = &found->place.name;
	struct path directory;

	if (!tells_path(found, paths, &directory)) {
		add_path(out, found->place.ino, paths);
		return;
	}
	fputs(" \"", out);
	if (directory.len > 1) /* the root's path is "/" */
		quote_print(out, directory.bytes, directory.len);
	fputc('/', out);
	quote_print(out, name->bytes, name->len);
	fputc('"', out);
}

/* Writes the place of an object of an inode, without the object's name if it is the inode itself. */
static void add_owned_place(FILE *out, const struct found *found, struct paths *paths)
{
	const struct place *p = &found->place;

	fprintf(out, "inode %" PRIu64, p->ino.v);
	if (finding_text_place_inode(p).v != NULL_INO)
		add_path_of(out, found, paths);
	if (p->object != OBJ_INODE)
		fprintf(out, " %s", object_name(p->object));
	if (p->fileoff.v != NO_FILEOFF)
		fprintf(out, " at file block %" PRIu64, p->fileoff.v);
	if (p->agno.v != NO_AGNO && p->agbno.v != NULL_AGBNO)
		fprintf(out, " (AG %" PRIu32 " block %" PRIu32 ")", p->agno.v, p->agbno.v);
	else if (p->agno.v != NO_AGNO)
		fprintf(out, " (AG %" PRIu32 ")", p->agno.v);
	if (p->rgbno.v != NO_RGBNO)
		fprintf(out, " (realtime group %" PRIu32 " block %" PRIu64 ")", p->rgno, p->rgbno.v);
}

static void add_ag_place(FILE *out, const struct place *p)
{
	const char *name = object_name(p->object);
	bool in_ag = p->agno.v != NO_AGNO;

	if (p->rgno != NO_RGNO) {
		fprintf(out, "realtime group %" PRIu32, p->rgno);
		if (p->rgbno.v != NO_RGBNO)
			fprintf(out, " block %" PRIu64, p->rgbno.v);
		return;
	}
	if (in_ag)
		fprintf(out, "AG %" PRIu32, p->agno.v);
	if (!in_ag || p->object != OBJ_AG)
		fprintf(out, "%s%s", in_ag ? " " : "", name);
	if (p->agbno.v != NULL_AGBNO)
		fprintf(out, "%s %" PRIu32, ends_with_block(name) ? "" : " block", p->agbno.v);
	if (p->fileoff.v != NO_FILEOFF)
		fprintf(out, " at file block %" PRIu64, p->fileoff.v);
}

void finding_text_place(FILE *out, const struct found *found, struct paths *paths)
{
	const struct place *place = &found->place;
	const struct problem *problem = &found->problem;
	bool index_said = strstr(finding_template(problem->finding), "{index}") != NULL;

	if (place->ino.v != NULL_INO)
		add_owned_place(out, found, paths);
	else
		add_ag_place(out, place);
	if (problem->offset)
		fprintf(out, ", byte %" PRIu32, problem->offset);
	if (problem->index != NO_INDEX && !index_said)
		fprintf(out, ", %s %" PRIu32, record_word(place->object), problem->index);
	if (place->name.len) {
		fputs(problem->index != NO_INDEX && !index_said ? " \"" : ", entry \"", out);
		quote_print(out, place->name.bytes, place->name.len);
		fputc('"', out);
	}
}

xino_t finding_text_place_inode(const struct place *place)
{
	const xino_t none = { NULL_INO };

	/* a cluster is identified by its first inode, but the finding is not about that inode */
	return place->object == OBJ_CLUSTER ? none : place->ino;
}

/* Returns a value that the message shows as an inode, or as an owner that is an inode; else NULL_INO. */
static xino_t shown_as_inode(const struct problem *problem, uint64_t value, const char *inode, const char *owner)
{
	const char *template = finding_template(problem->finding);

	if (strstr(template, inode) || (strstr(template, owner) && !special_owner(value)))
		return (xino_t){ value };
	return (xino_t){ NULL_INO };
}

xino_t finding_text_got_inode(const struct problem *problem)
{
	return shown_as_inode(problem, problem->got, "{got:inode}", "{got:owner}");
}

xino_t finding_text_want_inode(const struct problem *problem)
{
	return shown_as_inode(problem, problem->want, "{want:inode}", "{want:owner}");
}

bool finding_text_has_got(const struct problem *problem)
{
	return strstr(finding_template(problem->finding), "{got");
}

bool finding_text_has_want(const struct problem *problem)
{
	return strstr(finding_template(problem->finding), "{want");
}
