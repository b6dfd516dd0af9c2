/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE 1

#include "audit.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/ioprio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <unistd.h>

#include "front/several/image_reports.h"
#include "history.h"
#include "journal.h"
#include "output.h"
#include "report/json_out.h"
#include "report/quote.h"
#include "snapshot.h"
#include "tool.h"

/*
 * Yields to other programs. Flash and arrays can do far more than so many bytes and requests. To a rotating disk, or a
 * volume of a cloud, that may be all it can do, and few schedulers heed the idle class: there the share counts.
 */
#define NICE	      10
#define READ_RATE     (64u << 20) /* bytes per second */
#define READ_REQUESTS 200u	  /* per second */
#define READ_SHARE    5u	  /* percent of the time */

#define FRESH_SHOWN 100u /* new findings that are listed */

/* The audit of one volume. */
struct audited {
	struct snapshot snapshot;
	bool running;
	struct history before, now;
	struct history_change change;
	json_t *line; /* the last line of its report; NULL: not checked, so nothing is known */
};

struct audit {
	struct options *options;
	struct several_hooks hooks;
	struct volumes volumes;
	struct audited *all; /* by volume */
	const char **names;  /* names of volumes for reports */
	FILE *err;
	/* for --on-new: new findings and failed audits */
	FILE *news;
	char *news_text;
	size_t news_size;
	const char **alarm; /* its arguments: the program, and affected volumes */
	unsigned alarms;    /* number of affected volumes */
};

/* Returns the name of a volume for users. */
static const char *name_of(const struct volume *v)
{
	return v->mount ? v->mount : v->device;
}

/* ---- around each check ---- */

static bool may_start(void *ctx, unsigned i)
{
	const struct audit *a = ctx;

	for (unsigned other = 0; other < i; other++)
		if (a->all[other].running && volumes_share_disk(&a->volumes.all[i], &a->volumes.all[other]))
			return false;
	return true;
}

static int begin(void *ctx, unsigned i, struct options *options, char *message, size_t size)
{
	struct audit *a = ctx;
	struct snapshot *s = &a->all[i].snapshot;
	const int ret = snapshot_make(&a->volumes.all[i], a->options->hooks, s, message, size);

	if (ret)
		return ret;
	a->all[i].running = true;
	options->device = a->volumes.all[i].device;
	if (!options->rate_given)
		options->read_rate = READ_RATE;
	if (!options->requests_given)
		options->read_requests = READ_REQUESTS;
	if (!options->share_given)
		options->read_share = READ_SHARE;
	if (!s->kind)
		return 0;
	options->snapshot = s->device;
	options->offset = s->offset;
	options->size = s->bytes;
	return 0;
}

/* Lowers the priority for the processor and the disk. */
static void step_back(void *ctx)
{
	(void)ctx;
	if (nice(NICE) < 0)
		return;
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}

static int look(void *ctx, unsigned i, char *message, size_t size)
{
	const struct audit *a = ctx;

	return snapshot_look(&a->all[i].snapshot, message, size);
}

static int end(void *ctx, unsigned i, char *message, size_t size)
{
	struct audit *a = ctx;
	char left[512];
	int ret;

	if (!a->all[i].running)
		return 0;
	ret = snapshot_look(&a->all[i].snapshot, message, size);
	if (snapshot_remove(&a->all[i].snapshot, left, sizeof(left)))
		quote_said(a->err, a->options->program, "%s: its snapshot %s is still there: %s", a->names[i],
			   a->all[i].snapshot.name, left);
	a->all[i].running = false;
	return ret;
}

/* ---- comparison with the last audit ---- */

static void take(void *ctx, unsigned i, const json_t *line)
{
	struct audit *a = ctx;

	history_take(&a->all[i].now, line); /* findings lost for lack of memory are new in the next audit */
}

/* Reads the findings to compare with: --baseline, or the last report. */
static int read_before(const struct audit *a, const struct history *now, struct history *ret_before)
{
	char path[HISTORY_PATH];

	if (a->options->baseline)
		return history_read(ret_before, a->options->baseline);
	return history_read(ret_before, history_path(a->options->audits, now->uuid, path));
}

static void print_fresh(FILE *out, const struct history *before, const struct history *now)
{
	const char *key;
	json_t *message;
	unsigned shown = 0;

	json_object_foreach(now->findings, key, message)
	{
		if (!history_is_fresh(before, key) || shown++ >= FRESH_SHOWN)
			continue;
		fputs("New: ", out);
		quote_sentence(out, key);
		fputs(": ", out);
		quote_sentence(out, json_string_value(message));
		fputc('\n', out);
	}
}

