/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list beside a preview, FILE.json: the ranges of devices that the repair changes, with checksums of their contents
 * before and after, and ranges that must be the same when the preview is applied.  Its lines are JSON; the last has a
 * checksum of all others.  Offsets and lengths are bytes.
 */
#ifndef XFSCK_REPAIR_PREVIEW_LIST_H
#define XFSCK_REPAIR_PREVIEW_LIST_H

#include "consent.h"
#include "redo.h"
#include "report/json_in.h"
#include "report/json_out.h"
#include "undo.h"

#define PREVIEW_MAX (1u << 20) /* maximum bytes of a range */

/* The first line of the list. */
struct preview_head {
	uint8_t uuid[16];	      /* of the file system */
	bool mends;		      /* more than a replay of the log is written */
	consents_t consents;	      /* consent_reasons() */
	struct redo_place redo;	      /* of the redo record, which is one of the changes; bytes 0: none */
	uint64_t bytes[UNDO_DEVICES]; /* size of the devices; 0: there is no such device */
	bool changed[UNDO_DEVICES];   /* there is a qcow2 file for it */
};

struct preview_range {
	unsigned device;
	uint64_t offset;
	uint32_t len;		  /* 1 to PREVIEW_MAX */
	bool same;		  /* it is not changed, and must be the same when applied */
	bool lost;		  /* it was unreadable */
	bool redo;		  /* part of the redo record */
	enum overlay_layer layer; /* in which the change was staged */
	uint32_t before, after;	  /* CRC32c of the contents */
};

/* Returns the name of a device's qcow2 file: FILE.qcow2, FILE-log.qcow2 ...; the caller frees it.  NULL: no memory. */
char *preview_overlay(const char *file, unsigned device);
/* Returns the name of the list, in the same way. */
char *preview_list(const char *file);
/* Returns "data", "log" or "realtime". */
const char *preview_role(unsigned device);

/* Write to json.out, which is open; json.error has the first failure. */
void preview_put_head(struct report_json *json, const struct preview_head *head);
void preview_put_range(struct report_json *json, const struct preview_range *range);
void preview_put_end(struct report_json *json, uint64_t ranges);

/* Reads the first line.  False: it is not such a list, or it is damaged. */
bool preview_get_head(struct json_in *json, struct preview_head *ret_head);
/* Reads the next range.  *ret_end: the list is complete, and there are no more ranges.  False: as above. */
bool preview_get_range(struct json_in *json, const struct preview_head *head, uint64_t number,
		       struct preview_range *ret_range, bool *ret_end);

#endif
