/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers written to a file one after the other, and read back.  Small numbers take few bytes: seven bits in each, the
 * lowest first, and the eighth bit tells that more follow.  Whoever reads relies on nothing: the file may be anybody's.
 * Errors stick, so they need to be asked for only at the end.
 */
#ifndef XFSCK_REPAIR_SAVE_H
#define XFSCK_REPAIR_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAVE_BUFFER (64u << 10) /* bytes */

/* ---- writing ---- */

struct saver {
	int fd;
	int error;	/* the first, a negative errno */
	uint32_t crc;	/* of all that was written so far */
	uint64_t bytes; /* likewise */
	size_t used;	/* of the buffer */
	uint8_t buffer[SAVE_BUFFER];
};

/* Begin at the start of a file. */
void save_begin(struct saver *s, int fd);
void save_bytes(struct saver *s, const void *bytes, size_t len);
/* A number, most often a small one. */
void save_number(struct saver *s, uint64_t number);
/* One that lies a little above or below another. */
void save_near(struct saver *s, uint64_t number, uint64_t other);
/* One of which all bits are as good as random, in eight bytes. */
void save_word(struct saver *s, uint64_t word);
/* A text, with its length in front of it. */
void save_text(struct saver *s, const char *text);
/* Write the rest, and how long all of it is, and its checksum.  0 or negative errno. */
int save_end(struct saver *s);

/* ---- reading ---- */

struct loader {
	int fd;
	int error;	   /* the first, a negative errno: -EBADMSG: what was read makes no sense */
	uint64_t at;	   /* bytes: where in the file the buffer begins */
	uint64_t end;	   /* bytes of the file, without length and checksum at its end */
	size_t next, have; /* of the buffer */
	uint8_t buffer[SAVE_BUFFER];
};

/* Begin, after a look at all of the file: 0, -EBADMSG if it is not as save_end() left it, or another negative errno. */
int load_begin(struct loader *l, int fd);
/* After an error these return 0, and bytes that are 0. */
void load_bytes(struct loader *l, void *bytes, size_t len);
uint64_t load_number(struct loader *l);
uint64_t load_near(struct loader *l, uint64_t other);
uint64_t load_word(struct loader *l);
bool load_bool(struct loader *l);
/* A number that is at most `most`; else the error is -EBADMSG. */
uint64_t load_at_most(struct loader *l, uint64_t most);
/* A text that fits into size bytes with its end; whatever is not printable ASCII becomes "?". */
void load_text(struct loader *l, char *text, size_t size);
/* How many elements follow that take at least one byte each: no more than there are bytes left. */
size_t load_count(struct loader *l);
/* What was read makes no sense.  Always false. */
bool load_refuse(struct loader *l);
/* Note an error of the caller's own, if there has been none. */
void load_failed(struct loader *l, int error);
/* Whether all is well, so that going on makes sense. */
static inline bool load_good(const struct loader *l)
{
	return !l->error;
}

/* When all has been read: 0, -EBADMSG if there is more, or the first error. */
int load_end(struct loader *l);

#endif
