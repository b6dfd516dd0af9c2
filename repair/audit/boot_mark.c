/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE 1

#include "audit.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "output.h"

/* Returns the file name of a mark. */
static const char *name_of(const char *uuid, char name[static BOOT_MARK_UUID + 8])
{
	snprintf(name, BOOT_MARK_UUID + 8, "%s.repair", uuid);
	return name;
}

int boot_mark_set(const char *folder, const char *uuid)
{
	char name[BOOT_MARK_UUID + 8];
	const int dir = output_folder(folder);
	const int fd =
		dir < 0 ? dir
			: opened(openat(dir, name_of(uuid, name), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));

	if (dir >= 0)
		close(dir);
	return fd < 0 ? fd : opened(close(fd));
}

int boot_mark_drop(const char *folder, const char *uuid)
{
	char name[BOOT_MARK_UUID + 8];
	const int dir = output_folder(folder);
	int ret = dir < 0 ? dir : opened(unlinkat(dir, name_of(uuid, name), 0));

	if (dir >= 0)
		close(dir);
	return ret == -ENOENT ? 0 : ret;
}

bool boot_mark_find(const char *device, char uuid[static BOOT_MARK_UUID])
{
	char name[BOOT_MARK_UUID + 8];
	const char *value = NULL;
	blkid_probe probe = blkid_new_probe_from_filename(device);
	bool found = probe && !blkid_do_safeprobe(probe) && !blkid_probe_lookup_value(probe, "UUID", &value, NULL) &&
		     strlen(value) < BOOT_MARK_UUID && !strchr(value, '/');
	int dir = found ? output_folder(XFSCK_AUDIT_DIR) : -1;

	if (found)
		strcpy(uuid, value);
	else
		uuid[0] = '\0';
	found = dir >= 0 && !faccessat(dir, name_of(uuid, name), F_OK, AT_SYMLINK_NOFOLLOW);
	if (dir >= 0)
		close(dir);
	blkid_free_probe(probe);
	return found;
}
