/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where metadata belongs, by what it says itself: headers of groups by their number (ondisk 02), blocks of version 5 by
 * their address, inodes of that version by their own number (ondisk 00, 04), records of the log by their LSN (ondisk
 * 11).  In version 4 a directory's first block names the directory, whose inode says where that block lies (ondisk 06),
 * and headers of groups lead to roots of btrees, which are told by magic, level and having no siblings (ondisk 02, 03).
 */
#ifndef XFSCK_REPAIR_BELONGS_H
#define XFSCK_REPAIR_BELONGS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

#define BELONGS_PIECE  (4u << 20)   /* bytes that belongs_each() reads at once */
#define BELONGS_FAR    (128u << 10) /* bytes: what is missed farther apart is more than a damaged area */
#define BELONGS_SAMPLE (256u << 20) /* bytes for belongs_sample() to look through, for a sign */

struct device;
struct found;
struct repair;
struct words;

/* The byte of the device at which an AGF or AGI, of any version, belongs.  False: it is none of this file system. */
bool belongs_header(const struct geometry *geo, const uint8_t *sector, uint64_t *ret_at);
/* The same for any metadata of the device whose first sector is this, found at byte `at`.  False: nothing says so. */
bool belongs_sector(struct device *device, const struct geometry *geo, const uint8_t *sector, uint64_t at,
		    uint64_t *ret_at);

/* Metadata whose first sector this is begins at byte `at` of the device, and belongs at `where`. */
typedef void belongs_fn(void *ctx, const uint8_t *sector, uint64_t where, uint64_t at);
/*
 * Call fn() for all metadata in the bytes [start, end) of the data device, in ascending order, as it lies on the
 * device, whatever is staged.  start: of a sector; buf: BELONGS_PIECE bytes.  Bytes that can't be read are zero;
 * without memory it ends early.
 */
void belongs_each(struct device *device, const struct geometry *geo, uint8_t *buf, uint64_t start, uint64_t end,
		  belongs_fn *fn, void *ctx);
/* The same for the beginnings of groups all over the device, `bytes` in all at most.  Without memory there are none. */
void belongs_sample(struct device *device, const struct geometry *geo, uint64_t bytes, belongs_fn *fn, void *ctx);

/* True if an AGF or an AGI lies where that of this group should. */
bool belongs_has_header(struct device *device, const struct geometry *geo, agno_t agno);

/* The byte of the device, that of a sector, at which what a finding is about should begin.  False: it has no place. */
bool belongs_found(const struct geometry *geo, const struct found *found, uint64_t *ret_at);

/* Recognizes copies in the middle of which bytes are missing. */

/*
 * Whether everything from some byte on lies too early, by a multiple of 512 bytes: then each repair would destroy what
 * a better copy still has.  PHASE_FAILED: it does, and the user has been told.  This reads the headers of the last
 * allocation group, and more only if they are not where they should be.
 */
enum phase_result shifted_copy_by_headers(const struct repair *rc);
/* The same by the last findings in rc->findings, whose blocks may lie before the places where they are missed. */
enum phase_result shifted_copy_by_findings(const struct repair *rc);

/* Recognizes arrays whose members are in the wrong order, or that have another chunk size. */

/*
 * True if metadata all over the device belongs elsewhere, at regular distances: then each repair would destroy what the
 * right order still has.  PHASE_FAILED: it does, and the user has been told.  This reads the headers of the last
 * allocation group, and more only if they are not in their place or the log is damaged.
 */
enum phase_result wrong_order_by_headers(const struct repair *rc);
/* The same, if the block of a finding in rc->findings belongs elsewhere. */
enum phase_result wrong_order_by_findings(const struct repair *rc);
/*
 * Add to a sentence at which distances metadata of this geometry lies from where it belongs.  False: nothing was added,
 * since all is in its place.
 */
bool wrong_order_say(struct device *device, const struct geometry *geo, struct words *w);

/* Recognizes copies that were not finished: their end, or whole allocation groups, read as zeroes. */

/*
 * Ask for the user's consent to a repair, with a note, if much of the device reads as zeroes where something should be.
 * rc->findings: those of the check before the repair; rc->run->device shows the repair.
 */
void unfinished_ask(const struct repair *rc);

/* Recognizes arrays one of whose members is of an earlier time. */

/*
 * Ask for the user's consent to a repair, with a note, if the metadata in every Nth piece of the device is older than
 * that of the others.  This reads up to 256 MiB.
 */
void old_member_ask(const struct repair *rc);

#endif
