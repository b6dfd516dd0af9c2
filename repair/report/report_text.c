/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as text: sentences that wrap at the width of the terminal; or with --lines, findings one per line as "id:
 * place: message", for grep and cut. Except for the timings and statistics of -v, nothing depends on time or threads.
 * Only quote_print() prints names from the disk, so that they cannot control the terminal.
 */
#include <inttypes.h>
#include <string.h>

#include "finding_text.h"
#include "quote.h"
#include "report_losses.h"
#include "report_text.h"
#include "words.h"

void report_text_geometry(FILE *out, const struct geometry *geo)
{
	struct words w = { 0 };

	words_add(&w, "XFS version %u: ", geo->version);
	words_add_count(&w, geo->agcount, "allocation group", "allocation groups");
	words_add(&w, " of ");
	words_add_count(&w, geo->agblocks, "block", "blocks");
	words_add(&w, ", ");
	words_add_number(&w, geo->dblocks);
	words_add(&w, " in all; %u bytes a block, %u a sector, %u an inode, %u a directory block", geo->block_size,
		  geo->sector_size, geo->inode_size, geo->dir_block_size);
	fprintf(out, "%s\n", w.text);
}

void report_text_phase(FILE *out, unsigned number, const char *title, const struct phase_cost *cost)
{
	double needed = (double)(cost->read + cost->kept);

	fprintf(out, "Phase %u (%s): %.3f s", number, title, cost->seconds);
	if (cost->read || cost->kept)
		fprintf(out, "; %.1f MB read", (double)cost->read / 1e6);
	if (cost->kept)
		fprintf(out, ", %.1f MB kept from before (%.0f %%)", (double)cost->kept / 1e6,
			(double)cost->kept * 100 / needed);
	fprintf(out, "\n");
}

/* Prints a text whose further lines are indented by `hang` columns. */
static void say(struct layout *layout, const char *text, unsigned hang, enum tint tint)
{
	fputs(text, layout_line(layout));
	layout_end(layout, 0, hang, tint);
}

void report_text_note(struct layout *layout, const char *sentence)
{
	FILE *out = layout_line(layout);

	fputs("Note: ", out);
	quote_sentence(out, sentence);
	layout_end(layout, 0, 6, TINT_NONE);
}

/* Returns a suffix for severities other than the usual damage. */
static const char *severity_suffix(enum severity severity)
{
	switch (severity) {
	case SEV_FATAL:
		return " (fatal)";
	case SEV_PREEN:
		return " (harmless)";
	case SEV_NOTE:
		return " (note)";
	default:
		return "";
	}
}

void report_text_finding(FILE *out, const struct found *found, struct paths *paths, bool detail)
{
	enum finding finding = found->problem.finding;
	enum severity severity = finding_severity(finding);

	fprintf(out, "%s: ", finding_id(finding));
	finding_text_place(out, found, paths);
	fputs(": ", out);
	finding_text_message(out, &found->problem, paths);
	if (detail)
		fprintf(out, " [%s, %s]", severity_name(severity), class_name(finding_class(finding)));
	else
		fputs(severity_suffix(severity), out);
	fputc('\n', out);
}

void report_text_fix(FILE *out, const char *text, enum sure sure, const struct found *found, struct paths *paths)
{
	fprintf(out, "Fix: %s: ", finding_id(found->problem.finding));
	finding_text_place(out, found, paths);
	fprintf(out, ": %s", text);
	if (sure != SURE_CERTAIN)
		fprintf(out, " (%s)", sure_name(sure));
	fputc('\n', out);
}

void report_text_more(FILE *out, const char *start, uint64_t count, bool json)
{
	struct words w = { 0 };

	words_add_number(&w, count);
	fprintf(out, "%sand %s more%s\n", start, w.text, json ? ", all in the JSON report" : ", which --json lists");
}

void report_text_left(FILE *out, const struct found *found, size_t count, struct paths *paths)
{
	for (size_t i = 0; i < count; i++) {
		fputs("Left: ", out);
		report_text_finding(out, &found[i], paths, false);
	}
}

