/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads mapfiles of ddrescue, lists of badblocks, and lists of sectors. */
#include "bad_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "report/words.h"
#include "units.h"
#include "where.h"

#define LINE  256 /* the most bytes of a line that is not a comment */
#define SPACE " \t\r\n"
#define WORDS 4 /* words of a line that are used */

/* A line divided into words. */
struct line {
	const char *word[WORDS];
	size_t length[WORDS];
	size_t count;
};

const char *bad_file_kind(enum bad_kind kind)
{
	static const char *const names[] = { [BAD_EMPTY] = "a list without any place",
					     [BAD_DDRESCUE] = "a ddrescue mapfile",
					     [BAD_BLOCKS] = "a list of badblocks",
					     [BAD_SECTORS] = "a list of sectors" };

	return names[kind];
}

void bad_file_free(struct bad_file *file)
{
	for (unsigned i = 0; i < BAD_STATES; i++)
		free(file->of[i].v);
	*file = (struct bad_file){ 0 };
}

static struct line divide(const char *text)
{
	struct line line = { .count = 0 };

	for (text += strspn(text, SPACE); *text && *text != '#'; text += strspn(text, SPACE)) {
		const size_t length = strcspn(text, SPACE "#");

		if (line.count < WORDS) {
			line.word[line.count] = text;
			line.length[line.count] = length;
		}
		line.count++;
		text += length;
	}
	return line;
}

static bool number_at(const struct line *line, size_t at, uint64_t *ret_number)
{
	return at < line->count && where_number(line->word[at], line->length[at], ret_number);
}

/* Returns the letter if a word is a single one; else 0. */
static char letter_at(const struct line *line, size_t at)
{
	return (char)(at < line->count && line->length[at] == 1 ? line->word[at][0] : 0);
}

static bool is_any_of(char letter, const char *letters)
{
	return letter && strchr(letters, letter);
}

/* Adds `count` units of a device from `start`. 0, -ENOMEM, or -EINVAL: beyond the size of any device. */
static int add(struct bad_file *file, enum bad_state state, uint64_t start, uint64_t count, uint64_t unit)
{
	struct bad_list *list = &file->of[state];
	struct span span;

	if (__builtin_mul_overflow(start, unit, &span.start) || __builtin_mul_overflow(count, unit, &count) ||
	    __builtin_add_overflow(span.start, count, &span.end) || span.end > INT64_MAX)
		return -EINVAL;
	return count ? array_add(list->v, list->room, list->count, span) : 0;
}

/* Adds a range. The first line of a mapfile has the state of ddrescue; this one has position, size and state. */
static int ddrescue_line(struct bad_file *file, const struct line *line)
{
	uint64_t start, count;
	const char state = letter_at(line, 2);

	if (line->count != 3 || !number_at(line, 0, &start) || !number_at(line, 1, &count) ||
	    !is_any_of(state, "+?*/-"))
		return -EINVAL;
	return state == '+' ? 0 : add(file, state == '?' ? BAD_UNTRIED : BAD_SURE, start, count, 1);
}

static int blocks_line(struct bad_file *file, const struct line *line)
{
	uint64_t block;

	if (line->count != 1 || !number_at(line, 0, &block))
		return -EINVAL;
	return add(file, BAD_SURE, block, 1, file->block_size);
}

static int sectors_line(struct bad_file *file, const struct line *line)
{
	const char *text = line->word[0], *dash;
	size_t length = line->length[0], before;
	uint64_t first, last;

	if (line->count != 1 || text[length - 1] != 's')
		return -EINVAL;
	length--;
	dash = memchr(text, '-', length);
	before = dash ? (size_t)(dash - text) : length;
	if (before && before < length && text[before - 1] == 's') /* "123s-130s" */
		before--;
	if (!where_number(text, before, &first))
		return -EINVAL;
	last = first;
	if (dash && !where_number(dash + 1, length - (size_t)(dash + 1 - text), &last))
		return -EINVAL;
	if (last < first || last == UINT64_MAX)
		return -EINVAL;
	return add(file, BAD_SURE, first, last - first + 1, SECTOR_SIZE);
}

