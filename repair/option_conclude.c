/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When all of the command line has been read: whether its options make sense together, and what they mean for others.
 */
#include <stdio.h>
#include <string.h>

#include "inventory/extract/wanted.h"
#include "option_parser.h"

/* True if an option with a key in this range was given. */
static bool is_any_seen(const struct parser *p, int first, int last)
{
	bool any = false;
	unsigned index;

	for (int key = first; key <= last; key++)
		any |= option_table_find(p->who, key, &index) && p->seen[index];
	return any;
}

/* Write the options that tell which part of the device is meant. */
static void write_part(struct options *o)
{
	char size[24] = "";

	if (o->size)
		snprintf(size, sizeof(size), ":%llu", (unsigned long long)o->size);
	if (o->partition)
		snprintf(o->part, sizeof(o->part), "--partition=%u", o->partition);
	else if (o->offset || o->size)
		snprintf(o->part, sizeof(o->part), "--offset=%llu%s", (unsigned long long)o->offset, size);
}

/* Whether what --extract is given makes sense. */
static enum options_result conclude_extract(const struct parser *p)
{
	const struct query *q = &p->options.query;
	const bool shown = q->to && !strcmp(q->to, "-");
	struct wanted wanted;
	int ret;

	if (!q->extract != !q->to)
		return option_refuse(p, "--extract and --to belong together: what to copy, and where to");
	if (!q->extract)
		return q->skip_damaged ? option_refuse(p, "--skip-damaged is for --extract") : OPTIONS_RUN;
	ret = wanted_parse(q->extract, &wanted);
	wanted_free(&wanted);
	if (ret)
		return option_refuse(p, "--extract: '%s' is no list of paths from the root of the file system",
				     q->extract);
	if (shown && (q->list != LIST_NONE || (p->options.json && !strcmp(p->options.json, "-"))))
		return option_refuse(p, "--to=- needs standard output for itself");
#ifndef HAVE_LIBARCHIVE
	if (wanted_is_archive(q->to))
		return option_refuse(p, "--to: this xfsck was built without libarchive, and makes no archives");
#endif
	return OPTIONS_RUN;
}

/* Whether --checkpoint and --resume make sense: they are for a check, and nothing else. */
static enum options_result conclude_checkpoint(struct parser *p)
{
	struct options *o = &p->options;
	const char *name = o->resume ? "--resume" : "--checkpoint";

	if (!o->resume && !o->checkpoint)
		return OPTIONS_RUN;
	if (query_any(&o->query) || o->preview || o->plan || o->plan_apply || o->rollback || o->apply)
		return option_refuse(p, "%s is for a check alone (-n): not for questions, nor for anything else", name);
	if (!o->no_modify)
		return option_refuse(p, "%s is for a check: give -n", name);
	if (!o->checkpoint)
		o->checkpoint = o->resume;
	return OPTIONS_RUN;
}

enum options_result option_conclude(struct parser *p)
{
	struct options *o = &p->options;
	enum options_result result;

	write_part(o);

	if (!o->device)
		return option_refuse(p, "no device is given");
	if (o->partition && is_any_seen(p, KEY_OFFSET, KEY_OFFSET))
		return option_refuse(p,
				     "--partition and --offset both tell where the file system is: give one of them");
	if (o->no_prefetch && (o->queue_depth > 1 || o->merge_gap > 0))
		return option_refuse(p,
				     "-P, one small request after the other, contradicts -o queue_depth and merge_gap");
	if (o->rollback && o->undo)
		return option_refuse(p, "--rollback takes a repair back, --undo is for one: give one of them");
	if (option_refuse_second_deed(p) != OPTIONS_RUN || option_conclude_several(p) != OPTIONS_RUN)
		return OPTIONS_USAGE;
	if (o->query.list == LIST_NONE && is_any_seen(p, KEY_LIST_NAMES, KEY_NAME))
		return option_refuse(p, "fields, names and filters are for --list");
	if (o->query.list != LIST_NONE && o->json && !strcmp(o->json, "-"))
		return option_refuse(p,
				     "--list and --json both want standard output: give --list=json, or --json=FILE");
	result = conclude_extract(p);
	if (result != OPTIONS_RUN)
		return result;
	if (query_any(&o->query) && (o->undo || o->rollback || o->commit_unproven))
		return option_refuse(p, "what is asked about files writes nothing, so there is nothing to keep, to "
					"take back or to commit");
	if (o->query.bad_block_size && !o->query.bad)
		return option_refuse(p, "--bad-block-size is for --bad");
	if (o->query.map_attributes && !o->query.map)
		return option_refuse(p, "-a is for --map: it tells the attribute fork's extents");
	result = conclude_checkpoint(p);
	if (result != OPTIONS_RUN)
		return result;
	o->no_modify |= query_any(&o->query) || o->preview || o->plan;
	if (o->no_modify && o->undo)
		return option_refuse(p, "-n writes nothing that --undo could keep");
	if (o->keep != UNDO_AUTO && is_any_seen(p, KEY_UNDO_DIR, KEY_UNDO_DIR))
		return option_refuse(p, "--undo-dir is for --undo=auto: the folder of --undo=FILE is in its name");
	if (o->commit_unproven && (o->no_modify || o->rollback))
		return option_refuse(p, "--commit-unproven is for a repair: %s makes none",
				     o->rollback ? "--rollback" : "-n");
	if (o->discard_log && o->log != LOG_REPLAY)
		return option_refuse(
			p, "-L gives up what a dirty log holds, --log=ignore and --log=upto do not: give one of them");
	if (o->no_modify && !o->preview)
		return OPTIONS_RUN;
	/* if the file system were mended without what the log holds, the replay at the next mount would damage it */
	if (o->log == LOG_IGNORE)
		return option_refuse(p, "--log=ignore is for -n: a repair replays the log");
	if (p->automatic && !p->force)
		return OPTIONS_BOOT;
	if (p->who == FSCK && !p->repair && !p->force && !o->rollback)
		return option_refuse(p,
				     "nothing is asked before it is repaired: give -y to repair, or -n to check only");
	return OPTIONS_RUN;
}