static void print_path(FILE *out, const struct path *path)
{
	if (!path->len) {
		fputc('-', out);
		return;
	}
	quote_marked(out, path->bytes, path->len);
}

void report_text_reattached(FILE *out, const struct reattachments *list, struct paths *before, struct paths *after)
{
	fprintf(out, "Reconnected:\n");
	fprintf(out, "  %20s  it was -> it is now: why\n", "inode");
	for (size_t i = 0; i < list->count; i++) {
		const struct reattached *one = &list->all[i];
		struct path was, is;

		paths_find(before, one->ino, &was);
		paths_find(after, one->ino, &is);
		fprintf(out, "  %20" PRIu64 "  ", one->ino.v);
		print_path(out, &was);
		fputs(" -> ", out);
		print_path(out, &is);
		fprintf(out, ": %s\n", reattached_why(one, &was));
	}
}

/* Adds " (4,300 certain, 150 likely, 27 guesses)", without zeroes. */
static void add_sure(struct words *w, const struct fixes *fixes)
{
	const char *separator = " (";

	for (enum sure sure = 0; sure < SURE_NR; sure++) {
		if (!fixes->count[sure])
			continue;
		words_add(w, "%s", separator);
		words_add_count(w, fixes->count[sure], sure_name(sure),
				sure == SURE_GUESS ? "guesses" : sure_name(sure));
		separator = ", ";
	}
	words_add(w, ")");
}

void report_text_mended(struct layout *layout, const struct fixes *fixes, uint64_t left, bool unproven)
{
	const uint64_t done = fixes_all(fixes);
	struct words w = { 0 };

	words_add_count(&w, done, "fix staged in memory", "fixes staged in memory");
	if (done)
		add_sure(&w, fixes);
	if (left) {
		words_add(&w, ", but ");
		words_add_count(&w, left, "problem is", "problems are");
		words_add(&w, " left that cannot be repaired: %s.",
			  unproven ? "they are written anyway (--commit-unproven)" : "nothing is written");
	} else {
		words_add(&w, ". A check with %s applied finds no problems.", done == 1 ? "it" : "them");
	}
	say(layout, w.text, 0, TINT_NONE);
}

void report_text_excess(FILE *out, enum finding finding, uint64_t count)
{
	struct words w = { 0 };

	words_add_number(&w, count);
	fprintf(out, "%s: and %s more\n", finding_id(finding), w.text);
}

static void print_lines(FILE *out, const struct stat_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct words name = { 0 };
		struct words value = { 0 };

		words_add(&name, "%s", lines[i].name);
		for (char *c = strchr(name.text, '_'); c; c = strchr(c, '_'))
			*c = ' ';
		words_add_number(&value, lines[i].value);
		fprintf(out, "  %-28s %20s%s%s\n", name.text, value.text, lines[i].unit[0] ? " " : "", lines[i].unit);
	}
}

void report_text_stats(FILE *out, const struct stat_line *lines, size_t count)
{
	fprintf(out, "Statistics:\n");
	print_lines(out, lines, count);
}

/* Adds "at least 3 transactions, 70 changes of 12 inodes and other metadata, and at least 9 names". */
static void add_log_losses(struct words *w, const struct log_losses *lost)
{
	if (!lost->transactions && lost->at_least) {
		if (lost->records) {
			words_add(w, "at least ");
			words_add_count(w, lost->records, "record", "records");
			words_add(w, " of transactions that are not complete; ");
		}
		words_add(w, "what it held can't be counted");
		return;
	}
	words_add(w, lost->at_least ? "at least " : "");
	words_add_count(w, lost->transactions, "transaction", "transactions");
	words_add(w, ", ");
	words_add_count(w, lost->items, "change", "changes");
	words_add(w, " of ");
	words_add_count(w, lost->inodes, "inode and other metadata", "inodes and other metadata");
	if (lost->names) {
		/* unreadable parts may have removed these names, or added more */
		words_add(w, lost->at_least ? ", and in its readable parts " : ", and at least ");
		words_add_count(w, lost->names, "name", "names");
	}
	if (lost->at_least)
		words_add(w, "; parts of it are damaged, and what they held can't be counted");
}

