/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a repair loses, changes and brings back, in both forms of the report. */
#ifndef XFSCK_REPAIR_REPORT_LOSSES_H
#define XFSCK_REPAIR_REPORT_LOSSES_H

#include "loss_list.h"
#include "words.h"

struct ino_set;
struct path;
struct report_json;

struct losses_told {
	const struct loss_list *list;
	struct paths *before, *after; /* NULL: they were not found out */
	bool no_modify;		      /* it would be lost */
	bool json;		      /* there is a JSON report, which has all of it */
	const struct ino_set *gone;   /* inodes that are lost: what has their numbers now is something else */
};

/* True if anything is lost, changed, outdated, or gained, as the text tells it. */
bool losses_has(const struct losses_told *told, enum loss_fate fate);
/* True if text and page have no line for it: of what has come back, they have names that no other list has. */
bool losses_left_out(const struct loss *loss);
/* Collect the inodes of names that are lost. Out of memory: some are listed twice. */
void losses_named(const struct loss_list *list, struct ino_set *named);
/* Collect the inodes that are lost, other than those that are recreated. Out of memory: not all of them. */
void losses_gone(const struct loss_list *list, struct ino_set *gone);
/* True if a lost inode is listed with its names, which losses_named() has collected. */
bool losses_told_by_name(const struct loss *loss, const struct ino_set *named);
/* What is lost, or changed, object by object. */
void report_text_losses(FILE *out, const struct losses_told *told, enum loss_fate fate);
/*
 * What became of one object, in lines that begin with two blanks: of `count` losses that follow each other in the list,
 * and that loss_same_object() holds to be of one.
 */
void report_text_loss(FILE *out, const struct losses_told *told, const struct loss *losses, size_t count);
/* How many changes the list does not have, if any. */
void report_text_losses_unlisted(FILE *out, const struct losses_told *told);
/* A line for each: lost, changed, gained. */
void report_json_losses(struct report_json *json, const struct losses_told *told);
/*
 * "765 of about 1,020 files are in place and unchanged; 2 are damaged, 253 gone"; no_modify: "would be"; zeroed: what
 * files had in a part of the device is gone, and not counted.
 */
void losses_words(struct words *words, const struct losses *losses, bool no_modify, bool zeroed);
/* "253 more files are missing; their names are unknown"; false: no file is missing that is not named. */
bool losses_missing_words(struct words *words, const struct losses *losses);
/* The same as a line that begins with two blanks, if any are missing. */
void report_text_losses_missing(FILE *out, const struct losses_told *told);

typedef bool losses_path_find(const struct losses_told *told, xino_t ino, struct path *path);

/*
 * The path of an inode: as it was, or if it had none, as it is.  False: it has none, and path->len is 0.
 */
losses_path_find losses_path;
/* The same, as it is now, or if it has none any more, as it was. */
losses_path_find losses_path_now;

#endif
