/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: what is accepted, what it means, and that nothing is silently ignored. */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "reported.h"

struct parsed {
	enum options_result result;
	struct options options;
	char *out;
	char *err;
};

/* Parses a command line given as words with one space between. */
static struct parsed parse(const char *line)
{
	static char copy[512]; /* the options point into it */
	char *argv[32] = { 0 };
	char *state = NULL;
	size_t out_size, err_size;
	struct parsed p = { 0 };
	FILE *out, *err;
	int argc = 0;

	assert_true(snprintf(copy, sizeof(copy), "%s", line) < (int)sizeof(copy));
	for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state))
		argv[argc++] = word;
	out = open_memstream(&p.out, &out_size);
	err = open_memstream(&p.err, &err_size);
	p.result = options_parse(argc, argv, out, err, &p.options);
	fclose(out);
	fclose(err);
	return p;
}

static void drop(struct parsed *p)
{
	free(p->out);
	free(p->err);
}

static void assert_refused(const char *line, const char *saying)
{
	struct parsed p = parse(line);

	if (p.result != OPTIONS_USAGE || !strstr(p.err, saying))
		fail_msg("'%s': result %d, said '%s' instead of '%s'", line, p.result, p.err, saying);
	assert_string_equal(p.out, "");
	drop(&p);
}

static struct options accepted(const char *line)
{
	struct parsed p = parse(line);

	if (p.result != OPTIONS_RUN || p.err[0] || p.out[0])
		fail_msg("'%s': result %d, said '%s'", line, p.result, p.err);
	drop(&p);
	return p.options;
}

static void check_only_has_the_documented_defaults(void **state)
{
	struct options o = accepted("/usr/sbin/xfsck -n /dev/x");

	(void)state;
	assert_string_equal(o.program, "xfsck");
	assert_string_equal(o.device, "/dev/x");
	assert_true(o.no_modify);
	assert_false(o.fsck);
	assert_null(o.log_device);
	assert_null(o.rt_device);
	assert_int_equal(o.verbose, 0);
	assert_false(o.readonly_mounted || o.no_prefetch || o.no_quota);
	assert_int_equal(o.interval, 60);
	assert_int_equal(o.ag_stride, 0);
	assert_int_equal(o.threads, 0);
	assert_int_equal(o.queue_depth, 0);
	assert_true(o.merge_gap < 0);
	assert_int_equal(o.io_timeout, 60);
	assert_int_equal(o.medium, MEDIUM_UNKNOWN);
	assert_int_equal(o.engine, ENGINE_AUTO);
	assert_int_equal(o.progress, PROGRESS_AUTO);
	assert_null(o.json);
}

static void every_built_option_arrives(void **state)
{
	struct options o =
		accepted("xfsck -ndfvv -l /dev/log -r /dev/rt -t 5 -o ag_stride=3,queue_depth=64 -o merge_gap=0x10000 "
			 "-o noquota --threads=7 --engine=threads --progress=never --json=out img");

	(void)state;
	assert_string_equal(o.device, "img");
	assert_string_equal(o.log_device, "/dev/log");
	assert_string_equal(o.rt_device, "/dev/rt");
	assert_true(o.no_modify && o.readonly_mounted && o.no_quota);
	assert_int_equal(o.verbose, 2);
	assert_int_equal(o.interval, 5);
	assert_int_equal(o.ag_stride, 3);
	assert_int_equal(o.queue_depth, 64);
	assert_int_equal(o.merge_gap, 65536);
	assert_int_equal(o.threads, 7);
	assert_int_equal(o.engine, ENGINE_THREADS);
	assert_int_equal(o.progress, PROGRESS_NEVER);
	assert_string_equal(o.json, "out");
	assert_true(accepted("xfsck -n -P x").no_prefetch);
	assert_int_equal(accepted("xfsck -n --stats x").verbose, 1);
	assert_int_equal(accepted("xfsck -n --engine=uring x").engine, ENGINE_URING);
	assert_int_equal(accepted("xfsck -n -o medium=disk x").medium, MEDIUM_DISK);
	assert_int_equal(accepted("xfsck -n -o medium=flash x").medium, MEDIUM_FLASH);
	assert_int_equal(accepted("xfsck -n -o io_timeout=0 x").io_timeout, 0);
	assert_int_equal(accepted("xfsck -n --progress=always x").progress, PROGRESS_ALWAYS);
	assert_int_equal(accepted("xfsck -n x").log, LOG_REPLAY);
	assert_int_equal(accepted("xfsck --log=upto x").log, LOG_UPTO);
	assert_int_equal(accepted("xfsck --log=across x").log, LOG_ACROSS);
	assert_int_equal(accepted("xfsck -n --log=ignore x").log, LOG_IGNORE);
	assert_true(accepted("xfsck -nL x").discard_log);
}