static enum bad_kind kind_of(const struct line *line)
{
	uint64_t number;

	if (line->count == 1 && line->word[0][line->length[0] - 1] == 's')
		return BAD_SECTORS;
	if (!number_at(line, 0, &number))
		return BAD_EMPTY;
	if (line->count == 1)
		return BAD_BLOCKS;
	return is_any_of(letter_at(line, 1), "?*/-FG+") ? BAD_DDRESCUE : BAD_EMPTY;
}

static int add_line(struct bad_file *file, const struct line *line)
{
	static int (*const add_kind[])(struct bad_file *, const struct line *) = {
		[BAD_DDRESCUE] = ddrescue_line, [BAD_BLOCKS] = blocks_line, [BAD_SECTORS] = sectors_line
	};

	if (file->kind == BAD_EMPTY) {
		file->kind = kind_of(line);
		if (file->kind == BAD_DDRESCUE)
			return 0;
	}
	return file->kind == BAD_EMPTY ? -EINVAL : add_kind[file->kind](file, line);
}

/* Removes ranges that are known to be bad from those not tried. 0 or -ENOMEM. */
static int subtract(struct bad_file *file)
{
	const struct bad_list *bad = &file->of[BAD_SURE];
	struct bad_list rest = { 0 };
	size_t at = 0;
	int ret = 0;

	for (size_t i = 0; i < file->of[BAD_UNTRIED].count && !ret; i++) {
		struct span span = file->of[BAD_UNTRIED].v[i];

		while (at < bad->count && bad->v[at].end <= span.start)
			at++;
		for (size_t b = at; b < bad->count && bad->v[b].start < span.end && !ret; b++) {
			if (bad->v[b].start > span.start)
				ret = array_add(rest.v, rest.room, rest.count,
						(struct span){ span.start, bad->v[b].start });
			span.start = bad->v[b].end;
		}
		if (span.start < span.end && !ret)
			ret = array_add(rest.v, rest.room, rest.count, span);
	}
	free(file->of[BAD_UNTRIED].v);
	file->of[BAD_UNTRIED] = rest;
	return ret;
}

/* Reads the next line. False: there is none. *ret_whole: it fits into the buffer, except for a comment. */
static bool next_line(FILE *in, char text[static LINE], bool *ret_whole)
{
	int c = 0;

	if (!fgets(text, LINE, in))
		return false;
	*ret_whole = strchr(text, '\n') || feof(in);
	if (*ret_whole || !strchr(text, '#'))
		return true;
	*ret_whole = true;
	while (c != EOF && c != '\n')
		c = getc(in);
	return true;
}

int bad_file_read(FILE *in, uint64_t block_size, struct bad_file *ret_file, struct words *why)
{
	char text[LINE];
	bool whole;
	int ret = 0;

	*ret_file = (struct bad_file){ .block_size = block_size };
	for (uint64_t number = 1; !ret && next_line(in, text, &whole); number++) {
		const struct line line = divide(text);

		if (line.count)
			ret = whole ? add_line(ret_file, &line) : -EINVAL;
		if (ret == -EINVAL)
			words_add(why, "line %llu does not belong to %s", (unsigned long long)number,
				  ret_file->kind == BAD_EMPTY ? "a ddrescue mapfile, a list of badblocks, or one of "
								"sectors (123s, 123-130s)"
							      : bad_file_kind(ret_file->kind));
	}
	if (!ret && ferror(in))
		ret = -EIO;
	for (unsigned i = 0; i < BAD_STATES; i++)
		ret_file->of[i].count = spans_join(ret_file->of[i].v, ret_file->of[i].count);
	return ret ? ret : subtract(ret_file);
}