static void print_change(FILE *out, const struct volume *v, const struct history *before, const struct history *now,
			 const struct history_change *change)
{
	struct words w = { 0 };

	if (v->mount && json_object_size(now->findings)) {
		fputs("To repair it, first unmount ", out);
		quote_shell(out, v->mount);
		fputs(".\n", out);
	}
	if (!before->start[0]) {
		fputs("Audit: the first of this file system.\n", out);
		return;
	}
	words_add(&w, "Audit: compared with %s, ", before->start);
	words_add_count(&w, change->fresh, "finding is new", "findings are new");
	words_add(&w, ", ");
	words_add_number(&w, change->gone);
	words_add(&w, " %s gone, ", change->gone == 1 ? "is" : "are");
	words_add_number(&w, change->unchanged);
	fprintf(out, "%s %s unchanged.\n", w.text, change->unchanged == 1 ? "is" : "are");
	print_fresh(out, before, now);
}

/* Returns the line of an audit, the last one of its report. */
static json_t *audit_line(const struct volume *v, const struct image_result *result, const struct history *before,
			  const struct history_change *change)
{
	return json_pack("{s:s, s:o, s:o, s:s, s:o, s:I, s:I, s:I}", "type", "audit", "device",
			 json_out_string(v->device), "mount", v->mount ? json_out_string(v->mount) : json_null(),
			 "verdict", image_verdict_name(image_result_verdict(result)), "since",
			 before->start[0] ? json_string(before->start) : json_null(), "new", (json_int_t)change->fresh,
			 "gone", (json_int_t)change->gone, "unchanged", (json_int_t)change->unchanged);
}

static void remember(const struct audit *a, struct history *now, const json_t *line)
{
	int ret = history_take(now, line);
	bool made;

	if (!ret && !strcmp(a->options->audits, XFSCK_AUDIT_DIR)) {
		const int fd = output_folder_make(XFSCK_UNDO_DIR, &made);

		ret = fd < 0 ? fd : close(fd);
	}
	if (!ret)
		ret = history_write(now, a->options->audits);
	if (ret)
		quote_said(a->err, a->options->program, "the report of this audit can't be kept in %s: %s",
			   a->options->audits, output_words(ret));
}

/* Compares with the last audit, and saves the result. Returns the exit status. */
static int compare(struct audit *a, unsigned i, const struct image_result *result)
{
	struct audited *one = &a->all[i];
	const enum verdict verdict = image_result_verdict(result);
	int ret;

	if ((verdict != VERDICT_CLEAN && verdict != VERDICT_DAMAGED) || !one->now.uuid[0])
		return result->exit_status;
	ret = read_before(a, &one->now, &one->before);
	if (ret && (ret != -ENOENT || a->options->baseline))
		quote_said(a->err, a->options->program, "the report of the last audit can't be read: %s",
			   strerror(-ret));
	one->change = history_compare(&one->before, &one->now);
	one->line = audit_line(&a->volumes.all[i], result, &one->before, &one->change);
	if (one->line)
		remember(a, &one->now, one->line);
	/* known findings raise no alarm */
	return one->before.start[0] && !one->change.fresh ? 0 : result->exit_status;
}

/* ---- notification ---- */

/* Adds the result of an audit in a line. */
static void add_outcome(struct words *w, const char *name, const struct image_row *row)
{
	words_add(w, "%s: %s", name, image_verdict_name(row->verdict));
	if (row->words.length)
		words_add(w, ": %s", row->words.text);
}

/* Returns the priority for syslog(3): error for new findings, notice for known ones. */
static int priority_of(const struct image_row *row, int status)
{
	if (row->verdict == VERDICT_UNCHECKED)
		return LOG_WARNING;
	return status ? LOG_ERR : row->verdict == VERDICT_CLEAN ? LOG_INFO : LOG_NOTICE;
}

static void tell_journal(const struct audit *a, unsigned i, const struct image_row *row, int status)
{
	const struct audited *one = &a->all[i];
	const struct volume *v = &a->volumes.all[i];
	struct words message = { 0 };
	struct journal_entry *e;
	int ret = -ENOMEM;

	add_outcome(&message, a->names[i], row);
	e = journal_begin(priority_of(row, status), message.text);
	if (e) {
		journal_field(e, "XFSCK_DEVICE", "%s", v->device);
		if (v->mount)
			journal_field(e, "XFSCK_MOUNT", "%s", v->mount);
		journal_field(e, "XFSCK_UUID", "%s", row->uuid);
		journal_field(e, "XFSCK_VERDICT", "%s", image_verdict_name(row->verdict));
		journal_field(e, "XFSCK_FINDINGS", "%" PRIu64, row->findings);
		journal_field(e, "XFSCK_NEW", "%" PRIu64, one->change.fresh);
		journal_field(e, "XFSCK_GONE", "%" PRIu64, one->change.gone);
		journal_field(e, "XFSCK_UNCHANGED", "%" PRIu64, one->change.unchanged);
		ret = journal_send(e);
	}
	if (ret)
		quote_said(a->err, a->options->program, "%s: the journal does not take its result: %s", a->names[i],
			   strerror(-ret));
}

