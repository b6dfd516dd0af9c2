/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON lines about the outcome: the log, repairs, statistics, and the summary, which is last. */
#include "json_out.h"
#include "report_json.h"

static const char *fate_name(enum log_fate fate)
{
	static const char *const names[] = {
		[LOG_FATE_REPLAYED] = "replayed",
		[LOG_FATE_REPLAYED_UPTO] = "replayed_upto",
		[LOG_FATE_REPLAYED_ACROSS] = "replayed_across",
		[LOG_FATE_IGNORED] = "ignored",
		[LOG_FATE_DISCARDED] = "discarded",
	};

	return names[fate];
}

static json_t *lost_with_log(struct report_json *json, const struct log_losses *l)
{
	json_t *lost = json_object();

	json_out_set(json, lost, "transactions", json_out_number(l->transactions));
	json_out_set(json, lost, "items", json_out_number(l->items));
	json_out_set(json, lost, "inodes", json_out_number(l->inodes));
	json_out_set(json, lost, "names", json_out_number(l->names));
	json_out_set(json, lost, "records", json_out_number(l->records));
	json_out_set(json, lost, "at_least", json_boolean(l->at_least));
	return lost;
}

void report_json_log(struct report_json *json, const struct log_summary *summary)
{
	json_t *log;

	if (!json)
		return;
	log = json_out_line(json, "log");
	json_out_set(json, log, "fate", json_string(fate_name(summary->fate)));
	if (log_fate_is_replayed(summary->fate)) {
		json_out_set(json, log, "transactions", json_out_number(summary->transactions));
		json_out_set(json, log, "items", json_out_number(summary->items));
		json_out_set(json, log, "bytes", json_out_number(summary->bytes));
		json_out_set_values(json, log, "kinds", summary->kinds, LOG_KINDS);
	} else {
		json_out_set(json, log, "transactions", json_out_number(summary->lost.transactions));
		json_out_set(json, log, "items", json_out_number(summary->lost.items));
		json_out_set(json, log, "inodes", json_out_number(summary->lost.inodes));
	}
	if (summary->fate != LOG_FATE_REPLAYED)
		json_out_set(json, log, "lost", lost_with_log(json, &summary->lost));
	json_out_put(json, log);
}

void report_json_crash(struct report_json *json, const struct crash_summary *summary)
{
	json_t *crash;

	if (!json)
		return;
	crash = json_out_line(json, "crash");
	json_out_set(json, crash, "fate", json_string(summary->finished ? "finished" : "waits"));
	json_out_set_values(json, crash, "kinds", summary->kinds, CRASH_KINDS);
	json_out_put(json, crash);
}

void report_json_stats(struct report_json *json, const struct stat_line *lines, size_t count)
{
	json_t *stats;

	if (!json)
		return;
	stats = json_out_line(json, "stats");
	json_out_set_values(json, stats, "values", lines, count);
	json_out_put(json, stats);
}

/* Returns the number of fixes by certainty. */
static json_t *sure_object(struct report_json *json, const struct fixes *fixes)
{
	json_t *object = json_object();

	for (enum sure sure = 0; sure < SURE_NR; sure++)
		json_out_set(json, object, sure_name(sure), json_out_number(fixes->count[sure]));
	return object;
}

void report_json_mended(struct report_json *json, const struct fixes *fixes, uint64_t left)
{
	json_t *mended;

	if (!json)
		return;
	mended = json_out_line(json, "mended");
	json_out_set(json, mended, "fixes", json_out_number(fixes_all(fixes)));
	json_out_set(json, mended, "sure", sure_object(json, fixes));
	json_out_set(json, mended, "left", json_out_number(left));
	json_out_set(json, mended, "proof", left ? json_null() : json_string(fixes->by_books ? "books" : "whole"));
	json_out_put(json, mended);
}

static json_t *totals_object(struct report_json *json, const struct totals *t)
{
	json_t *totals = json_object();

#define x(name) json_out_set(json, totals, #name, json_out_number(t->name));
	TOTALS_TABLE(x)
#undef x
	return totals;
}

