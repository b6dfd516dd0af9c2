/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints commands for looking at a preview: one way for which this machine has the programs, and one that only needs
 * qemu-img.
 */
#define _GNU_SOURCE 1

#include "report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"
#include "outcome.h"
#include "quote.h"
#include "words.h"

/* True if a program is in a directory of PATH. */
static bool have(const char *program)
{
	const char *path = getenv("PATH");
	bool found = false;

	while (path && *path && !found) {
		const size_t len = strcspn(path, ":");
		char *name = NULL;

		if (len && asprintf(&name, "%.*s/%s", (int)len, path, program) > 0)
			found = !access(name, X_OK);
		free(name);
		path += len + (path[len] == ':');
	}
	return found;
}

/* Prints a name as a word of a shell command, then `end`. */
static void put_name(FILE *out, const char *name, const char *end)
{
	quote_shell(out, name);
	fputs(end, out);
}

/* Adds the other devices as options of mount(8). One with a preview appears as the given node or copy. */
static void put_others(FILE *out, const struct outcome *o, const char *changed_log, const char *changed_rt)
{
	const char *const names[ROLE_NR] = { NULL, o->log_device, o->rt_device };
	const char *const changed[ROLE_NR] = { NULL, changed_log, changed_rt };
	static const char *const keys[ROLE_NR] = { NULL, ",logdev=", ",rtdev=" };

	for (unsigned i = ROLE_LOG; i < ROLE_NR; i++) {
		if (!names[i])
			continue;
		fputs(keys[i], out);
		if (o->preview[i])
			fputs(changed[i], out); /* part of a shell command */
		else
			put_name(out, names[i], "");
	}
}

/* Prints the command that undoes the mount. */
static void put_end(struct layout *layout, const struct outcome *o, const char *command, const char *end)
{
	FILE *out = layout_line(layout);

	fprintf(out, "umount /mnt%s%s", *command ? "; " : "", command);
	if (end)
		put_name(out, o->preview[ROLE_DATA], end);
	fputs("  # afterwards", out);
	layout_end(layout, 2, 2, TINT_NONE);
}

static void put_nbd(struct layout *layout, const struct outcome *o)
{
	static const char *const nodes[ROLE_NR] = { "/dev/nbd0", "/dev/nbd1", "/dev/nbd2" };
	struct words end = { 0 }; /* disconnects only these: others may use the next device */

	for (unsigned i = 0; i < ROLE_NR; i++) {
		FILE *out;

		if (!o->preview[i])
			continue;
		out = layout_line(layout);
		fprintf(out, "qemu-nbd -r -f qcow2 -c %s ", nodes[i]);
		put_name(out, o->preview[i], "");
		layout_end(layout, 2, 2, TINT_NONE);
		words_add(&end, "%sqemu-nbd -d %s", end.length ? "; " : "", nodes[i]);
	}
	FILE *out = layout_line(layout);

	fputs("mount -o ro", out);
	put_others(out, o, nodes[ROLE_LOG], nodes[ROLE_REALTIME]);
	fputs(" /dev/nbd0 /mnt", out);
	layout_end(layout, 2, 2, TINT_NONE);
	put_end(layout, o, end.text, NULL);
}

static void put_guestmount(struct layout *layout, const struct outcome *o)
{
	FILE *out = layout_line(layout);

	fputs("guestmount --ro --format=qcow2 -a ", out);
	put_name(out, o->preview[ROLE_DATA], " -m /dev/sda /mnt");
	layout_end(layout, 2, 2, TINT_NONE);
	put_end(layout, o, "", NULL);
}

/* Exports the preview as a file through FUSE, which is then mounted through a loop device. */
static void put_storage_daemon(struct layout *layout, const struct outcome *o)
{
	const char *const name = o->preview[ROLE_DATA];
	FILE *out = layout_line(layout);

	fputs("touch ", out);
	put_name(out, name, ".raw; qemu-storage-daemon --daemonize --pidfile ");
	put_name(out, name, ".pid --blockdev driver=file,node-name=f,read-only=on,filename=");
	put_name(out, name,
		 " --blockdev driver=qcow2,node-name=q,read-only=on,file=f --export "
		 "fuse,id=e,node-name=q,mountpoint=");
	put_name(out, name, ".raw; mount -o ro,loop ");
	put_name(out, name, ".raw /mnt");
	layout_end(layout, 2, 2, TINT_NONE);
	put_end(layout, o, "kill $(cat ", ".pid)");
}

/* True if the name can be a value in qemu-storage-daemon's option lists. */
static bool fits_in_list(const char *name)
{
	return !strchr(name, ',');
}

static void put_copy(struct layout *layout, const struct outcome *o)
{
	static const char *const copies[ROLE_NR] = { "COPY.img", "COPY-log.img", "COPY-rt.img" };
	FILE *out;

	for (unsigned i = 0; i < ROLE_NR; i++) {
		if (!o->preview[i])
			continue;
		out = layout_line(layout);
		fputs("qemu-img convert -f qcow2 -O raw ", out);
		put_name(out, o->preview[i], " ");
		fputs(copies[i], out);
		layout_end(layout, 2, 2, TINT_NONE);
	}
	out = layout_line(layout);
	if (o->log_device || o->rt_device) {
		fputs("mount -o ro", out);
		put_others(out, o, "$(losetup -rf --show COPY-log.img)", "$(losetup -rf --show COPY-rt.img)");
		fputs(" $(losetup -rf --show COPY.img) /mnt", out);
	} else {
		fputs("mount -o ro,loop COPY.img /mnt", out);
	}
	layout_end(layout, 2, 2, TINT_NONE);
}

void report_text_preview(struct layout *layout, const struct outcome *o)
{
	const bool alone = !o->log_device && !o->rt_device;
	bool first = false; /* the copy is the only way */
	FILE *out;

	if (!o->preview[ROLE_DATA])
		return;
	out = layout_line(layout);
	fputs("The repair is in ", out);
	quote_sentence(out, o->preview[ROLE_DATA]);
	fputs(", which shows the device as it would be. This mounts it, read-only, at /mnt:", out);
	layout_end(layout, 0, 0, TINT_NONE);
	if (!access("/dev/nbd0", F_OK) && have("qemu-nbd"))
		put_nbd(layout, o);
	else if (alone && fits_in_list(o->preview[ROLE_DATA]) && have("qemu-storage-daemon") &&
		 !access("/dev/fuse", F_OK))
		put_storage_daemon(layout, o);
	else if (alone && have("guestmount"))
		put_guestmount(layout, o);
	else
		first = true;
	if (!first)
		fputs("Or, as a copy:\n", layout->out);
	put_copy(layout, o);
}
