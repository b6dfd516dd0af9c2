/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A survey of AGs: one bit per block for each property (claimed, shared, free ...), and the inode chunks.  It is for
 * menders that need not know the owners of blocks; that would take evidence (mend_evidence.h), with much more memory,
 * and sorting.
 */
#ifndef XFSCK_REPAIR_MEND_SURVEY_H
#define XFSCK_REPAIR_MEND_SURVEY_H

#include "sets/block_map.h"
#include "mend_evidence.h"

/* Block maps of an AG; empty if it was not surveyed. */
struct survey_ag {
	union {
		struct {
			struct block_map claimed; /* has a claim */
			struct block_map again;	  /* has more than one claim */
			struct block_map alone;	  /* has a claim that forbids sharing: claim_is_alone() */
			struct block_map shared;  /* in the refcountbt, used more than once */
			struct block_map others;  /* claimed, but not by inodes, AG btrees or the free list */
			struct block_map single;  /* claimed as a single block by OWNER_AG, like the free list's */
			struct block_map free;	  /* in the bnobt, or the btree of mend_free_tree() */
			struct block_map mapped;  /* has an owner in the rmapbt */
			struct block_map inodes;  /* in an inode chunk by the rmapbt */
		};
		struct block_map maps[9]; /* all of them, as an array */
	};
	bool free_in_part; /* both free-space btrees are damaged: more blocks may be free */
};

/* Blocks [start, end) that an rmapbt record lists as inode chunks. */
struct survey_range {
	agno_t agno;
	uint32_t start, end;
};

struct mend_survey {
	struct survey_ag *ags; /* per AG */
	uint32_t agcount;
	struct chunk_fact *chunks; /* records of inobt and finobt, by AG, kind, start */
	size_t nchunks;
	struct survey_range *ranges; /* by AG, start */
	size_t nranges;
	struct agi *agis; /* per AG, as read; empty if unreadable */
};

/*
 * A survey made along with a check, whose traversal also feeds this sink.  Covers the AGs that wanted[] selects; NULL:
 * all.  0 or -ENOMEM.
 */
struct surveying;
int surveying_new(const struct repair *rc, const bool *wanted, struct surveying **ret);
void surveying_free(struct surveying *k);
struct sink surveying_sink(struct surveying *k);
/*
 * Gets the survey, after the check has traversed everything.  It has no maps of AGs whose free blocks are those of the
 * cntbt, which the check could not know in advance.  0 or -ENOMEM; free both k and *ret in any case.
 */
int surveying_end(struct surveying *k, struct mend_survey *ret);
/* Returns how many bytes a survey of all AGs takes. */
uint64_t mend_survey_bytes(const struct geometry *geo);

/*
 * Moves the survey that came with the last check from m to *ret, for the caller to free, if it covers the AGs that
 * wanted[] selects, possibly with free_in_part.  It includes blocks claimed since, but not those given up.  False:
 * none.
 */
bool mend_survey_adopt(struct mend *m, const bool *wanted, struct mend_survey *ret);
/* Returns it to m; *survey is empty then. 0, or -ENOMEM: m has no survey any more. */
int mend_survey_return(struct mend *m, struct mend_survey *survey);
/* Returns the maps of an AG, possibly with free_in_part; NULL: not surveyed. survey may be NULL. */
const struct survey_ag *mend_survey_maps(const struct mend_survey *survey, agno_t agno);
/* True if the AG was surveyed, and all its free blocks are known. survey may be NULL. */
bool mend_survey_has(const struct mend_survey *survey, agno_t agno);
/* Finds the next run, from block `from` on, of unowned blocks of a surveyed AG: neither claimed nor free. False: none.
 */
bool mend_survey_unowned(const struct mend_survey *survey, agno_t agno, uint64_t from, uint64_t *ret_start,
			 uint64_t *ret_len);
/* True if any of these blocks of a surveyed AG is unowned. */
bool mend_survey_any_unowned(const struct mend_survey *survey, agno_t agno, uint64_t start, uint64_t len);
/* Marks these blocks as claimed. No effect if the AG was not surveyed; survey may be NULL. */
void mend_survey_claim(struct mend_survey *survey, agno_t agno, agbno_t start, uint64_t len);

/*
 * Surveys the AGs that wanted[] selects; NULL: all.  also: chunks per AG whose inodes are traversed, too, or NULL.  For
 * a single AG, up to half of the system's memory is used, like by mend_evidence_collect().  0; -E2BIG: the maps don't
 * fit into memory; or another negative errno.  Free *ret in any case.
 */
int mend_survey(struct mend *m, const bool *wanted, const struct facts_chunks *also, struct mend_survey *ret);
/* Likewise for one AG. */
int mend_survey_of_ag(struct mend *m, agno_t agno, const struct facts_chunks *also, struct mend_survey *ret);
void mend_survey_free(struct mend_survey *survey);
/* Returns the inobt and finobt records of an AG: the first one, and their number. */
const struct chunk_fact *mend_survey_chunks(const struct mend_survey *survey, agno_t agno, size_t *ret_count);

#endif
