/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Setting records of quota files right (ondisk 10).  Most of a record follows from its place, and what it counts from
 * what inodes use; limits and warnings are known to nobody else, and stay as long as anything of the record does.
 * Bytes in, bytes out.
 */
#ifndef XFSCK_LIBXFS_DQUOT_MEND_H
#define XFSCK_LIBXFS_DQUOT_MEND_H

#include "libxfs/dquot.h"

/* What is known of a record besides itself. */
struct dquot_facts {
	uint32_t id;
	uint8_t types;	      /* DQUOT_TYPE_*: what its file may hold */
	bool guess;	      /* look for the one change that the checksum has not seen: a millisecond */
	const uint64_t *used; /* QUOTA_COUNTS of them; NULL: not known, what is counted stays */
	const void *defaults; /* the record of id 0, which has the grace periods; NULL: there is none */
	uint64_t now;	      /* seconds since 1970 */
};

enum dquot_mended {
	DQUOT_SOUND,	 /* and unchanged */
	DQUOT_RIGHT,	 /* limits are what they were */
	DQUOT_UNVOUCHED, /* limits are kept as they are found, but the checksum does not vouch for them */
	DQUOT_ANEW,	 /* there was no record, or nothing left of it: it has no limits */
};

/* What is wrong with the record is set right, and nothing but that. */
enum dquot_mended dquot_set_right(const struct geometry *g, void *record, const struct dquot_facts *facts);
/* Whether the bytes are a record, by most of what it says of itself; false of one that is all zeroes. */
bool dquot_recognize(const struct geometry *g, const void *record, uint8_t types);
/*
 * Where a block belongs by most of the records in it: DQUOT_TYPE_* of its file, and its place there.  False: they are
 * none, or don't agree.
 */
bool dquot_block_identify(const struct geometry *g, const void *block, uint8_t *ret_types, fileoff_t *ret_off);

#endif
