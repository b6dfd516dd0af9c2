/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one process for each image, and prints their results in the order of the command line. There are no threads
 * here, so it can fork. Signals are waited for, like the ends of processes: a handler would need a global variable.
 */
#include "several.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image_outputs.h"
#include "base/interrupt.h"
#include "check/memory.h"
#include "report/json_in.h"
#include "report/quote.h"
#include "report/report_file.h"
#include "report/report_json.h"

/* How far processes may be ahead of the next report: each keeps up to three files open until then. */
#define AHEAD 64u

struct image_check {
	pid_t pid;	   /* 0: not started */
	bool voided;	   /* its results don't count: `message` says why */
	char message[512]; /* why it could not be started or does not count, or "" */
	bool over;	   /* it has ended, or could not be started */
	int status;	   /* of waitpid() */
	FILE *result;	   /* JSON lines */
	FILE *out, *err;   /* what it printed; NULL: printed directly */
};

struct several {
	const struct options *options;
	const struct several_hooks *hooks; /* NULL: none */
	struct interrupt interrupt;
	sigset_t awaited; /* signals, with SIGCHLD */
	int trouble;
	struct image_outputs to;
	const char *const *devices;
	unsigned count, started, running, reported;
	int stopped; /* the signal that stopped the run, or 0 */
	bool kept;   /* the output of an image is kept until its turn */
	bool starved;
	struct image_check *checks;
};

bool several_asked(const struct options *o)
{
	return o->devices || o->report || o->audit;
}

static void close_files(struct image_check *check)
{
	FILE **files[] = { &check->result, &check->out, &check->err };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (*files[i])
			fclose(*files[i]);
		*files[i] = NULL;
	}
}

static void free_all(struct several *s)
{
	for (unsigned i = 0; s->checks && i < s->count; i++)
		close_files(&s->checks[i]);
	free(s->checks);
	free(s);
}

/* ---- opening ---- */

int several_open(const struct options *options, const struct several_hooks *hooks, int trouble, FILE *out, FILE *err,
		 struct several **ret_several)
{
	struct several *s = calloc(1, sizeof(*s));
	int error = -ENOMEM;

	if (!s) {
		fprintf(err, "%s: out of memory\n", options->program);
		return -ENOMEM;
	}
	*s = (struct several){ .options = options, .hooks = hooks, .trouble = trouble };
	s->devices = options->devices ? options->devices : &options->device;
	s->count = options->devices ? options->device_count : 1;
	s->kept = hooks || (options->jobs > 1 && s->count > 1); /* with hooks, the text may be void */
	s->checks = calloc(s->count, sizeof(*s->checks));
	if (s->checks)
		error = image_outputs_open(options, out, err, s->count, &s->to);
	else
		fprintf(err, "%s: out of memory\n", options->program);
	if (error) {
		free_all(s);
		return error;
	}
	interrupt_choose(&s->interrupt, options);
	s->awaited = s->interrupt.awaited;
	sigaddset(&s->awaited, SIGCHLD);
	signal(SIGCHLD, SIG_DFL); /* if it is ignored, waitpid() gets no status */
	sigprocmask(SIG_BLOCK, &s->awaited, NULL);
	*ret_several = s;
	return 0;
}

/* ---- processes ---- */

/* Sets the options for the check of one image, after its device. */
static void choose_options(const struct several *s, FILE *result, struct options *ret_options)
{
	struct options *o = ret_options;

	o->devices = NULL;
	o->device_count = 1;
	o->report = REPORT_TEXT;
	o->report_file = NULL;
	o->result = result;
	if (!s->to.text)
		o->json = "-"; /* rather than text */
	if (o->jobs > s->count)
		o->jobs = s->count;
	if (o->jobs > 1)
		o->memory_bytes = (o->memory_bytes ? o->memory_bytes : memory_of_system("") / 4) / o->jobs;
}

/*
 * Removes the other devices from the arguments, which each report repeats, and which may be many. Devices are in the
 * order of the command line, and point to the arguments.
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

/* In the new process: becomes the check of the image, and frees the rest. */
static void become(struct several *s, unsigned i, struct options *ret_options)
{
	struct image_check *check = &s->checks[i];

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (check->out)
		dup2(fileno(check->out), STDOUT_FILENO);
	if (check->err)
		dup2(fileno(check->err), STDERR_FILENO);
	choose_options(s, check->result, ret_options);
	if (s->hooks)
		s->hooks->become(s->hooks->ctx);
	check->result = NULL;
	sigprocmask(SIG_SETMASK, &s->interrupt.before, NULL);
	image_outputs_forget(&s->to);
	free_all(s);
}

