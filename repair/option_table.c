/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of options, in the order of --help: a new option takes a row here, and if it does more than to set a flag
 * or a name, a case in options.c.
 */
#include "option_table.h"

static const struct option_row rows[] = {
	{ KEY_HEADING, BOTH, NULL, NULL, 0, "What to do" },
	{ 'n', BOTH, NULL, NULL, SETS(no_modify), "check only, write nothing" },
	{ 'y', FSCK, NULL, NULL, 0, "repair without asking" },
	{ 'a', FSCK, NULL, NULL, 0,
	  "do what is due at boot, which is nothing: mounting\nreplays the log (also -A, -p)" },
	{ 'A', FSCK, NULL, NULL, 0, NULL },
	{ 'p', FSCK, NULL, NULL, 0, NULL },
	{ 'f', FSCK, NULL, NULL, 0, "check, and repair without asking, also with -a" },
	{ KEY_UNDO, BOTH, "undo", "FILE", 0,
	  "keep what a repair overwrites in FILE, which must not\nexist yet; auto: in a new file in a folder (the "
	  "default);\n"
	  "none: nowhere" },
	{ KEY_UNDO_DIR, BOTH, "undo-dir", "DIR", SETS(undo_dir), "the folder for that (" XFSCK_UNDO_DIR ")" },
	{ KEY_ACCEPT_LOSS, BOTH, "accept-loss", NULL, SETS(accept_loss),
	  "write a repair that loses much even if what it\noverwrites can't be kept" },
	{ KEY_ROLLBACK, BOTH, "rollback", "FILE", SETS(rollback),
	  "take back the repair that wrote FILE (--undo); with -n,\nonly check whether that can be done" },
	{ KEY_PREVIEW, XFSCK, "preview", "FILE", SETS(preview),
	  "write the repair to FILE (qcow2), which must not exist\nyet, in place of to the device: mount it, and "
	  "look" },
	{ KEY_APPLY, XFSCK, "apply", "FILE", SETS(apply),
	  "make the repair that --preview=FILE has shown; with -n,\nonly check whether that can be done" },
	{ KEY_PLAN, XFSCK, "plan", "FILE", SETS(plan),
	  "check only, and list in FILE what a repair would do, a\nline for each fix" },
	{ KEY_PLAN_APPLY, XFSCK, "plan-apply", "FILE", SETS(plan_apply),
	  "repair, but make only fixes that FILE still lists" },
	{ KEY_COMMIT_UNPROVEN, BOTH, "commit-unproven", NULL, SETS(commit_unproven),
	  "write what could be repaired although something is left\nthat can't be" },
	{ KEY_LOG, BOTH, "log", "WHAT", 0,
	  "what to do with a dirty log: replay (the default), upto\n(up to where it is damaged), across (also what is "
	  "whole\nbehind that), ignore (with -n)" },
	{ 'L', XFSCK, NULL, NULL, SETS(discard_log),
	  "discard what a dirty or damaged log holds; with -n, tell\nwhat that would lose, and check without it" },
	{ 'c', XFSCK, NULL, "NAME=1[,...]", 0,
	  "add a feature: inobtcount, bigtime, nrext64, exchange;\nin version 4 lazycount, which =0 takes away" },
	{ KEY_CHECKPOINT, BOTH, "checkpoint", "FILE", SETS(checkpoint),
	  "with -n: write to FILE, every 30 seconds and when asked\nto end, what another run can go on from" },
	{ KEY_RESUME, BOTH, "resume", "FILE", SETS(resume),
	  "with -n: go on from there, and write checkpoints to FILE,\nunless --checkpoint names another one" },
	{ KEY_EXACT, BOTH, "exact", NULL, SETS(exact), "compare all records one by one, not only where sums differ" },
	{ 'e', XFSCK, NULL, NULL, SETS(tell_repaired), "exit with 4 if something was repaired" },
	{ KEY_TELL_LOSS, BOTH, "tell-loss", NULL, SETS(tell_loss),
	  "exit with 5 if something was repaired, and something is\nlost (65 with the exit statuses of fsck)" },
	{ KEY_EXIT_CODES, BOTH, "exit-codes", "NAME", 0,
	  "whose exit statuses to use: xfs_repair, fsck, or auto\n(the default): by the name of the program" },

	{ KEY_HEADING, BOTH, NULL, NULL, 0, "What to ask about the files (nothing is written)" },
	{ KEY_LIST, XFSCK, "list", "[=FORMAT]", 0,
	  "all files, with what their inodes say: text (the\ndefault), tsv, csv, json, paths0" },
	{ KEY_LIST_NAMES, XFSCK, "list-names", "WHICH", 0,
	  "of files with several names, list: all (the default), one" },
	{ KEY_FIELDS, XFSCK, "fields", "NAME[,...]", 0,
	  "what to list of them in tsv, csv and json: path, ino,\ngen, type, mode, uid, gid, projid, nlink, size, "
	  "blocks,\n"
	  "extents, aextents, atime, mtime, ctime, crtime, flags,\nrdev, target" },
	{ KEY_TYPE, XFSCK, "type", "C[,...]", 0, "list only these types: f, d, l, c, b, p, s, as find has\nthem" },
	{ KEY_NEWER, XFSCK, "newer", "TIME", 0,
	  "list only what was modified after TIME (YYYY-MM-DD,\n'YYYY-MM-DD HH:MM', @SECONDS)" },
	{ KEY_OLDER, XFSCK, "older", "TIME", 0, "list only what was modified before TIME" },
	{ KEY_LARGER, XFSCK, "larger", "SIZE", 0, "list only what is larger than SIZE (bytes, or with k, M,\nG, T)" },
	{ KEY_SMALLER, XFSCK, "smaller", "SIZE", 0, "list only what is smaller than SIZE" },
	{ KEY_USER, XFSCK, "user", "ID", 0, "list only files of this user" },
	{ KEY_GROUP, XFSCK, "group", "ID", 0, "list only files of this group" },
	{ KEY_PROJECT, XFSCK, "project", "ID", 0, "list only files of this project" },
	{ KEY_UNDER, XFSCK, "under", "PATH", 0, "list only PATH and what is below it" },
	{ KEY_NAME, XFSCK, "name", "GLOB", SETS(query.filter.name), "list only files whose name matches this pattern" },
	{ KEY_OWNER_OF, XFSCK, "owner-of", "WHERE[,...]", 0,
	  "whose these places are: 123s (a sector), 0x7b000b (a\nbyte), 3:77 (a block of a group), 123f (an fsblock),\n"
	  "with rt: or log: in front on these devices; @FILE:\nthose in a file, one a line" },
	{ KEY_BAD, XFSCK, "bad", "FILE", SETS(query.bad),
	  "which files and metadata bad places hit: a mapfile of\nddrescue, a list of badblocks or of sectors (123s,\n"
	  "123-130s)" },
	{ KEY_BAD_BLOCK_SIZE, XFSCK, "bad-block-size", "BYTES", 0, "of the blocks in a list of badblocks (1024)" },
	{ KEY_MAP, XFSCK, "map", "PATH|INO", 0,
	  "the extents of a file, as xfs_bmap -v -p prints them;\nwith -a those of its attribute fork" },
	{ 'a', XFSCK, NULL, NULL, SETS(query.map_attributes), NULL },
	{ KEY_SUMMARY, XFSCK, "summary", "[=DEPTH]", 0,
	  "what users, groups, projects, directories down to DEPTH\n(1) and files of each size and age take up" },
	{ KEY_FRAG, XFSCK, "frag", NULL, SETS(query.frag),
	  "how fragmented files, directories and free space are,\nand the worst of them" },
	{ KEY_NAME_OF, XFSCK, "name-of", "INO[,...]", 0, "all paths of these inodes; @FILE: of those in a file" },

	{ KEY_EXTRACT, XFSCK, "extract", "PATH[,...]", SETS(query.extract),
	  "copy files and directories out of the file system, as it\nis when repaired, to what --to names" },
	{ KEY_TO, XFSCK, "to", "TARGET", SETS(query.to),
	  "a folder, FILE.tar, or - for an archive on standard\noutput" },
	{ KEY_SKIP_DAMAGED, XFSCK, "skip-damaged", NULL, SETS(query.skip_damaged),
	  "leave out files of which a part can't be read; without\nthis, these parts are zeroes" },

	{ KEY_HEADING, BOTH, NULL, NULL, 0, "Devices" },
	{ KEY_PARTITION, BOTH, "partition", "N", 0, "the file system is in this partition of the device or\nimage" },
	{ KEY_OFFSET, BOTH, "offset", "BYTES[:SIZE]", 0,
	  "it begins at this byte of the device or image (or with\nk, M, G, T; 2048s: sectors)" },
	{ 'l', BOTH, NULL, "LOGDEV", SETS(log_device), "the log is on this device" },
	{ 'r', BOTH, NULL, "RTDEV", SETS(rt_device), "the realtime section is on this device" },
	{ 'f', XFSCK, NULL, NULL, 0, "the device is an image in a regular file (not needed)" },
	{ 'd', BOTH, NULL, NULL, SETS(readonly_mounted), "allow the repair of a device that is mounted read-only" },
	{ 'D', XFSCK, NULL, NULL, 0, NULL },
	{ KEY_NO_SANDBOX, BOTH, "no-sandbox", NULL, SETS(no_sandbox),
	  "keep all rights, rather than give up those that are not\nneeded once devices and outputs are open" },

	{ KEY_HEADING, BOTH, NULL, NULL, 0, "Output" },
	{ 'v', BOTH, NULL, NULL, 0,
	  "print timings and statistics; given twice, also the\nseverity and class of findings" },
	{ KEY_STATS, BOTH, "stats", NULL, 0, "the same as one -v" },
	{ KEY_JSON, BOTH, "json", "[=FILE]", SETS(json),
	  "report in JSON, one object a line; without FILE,\ninstead of text" },
	{ KEY_REPORT, BOTH, "report", "FORMAT[:FILE]", 0,
	  "with -n, report as junit or tap, for servers that show\ntests; without FILE, instead of text" },
	{ KEY_HTML, BOTH, "html", "FILE", SETS(html),
	  "also report as a page to look at, with a map of the\nallocation groups" },
	{ KEY_LINES, BOTH, "lines", NULL, SETS(lines),
	  "all findings and fixes, one a line, as \"id: place: what\",\nfor programs" },
	{ KEY_TO_STDERR, BOTH, "to-stderr", NULL, SETS(to_stderr),
	  "write the report to standard error, as xfs_repair does" },
	{ KEY_LIMIT, BOTH, "limit", "N", 0,
	  "places to list of findings or fixes of one kind (3), or\nfiles of each list that an answer has (10)" },
	{ KEY_COLOR, BOTH, "color", "WHEN", 0,
	  "colours: auto (on a terminal, unless NO_COLOR is set),\nalways, never" },
	{ KEY_TRACE, BOTH, "trace", "[=FILE]", SETS(trace),
	  "what rounds of mending do, and how long checks take;\nwithout FILE, to standard error" },
	{ KEY_PROGRESS, BOTH, "progress", "WHEN", 0, "a live progress line: auto (on a terminal), always, never" },
	{ 't', BOTH, NULL, "SECONDS", 0, "time between progress lines without a terminal (60);\n0: none" },
	{ 'C', BOTH, NULL, "[FD]", 0,
	  "write progress to this descriptor, for programs, as\ne2fsck does; 0 or none: show it on a terminal" },
	{ KEY_EXPLAIN, BOTH, "explain", "ID[,...]", 0,
	  "tell what these findings mean, and what a repair does;\nalso the beginning of ids, as dir.entry, or all" },
	{ 'V', BOTH, "version", NULL, 0, "print the version, and what was built in" },
	{ KEY_HELP, BOTH, "help", NULL, 0, "print this" },

	{ KEY_HEADING, BOTH, NULL, NULL, 0, "Memory and speed" },
	{ 'm', BOTH, NULL, "MIB", 0, "memory to get by with (default: a quarter of all memory)" },
	{ KEY_JOBS, BOTH, "jobs", "N", 0, "with -n, check N of several devices at a time (1)" },
	{ KEY_THREADS, BOTH, "threads", "N", 0, "work with N threads" },
	{ KEY_ENGINE, BOTH, "engine", "NAME", 0, "how to read: auto, uring, threads" },
	{ 'P', BOTH, NULL, NULL, SETS(no_prefetch), "don't read ahead: one small request after the other" },
	{ 'o', BOTH, NULL, "NAME[=VALUE]", 0, "tuning, see below" },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))
