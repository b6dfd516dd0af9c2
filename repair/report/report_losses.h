/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a repair loses, changes and restores, for all forms of the report. */
#ifndef XFSCK_REPAIR_REPORT_LOSSES_H
#define XFSCK_REPAIR_REPORT_LOSSES_H

#include "loss_list.h"
#include "words.h"

struct ino_set;
struct path;
struct report_json;

struct reported_losses {
	const struct loss_list *list;
	struct paths *before, *after; /* NULL: not looked up */
	bool no_modify;		      /* the losses would happen */
	bool json;		      /* a JSON report lists all of them */
	const struct ino_set *gone;   /* lost inodes, whose numbers may be reused after the repair */
};

/* True if there is anything of this fate for the text report to print. */
bool losses_has(const struct reported_losses *reported, enum loss_fate fate);
/* True if text and page print no line for it: restored objects other than names, and names in another list. */
bool losses_left_out(const struct loss *loss);
/* Collects inodes whose names are lost. Out of memory: incomplete, so some inodes are listed twice. */
void losses_named(const struct loss_list *list, struct ino_set *named);
/* Collects lost inodes except recreated ones. Out of memory: incomplete. */
void losses_gone(const struct loss_list *list, struct ino_set *gone);
/* True if a lost inode is in `named`, so that its names are listed instead. */
bool losses_listed_by_name(const struct loss *loss, const struct ino_set *named);
/* Prints what is lost, changed or restored, object by object. */
void report_text_losses(FILE *out, const struct reported_losses *reported, enum loss_fate fate);
/*
 * Prints what happened to one object, in lines indented by at least two spaces. losses: `count` consecutive ones for
 * which loss_same_object() is true.
 */
void report_text_loss(FILE *out, const struct reported_losses *reported, const struct loss *losses, size_t count);
/* Prints how many changes the list has no room for, if any. */
void report_text_losses_unlisted(FILE *out, const struct reported_losses *reported);
/* Writes a line for each loss, change and restored object. */
void report_json_losses(struct report_json *json, const struct reported_losses *reported);
/*
 * Adds "765 of about 1,020 files are in place and unchanged; 2 are damaged, 253 gone". no_modify: "would be". zeroed:
 * adds that file data is also gone where the device reads as zeroes, which is not counted.
 */
void losses_words(struct words *words, const struct losses *losses, bool no_modify, bool zeroed);
/* Adds "253 more files are missing; their names are unknown". False: no unknown files are missing. */
bool losses_missing_words(struct words *words, const struct losses *losses);
/* Prints the same as a line indented by two spaces, if any are missing. */
void report_text_losses_missing(FILE *out, const struct reported_losses *reported);

typedef bool losses_path_find(const struct reported_losses *reported, xino_t ino, struct path *path);

/* Finds the path of an inode before the repair, or after it if it had none. False: it has none, and path->len is 0. */
losses_path_find losses_path;
/* The same, but prefers the path after the repair. */
losses_path_find losses_path_now;

#endif
