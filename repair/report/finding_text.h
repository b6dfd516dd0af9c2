/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts one finding into words, for the text and the JSON report. */
#ifndef XFSCK_REPAIR_FINDING_TEXT_H
#define XFSCK_REPAIR_FINDING_TEXT_H

#include <stdio.h>

#include "finding.h"
#include "names/paths.h"

/*
 * Write a template of a message with the values filled in.  Here and below, inodes are written with their paths, if
 * these were looked for; paths may be NULL.
 */
void finding_text_fill(FILE *out, const char *template, const struct problem *problem, struct paths *paths);

/* Write the message of the finding's row, with the values filled in. */
void finding_text_message(FILE *out, const struct problem *problem, struct paths *paths);

/*
 * Write the place: "AG 2 bnobt block 77, byte 56, record 3", "inode 133 "/a/b" directory data block at file block 2 (AG
 * 0 block 77), entry 3 "name"". Numbers that are not known are left out, as is the record if the message names it.
 */
void finding_text_place(FILE *out, const struct found *found, struct paths *paths);

/* Write "inode 133 "/a/b"". */
void finding_text_inode(FILE *out, uint64_t ino, struct paths *paths);

/* The inode whose path is written with the place; NULL_INO: none. */
xino_t finding_text_place_inode(const struct place *place);

/* If the row's message shows got, or want, as an inode: that inode; else NULL_INO. */
xino_t finding_text_got_inode(const struct problem *problem);
xino_t finding_text_want_inode(const struct problem *problem);

/* Whether the message shows the value found, or the one expected; else that value means nothing. */
bool finding_text_has_got(const struct problem *problem);
bool finding_text_has_want(const struct problem *problem);

#endif