void report_text_log(struct layout *layout, const struct log_summary *summary, bool in_memory_only, bool verbose)
{
	static const char *const said[] = {
		[LOG_FATE_REPLAYED] = "The log was replayed",
		[LOG_FATE_REPLAYED_UPTO] = "The log was replayed up to where it is damaged",
		[LOG_FATE_REPLAYED_ACROSS] = "The log was replayed, but for the hole",
		[LOG_FATE_IGNORED] = "The log is dirty, and was left out",
		[LOG_FATE_DISCARDED] = "Discarding the log would lose what it holds",
	};
	const bool discarded = summary->fate == LOG_FATE_DISCARDED && !in_memory_only;
	bool replayed = log_fate_is_replayed(summary->fate);
	struct words w = { 0 };

	words_add(&w, "%s%s: ", discarded ? "The log is discarded, with what it holds" : said[summary->fate],
		  replayed && in_memory_only ? ", in memory only" : "");
	if (replayed) {
		words_add_count(&w, summary->transactions, "transaction", "transactions");
		words_add(&w, ", ");
		words_add_count(&w, summary->items, "change", "changes");
		words_add(&w, ", ");
		words_add_number(&w, (summary->bytes + 1023) / 1024);
		words_add(&w, " KiB of metadata");
	} else {
		add_log_losses(&w, &summary->lost);
	}
	words_add(&w, ".");
	report_text_note(layout, w.text);
	if (summary->fate == LOG_FATE_REPLAYED_UPTO) {
		w = (struct words){ 0 };
		words_add(&w, in_memory_only ? "The rest of the log would be lost: " : "The rest of the log is lost: ");
		add_log_losses(&w, &summary->lost);
		words_add(&w, ".");
		report_text_note(layout, w.text);
	}
	if (replayed && verbose)
		print_lines(layout->out, summary->kinds, LOG_KINDS);
}

void report_text_crash(FILE *out, const struct crash_summary *summary)
{
	fprintf(out, summary->finished ? "Finished of what the crash interrupted:\n" : "Waiting since the crash:\n");
	print_lines(out, summary->kinds, CRASH_KINDS);
}

/* Adds "4 allocation groups, 100,316 inodes, ...". */
static void add_checked(struct words *w, const struct outcome *o, const struct totals *t)
{
	words_add_count(w, o->agcount, "allocation group", "allocation groups");
	words_add(w, ", ");
	words_add_count(w, t->inodes, "inode", "inodes");
	words_add(w, ", ");
	words_add_count(w, t->directories, "directory", "directories");
	words_add(w, " with ");
	words_add_count(w, t->entries, "name", "names");
	words_add(w, ", ");
	words_add_count(w, t->extents, "extent", "extents");
	words_add(w, ", ");
	words_add_count(w, t->attributes, "attribute", "attributes");
}

static void add_severity(struct words *w, uint64_t count, const char *one, const char *many, const char **separator)
{
	if (!count)
		return;
	words_add(w, "%s", *separator);
	words_add_count(w, count, one, many);
	*separator = ", ";
}

/* Adds "3 problems were found: 2 corrupt, 1 disagreement." */
static void add_problems(struct words *w, const struct outcome *o)
{
	const char *separator = ": ";

	words_add_count(w, outcome_problems(o), "problem was found", "problems were found");
	add_severity(w, o->found[SEV_FATAL], "that ended the check", "that ended the check", &separator);
	add_severity(w, o->found[SEV_CORRUPT], "corrupt", "corrupt", &separator);
	add_severity(w, o->found[SEV_XREF], "disagreement between two structures",
		     "disagreements between two structures", &separator);
	add_severity(w, o->found[SEV_PREEN], "harmless", "harmless", &separator);
	words_add(w, ".");
}

