/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a plan, or compares the fixes of menders with one.  Fix lines go to a temporary file, because the lines before
 * them are complete only at the end.  In memory, there is only an id for each fix.
 */
#include "fix_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include "array.h"
#include "geometry.h"
#include "report/mender.h"
#include "options.h"
#include "report.h"
#include "report/finding.h"
#include "report/quote.h"
#include "report/report_file.h"
#include "whole.h"

struct fix_plan {
	struct plan_of of;
	/* --plan */
	FILE *file;		  /* NULL: a plan was read */
	struct report_json lines; /* lines of fixes, in a temporary file */
	struct number_set ids;	  /* ids of fixes with a line */
	uint64_t *order;	  /* likewise, in the order of the lines */
	size_t count, room;
	/* --plan-apply */
	struct plan_ids read;
	uint64_t *beside; /* ids of fixes made that the plan does not list */
	size_t nbeside, beside_room;
};

/* ---- ids ---- */

/* True if a mender mends a whole AG or realtime group at a time, wherever in it a finding is. */
static bool is_of_group(enum mend_kind kind)
{
	static const bool of_group[MEND_NR] = {
		[MEND_exchanged] = true, [MEND_group_byte] = true, [MEND_ag_inodes] = true,
		[MEND_rt_space] = true,	 [MEND_ag_space] = true,   [MEND_ag_unlinked] = true,
	};

	return of_group[kind];
}

static uint64_t mix(uint64_t sum, uint64_t part)
{
	sum = (sum ^ part) * 0x9e3779b97f4a7c15u + 1;
	return sum ^ sum >> 32;
}

uint64_t fix_plan_id(const struct geometry *geo, enum mend_kind kind, const struct found *found)
{
	const struct place *place = &found->place;
	const bool known = place->ino.v != NULL_INO;
	uint64_t sum = 0, agno = place->agno.v;

	for (const char *name = mender_name(kind); *name; name++)
		sum = mix(sum, (unsigned char)*name);
	if (known && !is_of_group(kind))
		return mix(mix(sum, 1), place->ino.v) * 0xd6e8feb86659fd93u;
	if (known && agno == NO_AGNO && place->rgno == NO_RGNO && ino_valid(geo, place->ino))
		agno = agno_of_ino(geo, place->ino).v;
	return mix(mix(mix(sum, 2), agno), place->rgno) * 0xd6e8feb86659fd93u;
}

/* ---- the file ---- */

static int create_lines(struct fix_plan *plan)
{
	const int fd = temporary_open();

	if (fd < 0)
		return fd;
	plan->lines.out = fdopen(fd, "w+");
	if (plan->lines.out)
		return 0;
	close(fd);
	return -ENOMEM;
}

/* True if the file starts with the magic number of a preview overlay. */
static bool is_preview(FILE *in)
{
	char magic[4] = "";

	rewind(in);
	return fread(magic, 1, sizeof(magic), in) == sizeof(magic) && !memcmp(magic, "QFI\xfb", sizeof(magic));
}

static int read_plan(struct fix_plan *plan, const char *path, const char *program, FILE *err)
{
	struct json_in json = { .in = fopen(path, "re") };
	int ret = 0;

	if (!json.in) {
		ret = -errno;
		quote_said(err, program, "can't open the plan %s: %s", path, strerror(errno));
		return ret;
	}
	if (!plan_read(&json, &plan->read)) {
		ret = json.error && json.error != -EBADMSG ? json.error : -EBADMSG;
		if (ret == -EBADMSG && is_preview(json.in))
			quote_said(err, program, "%s is a preview, not a plan: use --apply=%s", path, path);
		else if (ret == -EBADMSG)
			quote_said(err, program,
				   "%s is no plan of this version of xfsck, or its line %llu is damaged: of a plan, "
				   "whole lines that begin with {\"type\": \"fix\" may be deleted, and nothing else",
				   path, (unsigned long long)json.number);
		else
			quote_said(err, program, "can't read the plan %s: %s", path, strerror(-ret));
	}
	json_in_free(&json);
	fclose(json.in);
	return ret;
}

int fix_plan_open(const struct options *o, FILE *err, struct fix_plan **ret_plan)
{
	struct fix_plan *plan;
	int ret;

	*ret_plan = NULL;
	if (!o->plan && !o->plan_apply)
		return 0;
	plan = calloc(1, sizeof(*plan));
	ret = plan ? 0 : -ENOMEM;
	if (plan && o->plan) {
		ret = create_lines(plan);
		if (!ret)
			ret = report_file_open(o, o->plan, "the plan", err, &plan->file);
	} else if (plan) {
		ret = read_plan(plan, o->plan_apply, o->program, err);
	}
	if (ret)
		fix_plan_free(plan);
	else
		*ret_plan = plan;
	return ret;
}

