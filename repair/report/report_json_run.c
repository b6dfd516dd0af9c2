/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON lines about the run: arguments, devices, geometry, and the cost of phases. */
#include <string.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include "json_out.h"
#include "report_json.h"

#define FORMAT 2

void report_json_run(struct report_json *json, const char *device, int argc, char **argv, time_t start)
{
	char host[256] = "";
	json_t *arguments, *run;

	if (!json)
		return;
	run = json_out_line(json, "run");
	json_out_set(json, run, "format", json_integer(FORMAT));
	json_out_set(json, run, "tool", json_string("xfsck"));
	json_out_set(json, run, "version", json_string(XFSCK_VERSION));
	if (!gethostname(host, sizeof(host) - 1) && host[0])
		json_out_set(json, run, "host", json_out_string(host));
	json_out_set(json, run, "device", json_out_string(device));
	json_out_set(json, run, "start", json_out_time(start));
	arguments = json_array();
	for (int i = 0; i < argc; i++)
		json_out_append(json, arguments, json_out_string(argv[i]));
	json_out_set(json, run, "arguments", arguments);
	json_out_put(json, run);
}

void report_json_device(struct report_json *json, enum device_role role, const char *path, uint64_t offset,
			uint64_t bytes)
{
	static const char *const roles[ROLE_NR] = {
		[ROLE_DATA] = "data",
		[ROLE_LOG] = "log",
		[ROLE_REALTIME] = "realtime",
	};
	json_t *device;

	if (!json)
		return;
	device = json_out_line(json, "device");
	json_out_set(json, device, "role", json_string(roles[role]));
	json_out_set(json, device, "path", json_out_string(path));
	if (offset)
		json_out_set(json, device, "offset", json_out_number(offset));
	json_out_set(json, device, "bytes", json_out_number(bytes));
	json_out_put(json, device);
}

static json_t *uuid_string(const uint8_t uuid[16])
{
	char text[UUID_STR_LEN];

	uuid_unparse_lower(uuid, text);
	return json_string(text);
}

static json_t *features(struct report_json *json, const struct geometry *geo)
{
	const struct {
		const char *name;
		bool on;
	} all[] = {
		{ "crc", geo->crc },
		{ "ftype", geo->ftype },
		{ "finobt", geo->finobt },
		{ "inobtcnt", geo->inobtcnt },
		{ "rmapbt", geo->rmapbt },
		{ "reflink", geo->reflink },
		{ "sparse", geo->sparse },
		{ "bigtime", geo->bigtime },
		{ "nrext64", geo->nrext64 },
		{ "exchange", geo->exchange },
		{ "parent", geo->parent },
		{ "metadir", geo->metadir },
		{ "zoned", geo->zoned },
		{ "ascii_ci", geo->ascii_ci },
		{ "lazysbcount", geo->lazysbcount },
		{ "needsrepair", geo->needsrepair },
		{ "quota", geo->quota },
	};
	json_t *names = json_array();

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].on)
			json_out_append(json, names, json_string(all[i].name));
	}
	return names;
}

void report_json_geometry(struct report_json *json, const struct geometry *geo)
{
	json_t *g;

	if (!json)
		return;
	g = json_out_line(json, "geometry");
	json_out_set(json, g, "version", json_integer(geo->version));
	json_out_set(json, g, "uuid", uuid_string(geo->uuid));
	json_out_set(json, g, "label", json_out_bytes(geo->label, strnlen(geo->label, sizeof(geo->label))));
	json_out_set(json, g, "block_size", json_out_number(geo->block_size));
	json_out_set(json, g, "sector_size", json_out_number(geo->sector_size));
	json_out_set(json, g, "inode_size", json_out_number(geo->inode_size));
	json_out_set(json, g, "directory_block_size", json_out_number(geo->dir_block_size));
	json_out_set(json, g, "blocks", json_out_number(geo->dblocks));
	json_out_set(json, g, "ag_blocks", json_out_number(geo->agblocks));
	json_out_set(json, g, "ag_count", json_out_number(geo->agcount));
	json_out_set(json, g, "realtime_blocks", json_out_number(geo->rblocks));
	json_out_set(json, g, "log_blocks", json_out_number(geo->logblocks));
	json_out_set(json, g, "log_internal", json_boolean(geo->logstart.v != 0));
	json_out_set(json, g, "features", features(json, geo));
	json_out_put(json, g);
}

void report_json_phase(struct report_json *json, unsigned number_of_phase, const char *title,
		       const struct phase_cost *cost)
{
	json_t *phase;

	if (!json)
		return;
	phase = json_out_line(json, "phase");
	json_out_set(json, phase, "number", json_integer(number_of_phase));
	json_out_set(json, phase, "title", json_out_string(title));
	json_out_set(json, phase, "seconds", json_real(cost->seconds));
	json_out_set(json, phase, "bytes_read", json_out_number(cost->read));
	json_out_set(json, phase, "bytes_kept", json_out_number(cost->kept));
	json_out_put(json, phase);
}
