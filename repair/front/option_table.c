/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of all options, in the order in which --help prints them. */
#include <limits.h>
#include <string.h>

#include "option_table.h"

#define MAX_INTERVAL (7 * 24 * 3600u)

static option_parse print_help;

static const struct option_row rows[] = {
	{ .who = BOTH, .help = "Mode" },
	{ 'n', BOTH, NULL, NULL, "check only, write nothing", FLAG(no_modify) },
	{ 'y', FSCK, NULL, NULL, "repair without asking", PARSED(option_yes) },
	{ 'a', FSCK, NULL, NULL, "do nothing, as at boot: a mount replays the log\n(also -A, -p)",
	  PARSED(option_automatic) },
	{ 'A', FSCK, NULL, NULL, NULL, PARSED(option_automatic) },
	{ 'p', FSCK, NULL, NULL, NULL, PARSED(option_automatic) },
	{ 'f', FSCK, NULL, NULL, "check, and repair without asking, also with -a", PARSED(option_force) },
	{ 0, BOTH, "undo", "FILE",
	  "write an undo file for the repair: FILE, which must not\nexist yet; auto: a new file in a folder (the "
	  "default);\n"
	  "none: nowhere",
	  PARSED(option_undo), .offers = "auto none" },
	{ 0, BOTH, "undo-dir", "DIR", "the folder for that (" XFSCK_UNDO_DIR ")", NAME(undo_dir) },
	{ 0, XFSCK, "undos", NULL, "list the undo files in that folder, with the commands that\nuse them",
	  FLAG(undos) },
	{ 0, BOTH, "accept-loss", NULL, "write a repair with heavy losses even if no undo file\ncan be kept",
	  FLAG(accept_loss) },
	{ 0, BOTH, "rollback", "FILE",
	  "undo the repair that wrote FILE (--undo); with -n, only\ncheck that this is possible", NAME(rollback) },
	{ 0, XFSCK, "preview", "FILE",
	  "write the repair to FILE (qcow2), which must not exist\nyet, instead of the device: mount it, and "
	  "look",
	  NAME(preview) },
	{ 0, XFSCK, "apply", "FILE",
	  "write the repair of --preview=FILE to the device; with\n-n, only check that this is possible", NAME(apply) },
	{ 0, XFSCK, "plan", "FILE", "check only, and list the fixes of a repair in FILE, one\na line", NAME(plan) },
	{ 0, XFSCK, "plan-apply", "FILE", "repair, but only with the fixes listed in FILE", NAME(plan_apply) },
	{ 0, BOTH, "commit-unproven", NULL, "write the possible repairs even if problems remain",
	  FLAG(commit_unproven) },
	{ 0, BOTH, "log", "WHAT",
	  "what to do with a dirty log: replay (the default), upto\n(up to where it is damaged), across (also what is "
	  "whole\nbehind that), ignore (with -n)",
	  CHOICE(log, "replay", "ignore", "upto", "across") },
	{ 'L', XFSCK, NULL, NULL,
	  "discard a dirty or damaged log; with -n, report what\nthat would lose, and check without the log",
	  FLAG(discard_log) },
	{ 'c', XFSCK, NULL, "NAME=1[,...]",
	  "add a feature: inobtcount, bigtime, nrext64, exchange;\nin version 4 lazycount, which =0 takes away",
	  PARSED(option_features), .offers = "inobtcount=1 bigtime=1 nrext64=1 exchange=1 lazycount=1 lazycount=0" },
	{ 0, BOTH, "checkpoint", "FILE", "with -n: write a checkpoint to FILE every 30 seconds and\nwhen interrupted",
	  NAME(checkpoint) },
	{ 0, BOTH, "resume", "FILE",
	  "with -n: resume from FILE, and write checkpoints to it,\nunless --checkpoint names another file",
	  NAME(resume) },
	{ 0, BOTH, "prove", "HOW",
	  "how to prove a repair before it is written: whole (check\neverything again), books (check what it changed, "
	  "and\ncorrect the sums of the first check by that), auto (the\ndefault): the first where that costs little",
	  CHOICE(prove, "auto", "whole", "books") },
	{ 0, BOTH, "exact", NULL, "compare all records one by one, not only where checksums\ndiffer", FLAG(exact) },
	{ 'e', XFSCK, NULL, NULL, "exit with 4 if something was repaired", FLAG(tell_repaired) },
	{ 0, BOTH, "tell-loss", NULL,
	  "exit with 5 if something was repaired, and something is\nlost (65 with the exit statuses of fsck)",
	  FLAG(tell_loss) },
	{ 0, BOTH, "exit-codes", "NAME",
	  "whose exit statuses to use: xfs_repair, fsck, or auto\n(the default): by the name of the program",
	  PARSED(option_exit_codes), .offers = "auto xfs_repair fsck" },

	{ .who = XFSCK, .help = "Audits of mounted file systems (nothing is written to them)" },
	{ 0, XFSCK, "audit", NULL,
	  "devices, images, mount points, or all: make a snapshot of\nwhat is in use, check that, remove it, and "
	  "compare with\n"
	  "the last audit",
	  FLAG(audit) },
	{ 0, XFSCK, "baseline", "FILE", "compare with this report (--json=FILE) instead", NAME(baseline) },
	{ 0, XFSCK, "audit-dir", "DIR", "the folder for reports of audits\n(" XFSCK_AUDIT_DIR ")", NAME(audits) },
	{ 0, XFSCK, "snapshot-dir", "DIR",
	  "the folder of programs that make snapshots of other kinds\n(" XFSCK_HOOKS ")", NAME(hooks) },
	{ 0, XFSCK, "on-new", "FILE",
	  "run this program if something is new, or an audit has\nfailed: it reads what -q prints, and its arguments "
	  "are\nwhere these file systems are",
	  NAME(on_new) },
	{ 0, XFSCK, "journal", NULL, "also write each result to the systemd journal, with fields", FLAG(journal) },
	{ 0, XFSCK, "repair-at-boot", NULL,
	  "mark what new damage is found in: fsck.xfs -a repairs it\nat the next boot", FLAG(mark) },
	{ 0, XFSCK, "merge", NULL,
	  "reports (--json=FILE), also of other hosts, in place of\ndevices: one summary of all, as text, --json, "
	  "--html or\n--report",
	  FLAG(merge) },
	{ 0, XFSCK, "status", NULL, "what the last audit of each file system has found", FLAG(status) },
	{ 'x', XFSCK, NULL, NULL, "with --status or --merge, only what is not clean", FLAG(exceptions) },

	{ .who = BOTH, .help = "Questions about files (nothing is written)" },
	{ 0, XFSCK, "list", "[=FORMAT]",
	  "all files with their inode fields: text (the\ndefault), tsv, csv, json, paths0", PARSED(option_list),
	  .offers = "text tsv csv json paths0" },
	{ 0, XFSCK, "list-names", "WHICH", "of files with several names, list: all (the default), one",
	  PARSED(option_list_names), .offers = "all one", .of_list = true },
	{ 0, XFSCK, "fields", "NAME[,...]",
	  "what to list of them in tsv, csv and json: path, ino,\ngen, type, mode, uid, gid, projid, nlink, size, "
	  "blocks,\n"
	  "extents, aextents, atime, mtime, ctime, crtime, flags,\nrdev, target",
	  PARSED(option_fields),
	  .offers = "path ino gen type mode uid gid projid nlink size blocks extents aextents atime mtime ctime crtime "
		    "flags rdev target",
	  .of_list = true },
	{ 0, XFSCK, "type", "C[,...]", "list only these types: f, d, l, c, b, p, s, as find has\nthem",
	  PARSED(option_types), .offers = "f d l c b p s", .filter = true },
	{ 0, XFSCK, "newer", "TIME",
	  "list only what was modified after TIME (YYYY-MM-DD,\n'YYYY-MM-DD HH:MM', @SECONDS)",
	  TIME(query.filter.after, query.filter.newer), .filter = true },
	{ 0, XFSCK, "older", "TIME", "list only what was modified before TIME",
	  TIME(query.filter.before, query.filter.older), .filter = true },
	{ 0, XFSCK, "larger", "SIZE", "list only what is larger than SIZE (bytes, or with k, M,\nG, T)",
	  SIZE(query.filter.above, query.filter.larger), .filter = true },
	{ 0, XFSCK, "smaller", "SIZE", "list only what is smaller than SIZE",
	  SIZE(query.filter.below, query.filter.smaller), .filter = true },
	{ 0, XFSCK, "user", "ID", "list only files of this user", PARSED(option_user), .filter = true },
	{ 0, XFSCK, "group", "ID", "list only files of this group", PARSED(option_group), .filter = true },
	{ 0, XFSCK, "project", "ID", "list only files of this project", PARSED(option_project), .filter = true },
	{ 0, XFSCK, "under", "PATH", "list only PATH and what is below it", PARSED(option_under), .filter = true },
	{ 0, XFSCK, "name", "GLOB", "list only files whose name matches this pattern", NAME(query.filter.name),
	  .filter = true },
	{ 0, XFSCK, "owner-of", "WHERE[,...]",
	  "which file or metadata owns a location: 123s (a\nsector), 0x7b000b (a byte), 3:77 (a block of an AG),\n123f "
	  "(an fsblock),\nwith rt: or log: in front on these devices; @FILE:\nthose in a file, one a line",
	  PARSED(option_owner_of) },
	{ 0, XFSCK, "bad", "FILE",
	  "which files and metadata bad locations affect: a\nmapfile of ddrescue, a list of badblocks or of sectors\n"
	  "(123s, 123-130s)",
	  NAME(query.bad) },
	{ 0, XFSCK, "bad-block-size", "BYTES", "of the blocks in a list of badblocks (1024)",
	  NUMBER(query.bad_block_size, 1, 1u << 30) },
	{ 0, XFSCK, "map", "PATH|INO",
	  "the extents of a file, as xfs_bmap -v -p prints them;\nwith -a those of its attribute fork",
	  PARSED(option_map) },
	{ 'a', XFSCK, NULL, NULL, NULL, FLAG(query.map_attributes) },
	{ 0, XFSCK, "summary", "[=DEPTH]",
	  "space used by users, groups, projects, directories down\nto DEPTH (1), and files of each size and age",
	  PARSED(option_summary) },
	{ 0, XFSCK, "frag", NULL, "fragmentation of files, directories and free space,\nand the worst cases",
	  FLAG(query.frag) },
	{ 0, XFSCK, "name-of", "INO[,...]", "all paths of these inodes; @FILE: of those in a file",
	  PARSED(option_name_of) },

	{ 0, XFSCK, "extract", "PATH[,...]",
	  "copy files and directories out of the file system, as it\nis when repaired, to what --to names: paths and "
	  "inode\n"
	  "numbers; @FILE: those in a file, with a NUL behind each;\nof files only those for which the filters of "
	  "--list hold",
	  NAME(query.extract) },
	{ 0, XFSCK, "exclude", "PATH[,...]",
	  "leave out these paths, and names that match these\npatterns; @FILE: those in a file", NAME(query.exclude) },
	{ 0, XFSCK, "to", "TARGET", "a folder, FILE.tar, or - for an archive on standard\noutput", NAME(query.to) },
	{ 0, XFSCK, "with", "WHAT[,...]",
	  "also set flags (inode flags and extent size hints),\nprojects (project ids); for root", PARSED(option_with),
	  .offers = "flags projects" },
	{ 0, XFSCK, "skip-damaged", NULL,
	  "leave out files of which a part can't be read; without\nthis, these parts are zeroes",
	  FLAG(query.skip_damaged) },

	{ .who = BOTH, .help = "Devices" },
	{ 0, BOTH, "partition", "N", "the file system is in this partition of the device or\nimage",
	  UNSIGNED(partition, 1, INT_MAX) },
	{ 0, BOTH, "offset", "BYTES[:SIZE]",
	  "it begins at this byte of the device or image (or with\nk, M, G, T; 2048s: sectors)",
	  PARSED(option_offset) },
	{ 'l', BOTH, NULL, "LOGDEV", "the log is on this device", NAME(log_device) },
	{ 'r', BOTH, NULL, "RTDEV", "the realtime section is on this device", NAME(rt_device) },
	{ 'f', XFSCK, NULL, NULL, "the device is an image in a regular file (not needed)", PARSED(option_force) },
	{ 'd', BOTH, NULL, NULL, "allow the repair of a device that is mounted read-only", FLAG(readonly_mounted) },
	{ 'D', XFSCK, NULL, NULL, NULL, NOTHING },
	{ 0, BOTH, "no-sandbox", NULL,
	  "keep all rights, rather than give up those that are not\nneeded once devices and outputs are open",
	  FLAG(no_sandbox) },

	{ .who = BOTH, .help = "Output" },
	{ 'q', BOTH, "quiet", NULL, "print nothing if the file system is clean, else one line", FLAG(quiet) },
	{ 'v', BOTH, NULL, NULL, "print timings and statistics; given twice, also the\nseverity and class of findings",
	  COUNT(verbose) },
	{ 0, BOTH, "stats", NULL, "the same as one -v", COUNT(verbose) },
	{ 0, BOTH, "json", "[=FILE]", "report in JSON, one object a line; without FILE,\ninstead of text", NAME(json) },
	{ 0, BOTH, "report", "FORMAT[:FILE]",
	  "with -n or --audit, report as junit or tap, for servers\nthat show tests, or as openmetrics, for monitors; "
	  "without\n"
	  "FILE, instead of text",
	  PARSED(option_report), .offers = "junit tap openmetrics" },
	{ 0, BOTH, "html", "FILE", "also report as a page to look at, with a map of the\nallocation groups",
	  NAME(html) },
	{ 0, BOTH, "lines", NULL, "all findings and fixes, one a line, as \"id: place: what\",\nfor programs",
	  FLAG(lines) },
	{ 0, BOTH, "to-stderr", NULL, "write the report to standard error, as xfs_repair does", FLAG(to_stderr) },
	{ 0, BOTH, "limit", "N",
	  "places to list of findings or fixes of one kind (3), or\nfiles of each list that an answer has (10)",
	  PARSED(option_limit) },
	{ 0, BOTH, "color", "WHEN", "colours: auto (on a terminal, unless NO_COLOR is set),\nalways, never",
	  CHOICE(colour, "auto", "always", "never") },
	{ 0, BOTH, "trace", "[=FILE]",
	  "trace the repair rounds and the time of checks; without\nFILE, to standard error", NAME(trace) },
	{ 0, BOTH, "progress", "WHEN", "a live progress line: auto (on a terminal), always, never",
	  CHOICE(progress, "auto", "always", "never") },
	{ 't', BOTH, NULL, "SECONDS", "time between progress lines without a terminal (60);\n0: none",
	  UNSIGNED(interval, 0, MAX_INTERVAL) },
	{ 'C', BOTH, NULL, "[FD]",
	  "write progress to this descriptor, for programs, as\ne2fsck does; 0 or none: show it on a terminal",
	  PARSED(option_progress_fd) },
	{ 0, BOTH, "explain", "ID[,...]",
	  "explain these findings and their repair; also the\nbeginning of ids, such as dir.entry, or all",
	  PARSED(option_explain) },
	{ 'V', BOTH, "version", NULL, "print the version, and what was built in", PARSED(option_version) },
	{ 'h', BOTH, "help", NULL, "print this", PARSED(print_help) },

	{ .who = BOTH, .help = "Memory and speed" },
	{ 'm', BOTH, NULL, "MIB", "memory limit (default: a quarter of all memory)", PARSED(option_memory) },
	{ 0, BOTH, "jobs", "N", "check or repair N of several devices at a time (1)",
	  UNSIGNED(jobs, 1, OPTION_JOBS_MOST) },
	{ 0, BOTH, "threads", "N", "work with N threads", UNSIGNED(threads, 1, 1024) },
	{ 0, BOTH, "engine", "NAME", "how to read: auto, uring, threads", CHOICE(engine, "auto", "uring", "threads") },
	{ 'P', BOTH, NULL, NULL, "do not read ahead: one small request at a time", FLAG(no_prefetch) },
	{ 'o', BOTH, NULL, "NAME[=VALUE]", "tuning, see below", PARSED(option_tunings),
	  .offers =
		  "ag_stride= queue_depth= merge_gap= medium=auto medium=flash medium=disk read_rate= read_requests= "
		  "read_share= io_timeout= noquota bhash= "
		  "phase2_threads= debug_bload_leaf_slack= debug_bload_node_slack= assume_xfs force_geometry shrink" },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))
