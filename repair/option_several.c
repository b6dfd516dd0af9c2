/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several devices, which are only checked, and reports for programs that run tests. */
#include <stdlib.h>
#include <string.h>

#include "option_parser.h"

enum options_result option_device(struct parser *p, const char *device)
{
	struct options *o = &p->options;
	const char **devices;

	if (!device[0])
		return option_refuse(p, "the name of the device is empty");
	if (!o->device_count++) {
		o->device = device;
		return OPTIONS_RUN;
	}
	devices = realloc(o->devices, o->device_count * sizeof(*devices));
	if (!devices)
		return option_refuse(p, "no memory for so many devices");
	devices[0] = o->device;
	devices[o->device_count - 1] = device;
	o->devices = devices;
	return OPTIONS_RUN;
}

enum options_result option_report(struct parser *p, const char *value)
{
	const size_t length = strcspn(value, ":");
	struct options *o = &p->options;

	if (length == strlen("junit") && !strncmp(value, "junit", length))
		o->report = REPORT_JUNIT;
	else if (length == strlen("tap") && !strncmp(value, "tap", length))
		o->report = REPORT_TAP;
	else
		return option_refuse(
			p, "--report: '%s' is neither junit nor tap, nor one of them with :FILE; JSON is --json",
			value);
	if (value[length] && !value[length + 1])
		return option_refuse(p, "--report: the name of the file is empty");
	o->report_file = value[length] ? value + length + 1 : NULL;
	return OPTIONS_RUN;
}

/* What is about a single device, and was asked of several; NULL: nothing is. */
static const char *find_single(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
	} single[] = {
		{ "--html", o->html },
		{ "-l", o->log_device },
		{ "-r", o->rt_device },
		{ "-C", o->progress_fd },
		{ "--trace=FILE", o->trace && strcmp(o->trace, "-") != 0 },
		{ "--resume", o->resume },
		{ "--checkpoint", o->checkpoint },
	};

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (single[i].given)
			return single[i].name;
	return NULL;
}

enum options_result option_conclude_several(const struct parser *p)
{
	const struct options *o = &p->options;
	const char *deed = option_deed(o), *single = find_single(o);

	if (o->devices && deed)
		return option_refuse(p, "more than one device is given, %s and %s: %s is for one; -n checks several",
				     o->devices[0], o->devices[1], deed);
	if (o->devices && single)
		return option_refuse(p, "%s is for one device, and several are given", single);
	if (o->report && deed)
		return option_refuse(p, "--report is for -n, and not for %s", deed);
	if (o->report && !o->report_file && o->json && !strcmp(o->json, "-"))
		return option_refuse(p, "--report and --json both want standard output: give one of them a file");
	return OPTIONS_RUN;
}
