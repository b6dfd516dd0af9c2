/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out where metadata belongs, by its own contents: AG headers by their number (ondisk 02), blocks of version 5 by
 * their address, inodes of that version by their own number (ondisk 00, 04), log records by their LSN (ondisk 11).  In
 * version 4 a directory's first block names the directory, whose inode has the place of that block (ondisk 06), and AG
 * headers point to roots of btrees, which are recognized by magic, level and having no siblings (ondisk 02, 03).
 */
#ifndef XFSCK_REPAIR_BELONGS_H
#define XFSCK_REPAIR_BELONGS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry.h"

#define BELONGS_BUFFER (4u << 20)   /* bytes that belongs_each() reads at once */
#define BELONGS_FAR    (128u << 10) /* bytes: missing blocks that are farther apart are not just a damaged area */
#define BELONGS_SAMPLE (256u << 20) /* bytes for belongs_sample() to read */

struct dates;
struct device;
struct found;
struct repair;
struct words;

/* Sets *ret_at to the byte where an AGF or AGI, of any version, belongs.  False: it is none of this file system. */
bool belongs_header(const struct geometry *geo, const uint8_t *sector, uint64_t *ret_at);
/* Does the same for any metadata with this first sector, found at byte `at`.  False: it has no address. */
bool belongs_sector(struct device *device, const struct geometry *geo, const uint8_t *sector, uint64_t at,
		    uint64_t *ret_at);

/* True if metadata with this first sector, found at byte `at`, belongs there. */
bool belongs_here(struct device *device, const struct geometry *geo, const uint8_t *sector, uint64_t at);

/* Called for metadata with this first sector, which is at byte `at` of the device, and belongs at `where`. */
typedef void belongs_fn(void *ctx, const uint8_t *sector, uint64_t where, uint64_t at);
/*
 * Calls fn() for all metadata in the bytes [start, end) of the data device, in ascending order, without staged changes.
 * start: of a sector.  buf: BELONGS_BUFFER bytes.  Unreadable bytes are zero; without memory it ends early.
 */
void belongs_each(struct device *device, const struct geometry *geo, uint8_t *buf, uint64_t start, uint64_t end,
		  belongs_fn *fn, void *ctx);
/* Does the same for the starts of AGs all over the device, at most `bytes` in total.  Without memory, does nothing. */
void belongs_sample(struct device *device, const struct geometry *geo, uint64_t bytes, belongs_fn *fn, void *ctx);

/* True if an AGF or an AGI of this AG is in its place. */
bool belongs_has_header(struct device *device, const struct geometry *geo, agno_t agno);

/* Sets *ret_at to the byte, at a sector, where the object of a finding should begin.  False: it has no place. */
bool belongs_found(const struct geometry *geo, const struct found *found, uint64_t *ret_at);

/* Recognizes copies with missing bytes in the middle. */

/*
 * Checks whether everything from some byte on is too early, by a multiple of 512 bytes: a repair would then destroy
 * data that a better copy still has.  Returns PHASE_FAILED, after reporting it, if so.  Reads the headers of the last
 * AG, and more only if they are not in their place.
 */
enum phase_result shifted_copy_by_headers(const struct repair *rc);
/* Does the same by the last findings in rc->findings, whose blocks may be before the places where they are missing. */
enum phase_result shifted_copy_by_findings(const struct repair *rc);

/* Recognizes arrays with members in the wrong order, or with another chunk size. */

/*
 * Checks whether metadata all over the device belongs elsewhere, at regular distances: a repair would then destroy data
 * that the right order still has.  Returns PHASE_FAILED, after reporting it, if so.  Reads the headers of the last AG,
 * and more only if they are not in their place or the log is damaged.
 */
enum phase_result wrong_order_by_headers(const struct repair *rc);
/*
 * Does the same, if the block of a finding in rc->findings belongs elsewhere.  dates: NULL, or gets the dates of the
 * metadata, if it was read.
 */
enum phase_result wrong_order_by_findings(const struct repair *rc, struct dates *dates);
/*
 * Adds to a sentence the distances between metadata of this geometry and its right places.  False: nothing was added,
 * since everything is in its place.
 */
bool wrong_order_say(struct device *device, const struct geometry *geo, struct words *w);

/* Recognizes incomplete copies: their end, or whole AGs, read as zeroes. */

/*
 * Asks for the user's consent to a repair, with a note, if much of the device reads as zeroes where metadata should be.
 * rc->findings: of the check before the repair.  rc->run->device shows the repair.
 */
void unfinished_ask(const struct repair *rc);

/* Recognizes arrays with an outdated member. */

/* The dates of metadata all over the device.  The caller frees them with free(); NULL: there are none, or no memory. */
struct dates *old_member_dates(const struct repair *rc);
/* A belongs_fn for belongs_sample() with BELONGS_SAMPLE. */
void old_member_note(void *dates, const uint8_t *sector, uint64_t where, uint64_t at);
/*
 * Asks for the user's consent to a repair, with a note, if the metadata in every Nth piece of the device is older than
 * that of the others.  dates NULL: does nothing.  Unless dates were noted, reads up to 256 MiB.
 */
void old_member_ask(const struct repair *rc, struct dates *dates);

#endif