_Static_assert(ROWS <= OPTION_ROWS_MAX, "struct option_getopt has room for all rows");

static const char tuning_help[] = "\nTuning, -o NAME[=VALUE][,...]:\n"
				  "  ag_stride=N        N neighbouring allocation groups share a disk: read one\n"
				  "                     of them at a time\n"
				  "  queue_depth=N      reads in flight per thread\n"
				  "  merge_gap=BYTES    read through gaps of up to this size between blocks\n"
				  "  medium=KIND        what the device is, if the system does not know: auto,\n"
				  "                     flash, disk\n"
				  "  read_rate=BYTES    read no more in a second (or with k, M, G); audits:\n"
				  "                     64M; 0: without limit\n"
				  "  read_requests=N    make no more requests in a second; audits: 200;\n"
				  "                     0: without limit\n"
				  "  read_share=PERCENT one read at a time, in this share of the time: the\n"
				  "                     rest is for others; audits: 5; 0: without limit\n"
				  "  io_timeout=SECONDS how long a device or server may give no answer: 60;\n"
				  "                     0: without limit\n"
				  "  noquota            do not compare quota counters\n"
				  "  bhash=N            accepted and ignored\n"
				  "  phase2_threads=N, debug_bload_leaf_slack=N, debug_bload_node_slack=N\n"
				  "                     accepted, no effect\n"
				  "  assume_xfs         do not refuse a device that holds something else\n"
				  "  force_geometry     check even if nothing confirms the superblock, or the\n"
				  "                     device begins with something other than XFS\n"
				  "  shrink             if the device is too short, give up what was in\n"
				  "                     use behind its end\n";