static void note_unstarted(struct image_check *check, int error)
{
	if (error)
		snprintf(check->message, sizeof(check->message),
			 "its check could not be started, for want of a process, or of a temporary file (TMPDIR, else "
			 "/var/tmp): %s",
			 strerror(-error));
}

static int open_files(const struct several *s, struct image_check *check)
{
	int error = report_scratch(&check->result);

	if (!error && s->kept && s->to.text)
		error = report_scratch(&check->out);
	if (!error && s->kept)
		error = report_scratch(&check->err);
	return error;
}

/* Notes the end of a process, or that there is none, and whether its results count. */
static void end_run(struct several *s, unsigned i)
{
	struct image_check *check = &s->checks[i];
	char message[sizeof(check->message)];

	check->over = true;
	if (!s->hooks || !s->hooks->end(s->hooks->ctx, i, message, sizeof(message)))
		return;
	if (!check->message[0])
		snprintf(check->message, sizeof(check->message), "%s", message);
	check->voided = true;
}

/* Starts the next image. True: this is the new process. */
static bool start(struct several *s, struct options *ret_options, int *argc, char **argv)
{
	const unsigned i = s->started++;
	struct image_check *check = &s->checks[i];

	*ret_options = *s->options;
	ret_options->device = s->devices[i];
	note_unstarted(check, open_files(s, check));
	if (!check->message[0] && s->hooks)
		s->hooks->begin(s->hooks->ctx, i, ret_options, check->message, sizeof(check->message));
	if (s->to.headed && !s->kept) {
		if (i)
			fputc('\n', s->to.out);
		image_heading(s->to.out, s->devices[i]);
	}
	fflush(NULL); /* or both processes would write the buffers */
	check->pid = check->message[0] ? -1 : fork();
	if (!check->pid) {
		choose_arguments(s, i, argc, argv);
		become(s, i, ret_options);
		return true;
	}
	if (check->pid < 0 && !check->message[0])
		note_unstarted(check, -errno);
	if (check->pid < 0)
		end_run(s, i);
	s->running += !check->over;
	return false;
}

static void note_ended(struct several *s)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (unsigned i = 0; i < s->started; i++) {
			if (s->checks[i].pid != pid || s->checks[i].over)
				continue;
			s->checks[i].status = status;
			s->running--;
			end_run(s, i);
		}
	}
}

/* Ends the processes that may not go on. */
static void look_at_all(struct several *s)
{
	for (unsigned i = 0; i < s->started; i++) {
		struct image_check *check = &s->checks[i];

		if (check->over || check->voided ||
		    !s->hooks->look(s->hooks->ctx, i, check->message, sizeof(check->message)))
			continue;
		check->voided = true;
		kill(check->pid, SIGTERM);
	}
}

/* Waits for the end of a process, a signal, which all processes get, or the time to call the look() hook. */
static void wait_for_one(struct several *s)
{
	const struct timespec seconds = { .tv_sec = 3 };
	siginfo_t info;
	const int number = s->hooks ? sigtimedwait(&s->awaited, &info, &seconds) : sigwaitinfo(&s->awaited, &info);

	if (number < 0 && errno == EAGAIN) {
		look_at_all(s);
		return;
	}
	if (number == SIGCHLD) {
		note_ended(s);
		return;
	}
	if (number < 0)
		return;
	if (number != SIGUSR1)
		s->stopped = number;
	for (unsigned i = 0; i < s->started; i++)
		if (s->checks[i].pid > 0 && !s->checks[i].over)
			kill(s->checks[i].pid, number);
}

/* ---- results ---- */

/* Reports trouble that the process of the image could not report. */
static void tell_trouble(struct several *s, struct image_result *result, const char *sentence)
{
	image_result_trouble(result, sentence);
	quote_said(s->to.err, s->options->program, "%s: %s", result->device, sentence);
	report_json_sentence(s->to.json, "trouble", sentence);
}

