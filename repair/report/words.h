/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds short texts for the user in a buffer of fixed size. */
#ifndef XFSCK_REPAIR_WORDS_H
#define XFSCK_REPAIR_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Start with { 0 }. Text that does not fit is cut off; the buffer always ends with a NUL. */
struct words {
	size_t length;
	char text[512];
};

__attribute__((format(printf, 2, 3))) void words_add(struct words *words, const char *format, ...);

/* Adds 1234567 as "1,234,567". */
void words_add_number(struct words *words, uint64_t number);

/* Prints a number the same way. */
void words_print_number(FILE *out, uint64_t number);

/* Adds "1 inode", "2,000 inodes". */
void words_add_count(struct words *words, uint64_t count, const char *one, const char *many);

/* Adds "512 B", "1.5 KiB", "12 GiB": rounded to at most three digits. */
void words_add_bytes(struct words *words, uint64_t bytes);

/* Adds "12 s", "3 min 20 s", "1 h 05 min". */
void words_add_duration(struct words *words, uint64_t seconds);
/* The same, but "3 days" from two days on. */
void words_add_age(struct words *words, uint64_t seconds);

#endif