void report_text_rollback(FILE *out, const struct outcome *o)
{
	fputs("xfsck --rollback=", out);
	quote_shell(out, o->undo);
	if (o->log_device) {
		fputs(" -l ", out);
		quote_shell(out, o->log_device);
	}
	if (o->rt_device) {
		fputs(" -r ", out);
		quote_shell(out, o->rt_device);
	}
	fprintf(out, "%s%s ", o->range[0] ? " " : "", o->range);
	quote_shell(out, o->device);
}

static void print_way_back(struct layout *layout, const struct outcome *o)
{
	FILE *out;

	if (!o->undo || o->cut_short)
		return;
	out = layout_line(layout);
	fputs("An undo file was written. To undo the repair: ", out);
	report_text_rollback(out, o);
	layout_end(layout, 0, 0, TINT_NONE);
}

/* Prints what failed, and why. */
static void say_why(struct layout *layout, const char *what, const char *why, const char *then)
{
	const size_t length = why ? strlen(why) : 0;
	FILE *out = layout_line(layout);

	fputs(what, out);
	if (why) {
		fputs(": ", out);
		quote_sentence(out, why);
	}
	fprintf(out, "%s%s", length && why[length - 1] == '.' ? "" : ".", then);
	layout_end(layout, 0, 0, TINT_BAD);
}

/* Prints whether the file system is clean, and if not, why not. */
static void print_verdict(struct layout *layout, const struct outcome *o)
{
	bool problems = outcome_problems(o) > 0;
	struct words w = { 0 };

	if (!o->complete && o->mendable)
		say_why(layout, "The repair could not be written completely", o->why, "");
	else if (o->resume)
		say(layout, "Check interrupted. The state of the file system is unknown.", 0, TINT_BAD);
	else if (!o->complete)
		say_why(layout, "Check not completed", o->why, " The state of the file system is unknown.");
	if (problems) {
		add_problems(&w, o);
		if (o->found[SEV_FATAL])
			words_add(&w, " Nothing beyond that was checked.");
		say(layout, w.text, 0, o->repaired ? TINT_NONE : TINT_BAD);
	} else if (outcome_clean(o)) {
		say(layout, "The file system is clean.", 0, TINT_GOOD);
	}
	if (outcome_log_unreplayed(o))
		say(layout,
		    "The log is dirty: it holds changes that have not yet reached their places, and can't be replayed "
		    "whole. The rest was not checked.",
		    0, TINT_BAD);
	if (o->repaired)
		say(layout,
		    losses_any(&o->losses) || outcome_loses_log(o)
			    ? "All problems repaired; the losses above are permanent."
			    : "All problems repaired.",
		    0, TINT_GOOD);
	if (o->unproven)
		say(layout, "Some problems repaired; THE REMAINING PROBLEMS MAKE THE FILE SYSTEM UNSAFE TO WRITE TO.",
		    0, TINT_BAD);
	if (!o->written) {
		say(layout, o->preview[ROLE_DATA] ? "Nothing was written to the device." : "Nothing was written.", 0,
		    TINT_NONE);
		report_text_preview(layout, o);
		return;
	}
	w = (struct words){ 0 };
	words_add_count(&w, o->written, "byte was", "bytes were");
	words_add(&w, " written.");
	say(layout, w.text, 0, TINT_NONE);
	print_way_back(layout, o);
}

#define COPY_FIRST                                                                                                     \
	"copy the device first, since parts of it are unreadable and more may follow: ddrescue -d DEVICE IMAGE MAP; "  \
	"then check and repair the copy."

#define PARTLY	  "do not mount the file system: it is only partly repaired. "
#define MAKE_ROOM "a pool or file system below the device is full, make room there; "
#define WRITABLE  "once the device can be written, "