/* Adds how a process ended. */
static void take_status(struct several *s, const struct image_check *check, struct image_result *r)
{
	char sentence[sizeof(check->message)] = "";

	r->exit_status = s->trouble;
	if (check->message[0])
		snprintf(sentence, sizeof(sentence), "%s", check->message);
	else if (!check->pid)
		snprintf(sentence, sizeof(sentence), "not checked, since signal %d (%s) came before", s->stopped,
			 strsignal(s->stopped));
	else if (WIFSIGNALED(check->status))
		snprintf(sentence, sizeof(sentence), "its check was ended by signal %d (%s)", WTERMSIG(check->status),
			 strsignal(WTERMSIG(check->status)));
	else if (!r->ended && !r->troubles.count)
		snprintf(sentence, sizeof(sentence), "its check ended with status %d and without a report",
			 WEXITSTATUS(check->status));
	if (sentence[0])
		tell_trouble(s, r, sentence);
	else if (r->ended || WEXITSTATUS(check->status))
		r->exit_status = WEXITSTATUS(check->status);
}

/* Adds the JSON lines of a process, the last of which may be cut off, and passes them on. */
static void take_lines(struct several *s, unsigned i, struct image_result *result)
{
	const struct image_check *check = &s->checks[i];
	struct json_in in = { .in = check->result };
	json_t *line;

	if (!check->result || check->voided)
		return;
	rewind(check->result);
	while ((line = json_in_next(&in))) {
		image_result_take(result, line);
		if (s->hooks)
			s->hooks->take(s->hooks->ctx, i, line);
		if (s->to.json)
			json_out_put(s->to.json, line);
		else
			json_decref(line);
	}
	s->starved |= in.error == -ENOMEM;
	json_in_free(&in);
}

/* Prints the text of a process, unless its results are void or there is nothing to report. */
static void tell_text(struct several *s, unsigned i, int status)
{
	const struct image_check *check = &s->checks[i];
	const bool silent = s->hooks && s->options->quiet && !status;

	if (!check->voided && !silent)
		report_scratch_copy(check->out, s->to.out);
	if (!check->voided)
		report_scratch_copy(check->err, s->to.err);
	if (s->hooks)
		s->hooks->tell(s->hooks->ctx, i, s->to.text && !silent ? s->to.out : NULL, s->to.json);
}

/* Prints the report of the next image. */
static void tell(struct several *s)
{
	const unsigned i = s->reported++;
	struct image_check *check = &s->checks[i];
	struct image_result result;

	if (s->to.headed && (s->kept || i >= s->started)) {
		if (i)
			fputc('\n', s->to.out);
		image_heading(s->to.out, s->devices[i]);
	}
	image_result_begin(&result, s->devices[i]);
	take_lines(s, i, &result);
	take_status(s, check, &result);
	image_result_settle(&result);
	if (s->hooks)
		result.exit_status = s->hooks->judge(s->hooks->ctx, i, &result);
	tell_text(s, i, result.exit_status);
	image_outputs_add(&s->to, &result);
	image_result_free(&result);
	close_files(check);
	fflush(NULL);
}

static bool may_start(const struct several *s)
{
	const unsigned jobs = s->options->jobs;

	return !s->stopped && s->started < s->count && s->running < jobs && s->started < s->reported + AHEAD + jobs &&
	       (!s->hooks || s->hooks->may_start(s->hooks->ctx, s->started));
}

bool several_fork(struct several *s, struct options *ret_options, int *argc, char **argv)
{
	while (s->reported < s->count) {
		while (may_start(s))
			if (start(s, ret_options, argc, argv))
				return true;
		while (s->reported < s->count &&
		       (s->checks[s->reported].over || (s->stopped && s->reported >= s->started)))
			tell(s);
		if (s->running)
			wait_for_one(s);
	}
	return false;
}

int several_close(struct several *s)
{
	const int highest = s->to.highest, error = image_outputs_close(&s->to, s->starved);
	const int status = error ? s->trouble : highest;
	const int stopped = s->stopped;
	const struct interrupt interrupt = s->interrupt;

	free_all(s);
	if (stopped)
		interrupt_end_run(&interrupt, stopped);
	sigprocmask(SIG_SETMASK, &interrupt.before, NULL);
	return status;
}
