/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts short texts for the user together in a buffer of fixed size. */
#ifndef XFSCK_REPAIR_WORDS_H
#define XFSCK_REPAIR_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Start with { 0 }.  What does not fit is cut off; text always ends with a NUL. */
struct words {
	size_t length;
	char text[512];
};

__attribute__((format(printf, 2, 3))) void words_add(struct words *words, const char *format, ...);

/* 1234567 as "1,234,567" */
void words_add_number(struct words *words, uint64_t number);

/* Print it so. */
void words_print_number(FILE *out, uint64_t number);

/* "1 inode", "2,000 inodes" */
void words_add_count(struct words *words, uint64_t count, const char *one, const char *many);

/* "512 B", "1.5 KiB", "12 GiB": three digits at most, rounded */
void words_add_bytes(struct words *words, uint64_t bytes);

/* "12 s", "3 min 20 s", "1 h 05 min" */
void words_add_duration(struct words *words, uint64_t seconds);
/* The same, but from two days on: "3 days" */
void words_add_age(struct words *words, uint64_t seconds);

#endif