_Static_assert(ROWS <= OPTION_ROWS_MAX, "struct option_getopt has room for all rows");

static const char tuning_help[] = "\nTuning, -o NAME[=VALUE][,...]:\n"
				  "  ag_stride=N        N neighbouring allocation groups share a disk: sweep one\n"
				  "                     of them at a time\n"
				  "  queue_depth=N      reads in flight per thread\n"
				  "  merge_gap=BYTES    read through gaps of up to this size between blocks\n"
				  "  medium=KIND        what the device is, if the system can't tell: auto,\n"
				  "                     flash, disk\n"
				  "  io_timeout=SECONDS how long a device or server may give no answer: 60;\n"
				  "                     0: without limit\n"
				  "  noquota            don't compare quota counters\n"
				  "  bhash=N            accepted, no effect: there is no hash to size\n"
				  "  phase2_threads=N, debug_bload_leaf_slack=N, debug_bload_node_slack=N\n"
				  "                     accepted, no effect\n"
				  "  assume_xfs         don't refuse a device that holds something else\n"
				  "  force_geometry     check although nothing confirms the superblock, or the\n"
				  "                     device begins with something other than XFS\n"
				  "  shrink             if the device is too short, give up what was in\n"
				  "                     use behind its end\n";

void option_table_getopt(enum personality who, struct option_getopt *ret_getopt)
{
	struct option *next = ret_getopt->longs;
	char *letter = ret_getopt->letters;

	*letter++ = '-'; /* operands are returned in place, so that argv keeps its order */
	*letter++ = ':'; /* no messages of getopt's own */
	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *row = &rows[i];
		int has_arg = !row->arg ? no_argument : row->arg[0] == '[' ? optional_argument : required_argument;

		if (!(row->who & who) || row->key == KEY_HEADING)
			continue;
		if (row->name)
			*next++ = (struct option){ row->name, has_arg, NULL, row->key };
		if (row->key < KEY_JSON) {
			*letter++ = (char)row->key;
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
		if (rows[i].key == key && rows[i].who & who) {
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

const char *option_spelling(const struct option_row *row, char buf[static OPTION_SPELLING])
{
	if (row->key < KEY_JSON)
		snprintf(buf, OPTION_SPELLING, "-%c", row->key);
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
	else if (row->key < KEY_JSON)
		snprintf(left, sizeof(left), "%s %s", name, row->arg);
	else
		snprintf(left, sizeof(left), "%s%s%s", name, row->arg[0] == '[' ? "" : "=", row->arg);
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
	fprintf(out, "Usage: %s [options] device\n       %s -n [options] device...\n", program, program);
	fputs("Checks an XFS file system that is not mounted, and repairs what it can.\n", out);
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].key == KEY_HEADING)
			fprintf(out, "\n%s:\n", rows[i].help);
		else if (rows[i].who & who && rows[i].help)
			print_row(out, &rows[i]);
	}
	fputs(tuning_help, out);
	if (who == FSCK)
		fputs("\nExit status: 0 clean, 1 repaired, 4 damaged, or the log was not replayed,\n"
		      "8 the check could not be run or finished, 16 wrong usage, 32 it was stopped\n"
		      "and can be gone on with (--resume).\n",
		      out);
	else
		fputs("\nExit status: 0 clean, or repaired (with -e: 4), 1 damaged, wrong usage, or the\n"
		      "check could not be run or finished, 2 the log was not replayed, 3 the check was\n"
		      "stopped and can be gone on with (--resume).\n",
		      out);
}
