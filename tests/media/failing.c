/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program on a device that can't be read everywhere: it is xfsck, linked with --wrap=device_open and
 * --wrap=device_open_write.
 *
 *   UNREADABLE=OFFSET+LENGTH[,...]  the bytes whose reads fail
 *   UNREADABLE_DEVICE=PATH          of this device only, rather than of all that are opened
 *   UNREADABLE_AFTER=N              once N reads that touch a range have gone well
 *   UNREADABLE_AT_FIRST=1           until the device is opened for writing
 *   BEFORE_WRITING=COMMAND          what the shell does then
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../number.h"
#include "../../cache/fault.h"

#define FAULTS_MAX 16

int __real_device_open(const char *path, const struct device_options *options, struct device **ret_device,
		       char *message, size_t size);
int __wrap_device_open(const char *path, const struct device_options *options, struct device **ret_device,
		       char *message, size_t size);

int __real_device_open_write(struct device *device, char *message, size_t size);
int __wrap_device_open_write(struct device *device, char *message, size_t size);

/* Makes faults of a list; ends the program if it is none. */
static size_t parse(char *list, struct fault *faults)
{
	size_t count = 0;
	const char *after = getenv("UNREADABLE_AFTER");
	char *rest;

	for (char *range = strtok_r(list, ",", &rest); range; range = strtok_r(NULL, ",", &rest)) {
		char *plus = strchr(range, '+');

		if (!plus || count == FAULTS_MAX)
			errx(2, "UNREADABLE: \"%s\" is no range, or one too many", range);
		*plus = '\0';
		faults[count].offset = number(range);
		faults[count].len = number(plus + 1);
		faults[count].error = -EIO;
		atomic_init(&faults[count].spared, after ? (unsigned)number(after) : 0);
		atomic_init(&faults[count].times, FAULT_ALWAYS);
		count++;
	}
	return count;
}

int __wrap_device_open(const char *path, const struct device_options *options, struct device **ret_device,
		       char *message, size_t size)
{
	const char *list = getenv("UNREADABLE"), *only = getenv("UNREADABLE_DEVICE");
	int ret = __real_device_open(path, options, ret_device, message, size);
	static struct fault faults[FAULTS_MAX]; /* they live as long as the program does */
	char *copy;

	if (ret || !list || (only && strcmp(only, path) != 0))
		return ret;
	copy = strdup(list);
	if (!copy)
		err(2, "%s", list);
	fault_inject(*ret_device, faults, parse(copy, faults));
	free(copy);
	return 0;
}

int __wrap_device_open_write(struct device *device, char *message, size_t size)
{
	const char *command = getenv("BEFORE_WRITING");

	if (command && system(command))
		errx(2, "%s", command);
	if (getenv("UNREADABLE_AT_FIRST"))
		fault_inject(device, NULL, 0);
	return __real_device_open_write(device, message, size);
}