static void what_is_extracted_is_chosen(void **state)
{
	struct options o = accepted("xfsck --extract=/a,130 --exclude=*.iso --name=b --larger=5k --to=d x");

	(void)state;
	assert_true(o.no_modify);
	assert_string_equal(o.query.extract, "/a,130");
	assert_string_equal(o.query.exclude, "*.iso");
	assert_string_equal(o.query.filter.name, "b");
	assert_int_equal(o.query.filter.above, 5120);
	assert_string_equal(accepted("xfsck --extract=@list --to=d x").query.extract, "@list"); /* it is read later */
	assert_false(o.query.with_flags || o.query.with_projects);
	o = accepted("xfsck --extract=/ --with=flags,projects --to=d x");
	assert_true(o.query.with_flags && o.query.with_projects);
}

static void json_without_a_file_does_not_swallow_the_device(void **state)
{
	struct options o = accepted("xfsck -n --json /dev/x");

	(void)state;
	assert_string_equal(o.json, "-");
	assert_string_equal(o.device, "/dev/x");
}

static void options_may_follow_the_device_and_argv_keeps_its_order(void **state)
{
	char *argv[] = { (char[]){ "xfsck" }, (char[]){ "dev" }, (char[]){ "-n" }, NULL };
	struct options o;

	(void)state;
	assert_int_equal(options_parse(3, argv, stdout, stderr, &o), OPTIONS_RUN);
	assert_string_equal(o.device, "dev");
	assert_string_equal(argv[1], "dev");
	assert_string_equal(argv[2], "-n");
	assert_string_equal(accepted("xfsck -n -- -odd").device, "-odd");
}

static void several_devices_can_be_given(void **state)
{
	struct options o = accepted("xfsck a -n b --jobs=3 -- -c");

	(void)state;
	assert_int_equal(o.device_count, 3);
	assert_int_equal(o.jobs, 3);
	assert_string_equal(o.device, "a");
	for (unsigned i = 0; i < 3; i++)
		assert_string_equal(o.devices[i], ((const char *[]){ "a", "b", "-c" })[i]);
	free(o.devices);
	o = accepted("xfsck -n a");
	assert_null(o.devices);
	assert_int_equal(o.jobs, 1);
	o = accepted("xfsck -n --trace --json=j --report=junit:r:s a");
	assert_int_equal(o.report, REPORT_JUNIT);
	assert_string_equal(o.report_file, "r:s");
	o = accepted("xfsck -n --report=tap -l log a");
	assert_int_equal(o.report, REPORT_TAP);
	assert_null(o.report_file);
}

