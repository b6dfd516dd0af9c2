/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts one finding into words, for the text and the JSON report. */
#ifndef XFSCK_REPAIR_FINDING_TEXT_H
#define XFSCK_REPAIR_FINDING_TEXT_H

#include <stdio.h>

#include "finding.h"
#include "names/paths.h"

/*
 * Writes a message template with the values filled in. Here and below, inodes are followed by their paths if these were
 * looked up; paths may be NULL.
 */
void finding_text_fill(FILE *out, const char *template, const struct problem *problem, struct paths *paths);

/* Writes the message of a finding with its values. */
void finding_text_message(FILE *out, const struct problem *problem, struct paths *paths);

/*
 * Writes the place: "AG 2 bnobt block 77, byte 56, record 3", "inode 133 "/a/b" directory data block at file block 2
 * (AG 0 block 77), entry 3 "name"". Leaves out unknown numbers, and the record if the message contains it.
 */
void finding_text_place(FILE *out, const struct found *found, struct paths *paths);

/* Writes "inode 133 "/a/b"". */
void finding_text_inode(FILE *out, uint64_t ino, struct paths *paths);

/* Returns the inode whose path is written with the place, or NULL_INO. */
xino_t finding_text_place_inode(const struct place *place);

/* Return the inode that the message shows as `got` or `want`, or NULL_INO. */
xino_t finding_text_got_inode(const struct problem *problem);
xino_t finding_text_want_inode(const struct problem *problem);

/* True if the message shows `got` or `want`; otherwise the value has no meaning. */
bool finding_text_has_got(const struct problem *problem);
bool finding_text_has_want(const struct problem *problem);

#endif