void option_table_getopt(enum personality who, struct option_getopt *ret_getopt)
{
	struct option *next = ret_getopt->longs;
	char *letter = ret_getopt->letters;

	*letter++ = '-'; /* operands are returned in place, so that argv keeps its order */
	*letter++ = ':'; /* getopt prints no messages of its own */
	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *row = &rows[i];
		int has_arg = !row->arg ? no_argument : row->arg[0] == '[' ? optional_argument : required_argument;

		if (!(row->who & who) || option_is_heading(row))
			continue;
		if (row->name)
			*next++ = (struct option){ row->name, has_arg, NULL,
						   row->letter ? row->letter : OPTION_LONG + (int)i };
		if (row->letter) {
			*letter++ = (char)row->letter;
			for (int colons = 0; colons < has_arg; colons++)
				*letter++ = ':';
		}
	}
	*letter = '\0';
	*next = (struct option){ 0 };
}

const struct option_row *option_table_find(enum personality who, int key, unsigned *ret_index)
{
	for (unsigned i = 0; i < ROWS; i++) {
		const int of_row = rows[i].letter ? rows[i].letter : OPTION_LONG + (int)i;

		if (of_row == key && rows[i].who & who && !option_is_heading(&rows[i])) {
			*ret_index = i;
			return &rows[i];
		}
	}
	return NULL;
}

