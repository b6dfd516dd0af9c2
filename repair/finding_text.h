/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One finding in words: what the text and JSON writers share. */
#ifndef XFSCK_REPAIR_FINDING_TEXT_H
#define XFSCK_REPAIR_FINDING_TEXT_H

#include <stdio.h>

#include "finding.h"

/* A template of a message with the values filled in. */
void finding_text_fill(FILE *out, const char *template, const struct problem *problem);

/* The row's message with the values filled in. */
void finding_text_message(FILE *out, const struct problem *problem);

/*
 * Where: "AG 2 bnobt block 77, byte 56, record 3", "inode 133 directory data block at file block 2 (AG 0 block 77),
 * entry "name"". Numbers that are not known are left out, as is the record where the message names it.
 */
void finding_text_place(FILE *out, const struct found *found);

#endif
