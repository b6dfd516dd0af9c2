/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts from outside the sweep: from the superblock, and from traversals for a sink.  These report nothing, since
 * another traversal reports the damage.
 */
#include "base/devices.h"
#include "facts.h"
#include "repair.h"
#include "report.h"
#include "report/trace.h"
#include "run.h"
#include "check/walk/traverse.h"

void superblock_facts(const struct geometry *geo, const struct sink *sink)
{
	const xino_t rooted[] = { geo->rbmino, geo->rsumino, geo->uquotino, geo->gquotino, geo->pquotino };

	if (geo->logstart.v && fsb_range_valid(geo, geo->logstart, geo->logblocks)) {
		const struct blocks at = { group_of_ag(agno_of_fsbno(geo, geo->logstart)),
					   { agbno_of_fsbno(geo, geo->logstart).v },
					   geo->logblocks };
		const struct claim log = { .at = at, .owner = OWNER_LOG, .object = OBJ_LOG };

		sink_tell(sink, claim, 0, &log);
	}
	if (has_rtsb(geo)) {
		const struct blocks at = { group_of_rg(geo, 0), { 0 }, geo->rextsize };
		const struct claim rtsb = { .at = at, .owner = OWNER_FS, .object = OBJ_AG };

		sink_tell(sink, claim, 0, &rtsb);
	}
	if (geo->metadir)
		return; /* directories of the metadata tree name these inodes */
	for (size_t i = 0; i < sizeof(rooted) / sizeof(rooted[0]); i++)
		if (rooted[i].v && rooted[i].v != NULL_INO && ino_valid(geo, rooted[i]))
			sink_tell(sink, rooted, 0, rooted[i], false);
}

int facts_traverse(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		   const struct sink *sink, struct traverse **ret_traverse)
{
	const struct sweep_options options = sweep_options_of(rc);

	return traverse_new(geo, rc->run->device, rc->primary, scope, sink, NULL, &options, ret_traverse);
}

/* Adds a sweep over the whole file system to the trace. */
static void trace_sweep(const struct repair *rc, const struct scope *scope, uint64_t start)
{
	struct trace *trace = rc->run->trace;

	trace_say(trace, "sweep over all %s for%s%s%s%s", scope->shallow ? "groups" : "inodes",
		  scope->claims ? " claims" : "", scope->trees ? " trees" : "", scope->names ? " names" : "",
		  scope->pptrs ? " parent pointers" : "");
	trace_end(trace, start);
}

int facts_traverse_all(const struct repair *rc, struct traverse *t)
{
	const uint64_t start = trace_now(rc->run->trace);
	const uint64_t counted = rc->traverse ? traverse_totals(rc->traverse).inodes : 0;
	struct report_work work = { .look = traverse_look_inodes, .ctx = t, .total = counted, .unit = "inodes" };
	int ret;

	if (t->scope.shallow) {
		work.look = traverse_look_groups;
		work.total = t->geo->agcount;
		work.unit = "groups";
	}
	report_progress(rc->report, &work);
	ret = traverse_all(t);
	report_progress_end(rc->report);
	trace_sweep(rc, &t->scope, start);
	return ret;
}

int facts_traverse_also(const struct repair *rc, struct traverse *t, const struct facts_chunks *also)
{
	int ret = facts_traverse_all(rc, t);

	for (uint32_t ag = 0; also && ag < rc->geo.agcount && !ret; ag++)
		if (also[ag].count)
			ret = traverse_chunks(t, (agno_t){ ag }, also[ag].v, also[ag].count);
	return ret;
}

int facts_traverse_these(const struct repair *rc, struct traverse *t, const xino_t *inos, size_t count)
{
	int ret;

	report_progress(rc->report, &(struct report_work){
					    .look = traverse_look_inodes, .ctx = t, .total = count, .unit = "inodes" });
	ret = traverse_these(t, inos, count);
	report_progress_end(rc->report);
	return ret;
}

/* inos: traverse these inodes only; NULL: all inodes */
static int gather(const struct repair *rc, const struct geometry *geo, const struct scope *scope, const xino_t *inos,
		  size_t count, const struct sink_ops *ops, void *ctx)
{
	const struct sink sink = { ops, ctx, &rc->run->key };
	struct traverse *t = NULL;
	int ret = facts_traverse(rc, geo, scope, &sink, &t);

	if (!ret)
		ret = inos ? facts_traverse_these(rc, t, inos, count) : facts_traverse_all(rc, t);
	traverse_free(t);
	return ret;
}

int facts_gather(const struct repair *rc, const struct geometry *geo, const struct scope *scope,
		 const struct sink_ops *ops, void *ctx)
{
	return gather(rc, geo, scope, NULL, 0, ops, ctx);
}

int facts_gather_settled(const struct repair *rc, const struct scope *scope, const struct sink *sink)
{
	struct intents_filter filter;
	const struct sink filtered = intents_sink(&filter, rc->run->intents, sink);

	superblock_facts(&rc->geo, sink);
	intents_facts(rc->run->intents, sink);
	return facts_gather(rc, &rc->geo, scope, filtered.ops, filtered.ctx);
}

int facts_gather_near(const struct repair *rc, const struct scope *scope, const xino_t *inos, size_t count,
		      const struct sink_ops *ops, void *ctx)
{
	return gather(rc, &rc->geo, scope, inos, count, ops, ctx);
}

#define NEAR_LEAST 4096u /* the limit is at least this many inodes, ... */
#define NEAR_SHARE 32u	 /* ... or one inode in so many */

size_t facts_near_most(const struct repair *rc)
{
	const uint64_t inodes = rc->traverse ? traverse_totals(rc->traverse).inodes : inodes_expected(rc);
	const uint64_t share = inodes / NEAR_SHARE;

	return share > NEAR_LEAST ? (size_t)share : NEAR_LEAST;
}