const struct option_row *option_table_row(unsigned index)
{
	return index < ROWS ? &rows[index] : NULL;
}

bool option_is_given(const struct parser *p, const char *name)
{
	for (unsigned i = 0; i < ROWS; i++)
		if (rows[i].name && !strcmp(rows[i].name, name))
			return p->seen[i];
	return false;
}

const char *option_spelling(const struct option_row *row, char buf[static OPTION_SPELLING])
{
	if (row->letter)
		snprintf(buf, OPTION_SPELLING, "-%c", row->letter);
	else
		snprintf(buf, OPTION_SPELLING, "--%s", row->name);
	return buf;
}

#define HELP_COLUMN 21

static void print_row(FILE *out, const struct option_row *row)
{
	char name[OPTION_SPELLING];
	char left[64];

	option_spelling(row, name);
	if (!row->arg)
		snprintf(left, sizeof(left), "%s", name);
	else if (row->letter)
		snprintf(left, sizeof(left), "%s %s", name, row->arg);
	else
		snprintf(left, sizeof(left), "%s%s%s", name, row->arg[0] == '[' ? "" : "=", row->arg);
	/* a name too long for its column gets a line of its own */
	if (strlen(left) > HELP_COLUMN - 3)
		fprintf(out, "  %s\n%*s", left, HELP_COLUMN, "");
	else
		fprintf(out, "  %-*s", HELP_COLUMN - 2, left);
	for (const char *at = row->help; *at; at++) {
		fputc(*at, out);
		if (*at == '\n')
			fprintf(out, "%*s", HELP_COLUMN, "");
	}
	fputc('\n', out);
}

