/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Iterates over collected findings in order; report.h adds them. */
#ifndef XFSCK_REPAIR_FINDINGS_H
#define XFSCK_REPAIR_FINDINGS_H

#include "finding.h"

struct findings;

#define FINDINGS_SHOWN 10000 /* findings of one kind that the user is shown: the first by found_compare() */

/* Keeps `count` findings of each kind for the menders, more than FINDINGS_SHOWN. Call it before any are added. */
void findings_keep(struct findings *findings, uint32_t count);

/* Sorts all findings, drops duplicates and those beyond the limit of a kind. Call it when no thread adds any more. */
void findings_settle(struct findings *findings);

/* Saves all findings; replaces all findings by saved ones. No thread may add any meanwhile. */
struct geometry;
struct loader;
struct saver;
void findings_save(struct findings *findings, struct saver *s);
void findings_load(struct findings *findings, const struct geometry *geo, struct loader *l);

/* Returns the bytes of memory that findings take, without their names. */
uint64_t findings_bytes(const struct findings *findings);

/* The following need findings_settle() first. */

/* Returns the next finding in order, valid until more are added; NULL at the end. */
const struct found *findings_next(struct findings *findings);

/* The same, limited to findings that the user is shown. */
const struct found *findings_next_shown(struct findings *findings);

/*
 * Collects the findings that are shown and not yet reported, in order. The caller frees the array; it is valid until
 * more are added. -ENOMEM: the array is incomplete.
 */
int findings_unreported(struct findings *findings, const struct found ***ret_found, size_t *ret_count);

/* True if fn returns true for any finding. Rewinds. */
typedef bool found_fn(void *ctx, const struct found *found);
bool findings_any(struct findings *findings, found_fn *fn, void *ctx);

/* Rewinds, so that the next finding is the first again. */
void findings_rewind(struct findings *findings);

/* Returns how many unreported findings of a kind are not shown. */
uint64_t findings_excess(const struct findings *findings, enum finding finding);

/* True if there were more findings of any kind than are kept. */
bool findings_cut(const struct findings *findings);

/* True if a finding was only counted for lack of memory. */
bool findings_starved(const struct findings *findings);

/* Marks all findings as reported. */
void findings_mark_reported(struct findings *findings);

#endif
