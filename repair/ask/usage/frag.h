/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fragmented files are: what --frag collects (frag.c), and tells (frag_text.c, frag_json.c). */
#ifndef XFSCK_REPAIR_FRAG_H
#define XFSCK_REPAIR_FRAG_H

#include "cache.h"
#include "ask/histogram.h"
#include "ask/ranking.h"

struct answer;
struct paths;
struct repair;

/* Kinds of forks, as the options of the command `frag` of xfs_db tell them apart: x(symbol, name). */
#define FRAG_KINDS(x)                                                                                                  \
	x(FILES, "files") x(REALTIME, "realtime files") x(DIRECTORIES, "directories") x(SYMLINKS, "symbolic links")    \
		x(ATTRIBUTES, "attributes") x(QUOTA, "quota files") x(RTMETA, "realtime metadata")

enum frag_kind {
#define x(symbol, name) FRAG_##symbol,
	FRAG_KINDS(x)
#undef x
		FRAG_KIND_NR,
};

const char *frag_kind_name(enum frag_kind kind);

struct frag_sums {
	uint64_t forks; /* that have extents */
	uint64_t extents;
	uint64_t ideal;
	uint64_t blocks;
};

/* What ranked.fact[] is for a file or directory. */
enum { FRAG_EXTENTS, FRAG_IDEAL, FRAG_SIZE, FRAG_JUMPS, FRAG_WRITTEN };

/* What is known when all facts are in; the order of rankings is that of the answer. */
struct frag {
	struct frag_sums of[FRAG_KIND_NR];
	struct histogram files; /* users' files by their extents; weights are extents */
	struct ranking worst_files, worst_directories;
	uint64_t unknown; /* forks whose map is damaged: of these not all extents are counted */
	uint32_t block_size;
	enum device_medium medium;
};

/* All kinds together. */
struct frag_sums frag_all(const struct frag *frag);
/* The share of extents that are more than the ideal, in percent, as xfs_db has it. */
double frag_factor(const struct frag_sums *sums);
/*
 * An estimate of the seconds that it takes to read so many bytes in sequence that lie in so many pieces.  A medium that
 * is not known counts as a disk.
 */
double frag_seconds(enum device_medium medium, uint64_t jumps, uint64_t bytes);

/* 0 or negative errno. */
int frag_text(const struct frag *frag, struct paths *paths, const struct answer *to);
struct report_json;
void frag_json(struct report_json *json, const struct frag *frag, struct paths *paths);

#endif
