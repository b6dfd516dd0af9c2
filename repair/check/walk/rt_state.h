/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of realtime groups while their metadata files are walked.  A realtime section without groups counts as one
 * group.
 */
#ifndef XFSCK_REPAIR_RT_STATE_H
#define XFSCK_REPAIR_RT_STATE_H

#include <pthread.h>

#include "disk/inode.h"
#include "geometry.h"

struct traverse;

/* files of a group, in the order of their metadata types */
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

/* True if a group of this file system has a file of that kind. */
bool rtfile_wanted(const struct geometry *geo, enum rtfile kind);
/* Writes its name in the metadata directory tree, such as "12.rmap", to a buffer of size bytes. */
void rtfile_name(uint32_t rgno, enum rtfile kind, char *ret_name, size_t size);

/* Free realtime extents at the two ends of a bitmap block, where a run may continue in its neighbours. */
struct rt_edges {
	uint32_t lead;	/* at the start; the whole block if all are free */
	uint32_t trail; /* at the end; the whole block if all are free */
};
struct rt_group {
	uint64_t free;	  /* realtime extents that the bitmap has as free */
	uint64_t summary; /* sum over (level, bitmap block) of runs within one block, minus the summary's counters */
	uint64_t staged;  /* blocks staged for copy on write in the rtrefcountbt */
	/* inodes that are this metadata file */
	struct {
		xino_t ino; /* the lowest one */
		unsigned count;
		bool known; /* the whole file was readable and sound */
	} file[RTFILE_NR];
	/* entries in metadata directories with the name of this file */
	struct {
		xino_t ino; /* the lowest inode that they point to */
		xino_t directory;
		unsigned count;
	} name[RTFILE_NR];
};

struct rt_state {
	pthread_mutex_t lock;	/* protects all below while workers run */
	struct rt_group *group; /* one per realtime group */
	struct rt_edges *edges; /* rbmblocks per group */
	xino_t directory;	/* target of `rtgroups` in the metadata root; 0: not found */
};

/* Allocates the arrays.  *rt must be zero; call rt_state_free() either way.  Returns 0 or -ENOMEM. */
int rt_state_init(struct rt_state *rt, const struct geometry *geo);
/* Copies a state; both are initialized. */
void rt_state_copy(struct rt_state *to, const struct rt_state *from, const struct geometry *geo);
void rt_state_free(struct rt_state *rt);

/* Adds the shared ranges of all realtime groups that can be found by name.  Returns 0 or a negative errno. */
int rt_shared_read(struct traverse *t);

#endif