static const char *next_step(const struct outcome *o)
{
	uint64_t problems = outcome_problems(o);

	if (o->resume)
		return "resume with: ";
	if (o->cut_short)
		return o->undo ? PARTLY "If " MAKE_ROOM "then undo the repair, and repair again: "
			       : PARTLY "If " MAKE_ROOM WRITABLE "run xfsck again, which finishes the repair.";
	if (o->write_failed)
		return "if " MAKE_ROOM WRITABLE "run xfsck again. The file system is as it was.";
	if (!o->complete)
		return o->advice ? o->advice : "fix this, then run xfsck again.";
	if (o->preview[ROLE_DATA])
		return "inspect it; then run xfsck with --apply instead of --preview. The device must not be written "
		       "to before.";
	if (o->plan_apply && problems && !o->written)
		return "restore the lines of the fixes named above, or make a new plan.";
	if (o->plan && problems && o->mendable)
		return "edit the plan and delete the lines of unwanted fixes; then run xfsck with --plan-apply instead "
		       "of --plan. It makes the remaining fixes if the file system is consistent with them.";
	if (o->unreadable && !o->written && o->log_lost)
		return COPY_FIRST
			" If the log cannot be read there either, add -L: it discards the changes in the log and "
			"starts a new one. -L --accept-loss repairs the device itself.";
	if (o->unreadable && !o->written)
		return o->consents ? COPY_FIRST " --accept-loss repairs the device itself." : COPY_FIRST;
	if (outcome_log_unreplayed(o) && o->found[SEV_FATAL])
		return "mount and unmount the file system with a kernel that knows these features, which replays the "
		       "log; -n --log=ignore checks without it, -n -L reports what would be lost with it.";
	if (problems && !o->agcount)
		return o->advice ? o->advice
				 : "make sure that this is the right device and that it holds XFS; "
				   "copy it before anything changes it.";
	if (o->log_dirty && o->log_fate)
		return "mount and unmount the file system, which replays the log, then check again.";
	if (o->log_dirty)
		return "copy the device; then choose: --log=upto replays the log up to the damage, --log=across "
		       "--accept-loss also replays the complete transactions behind it, -n --log=ignore checks without "
		       "the log, -n -L reports what would be lost with it.";
	if (o->consents >> CONSENT_CONTENTS & 1)
		return "make sure that this is the right device. If it is, copy it, and repair the copy with "
		       "--accept-loss.";
	if (o->zeroed && !o->repaired)
		return "finish the copy, or make it again. If nothing more can be had, --accept-loss repairs what is "
		       "there.";
	if (o->consents >> CONSENT_OLD_MEMBER & 1)
		return "find out which member of the array is out of date, and assemble it with a current copy of "
		       "that. If there is none, --accept-loss repairs what is there.";
	if (o->consents)
		return "make sure that a backup has the files that would be lost, or copy the device; then add "
		       "--undo=FILE (on another file system) to keep a way back, or --accept-loss to repair without "
		       "one.";
	if (o->too_short && !o->unproven)
		return "make sure that this is the right device and that no part of it is missing; the note above says "
		       "what to do if the rest is gone.";
	if (o->log_lost)
		return "copy the device; if there is no better copy of the log, run xfsck with -L, which discards the "
		       "changes in this log and starts a new one.";
	if (o->mounted)
		return "reboot at once without writing anything: the file system is mounted, and the metadata in the "
		       "kernel's cache no longer matches the device.";
	if (o->unproven)
		return "mount it only with -o ro,norecovery, and copy all readable files to another device.";
	if (o->log_fate == LOG_FATE_IGNORED)
		return "run xfsck without --log=ignore to replay the log: its changes belong to the file system.";
	if (o->log_fate == LOG_FATE_DISCARDED && o->no_modify)
		return "run xfsck without -L to replay the log; if that fails, -L without -n discards its changes.";
	if (o->written && outcome_loses_log(o))
		return o->repaired && losses_any(&o->losses)
			       ? "restore the files listed as lost, and the changes lost with the log, from backup. "
				 "Nothing else needs to be done."
			       : "restore the changes lost with the log from backup. Nothing else needs to be done.";
	if (o->repaired && losses_any(&o->losses))
		return "restore the files listed as lost from backup. Nothing else needs to be done.";
	if (o->no_modify && o->log_fate == LOG_FATE_REPLAYED && problems == o->found[SEV_PREEN])
		return "mount the file system, or run xfsck without -n: either replays the log.";
	if (!problems || o->repaired)
		return "nothing to do.";
	if (problems == o->found[SEV_PREEN])
		return "nothing to do; a repair would tidy this up.";
	if (o->mendable && (losses_any(&o->losses) || outcome_loses_log(o)))
		return "make sure that a backup has the files that would be lost, or copy the device; then run xfsck "
		       "without -n to repair. An undo file will be kept.";
	if (o->mendable)
		return "run xfsck without -n to repair; an undo file will be kept.";
	return "copy the device before anything changes it, then repair it with xfs_repair(8); "
	       "this version of xfsck cannot repair all of it.";
}