/* Returns the number of findings by id, without zeroes. */
static json_t *ids_object(struct report_json *json, const struct finding_counts *counts)
{
	json_t *ids = json_object();

	for (enum finding i = 0; i < FINDING_NR; i++)
		if (counts->of[i])
			json_out_set(json, ids, finding_id(i), json_out_number(counts->of[i]));
	return ids;
}

/* Sets the number of findings: in all, by severity, and by id. */
static void set_counts(struct report_json *json, json_t *summary, const struct outcome *o)
{
	json_t *severities = json_object();
	uint64_t all = 0;

	for (unsigned i = 0; i < SEVERITY_NR; i++) {
		json_out_set(json, severities, severity_name(i), json_out_number(o->found[i]));
		all += o->found[i];
	}
	json_out_set(json, summary, "findings", json_out_number(all));
	json_out_set(json, summary, "severities", severities);
	json_out_set(json, summary, "ids", ids_object(json, &o->counts));
}

/* Sets device and times of the run. */
static void set_run(struct report_json *json, json_t *line, const struct outcome *o)
{
	json_out_set(json, line, "device", json_out_string(o->device));
	json_out_set(json, line, "device_bytes", json_out_number_unless(o->device_bytes, 0));
	json_out_set(json, line, "start", json_out_time(o->start));
	json_out_set(json, line, "end", json_out_time(o->end));
	json_out_set(json, line, "seconds", json_real(o->seconds));
}

void report_json_rollback(struct report_json *json, const struct outcome *o)
{
	json_t *rollback;

	if (!json)
		return;
	rollback = json_out_line(json, "rollback");
	set_run(json, rollback, o);
	json_out_set(json, rollback, "undo", json_out_string(o->rollback));
	json_out_set(json, rollback, "complete", json_boolean(o->complete));
	json_out_set(json, rollback, "rolled_back", json_boolean(o->complete && !o->no_modify));
	json_out_set(json, rollback, "exit_status", json_integer(o->exit_status));
	json_out_put(json, rollback);
}

/* Returns the reasons why the repair needs consent. */
static json_t *consents_array(struct report_json *json, consents_t consents)
{
	json_t *all = json_array();

	for (enum consent reason = 0; reason < CONSENT_NR; reason++)
		if (consents >> reason & 1)
			json_out_append(json, all, json_string(consent_id(reason)));
	return all;
}

void report_json_summary(struct report_json *json, const struct outcome *o)
{
	json_t *summary;

	if (!json)
		return;
	summary = json_out_line(json, "summary");
	set_run(json, summary, o);
	json_out_set(json, summary, "totals", totals_object(json, o->totals));
	json_out_set(json, summary, "totals_before", o->before ? totals_object(json, o->before) : json_null());
	set_counts(json, summary, o);
	json_out_set(json, summary, "fixes", json_out_number(fixes_all(&o->fixes)));
	json_out_set(json, summary, "sure", sure_object(json, &o->fixes));
	json_out_set(json, summary, "losses", report_json_loss_totals(json, &o->losses));
	json_out_set(json, summary, "complete", json_boolean(o->complete));
	json_out_set(json, summary, "clean", json_boolean(outcome_clean(o)));
	json_out_set(json, summary, "log",
		     o->log_dirty  ? json_string("dirty")
		     : o->log_fate ? json_string(fate_name(o->log_fate))
		     : o->complete ? json_string("clean")
				   : json_null());
	json_out_set(json, summary, "bytes_written", json_out_number(o->written));
	json_out_set(json, summary, "repaired", json_boolean(o->repaired));
	json_out_set(json, summary, "unproven", json_boolean(o->unproven));
	json_out_set(json, summary, "undo", o->undo ? json_out_string(o->undo) : json_null());
	json_out_set(json, summary, "preview",
		     o->preview[ROLE_DATA] ? json_out_string(o->preview[ROLE_DATA]) : json_null());
	json_out_set(json, summary, "unreadable", json_boolean(o->unreadable));
	json_out_set(json, summary, "zeroed", json_boolean(o->zeroed));
	json_out_set(json, summary, "consent", json_boolean(o->consents != 0));
	json_out_set(json, summary, "consents", consents_array(json, o->consents));
	json_out_set(json, summary, "resume", o->resume ? json_out_string(o->resume) : json_null());
	json_out_set(json, summary, "exit_status", json_integer(o->exit_status));
	json_out_put(json, summary);
}