static void features_are_taken_from_lists(void **state)
{
	struct options o = accepted("xfsck -c bigtime=1,nrext64=1 -c lazycount=0 dev");

	(void)state;
	assert_int_equal(o.features[SB_FEATURE_bigtime], FEATURE_ADD);
	assert_int_equal(o.features[SB_FEATURE_nrext64], FEATURE_ADD);
	assert_int_equal(o.features[SB_FEATURE_lazycount], FEATURE_DROP);
	assert_int_equal(o.features[SB_FEATURE_exchange], FEATURE_KEEP);
	assert_refused("xfsck -c bigtime=0 dev", "it can be added, with bigtime=1");
	assert_refused("xfsck -c bigtime dev", "it can be added");
	assert_refused("xfsck -c lazycount=2 dev", "it can be added");
	assert_refused("xfsck -c rmapbt=1 dev", "no such feature that can be changed");
	assert_refused("xfsck -c big=1 dev", "no such feature");
	assert_refused("xfsck -c exchange=1,exchange=1 dev", "given twice");
}

static void wrong_usage_is_refused_and_explained(void **state)
{
	static const char *const lines[][2] = {
		{ "xfsck -n", "no device" },
		{ "xfsck --undo=u a -- b", "--undo=FILE takes one device" },
		{ "xfsck -n --rollback=u a b", "--rollback takes one" },
		{ "xfsck --list a b", "a question about files takes one" },
		{ "xfsck --preview=p a b", "--preview takes one" },
		{ "xfsck --plan=p a b", "--plan takes one" },
		{ "xfsck -n --html=h a b", "--html takes one device" },
		{ "xfsck -n -l log a b", "-l takes one device" },
		{ "xfsck -n -r rt a b", "-r takes one device" },
		{ "xfsck -n -C 2 a b", "-C takes one device" },
		{ "xfsck -n --trace=t a b", "--trace=FILE takes one device" },
		{ "xfsck -n --checkpoint=c a b", "--checkpoint takes one device" },
		{ "xfsck -n --resume=c a b", "--resume takes one device" },
		{ "xfsck --report=tap a", "--report requires -n" },
		{ "xfsck --report=tap --list a", "--report requires -n and cannot be combined with a question" },
		{ "xfsck -n --report=jun a", "none of junit, tap and openmetrics" },
		{ "xfsck -n --report=taps a", "none of junit, tap and openmetrics" },
		{ "xfsck -n --report=json a", "JSON is --json" },
		{ "xfsck -n --report=junit: a", "the name of the file is empty" },
		{ "xfsck -n --report=junit --json a", "both write to standard output" },
		{ "xfsck -n --jobs=0 a b", "--jobs: '0' is not a number" },
		{ "xfsck -n -Z dev", "unknown option -Z" },
		{ "xfsck -nZ dev", "unknown option -Z" },
		{ "xfsck -n --frob dev", "unknown option --frob" },
		{ "xfsck -n --frob=1 dev", "unknown option --frob=1" },
		{ "xfsck -n --stats=1 dev", "--stats takes no value" },
		{ "xfsck -n --version=1 dev", "--version takes no value" },
		{ "xfsck -n dev -l", "-l needs a value" },
		{ "xfsck -n dev --threads", "--threads needs a value" },
		{ "xfsck -n --log=zap dev", "none of replay, ignore, upto, across" },
		{ "xfsck --log=ignore dev", "--log=ignore requires -n" },
		{ "xfsck -n -L --log=upto dev", "cannot be combined" },
		{ "xfsck -n --commit-unproven dev", "--commit-unproven requires a repair" },
		{ "xfsck --rollback=kept --commit-unproven dev", "--rollback makes none" },
		{ "xfsck -n -l a -l b dev", "-l is given twice" },
		{ "xfsck -n -t x dev", "-t: 'x' is not a number" },
		{ "xfsck -n -t 5s dev", "-t: '5s' is not a number" },
		{ "xfsck -n -t -5 dev", "-t: '-5' is not a number" },
		{ "xfsck -n -t 99999999999999999999999 dev", "is not a number" },
		{ "xfsck -n --threads=0 dev", "--threads: '0' is not a number" },
		{ "xfsck -n --threads=1025 dev", "--threads: '1025' is not a number" },
		{ "xfsck -n --engine=fast dev", "--engine: 'fast' is none of auto, uring, threads" },
		{ "xfsck -n --progress=maybe dev", "--progress: 'maybe' is none of auto, always, never" },
		{ "xfsck -n -o frob dev", "unknown option -o frob" },
		{ "xfsck -n -o frob=1 dev", "unknown option -o frob=1" },
		{ "xfsck -n -o ag_strid=1 dev", "unknown option -o ag_strid=1" },
		{ "xfsck -n -o noquota,,bhash=1 dev", "unknown option -o " },
		{ "xfsck -n -o ag_stride dev", "-o ag_stride needs a value" },
		{ "xfsck -n -o ag_stride= dev", "-o ag_stride: '' is not a number" },
		{ "xfsck -n -o ag_stride=4294967296 dev", "-o ag_stride: '4294967296' is not a number" },
		{ "xfsck -n -o medium=tape dev", "-o medium: 'tape' is none of auto, flash, disk" },
		{ "xfsck -n -o medium dev", "-o medium needs a value" },
		{ "xfsck -n -o noquota=1 dev", "-o noquota takes no value" },
		{ "xfsck -n -o bhash=1 -o bhash=2 dev", "-o bhash is given twice" },
		{ "xfsck -n -o queue_depth=0 dev", "-o queue_depth: '0' is not a number" },
		{ "xfsck -n -P -o queue_depth=8 dev", "cannot be combined" },
		{ "xfsck -n -P -o merge_gap=8 dev", "cannot be combined" },
		{ "xfsck -n -a dev", "-a requires --map" },
		{ "xfsck --owner-of=1x dev", "123s (a sector" },
		{ "xfsck --owner-of= dev", "123s (a sector" },
		{ "xfsck --map=file dev", "starts with /" },
		{ "xfsck --map= dev", "starts with /" },
		{ "xfsck --bad= dev", "the name is empty" },
		{ "xfsck --bad-block-size=512 dev", "requires --bad" },
		{ "xfsck --bad=list --bad-block-size=0 dev", "not a number from 1" },
		{ "xfsck --map=/a --map=/b dev", "given twice" },
		{ "fsck.xfs --map=/a dev", "unknown option" },
		{ "xfsck -n --larger=5 dev", "--larger requires --list or --extract" },
		{ "xfsck --extract=/ --to=d --fields=ino dev", "--fields requires --list" },
		{ "xfsck -n --exclude=a dev", "--exclude requires --extract" },
		{ "xfsck -n --skip-damaged dev", "--skip-damaged requires --extract" },
		{ "xfsck -n --with=flags dev", "--with requires --extract" },
		{ "xfsck --extract=/ --with=flags,x --to=d dev", "'x' should be flags or projects" },
		{ "xfsck --extract=/ --with= --to=d dev", "'' should be flags or projects" },
		{ "xfsck --extract=/ --with=projects --to=d.tar dev", "archives have no place for project ids" },
		{ "xfsck --extract=a --to=d dev", "'a' is neither a path from the root" },
		{ "xfsck --extract=/ --exclude=a, --to=d dev", "an item is empty" },
		{ "xfsck", "Usage: xfsck [options] device" },
		{ "xfsck -n --undo=f dev", "with -n, which writes nothing" },
		{ "xfsck --undo=f --rollback=g dev", "cannot be combined" },
		{ "xfsck --undo=f --undo=g dev", "--undo is given twice" },
		{ "fsck.xfs dev", "use -y to repair" },
		{ "xfsck -n --json= dev", "--json: the name is empty" },
		{ "xfsck --undo= dev", "--undo: the name is empty" },
		{ "xfsck --rollback= dev", "--rollback: the name is empty" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_refused(lines[i][0], lines[i][1]);
}

/* As if a script used "$LOG" without setting it. */
static void an_empty_name_is_none(void **state)
{
	static const char *const given[][4] = {
		{ "xfsck", "-n", "", NULL },
		{ "xfsck", "-nl", "", "dev" },
		{ "xfsck", "-nr", "", "dev" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		char *argv[5] = { 0 };
		struct parsed p = { 0 };
		size_t out_size, err_size;
		FILE *out = open_memstream(&p.out, &out_size), *err = open_memstream(&p.err, &err_size);
		int argc = 0;

		while (argc < 4 && given[i][argc]) {
			argv[argc] = strdup(given[i][argc]);
			argc++;
		}
		assert_int_equal(options_parse(argc, argv, out, err, &p.options), OPTIONS_USAGE);
		fclose(out);
		fclose(err);
		assert_non_null(strstr(p.err, "is empty"));
		drop(&p);
		while (argc)
			free(argv[--argc]);
	}
}

/* As with fsck(8), a number after -C belongs to it, and anything else does not. */
static void progress_goes_to_a_descriptor(void **state)
{
	struct options o = accepted("xfsck -n -C 2 dev");

	(void)state;
	assert_int_equal(o.progress_fd, 2);
	assert_string_equal(o.device, "dev");
	assert_int_equal(accepted("fsck.xfs -n -C2 dev").progress_fd, 2);
	o = accepted("fsck.xfs -n -C dev");
	assert_int_equal(o.progress_fd, 0);
	assert_string_equal(o.device, "dev");
	assert_int_equal(accepted("xfsck -C0 -n dev").progress_fd, 0);
	assert_refused("xfsck -n -C 1000000 dev", "there is no open descriptor 1000000");
	assert_refused("xfsck -n -Cx dev", "-C: 'x' is not a number");
	assert_refused("xfsck -n -C 1 -C 2 dev", "-C is given twice");
}

static void without_n_it_may_write(void **state)
{
	struct options o = accepted("xfsck -e --undo=kept dev");

	(void)state;
	assert_false(o.no_modify);
	assert_true(o.tell_repaired);
	assert_string_equal(o.undo, "kept");
	assert_null(o.rollback);
	assert_string_equal(accepted("xfsck --rollback=kept dev").rollback, "kept");
	assert_true(accepted("xfsck -n --rollback=kept dev").no_modify);
	assert_true(accepted("xfsck -L dev").discard_log);
	assert_false(accepted("xfsck -L dev").commit_unproven);
	assert_true(accepted("xfsck --commit-unproven dev").commit_unproven);
	assert_false(accepted("fsck.xfs -y dev").no_modify);
	assert_false(accepted("fsck.xfs -a -f dev").no_modify);
}

static void bhash_is_accepted_and_said_to_have_no_effect(void **state)
{
	struct parsed p = parse("xfsck -n -o bhash=1024 dev");

	(void)state;
	assert_int_equal(p.result, OPTIONS_RUN);
	assert_non_null(strstr(p.err, "bhash is accepted and ignored"));
	drop(&p);
}

static void version_help_and_explanations_go_to_standard_output(void **state)
{
	struct parsed p = parse("xfsck -V");

	(void)state;
	assert_int_equal(p.result, OPTIONS_DONE);
	assert_int_equal(
		strncmp(p.out, "xfsck version " XFSCK_VERSION "\n", strlen("xfsck version " XFSCK_VERSION "\n")), 0);
	for (unsigned i = 0; device_inputs[i].what; i++)
		assert_non_null(strstr(p.out, device_inputs[i].what));
	assert_string_equal(p.err, "");
	drop(&p);
	p = parse("xfsck --help");
	assert_int_equal(p.result, OPTIONS_DONE);
	assert_non_null(strstr(p.out, "--json[=FILE]"));
	assert_non_null(strstr(p.out, "--threads=N"));
	assert_non_null(strstr(p.out, "-l LOGDEV"));
	assert_non_null(strstr(p.out, "force_geometry"));
	assert_string_equal(p.err, "");
	drop(&p);
	p = parse("xfsck --explain inode.orphan"); /* of which no device is needed */
	assert_int_equal(p.result, OPTIONS_DONE);
	assert_non_null(strstr(p.out, "\ninode.orphan\n"));
	assert_string_equal(p.err, "");
	drop(&p);
}

static void fsck_xfs_does_nothing_at_boot_and_checks_with_n(void **state)
{
	struct parsed p = parse("/sbin/fsck.xfs -a /dev/x");
	struct options o;

	(void)state;
	assert_int_equal(p.result, OPTIONS_BOOT);
	assert_true(p.options.fsck);
	assert_string_equal(p.options.device, "/dev/x");
	drop(&p);
	o = accepted("fsck.xfs -n -f /dev/x");
	assert_true(o.fsck && o.no_modify);
	assert_true(accepted("fsck.xfs -a -n /dev/x").no_modify);
}

static void a_part_of_the_device_is_told_in_bytes_sectors_or_by_its_number(void **state)
{
	struct options o = accepted("xfsck -n --offset=1M /dev/x");

	(void)state;
	assert_int_equal(o.offset, 1u << 20);
	assert_int_equal(o.size, 0);
	assert_string_equal(o.range, "--offset=1048576");
	o = accepted("xfsck -n --offset=2048s:3G /dev/x");
	assert_int_equal(o.offset, 2048 * 512);
	assert_int_equal(o.size, 3ull << 30);
	assert_string_equal(o.range, "--offset=1048576:3221225472");
	assert_string_equal(accepted("xfsck -n --offset=0 /dev/x").range, "");
	assert_string_equal(accepted("xfsck -n --partition=12 /dev/x").range, "--partition=12");
	assert_string_equal(accepted("xfsck -n /dev/x").range, "");
	assert_refused("xfsck -n --offset=s /dev/x", "is no BYTES");
	assert_refused("xfsck -n --offset=-1 /dev/x", "is no BYTES");
	assert_refused("xfsck -n --offset=1M:0 /dev/x", "is no BYTES");
	assert_refused("xfsck -n --offset=1M:1M:1M /dev/x", "is no BYTES");
	assert_refused("xfsck -n --offset=18446744073709551615s /dev/x", "is no BYTES");
	assert_refused("xfsck -n --offset=513 /dev/x", "whole number of sectors");
	assert_refused("xfsck -n --offset=16383P /dev/x", "too large");
	assert_refused("xfsck -n --partition=0 /dev/x", "--partition");
	assert_refused("xfsck -n --partition=1 --offset=0 /dev/x", "cannot be combined");
	assert_refused("xfsck -n --list --larger=5s /dev/x", "is no size");
}

static void a_refusal_still_tells_who_was_called(void **state)
{
	struct parsed p = parse("fsck.xfs -Z /dev/x");

	(void)state;
	assert_int_equal(p.result, OPTIONS_USAGE);
	assert_true(p.options.fsck);
	drop(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_only_has_the_documented_defaults),
		cmocka_unit_test(every_built_option_arrives),
		cmocka_unit_test(an_empty_name_is_none),
		cmocka_unit_test(progress_goes_to_a_descriptor),
		cmocka_unit_test(without_n_it_may_write),
		cmocka_unit_test(what_is_extracted_is_chosen),
		cmocka_unit_test(json_without_a_file_does_not_swallow_the_device),
		cmocka_unit_test(options_may_follow_the_device_and_argv_keeps_its_order),
		cmocka_unit_test(several_devices_can_be_given),
		cmocka_unit_test(features_are_taken_from_lists),
		cmocka_unit_test(wrong_usage_is_refused_and_explained),
		cmocka_unit_test(bhash_is_accepted_and_said_to_have_no_effect),
		cmocka_unit_test(version_help_and_explanations_go_to_standard_output),
		cmocka_unit_test(fsck_xfs_does_nothing_at_boot_and_checks_with_n),
		cmocka_unit_test(a_part_of_the_device_is_told_in_bytes_sectors_or_by_its_number),
		cmocka_unit_test(a_refusal_still_tells_who_was_called),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
