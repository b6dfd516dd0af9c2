/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs records of quota files in memory (ondisk 10).  Most of a record follows from its place, and its counts from
 * the inodes.  Limits and warnings are stored nowhere else, and are kept as long as the record is recognizable.
 */
#ifndef XFSCK_LIBXFS_DQUOT_MEND_H
#define XFSCK_LIBXFS_DQUOT_MEND_H

#include "libxfs/dquot.h"

/* What is known of a record besides itself. */
struct dquot_facts {
	uint32_t id;
	uint8_t types;	      /* DQUOT_TYPE_* allowed in its file */
	bool guess;	      /* search for a single change that makes the checksum right; takes about a millisecond */
	const uint64_t *used; /* QUOTA_COUNTS of them; NULL: unknown, the stored counts stay */
	const void *defaults; /* the record of id 0, which has the grace periods; NULL: there is none */
	uint64_t now;	      /* seconds since 1970 */
};

enum dquot_mended {
	DQUOT_SOUND,	 /* the record was sound, and is unchanged */
	DQUOT_RIGHT,	 /* limits are right */
	DQUOT_UNVOUCHED, /* limits are kept, but the checksum does not confirm them */
	DQUOT_ANEW,	 /* unrecognizable: replaced by a new record without limits */
};

/* Repairs the faults of a record, and changes nothing else. */
enum dquot_mended dquot_set_right(const struct geometry *g, void *record, const struct dquot_facts *facts);
/* True if the bytes are a record, by most of its identifying fields; false if they are all zeroes. */
bool dquot_recognize(const struct geometry *g, const void *record, uint8_t types);
/*
 * Determines the place of a block by the majority of its records: DQUOT_TYPE_* of its file, and the offset there.
 * False: too few records are recognizable, or they disagree.
 */
bool dquot_block_identify(const struct geometry *g, const void *block, uint8_t *ret_types, fileoff_t *ret_off);

#endif
