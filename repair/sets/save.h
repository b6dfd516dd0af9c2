/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers written to a file one after the other, and read back.  Small numbers take few bytes: seven bits in each, the
 * lowest first, and the eighth bit says that more follow.  Reading trusts nothing: anybody may have written the file.
 * Errors stick, so they need to be checked only at the end.
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
	int error;	/* the first error, a negative errno */
	uint32_t crc;	/* of all that was written so far */
	uint64_t bytes; /* that were written so far */
	size_t used;	/* of the buffer */
	uint8_t buffer[SAVE_BUFFER];
};

/* Starts at the beginning of a file. */
void save_begin(struct saver *s, int fd);
void save_bytes(struct saver *s, const void *bytes, size_t len);
/* Writes a number, most often a small one. */
void save_number(struct saver *s, uint64_t number);
/* Writes a number that is a little above or below another one. */
void save_near(struct saver *s, uint64_t number, uint64_t other);
/* Writes a number whose bits are as good as random, in eight bytes. */
void save_word(struct saver *s, uint64_t word);
/* Writes a text, with its length before it. */
void save_text(struct saver *s, const char *text);
/* Writes the rest, the total length and the checksum.  Returns 0 or a negative errno. */
int save_end(struct saver *s);

/* ---- reading ---- */

struct loader {
	int fd;
	int error;	   /* the first error, a negative errno; -EBADMSG: invalid contents */
	uint64_t at;	   /* byte of the file where the buffer begins */
	uint64_t end;	   /* bytes of the file, without length and checksum at its end */
	size_t next, have; /* bytes of the buffer: position, and number */
	uint8_t buffer[SAVE_BUFFER];
};

/* Starts reading, after verifying the whole file.  Returns 0, -EBADMSG for invalid contents, or a negative errno. */
int load_begin(struct loader *l, int fd);
/* After an error these return 0, and zeroed bytes. */
void load_bytes(struct loader *l, void *bytes, size_t len);
uint64_t load_number(struct loader *l);
uint64_t load_near(struct loader *l, uint64_t other);
uint64_t load_word(struct loader *l);
bool load_bool(struct loader *l);
/* Reads a number that is at most `most`; else the error is -EBADMSG. */
uint64_t load_at_most(struct loader *l, uint64_t most);
/* Reads a text into size bytes, terminator included; bytes other than printable ASCII become "?". */
void load_text(struct loader *l, char *text, size_t size);
/* Reads a number of elements that take at least one byte each: no more than there are bytes left. */
size_t load_count(struct loader *l);
/* Notes that the contents are invalid.  Returns false. */
bool load_refuse(struct loader *l);
/* Notes an error of the caller's own, if there has been none. */
void load_failed(struct loader *l, int error);
/* True if there was no error. */
static inline bool load_good(const struct loader *l)
{
	return !l->error;
}

/* Ends reading.  Returns 0, -EBADMSG if there is more data, or the first error. */
int load_end(struct loader *l);

#endif
