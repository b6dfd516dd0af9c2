/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One finding in words: what the text and JSON writers share. */
#ifndef XFSCK_REPAIR_FINDING_TEXT_H
#define XFSCK_REPAIR_FINDING_TEXT_H

#include <stdio.h>

#include "finding.h"
#include "names/paths.h"

/* A template of a message with the values filled in; paths of inodes as far as they were looked for, here and below. */
void finding_text_fill(FILE *out, const char *template, const struct problem *problem, struct paths *paths);

/* The row's message with the values filled in. */
void finding_text_message(FILE *out, const struct problem *problem, struct paths *paths);

/*
 * Where: "AG 2 bnobt block 77, byte 56, record 3", "inode 133 "/a/b" directory data block at file block 2 (AG 0 block
 * 77), entry 3 "name"". Numbers that are not known are left out, as is the record where the message names it.
 */
void finding_text_place(FILE *out, const struct found *found, struct paths *paths);

/* The inode whose path belongs into the place; NULL_INO: none. */
xino_t finding_text_place_inode(const struct place *place);

/* The inode that got, or want, is, by the row's message; NULL_INO: it is none. */
xino_t finding_text_got_inode(const struct problem *problem);
xino_t finding_text_want_inode(const struct problem *problem);

#endif
