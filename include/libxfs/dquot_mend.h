/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs records of quota files (ondisk 10).  Most of a record follows from its place, and its counts from what inodes
 * use.  Limits and warnings are stored nowhere else, and are kept as long as the record is recognizable.
 * Bytes in, bytes out.
 */
#ifndef XFSCK_LIBXFS_DQUOT_MEND_H
#define XFSCK_LIBXFS_DQUOT_MEND_H

#include "libxfs/dquot.h"

/* What is known of a record besides itself. */
struct dquot_facts {
	uint32_t id;
	uint8_t types;	      /* DQUOT_TYPE_*: what its file may hold */
	bool guess;	      /* look for a single change with which the checksum is right; takes about a millisecond */
	const uint64_t *used; /* QUOTA_COUNTS of them; NULL: not known, the stored counts stay */
	const void *defaults; /* the record of id 0, which has the grace periods; NULL: there is none */
	uint64_t now;	      /* seconds since 1970 */
};

enum dquot_mended {
	DQUOT_SOUND,	 /* the record was sound and is unchanged */
	DQUOT_RIGHT,	 /* limits are what they were */
	DQUOT_UNVOUCHED, /* limits are kept as they are found, but the checksum does not vouch for them */
	DQUOT_ANEW,	 /* there was no recognizable record: this is a new one, without limits */
};

/* Repair what is wrong with the record, and change nothing else. */
enum dquot_mended dquot_set_right(const struct geometry *g, void *record, const struct dquot_facts *facts);
/* Whether the bytes are a record, by most of its identifying fields; false if they are all zeroes. */
bool dquot_recognize(const struct geometry *g, const void *record, uint8_t types);
/*
 * Find out where a block belongs by the majority of its records: DQUOT_TYPE_* of its file, and its place there.  False:
 * too few records are recognizable, or they don't agree.
 */
bool dquot_block_identify(const struct geometry *g, const void *block, uint8_t *ret_types, fileoff_t *ret_off);

#endif
