/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Taking the collected findings out again, in order; how they are added is in report.h. */
#ifndef XFSCK_REPAIR_FINDINGS_H
#define XFSCK_REPAIR_FINDINGS_H

#include "finding.h"

struct findings;

#define FINDINGS_SHOWN 10000 /* so many of one kind are shown to the user, the first by found_compare() */

/* Keep `count` findings of each kind for the menders, more than FINDINGS_SHOWN. Call it before any are added. */
void findings_keep(struct findings *findings, uint32_t count);

/* When no thread adds any more: sort all, and drop duplicates and what is too much of one kind. */
void findings_settle(struct findings *findings);

/* When no thread adds any for now: save what there is; put what was saved in the place of what there is. */
struct geometry;
struct loader;
struct saver;
void findings_save(struct findings *findings, struct saver *s);
void findings_load(struct findings *findings, const struct geometry *geo, struct loader *l);

/* Bytes of memory that they take, without names. */
uint64_t findings_bytes(const struct findings *findings);

/* The following are for findings that have been settled. */

/* The next finding in order, valid until more are added; NULL at the end. */
const struct found *findings_next(struct findings *findings);

/* The same, but only those that the user is shown. */
const struct found *findings_next_shown(struct findings *findings);

/*
 * All that is shown and not reported yet, in order; for the caller to free, valid until more are added.
 * -ENOMEM: not all of them are there.
 */
int findings_untold(struct findings *findings, const struct found ***ret_found, size_t *ret_count);

/* True if fn is for any of them. The next one is the first again afterwards. */
typedef bool found_fn(void *ctx, const struct found *found);
bool findings_any(struct findings *findings, found_fn *fn, void *ctx);

/* Go back, so that the next one is the first again. */
void findings_rewind(struct findings *findings);

/* How often a kind was reported that is neither shown nor reported yet. */
uint64_t findings_excess(const struct findings *findings, enum finding finding);

/* Whether there were more of any kind than are kept. */
bool findings_cut(const struct findings *findings);

/* Whether any was only counted because there was no memory for it. */
bool findings_starved(const struct findings *findings);

/* Note that all that is there now was reported. */
void findings_told(struct findings *findings);

#endif
