/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one process for each image, and prints their results in the order of the command line.  There are no
 * threads here, so processes may be forked.  Signals are waited for, like the ends of processes, rather than handled: a
 * handler would need a global variable.
 */
#include "several.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image_reports.h"
#include "base/interrupt.h"
#include "check/memory.h"
#include "report/json_in.h"
#include "report/quote.h"
#include "report/report_file.h"
#include "report/report_json.h"
#include "whole.h"

/* Processes may be so far ahead of the one whose report is printed next: each keeps up to three files open until then.
 */
#define AHEAD 64u

struct image_run {
	pid_t pid;	 /* 0: not started */
	int problem;	 /* why it could not be started, a negative errno; 0 */
	bool over;	 /* it has ended, or could not be started */
	int status;	 /* of waitpid() */
	FILE *result;	 /* lines of JSON */
	FILE *out, *err; /* what it printed; NULL: that went to its place at once */
};

struct several {
	const struct options *options;
	struct interrupt interrupt;
	sigset_t awaited; /* signals, and the end of processes */
	int trouble, highest;
	FILE *out, *err;
	const char *const *devices;
	unsigned count, started, running, told;
	int stopped; /* by this signal; 0: by none */
	bool text;   /* it goes to out */
	bool headed; /* with a heading for each image, and a summary */
	bool kept;   /* until it is the image's turn */
	bool starved;
	FILE *report; /* NULL: none */
	struct report_json *json;
	struct image_run *runs;
	struct image_row *rows;
};

bool several_asked(const struct options *o)
{
	return o->devices || o->report;
}

static void close_files(struct image_run *run)
{
	FILE **files[] = { &run->result, &run->out, &run->err };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (*files[i])
			fclose(*files[i]);
		*files[i] = NULL;
	}
}

static void free_all(struct several *s)
{
	for (unsigned i = 0; s->runs && i < s->count; i++)
		close_files(&s->runs[i]);
	free(s->runs);
	free(s->rows);
	free(s);
}

/* ---- opening ---- */

static int open_outputs(struct several *s)
{
	const struct options *o = s->options;
	int error = o->json ? report_json_open(o, s->out, s->err, &s->json) : 0;

	if (error || !o->report)
		return error;
	s->report = s->out;
	if (o->report_file)
		error = report_file_open(o, o->report_file, "the report", s->err, &s->report);
	if (error) {
		report_json_close(s->json);
		return error;
	}
	if (o->report == REPORT_JUNIT)
		report_junit_begin(s->report);
	else
		report_tap_begin(s->report, s->count);
	return 0;
}

int several_open(const struct options *options, int trouble, FILE *out, FILE *err, struct several **ret_several)
{
	struct several *s = calloc(1, sizeof(*s));
	int error = -ENOMEM;

	if (!s) {
		fprintf(err, "%s: out of memory\n", options->program);
		return -ENOMEM;
	}
	*s = (struct several){ .options = options, .trouble = trouble, .out = out, .err = err };
	s->devices = options->devices ? options->devices : &options->device;
	s->count = options->devices ? options->device_count : 1;
	s->text = !(options->json && !strcmp(options->json, "-")) && !(options->report && !options->report_file);
	s->headed = s->text && options->devices && !options->quiet;
	s->kept = options->jobs > 1 && s->count > 1;
	s->runs = calloc(s->count, sizeof(*s->runs));
	s->rows = calloc(s->count, sizeof(*s->rows));
	if (s->runs && s->rows)
		error = open_outputs(s);
	else
		fprintf(err, "%s: out of memory\n", options->program);
	if (error) {
		free_all(s);
		return error;
	}
	interrupt_choose(&s->interrupt, options);
	s->awaited = s->interrupt.awaited;
	sigaddset(&s->awaited, SIGCHLD);
	signal(SIGCHLD, SIG_DFL); /* where it is ignored, waitpid() has no status */
	sigprocmask(SIG_BLOCK, &s->awaited, NULL);
	*ret_several = s;
	return 0;
}

/* ---- a process ---- */

static int open_temporary(FILE **ret_file)
{
	const int fd = temporary_open();

	if (fd < 0)
		return fd;
	*ret_file = fdopen(fd, "w+");
	if (*ret_file)
		return 0;
	close(fd);
	return -ENOMEM;
}