void option_table_help(enum personality who, const char *program, FILE *out)
{
	fprintf(out, "Usage: %s [options] device...\n", program);
	fputs("Checks an XFS file system that is not mounted, and repairs what it can.\n", out);
	for (size_t i = 0; i < ROWS; i++) {
		if (option_is_heading(&rows[i]))
			fprintf(out, "\n%s:\n", rows[i].help);
		else if (rows[i].who & who && rows[i].help)
			print_row(out, &rows[i]);
	}
	fputs(tuning_help, out);
	if (who == FSCK)
		fputs("\nExit status: 0 clean, 1 repaired, 4 damaged, or the log was not replayed,\n"
		      "8 the check could not be run or finished, 16 wrong usage, 32 it was stopped\n"
		      "and can be resumed (--resume).\n",
		      out);
	else
		fputs("\nExit status: 0 clean, or repaired (with -e: 4), 1 damaged, wrong usage, or the\n"
		      "check could not be run or finished, 2 the log was not replayed, 3 the check was\n"
		      "stopped and can be resumed (--resume).\n",
		      out);
}

static enum options_result print_help(struct parser *p, const char *name, const char *value)
{
	(void)name;
	(void)value;
	option_table_help(p->who, p->options.program, p->out);
	return OPTIONS_DONE;
}
