/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is learnt of the realtime groups while their metadata files are walked.
 * A section that isn't divided is one group here.
 */
#ifndef XFSCK_REPAIR_RT_STATE_H
#define XFSCK_REPAIR_RT_STATE_H

#include <pthread.h>

#include "disk/inode.h"
#include "geometry.h"

/* kinds of files that a group can have, in the order of their metadata types */
enum rtfile {
	RTFILE_BITMAP,
	RTFILE_SUMMARY,
	RTFILE_RMAP,
	RTFILE_REFCOUNT,
	RTFILE_NR,
};

static inline enum rtfile rtfile_of(uint16_t metatype)
{
	return (enum rtfile)(metatype - METAFILE_RTBITMAP);
}

static inline uint16_t rtfile_metatype(enum rtfile file)
{
	return (uint16_t)(METAFILE_RTBITMAP + file);
}

/* Whether a group of this file system has a file of that kind. */
bool rtfile_wanted(const struct geometry *geo, enum rtfile kind);
/* What it is called in the metadata directory tree: "12.rmap", in size bytes. */
void rtfile_name(uint32_t rgno, enum rtfile kind, char *ret_name, size_t size);

/* Free extents at the two ends of a bitmap block; all of it, if both are its length. */
struct rt_edges {
	uint32_t lead;
	uint32_t trail;
};

struct rt_group {
	uint64_t free;	  /* extents that the bitmap has as free */
	uint64_t summary; /* runs within one bitmap block minus counters of the summary, as (level, block) */
	struct {
		xino_t ino; /* the lowest one */
		unsigned count;
		bool known; /* all of it could be gone into */
	} file[RTFILE_NR];
	/* names of such files in metadata directories */
	struct {
		xino_t ino; /* the lowest one that it leads to */
		xino_t directory;
		unsigned count;
	} name[RTFILE_NR];
};

struct rt_state {
	pthread_mutex_t lock;	/* of all below, while workers run */
	struct rt_group *group; /* one per realtime group */
	struct rt_edges *edges; /* rbmblocks per group */
	xino_t directory;	/* `rtgroups` in the root of the metadata directory tree; 0: not found */
};

/* 0 or -ENOMEM; rt_state_free() is right in either case, if *rt was zero before. */
int rt_state_init(struct rt_state *rt, const struct geometry *geo);
void rt_state_free(struct rt_state *rt);

#endif