void fix_plan_free(struct fix_plan *plan)
{
	if (!plan)
		return;
	if (plan->file)
		fclose(plan->file);
	if (plan->lines.out)
		fclose(plan->lines.out);
	number_set_free(&plan->ids);
	free(plan->order);
	plan_ids_free(&plan->read);
	free(plan->beside);
	free(plan);
}

/* ---- what menders do ---- */

bool fix_plan_begin(struct fix_plan *plan, const struct plan_of *of)
{
	plan->of = *of;
	return plan->file ||
	       (!memcmp(of->uuid, plan->read.of.uuid, sizeof(of->uuid)) && of->found == plan->read.of.found);
}

static json_t *hex(uint64_t id)
{
	char text[PLAN_ID_DIGITS + 1];

	snprintf(text, sizeof(text), "%016llx", (unsigned long long)id);
	return json_string(text);
}

static void write_fix(struct fix_plan *plan, uint64_t id, const struct fix *fix, const struct found *found,
		      struct paths *paths)
{
	const int added = number_set_add(&plan->ids, id);
	json_t *line;

	if (!added)
		return;
	if (added < 0 || array_add(plan->order, plan->room, plan->count, id)) {
		json_out_starve(&plan->lines);
		return;
	}
	line = report_json_fix_line(&plan->lines, fix, found, paths);
	json_out_set(&plan->lines, line, "fix", hex(id));
	json_out_put(&plan->lines, line);
}

void fix_plan_note(struct fix_plan *plan, const struct geometry *geo, enum mend_kind kind, const struct fix *fix,
		   const struct found *found, struct paths *paths)
{
	const uint64_t id = fix_plan_id(geo, kind, found);

	if (plan->file) {
		write_fix(plan, id, fix, found, paths);
		return;
	}
	if (number_set_has(&plan->read.wanted, id))
		return;
	for (size_t i = 0; i < plan->nbeside; i++)
		if (plan->beside[i] == id)
			return;
	/* without memory for more ids, the error alone makes fix_plan_beside() return nonzero: nothing is written */
	if (array_grow(&plan->beside, &plan->beside_room, plan->nbeside, sizeof(id)))
		plan->lines.error = -ENOMEM;
	else
		plan->beside[plan->nbeside++] = id;
}

bool fix_plan_forbids(const struct fix_plan *plan, const struct geometry *geo, enum mend_kind kind,
		      const struct found *found)
{
	uint64_t id;

	if (plan->file)
		return false;
	id = fix_plan_id(geo, kind, found);
	return number_set_has(&plan->read.all, id) && !number_set_has(&plan->read.wanted, id);
}

uint64_t fix_plan_beside(const struct fix_plan *plan, const uint64_t **ret_ids)
{
	*ret_ids = plan->beside;
	return plan->nbeside ? plan->nbeside : plan->lines.error && !plan->file;
}

/* ---- writing the plan ---- */

static void write_head(const struct fix_plan *plan, struct report_json *json, bool proven)
{
	json_t *line = json_out_line(json, "plan");
	char uuid[37];

	uuid_unparse(plan->of.uuid, uuid);
	json_out_set(json, line, "format", json_integer(PLAN_FORMAT));
	json_out_set(json, line, "xfsck", json_string(XFSCK_VERSION));
	json_out_set(json, line, "uuid", json_string(uuid));
	json_out_set(json, line, "found", hex(plan->of.found));
	json_out_set(json, line, "proven", json_boolean(proven));
	json_out_set(json, line, "fixes", json_out_number(plan->count));
	json_out_put(json, line);
}

static void write_ids(const struct fix_plan *plan, struct report_json *json)
{
	for (size_t i = 0; i < plan->count;) {
		json_t *line = json_out_line(json, "ids"), *list = json_array();

		for (size_t n = 0; n < PLAN_IDS_LINE && i < plan->count; n++, i++)
			if (json_array_append_new(list, hex(plan->order[i])))
				json_out_starve(json);
		json_out_set(json, line, "ids", list);
		json_out_put(json, line);
	}
}

static int copy_lines(struct fix_plan *plan)
{
	char buf[8192];
	size_t n;

	if (fflush(plan->lines.out) || fseek(plan->lines.out, 0, SEEK_SET))
		return -errno;
	while ((n = fread(buf, 1, sizeof(buf), plan->lines.out)) > 0)
		if (fwrite(buf, 1, n, plan->file) != n)
			return -EIO;
	return ferror(plan->lines.out) ? -EIO : 0;
}

int fix_plan_write(struct fix_plan *plan, bool proven)
{
	struct report_json json = { .out = plan->file };
	int ret = plan->lines.error;

	if (!plan->file || ret)
		return ret;
	write_head(plan, &json, proven);
	write_ids(plan, &json);
	ret = json.error ? json.error : copy_lines(plan);
	if (fflush(plan->file) && !ret)
		ret = -errno;
	return ret;
}