/* Prints what is lost with the log, or with the rest of it. */
static void print_lost_log(struct layout *layout, const struct outcome *o)
{
	const bool rest = o->log_fate == LOG_FATE_REPLAYED_UPTO;
	struct words w = { 0 };

	words_add(&w, "%s %s lost: ", rest ? "The rest of the log" : "Changes in the log",
		  !o->written ? "would be"
		  : rest      ? "is"
			      : "are");
	add_log_losses(&w, &o->log_losses);
	words_add(&w, ".");
	say(layout, w.text, 0, TINT_BAD);
}

/* Prints the first line of the summary: what was kept, or would be. */
static void print_kept(struct layout *layout, const struct outcome *o)
{
	struct words kept = { 0 }, w = { 0 };

	if (!o->complete)
		return;
	if (outcome_loses_log(o))
		print_lost_log(layout, o);
	/* the log's changes count as well, so not everything is unchanged */
	if (!o->losses.known || o->unproven || (outcome_loses_log(o) && !losses_any(&o->losses)))
		return;
	losses_words(&kept, &o->losses, !o->repaired, o->zeroed);
	if (o->repaired)
		words_add(&w, "Repaired. %s.", kept.text);
	else if (o->mendable)
		words_add(&w, "It can be repaired. %s.", kept.text);
	if (w.length)
		say(layout, w.text, 0, losses_any(&o->losses) || o->zeroed ? TINT_NONE : TINT_GOOD);
}

/* Prints the totals before the repair, as far as readable, unless they equal the current ones. */
static void print_before(struct layout *layout, const struct outcome *o, const char *now)
{
	struct words w = { 0 };

	if (!o->before || !o->repaired)
		return;
	add_checked(&w, o, o->before);
	if (!strcmp(w.text, now))
		return;
	fprintf(layout_line(layout), "Before the repair, as far as readable: %s.", w.text);
	layout_end(layout, 0, 0, TINT_NONE);
}

void report_text_summary(struct layout *layout, const struct outcome *o)
{
	struct words w = { 0 };
	FILE *out;

	print_kept(layout, o);
	if (o->agcount && o->complete && !outcome_log_unreplayed(o)) {
		add_checked(&w, o, o->totals);
		out = layout_line(layout);
		fputs(o->repaired ? "Now in " : "Checked ", out);
		quote_shell(out, o->device);
		fprintf(out, "%s%s%s: %s.", o->range[0] ? " (" : "", o->range, o->range[0] ? ")" : "", w.text);
		layout_end(layout, 0, 0, TINT_NONE);
		print_before(layout, o, w.text);
	}
	print_verdict(layout, o);
	out = layout_line(layout);
	fprintf(out, "Next: %s%s", next_step(o), o->resume ? o->resume : "");
	if (o->cut_short && o->undo)
		report_text_rollback(out, o);
	layout_end(layout, 0, 6, TINT_HEADING);
}

void report_text_disk(struct layout *layout, const struct outcome *o)
{
	FILE *out;

	if (!o->unreadable)
		return;
	out = layout_line(layout);
	fputs("Disk: parts of ", out);
	quote_shell(out, o->device);
	fprintf(out, " can't be read. If its disk is failing, more will follow: %s.",
		o->written ? "copy what is on it, and replace it" : "copy it before anything is written to it");
	layout_end(layout, 0, 6, TINT_BAD);
}