/* Saves the result of a volume for --on-new, as -q would print it. */
static void add_news(struct audit *a, unsigned i, const struct image_row *row)
{
	const struct audited *one = &a->all[i];
	struct words outcome = { 0 };

	add_outcome(&outcome, a->names[i], row);
	quote_sentence(a->news, outcome.text);
	fputc('\n', a->news);
	if (one->line)
		print_change(a->news, &a->volumes.all[i], &one->before, &one->now, &one->change);
	a->alarm[1 + a->alarms++] = a->names[i];
}

/* Marks new damage for a repair at the next boot; removes the mark if the file system is clean. */
static void mark(const struct audit *a, unsigned i, const struct image_row *row, int status)
{
	const char *uuid = a->all[i].now.uuid;
	int ret = 0;

	if (uuid[0] && row->verdict == VERDICT_CLEAN)
		ret = boot_mark_drop(a->options->audits, uuid);
	else if (uuid[0] && row->verdict == VERDICT_DAMAGED && status && a->options->mark)
		ret = boot_mark_set(a->options->audits, uuid);
	if (ret)
		quote_said(a->err, a->options->program, "%s: its mark for a repair at boot can't be changed: %s",
			   a->names[i], output_words(ret));
}

static int judge(void *ctx, unsigned i, const struct image_result *result)
{
	struct audit *a = ctx;
	const int status = compare(a, i, result);
	struct image_row row = image_row(result);

	mark(a, i, &row, status);
	if (a->options->journal)
		tell_journal(a, i, &row, status);
	if (status && a->news)
		add_news(a, i, &row);
	return status;
}

int audit_finish(struct audit *a)
{
	char message[512];
	int ret = 0;

	if (!a->news)
		return 0;
	if (fclose(a->news))
		ret = -ENOMEM;
	a->news = NULL;
	if (!a->alarms)
		return ret;
	a->alarm[0] = a->options->on_new;
	snprintf(message, sizeof(message), "out of memory");
	if (!ret)
		ret = tool_feed(a->alarm, a->news_text, a->news_size, message, sizeof(message));
	if (ret)
		quote_said(a->err, a->options->program, "new findings were not reported: %s", message);
	return ret;
}

static void tell(void *ctx, unsigned i, FILE *out, struct report_json *json)
{
	struct audit *a = ctx;
	const struct audited *one = &a->all[i];

	if (!one->line)
		return;
	if (out)
		print_change(out, &a->volumes.all[i], &one->before, &one->now, &one->change);
	if (json)
		json_out_put(json, json_incref(one->line));
}

/* ---- all of them ---- */

int audit_open(struct options *options, FILE *err, struct audit **ret_audit)
{
	struct audit *a = calloc(1, sizeof(*a));
	const char *const *targets = options->devices ? options->devices : &options->device;
	const unsigned count = options->devices ? options->device_count : 1;
	char message[512] = "out of memory";
	int ret = -ENOMEM;

	if (a)
		ret = volumes_find(targets, count, &a->volumes, message, sizeof(message));
	if (!ret && !a->volumes.count) {
		snprintf(message, sizeof(message), "there is no XFS to audit");
		ret = -ENOENT;
	}
	if (!ret) {
		const unsigned n = a->volumes.count;

		a->options = options;
		a->err = err;
		a->names = calloc(n, sizeof(*a->names));
		a->all = calloc(n, sizeof(*a->all));
		a->alarm = calloc(n + 2, sizeof(*a->alarm));
		if (options->on_new)
			a->news = open_memstream(&a->news_text, &a->news_size);
		ret = a->names && a->all && a->alarm && (a->news || !options->on_new) ? 0 : -ENOMEM;
	}
	if (ret) {
		quote_said(err, options->program, "%s", message);
		audit_close(a);
		return ret;
	}
	for (unsigned i = 0; i < a->volumes.count; i++)
		a->names[i] = name_of(&a->volumes.all[i]);
	a->hooks = (struct several_hooks){ a, may_start, begin, step_back, look, end, take, judge, tell };
	free(options->devices);
	options->devices = a->names;
	options->device_count = a->volumes.count;
	options->device = a->names[0];
	*ret_audit = a;
	return 0;
}

const struct several_hooks *audit_hooks(const struct audit *audit)
{
	return &audit->hooks;
}

void audit_close(struct audit *a)
{
	if (!a)
		return;
	for (unsigned i = 0; a->all && i < a->volumes.count; i++) {
		history_free(&a->all[i].before);
		history_free(&a->all[i].now);
		json_decref(a->all[i].line);
	}
	if (a->news)
		fclose(a->news);
	free(a->news_text);
	free(a->alarm);
	free(a->all);
	volumes_free(&a->volumes);
	free(a);
}
