/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A survey of allocation groups: which blocks are claimed, shared, free ..., with a bit for each of these, and which
 * chunks of inodes there are.  It is for menders that need not know who has a block, which would take evidence
 * (mend_evidence.h): much more memory, and sorting.
 */
#ifndef XFSCK_REPAIR_MEND_SURVEY_H
#define XFSCK_REPAIR_MEND_SURVEY_H

#include "sets/block_map.h"
#include "mend_evidence.h"

/* Maps of the blocks of an AG; of one that was not surveyed they are empty. */
struct survey_ag {
	union {
		struct {
			struct block_map claimed; /* somebody claims it */
			struct block_map again;	  /* it is claimed more than once */
			struct block_map alone;	  /* a claim on it is not to be shared: claim_is_alone() */
			struct block_map shared;  /* by the refcountbt it is used more than once */
			struct block_map others;  /* claimed, but not for inodes, the trees or the free list */
			struct block_map single;  /* claimed as a single block by OWNER_AG, as those of the free list */
			struct block_map free;	  /* the bnobt has it, or the tree of mend_free_tree() */
			struct block_map mapped;  /* the rmapbt has it as somebody's */
			struct block_map inodes;  /* the rmapbt has it as one of a chunk of inodes */
		};
		struct block_map maps[9]; /* the same, for what is done with all of them */
	};
	bool free_in_part; /* both free-space btrees are damaged: more blocks may be free */
};

/* Blocks [start, end) that a record of the rmapbt gives to chunks of inodes. */
struct survey_run {
	agno_t agno;
	uint32_t start, end;
};

struct mend_survey {
	struct survey_ag *ags; /* per AG */
	uint32_t agcount;
	struct chunk_fact *chunks; /* records of inobt and finobt, by AG, kind, start */
	size_t nchunks;
	struct survey_run *runs; /* by AG, start */
	size_t nruns;
	struct agi *agis; /* per AG, as read; one that could not be read is empty */
};

/*
 * A survey that comes with a check, whose traversal tells its facts to this sink as well.  It is of the AGs that
 * wanted[] names, or if that is NULL, of all.  0 or -ENOMEM.
 */
struct surveying;
int surveying_new(const struct repair *rc, const bool *wanted, struct surveying **ret);
void surveying_free(struct surveying *k);
struct sink surveying_sink(struct surveying *k);
/*
 * The survey, when the check has traversed everything.  It has no maps of AGs where the cntbt had to be asked what is
 * free, since the check did not know that before.  0 or -ENOMEM; free both k and *ret in any case.
 */
int surveying_end(struct surveying *k, struct mend_survey *ret);
/* How many bytes a survey of all AGs takes. */
uint64_t mend_survey_bytes(const struct geometry *geo);

/*
 * Take the survey that came with the last check out of m, if there is one that has the AGs that wanted[] names, though
 * perhaps with free_in_part: it is the caller's then, to be freed.  It has what was claimed since, but not what was
 * given up.  False: there is none.
 */
bool mend_survey_adopt(struct mend *m, const bool *wanted, struct mend_survey *ret);
/* Give it back to m; *survey is empty then. 0, or -ENOMEM: m has no survey any more. */
int mend_survey_return(struct mend *m, struct mend_survey *survey);
/* The maps of an AG, perhaps with free_in_part; NULL: it was not surveyed. survey may be NULL. */
const struct survey_ag *mend_survey_maps(const struct mend_survey *survey, agno_t agno);
/* True if the AG was surveyed, and all that is free there is known; survey may be NULL. */
bool mend_survey_has(const struct mend_survey *survey, agno_t agno);
/*
 * The next run, from block `from` on, of blocks of a surveyed AG that are lost: neither claimed nor free.  False: there
 * is none.
 */
bool mend_survey_lost(const struct mend_survey *survey, agno_t agno, uint64_t from, uint64_t *ret_start,
		      uint64_t *ret_len);
/* True if any of these blocks of a surveyed AG is lost. */
bool mend_survey_any_lost(const struct mend_survey *survey, agno_t agno, uint64_t start, uint64_t len);
/* Note that somebody has these blocks now. The AG need not have been surveyed; survey may be NULL. */
void mend_survey_claim(struct mend_survey *survey, agno_t agno, agbno_t start, uint64_t len);

/*
 * Survey the AGs that wanted[] names, or if that is NULL, all.  also: chunks per AG whose inodes are traversed, too, or
 * NULL.  For a single AG up to half of the system's memory is used, as by mend_evidence_collect().  0; -E2BIG: the maps
 * don't fit into memory; or another negative errno.  Free *ret in any case.
 */
int mend_survey(struct mend *m, const bool *wanted, const struct mend_chunks *also, struct mend_survey *ret);
/* The same for one AG. */
int mend_survey_of_ag(struct mend *m, agno_t agno, const struct mend_chunks *also, struct mend_survey *ret);
void mend_survey_free(struct mend_survey *survey);
/* The records of an AG's inobt and finobt: the first, and how many. */
const struct chunk_fact *mend_survey_chunks(const struct mend_survey *survey, agno_t agno, size_t *ret_count);

#endif