/* Make the options of a check of one of the images. */
static void choose_options(const struct several *s, const char *device, FILE *result, struct options *ret_options)
{
	struct options *o = ret_options;

	*o = *s->options;
	o->device = device;
	o->devices = NULL;
	o->device_count = 1;
	o->report = REPORT_TEXT;
	o->report_file = NULL;
	o->result = result;
	if (!s->text)
		o->json = "-"; /* rather than text */
	if (o->jobs > s->count)
		o->jobs = s->count;
	if (o->jobs > 1)
		o->memory_bytes = (o->memory_bytes ? o->memory_bytes : memory_of_system("") / 4) / o->jobs;
}

/*
 * Take the other devices out of the arguments, which each report repeats, and which may be many.  Devices are in the
 * order in which they were given, and point to the arguments.
 */
static void choose_arguments(const struct several *s, unsigned chosen, int *argc, char **argv)
{
	unsigned device = 0;
	int kept = 0;

	for (int i = 0; i < *argc; i++) {
		const bool is_device = device < s->count && argv[i] == s->devices[device];

		if (!is_device || device == chosen)
			argv[kept++] = argv[i];
		device += is_device;
	}
	*argc = kept;
	argv[kept] = NULL;
}

/* In the new process: become the check of the image, and forget the others. */
static void become(struct several *s, unsigned i, struct options *ret_options)
{
	struct image_run *run = &s->runs[i];

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (run->out)
		dup2(fileno(run->out), STDOUT_FILENO);
	if (run->err)
		dup2(fileno(run->err), STDERR_FILENO);
	choose_options(s, s->devices[i], run->result, ret_options);
	run->result = NULL;
	sigprocmask(SIG_SETMASK, &s->interrupt.before, NULL);
	if (s->options->report_file)
		fclose(s->report);
	report_json_close(s->json);
	free_all(s);
}

/* Start the next image. True: this is the new process. */
static bool start(struct several *s, struct options *ret_options, int *argc, char **argv)
{
	const unsigned i = s->started++;
	struct image_run *run = &s->runs[i];

	run->problem = open_temporary(&run->result);
	if (!run->problem && s->kept && s->text)
		run->problem = open_temporary(&run->out);
	if (!run->problem && s->kept)
		run->problem = open_temporary(&run->err);
	if (s->headed && !s->kept) {
		if (i)
			fputc('\n', s->out);
		image_heading(s->out, s->devices[i]);
	}
	fflush(NULL); /* or both would write what is buffered */
	run->pid = run->problem ? -1 : fork();
	if (!run->pid) {
		choose_arguments(s, i, argc, argv);
		become(s, i, ret_options);
		return true;
	}
	if (run->pid < 0 && !run->problem)
		run->problem = -errno;
	run->over = run->problem;
	s->running += !run->over;
	return false;
}

static void note_ended(struct several *s)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (unsigned i = 0; i < s->started; i++) {
			if (s->runs[i].pid != pid || s->runs[i].over)
				continue;
			s->runs[i].over = true;
			s->runs[i].status = status;
			s->running--;
		}
	}
}

/* Wait until a process ends, or a signal comes, which all processes get. */
static void wait_for_one(struct several *s)
{
	siginfo_t info;
	const int number = sigwaitinfo(&s->awaited, &info);

	if (number == SIGCHLD) {
		note_ended(s);
		return;
	}
	if (number < 0)
		return;
	if (number != SIGUSR1)
		s->stopped = number;
	for (unsigned i = 0; i < s->started; i++)
		if (s->runs[i].pid > 0 && !s->runs[i].over)
			kill(s->runs[i].pid, number);
}

/* ---- results ---- */

static void copy(FILE *from, FILE *to)
{
	char buffer[16384];
	size_t n;

	if (!from)
		return;
	rewind(from);
	while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0)
		fwrite(buffer, 1, n, to);
	fflush(to);
}

/* Report what the process of the image could not report itself. */
static void tell_trouble(struct several *s, struct image_result *result, const char *sentence)
{
	image_result_trouble(result, sentence);
	quote_said(s->err, s->options->program, "%s: %s", result->device, sentence);
	report_json_sentence(s->json, "trouble", sentence);
}

