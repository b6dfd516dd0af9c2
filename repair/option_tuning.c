/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -o NAME=VALUE: what tunes the run, and what xfs_repair takes there. */
#include <string.h>

#include "option_parser.h"

enum tuning {
	TUNE_AG_STRIDE,
	TUNE_QUEUE_DEPTH,
	TUNE_MERGE_GAP,
	TUNE_MEDIUM,
	TUNE_IO_TIMEOUT,
	TUNE_BHASH,
	TUNE_PHASE2_THREADS,
	TUNE_LEAF_SLACK,
	TUNE_NODE_SLACK,
	TUNE_NOQUOTA,
	TUNE_FORCE_GEOMETRY,
	TUNE_SHRINK,
	TUNE_ASSUME_XFS,
	TUNE_NR,
};

static const struct {
	const char *name;
	size_t sets; /* where in struct options the flag is that it sets; 0: it takes a value */
} tunings[TUNE_NR] = {
	[TUNE_AG_STRIDE] = { "ag_stride", 0 },
	[TUNE_QUEUE_DEPTH] = { "queue_depth", 0 },
	[TUNE_MERGE_GAP] = { "merge_gap", 0 },
	[TUNE_MEDIUM] = { "medium", 0 },
	[TUNE_IO_TIMEOUT] = { "io_timeout", 0 },
	[TUNE_BHASH] = { "bhash", 0 },
	[TUNE_PHASE2_THREADS] = { "phase2_threads", 0 },
	[TUNE_LEAF_SLACK] = { "debug_bload_leaf_slack", 0 },
	[TUNE_NODE_SLACK] = { "debug_bload_node_slack", 0 },
	[TUNE_NOQUOTA] = { "noquota", SETS(no_quota) },
	[TUNE_FORCE_GEOMETRY] = { "force_geometry", SETS(force_geometry) },
	[TUNE_SHRINK] = { "shrink", SETS(shrink) },
	[TUNE_ASSUME_XFS] = { "assume_xfs", SETS(assume_xfs) },
};

static enum options_result apply_tuning(struct parser *p, enum tuning tuning, const char *value)
{
	static const char *const media[] = { "auto", "flash", "disk", NULL };
	struct options *o = &p->options;
	enum options_result result;
	uint64_t number = 0;
	unsigned choice = 0;

	switch (tuning) {
	case TUNE_AG_STRIDE:
		if (!strcmp(value, "-1")) /* for xfs_repair, no threads of its own: here groups share no disk */
			return OPTIONS_RUN;
		return option_set_unsigned(p, "-o ag_stride", value, 0, UINT32_MAX, &o->ag_stride);
	case TUNE_QUEUE_DEPTH:
		return option_set_unsigned(p, "-o queue_depth", value, 1, 4096, &o->queue_depth);
	case TUNE_MERGE_GAP:
		result = option_set_number(p, "-o merge_gap", value, 0, 1u << 30, &number);
		if (result == OPTIONS_RUN)
			o->merge_gap = (int64_t)number;
		return result;
	case TUNE_MEDIUM:
		result = option_set_choice(p, "-o medium", value, media, &choice);
		o->medium = (enum device_medium)choice;
		return result;
	case TUNE_IO_TIMEOUT:
		return option_set_unsigned(p, "-o io_timeout", value, 0, 86400, &o->io_timeout);
	case TUNE_BHASH:
		result = option_set_number(p, "-o bhash", value, 0, UINT64_MAX, &number);
		if (result == OPTIONS_RUN)
			fprintf(p->err, "%s: -o bhash has no effect: there is no hash to size\n", o->program);
		return result;
	case TUNE_PHASE2_THREADS: /* these tune xfs_repair's inner workings, and change nothing that it does */
	case TUNE_LEAF_SLACK:
	case TUNE_NODE_SLACK:
		return option_set_number(p, tunings[tuning].name, value, 0, UINT64_MAX, &number);
	default:
		return OPTIONS_USAGE;
	}
}

enum options_result option_tuning(struct parser *p, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *value = text[length] ? text + length + 1 : NULL;
	unsigned i;

	for (i = 0; i < TUNE_NR; i++) {
		if (strlen(tunings[i].name) == length && !memcmp(tunings[i].name, text, length))
			break;
	}
	if (i == TUNE_NR)
		return option_refuse(p, "unknown option -o %s", text);
	if (p->tuned & 1u << i)
		return option_refuse(p, "-o %s is given twice", tunings[i].name);
	p->tuned |= 1u << i;
	if (!tunings[i].sets && !value)
		return option_refuse(p, "-o %s needs a value", tunings[i].name);
	if (tunings[i].sets && value)
		return option_refuse(p, "-o %s takes no value", tunings[i].name);
	if (!tunings[i].sets)
		return apply_tuning(p, i, value);
	option_set_flag(p, tunings[i].sets);
	return OPTIONS_RUN;
}
