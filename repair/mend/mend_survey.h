/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which blocks of allocation groups are what, a bit each, and where their inodes are: for menders that need not know
 * who has what, which takes the memory of evidence (mend_evidence.h) and its sorting.
 */
#ifndef XFSCK_REPAIR_MEND_SURVEY_H
#define XFSCK_REPAIR_MEND_SURVEY_H

#include "block_map.h"
#include "mend_evidence.h"

/* Blocks of an AG; of one that is not wanted the maps are empty. */
struct survey_ag {
	struct block_map claimed; /* by anybody */
	struct block_map again;	  /* by another, too, or twice */
	struct block_map alone;	  /* by who shares blocks with nobody: all but what files have written */
	struct block_map shared;  /* may be used more than once, by the refcountbt */
	struct block_map others;  /* by who is neither inodes nor the group's own trees and free list */
	struct block_map single;  /* one by one by the latter: the free list's are among them */
	struct block_map free;	  /* by the bnobt, or the tree that was chosen */
	struct block_map mapped;  /* in use by the rmapbt */
	struct block_map inodes;  /* by the rmapbt, of inodes */
	bool free_in_part;	  /* both free-space btrees are damaged: more blocks may be free */
};

/* Blocks [start, end) that a record of the rmapbt gives to inodes. */
struct survey_run {
	agno_t agno;
	uint32_t start, end;
};

struct mend_survey {
	struct survey_ag *ags; /* per AG */
	uint32_t agcount;
	struct chunk_fact *chunks; /* by AG, kind, start */
	size_t nchunks;
	struct survey_run *runs; /* by AG, start */
	size_t nruns;
	struct agi *agis; /* per AG, as they were; of those that could not be read everything is empty */
};

/*
 * A survey that comes with a check: what the traversal tells goes to its sink as well.  Of the AGs that wanted[] names,
 * or of all, if it is NULL; it must be free what the bnobt says.  0 or -ENOMEM.
 */
struct surveying;
int surveying_new(const struct repair *rc, const bool *wanted, struct surveying **ret);
void surveying_free(struct surveying *k);
struct sink surveying_sink(struct surveying *k);
/*
 * What came of it; nothing of AGs of which the cntbt should have been asked what is free.  The check has traversed all.
 * 0 or -ENOMEM; free both, whatever came of it.
 */
int surveying_end(struct surveying *k, struct mend_survey *ret);
/* What a survey of all AGs takes, in bytes. */
uint64_t mend_survey_bytes(const struct geometry *geo);

/*
 * The survey that came with the last check, if it is still true and has the AGs that wanted[] names, though perhaps
 * with free_in_part: the caller's then, to be freed.  False: there is none.  Who has claimed blocks since is in it; who
 * gave some up, too.
 */
bool mend_survey_adopt(struct mend *m, const bool *wanted, struct mend_survey *ret);
/* The way back: it is true again, as far as it goes, and empty then. 0, or -ENOMEM: there is none any more. */
int mend_survey_return(struct mend *m, struct mend_survey *survey);
/* Whether it has the AG, and all that is free there; survey may be NULL, which has none. */
bool mend_survey_has(const struct mend_survey *survey, agno_t agno);
/* Blocks of an AG that it has which are neither claimed nor free: the first, and how many. False: there are none. */
bool mend_survey_lost(const struct mend_survey *survey, agno_t agno, uint64_t from, uint64_t *ret_start,
		      uint64_t *ret_len);
/* Whether any of some blocks of an AG that it has are. */
bool mend_survey_any_lost(const struct mend_survey *survey, agno_t agno, uint64_t start, uint64_t len);
/* Somebody has blocks of an AG now; it need not have that. */
void mend_survey_claim(struct mend_survey *survey, agno_t agno, agbno_t start, uint64_t len);

/*
 * Of the AGs that wanted[] names.  also: chunks per AG whose inodes' claims count too, or NULL.  One AG alone takes
 * what it needs, as mend_evidence_collect() does.  0; -E2BIG: the maps don't fit into memory; another negative errno.
 * Free it whatever came of it.
 */
int mend_survey(struct mend *m, const bool *wanted, const struct mend_chunks *also, struct mend_survey *ret);
/* The same for one AG. */
int mend_survey_of_ag(struct mend *m, agno_t agno, const struct mend_chunks *also, struct mend_survey *ret);
void mend_survey_free(struct mend_survey *survey);
/* The chunks of an AG, of inobt and finobt: the first, and how many. */
const struct chunk_fact *mend_survey_chunks(const struct mend_survey *survey, agno_t agno, size_t *ret_count);

#endif
