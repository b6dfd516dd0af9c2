/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list beside a preview, FILE.json: which ranges of which devices the repair changes, with checksums of what is
 * there before and after, and ranges that must be the same when the preview is applied.  Its lines are JSON; the last
 * has a checksum of all others.  Offsets and lengths are bytes.
 */
#ifndef XFSCK_REPAIR_PREVIEW_LIST_H
#define XFSCK_REPAIR_PREVIEW_LIST_H

#include "consent.h"
#include "redo.h"
#include "report/json_in.h"
#include "report/json_out.h"
#include "undo.h"

#define PREVIEW_MAX (1u << 20) /* bytes of a range, at most */

/* The line that begins the list. */
struct preview_head {
	uint8_t uuid[16];	      /* of the file system */
	bool mends;		      /* more than a replay of the log is written */
	consents_t consents;	      /* consent_reasons() */
	struct redo_place redo;	      /* of the redo record, which is one of the changes; bytes 0: there is none */
	uint64_t bytes[UNDO_DEVICES]; /* size of the devices; 0: there is no such device */
	bool changed[UNDO_DEVICES];   /* there is a qcow2 file for it */
};

struct preview_range {
	unsigned device;
	uint64_t offset;
	uint32_t len;		  /* 1 to PREVIEW_MAX */
	bool same;		  /* it is not changed, and must be what it was */
	bool lost;		  /* it could not be read before */
	bool redo;		  /* a part of the redo record */
	enum overlay_layer layer; /* in which the change was staged */
	uint32_t before, after;	  /* CRC32c of the contents */
};

/* The name of the qcow2 file of a device: of FILE.qcow2, FILE-log.qcow2 ...; NULL: no memory.  The caller frees it. */
char *preview_overlay(const char *file, unsigned device);
/* The name of the list; the same. */
char *preview_list(const char *file);
/* "data", "log", "realtime" */
const char *preview_role(unsigned device);

/* Writing; json.out is the open file, and json.error tells of the first failure. */
void preview_put_head(struct report_json *json, const struct preview_head *head);
void preview_put_range(struct report_json *json, const struct preview_range *range);
void preview_put_end(struct report_json *json, uint64_t ranges);

/* Reading.  False: the list is none, or damaged. */
bool preview_get_head(struct json_in *json, struct preview_head *ret_head);
/* *ret_end: the list is complete, and there is no more range. */
bool preview_get_range(struct json_in *json, const struct preview_head *head, uint64_t number,
		       struct preview_range *ret_range, bool *ret_end);

#endif