/* Take how a process has ended. */
static void take_status(struct several *s, const struct image_run *run, struct image_result *r)
{
	char sentence[256] = "";

	r->exit_status = s->trouble;
	if (run->problem)
		snprintf(sentence, sizeof(sentence),
			 "its check could not be started, for want of a process, or of a temporary file (TMPDIR, else "
			 "/var/tmp): %s",
			 strerror(-run->problem));
	else if (!run->pid)
		snprintf(sentence, sizeof(sentence), "not checked, since signal %d (%s) came before", s->stopped,
			 strsignal(s->stopped));
	else if (WIFSIGNALED(run->status))
		snprintf(sentence, sizeof(sentence), "its check was ended by signal %d (%s)", WTERMSIG(run->status),
			 strsignal(WTERMSIG(run->status)));
	else if (!r->ended && !r->troubles.count)
		snprintf(sentence, sizeof(sentence), "its check ended with status %d and without a report",
			 WEXITSTATUS(run->status));
	if (sentence[0])
		tell_trouble(s, r, sentence);
	else if (r->ended || WEXITSTATUS(run->status))
		r->exit_status = WEXITSTATUS(run->status);
}

/* Take the lines of JSON that a process has written, the last of which may be cut off, and pass them on. */
static void take_lines(struct several *s, const struct image_run *run, struct image_result *result)
{
	struct json_in in = { .in = run->result };
	json_t *line;

	if (!run->result)
		return;
	rewind(run->result);
	while ((line = json_in_next(&in))) {
		image_result_take(result, line);
		if (s->json)
			json_out_put(s->json, line);
		else
			json_decref(line);
	}
	s->starved |= in.error == -ENOMEM;
	json_in_free(&in);
}

/* Print the report of the next image in turn. */
static void tell(struct several *s)
{
	const unsigned i = s->told++;
	struct image_run *run = &s->runs[i];
	struct image_result result;

	if (s->headed && (s->kept || i >= s->started)) {
		if (i)
			fputc('\n', s->out);
		image_heading(s->out, s->devices[i]);
	}
	copy(run->out, s->out);
	copy(run->err, s->err);
	image_result_begin(&result, s->devices[i]);
	take_lines(s, run, &result);
	take_status(s, run, &result);
	image_result_settle(&result);
	if (s->options->report == REPORT_JUNIT)
		report_junit_image(s->report, &result, i);
	else if (s->options->report == REPORT_TAP)
		report_tap_image(s->report, &result, i);
	s->rows[i] = image_row(&result);
	if (result.exit_status > s->highest)
		s->highest = result.exit_status;
	image_result_free(&result);
	close_files(run);
	fflush(NULL);
}

bool several_fork(struct several *s, struct options *ret_options, int *argc, char **argv)
{
	const unsigned jobs = s->options->jobs;

	while (s->told < s->count) {
		while (!s->stopped && s->started < s->count && s->running < jobs && s->started < s->told + AHEAD + jobs)
			if (start(s, ret_options, argc, argv))
				return true;
		while (s->told < s->count && (s->runs[s->told].over || (s->stopped && s->told >= s->started)))
			tell(s);
		if (s->running)
			wait_for_one(s);
	}
	return false;
}

/* Close a stream; 0, or a negative errno if not all of it could be written. */
static int close_stream(FILE *file, bool owned)
{
	int error = 0;

	errno = 0;
	if (fflush(file) || ferror(file))
		error = errno ? -errno : -EIO;
	if (owned && fclose(file) && !error)
		error = -errno;
	return error;
}

static int write_end(struct several *s)
{
	const struct options *o = s->options;
	int error = 0, json_error, text_error;

	if (s->headed) {
		fputc('\n', s->out);
		image_summary_text(s->out, s->rows, s->count);
	}
	if (s->json && o->devices)
		image_summary_json(s->json, s->rows, s->count, s->highest);
	if (o->report == REPORT_JUNIT)
		report_junit_end(s->report);
	if (o->report)
		error = close_stream(s->report, o->report_file);
	json_error = report_json_close(s->json);
	text_error = s->text ? close_stream(s->out, false) : s->starved ? -ENOMEM : 0;
	report_file_unwritten(s->err, o->program, "report", error ? error : text_error, NULL);
	report_file_unwritten(s->err, o->program, "JSON report", json_error, NULL);
	return error ? error : json_error ? json_error : text_error;
}

int several_close(struct several *s)
{
	const int error = write_end(s);
	const int status = error ? s->trouble : s->highest;
	const int stopped = s->stopped;
	const struct interrupt interrupt = s->interrupt;

	free_all(s);
	if (stopped)
		interrupt_end_run(&interrupt, stopped);
	sigprocmask(SIG_SETMASK, &interrupt.before, NULL);
	return status;
}
