/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what is below a file system, from the kernel: mounts from /proc/self/mountinfo, devices from /sys. Never by
 * label or UUID, which a snapshot shares with its origin.
 */
#define _GNU_SOURCE 1

#include "volume.h"

#include <blkid/blkid.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DEEP 16u /* nested devices */

/* ---- /sys ---- */

/* Reads the first line of a device's attribute. False: missing, or too long. */
static bool read_attribute(dev_t dev, const char *name, char *text, size_t size)
{
	char path[128];
	size_t length;
	FILE *file;
	bool whole;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s", major(dev), minor(dev), name);
	file = fopen(path, "re");
	if (!file)
		return false;
	whole = fgets(text, (int)size, file);
	fclose(file);
	length = whole ? strcspn(text, "\n") : 0;
	if (!whole || !text[length])
		return false;
	text[length] = '\0';
	return true;
}

static uint64_t read_number(dev_t dev, const char *name)
{
	char text[32];

	return read_attribute(dev, name, text, sizeof(text)) ? strtoull(text, NULL, 10) : 0;
}

static bool read_dev(const char *text, dev_t *ret_dev)
{
	unsigned major, minor;

	if (sscanf(text, "%u:%u", &major, &minor) != 2)
		return false;
	*ret_dev = makedev(major, minor);
	return true;
}

static void add_disk(struct volume *v, dev_t disk)
{
	for (unsigned i = 0; i < v->ndisks; i++)
		if (v->disks[i] == disk)
			return;
	if (v->ndisks < VOLUME_DISKS)
		v->disks[v->ndisks++] = disk;
}

static void add_disks_below(struct volume *v, dev_t dev, unsigned depth);

/* Adds the disks below the components of this device. False: it has none. */
static bool add_parts(struct volume *v, dev_t dev, unsigned depth)
{
	char path[64], name[320], text[32];
	const struct dirent *entry;
	bool any = false;
	dev_t below;
	DIR *parts;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/slaves", major(dev), minor(dev));
	parts = opendir(path);
	while (parts && (entry = readdir(parts))) {
		snprintf(name, sizeof(name), "slaves/%s/dev", entry->d_name);
		if (entry->d_name[0] == '.' || !read_attribute(dev, name, text, sizeof(text)) ||
		    !read_dev(text, &below))
			continue;
		add_disks_below(v, below, depth + 1);
		any = true;
	}
	if (parts)
		closedir(parts);
	return any;
}

static void add_disks_below(struct volume *v, dev_t dev, unsigned depth)
{
	char file[PATH_MAX], text[32];
	struct stat st;
	dev_t whole;

	if (depth > DEEP || add_parts(v, dev, depth))
		return;
	if (read_attribute(dev, "loop/backing_file", file, sizeof(file)) && !stat(file, &st))
		add_disks_below(v, S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev, depth + 1);
	else if (read_attribute(dev, "partition", text, sizeof(text)) &&
		 read_attribute(dev, "../dev", text, sizeof(text)) && read_dev(text, &whole))
		add_disk(v, whole);
	else
		add_disk(v, dev);
}

/* Splits "my--vg-a--b", the device mapper's name of a logical volume: a single hyphen separates the parts. */
static bool split_name(const char *name, char vg[static VOLUME_LV], char lv[static VOLUME_LV])
{
	char *to = vg, *end = vg + VOLUME_LV - 1;

	for (; *name; name++) {
		if (*name == '-' && name[1] != '-' && to < end && end == vg + VOLUME_LV - 1) {
			*to = '\0';
			to = lv;
			end = lv + VOLUME_LV - 1;
			continue;
		}
		name += *name == '-' && name[1] == '-';
		if (to == end)
			return false;
		*to++ = *name;
	}
	*to = '\0';
	return end == lv + VOLUME_LV - 1 && vg[0] && lv[0];
}

static bool is_lvm(dev_t dev)
{
	char uuid[256];

	/* after the ids LVM adds a suffix to internal devices, like "-real" */
	return read_attribute(dev, "dm/uuid", uuid, sizeof(uuid)) && !strncmp(uuid, "LVM-", 4) &&
	       !strchr(uuid + 4, '-');
}

/* ---- a volume ---- */

static int look_below(struct volume *v, char *message, size_t size)
{
	char text[PATH_MAX];

	add_disks_below(v, v->dev, 0);
	if (is_lvm(v->dev) &&
	    (!read_attribute(v->dev, "dm/name", text, sizeof(text)) || !split_name(text, v->vg, v->lv))) {
		snprintf(message, size, "%s: the name of its logical volume can't be read", v->device);
		return -EINVAL;
	}
	if (read_attribute(v->dev, "loop/backing_file", text, sizeof(text))) {
		v->offset = read_number(v->dev, "loop/offset");
		v->limit = read_number(v->dev, "loop/sizelimit");
		v->backing = strdup(text);
		return v->backing ? 0 : -ENOMEM;
	}
	return 0;
}

static void free_volume(struct volume *v)
{
	free(v->device);
	free(v->mount);
	free(v->backing);
}

/* Adds a volume, or frees it if it is known. */
static int add_volume(struct volumes *volumes, struct volume *v)
{
	struct volume *all;

	for (unsigned i = 0; i < volumes->count; i++) {
		const struct volume *other = &volumes->all[i];

		if (v->dev ? v->dev == other->dev : !other->dev && !strcmp(v->device, other->device)) {
			free_volume(v);
			return 0;
		}
	}
	all = reallocarray(volumes->all, volumes->count + 1, sizeof(*all));
	if (!all) {
		free_volume(v);
		return -ENOMEM;
	}
	volumes->all = all;
	all[volumes->count++] = *v;
	return 0;
}

static bool has_option(const struct libmnt_fs *fs, const char *name)
{
	const char *options = mnt_fs_get_fs_options((struct libmnt_fs *)fs);

	return options && mnt_optstr_get_option(options, name, NULL, NULL) == 0;
}

/* Adds a block device; device: its path to open. */
static int add_block(struct volumes *volumes, const char *device, dev_t dev, struct libmnt_fs *fs, char *message,
		     size_t size)
{
	struct volume v = { .dev = dev, .device = strdup(device) };
	int ret = v.device ? look_below(&v, message, size) : -ENOMEM;

	if (!ret && fs) {
		v.other_device = has_option(fs, "logdev") || has_option(fs, "rtdev");
		v.mount = strdup(mnt_fs_get_target(fs));
		ret = v.mount ? 0 : -ENOMEM;
	}
	if (ret) {
		free_volume(&v);
		return ret;
	}
	return add_volume(volumes, &v);
}

static int add_file(struct volumes *volumes, const char *path, const struct stat *st)
{
	struct volume v = { .device = realpath(path, NULL) };

	v.backing = v.device ? strdup(v.device) : NULL;
	if (!v.backing) {
		free_volume(&v);
		return -ENOMEM;
	}
	add_disks_below(&v, st->st_dev, 0);
	return add_volume(volumes, &v);
}

/* ---- targets ---- */

/* Returns the XFS mounted from a device; NULL: none. */
static struct libmnt_fs *find_mounted(struct libmnt_table *mounts, dev_t dev)
{
	struct libmnt_fs *fs = mnt_table_find_devno(mounts, dev, MNT_ITER_BACKWARD);
	const char *type = fs ? mnt_fs_get_fstype(fs) : NULL;

	return type && !strcmp(type, "xfs") ? fs : NULL;
}

static int add_target(struct volumes *volumes, struct libmnt_table *mounts, const char *target, char *message,
		      size_t size)
{
	struct libmnt_fs *fs;
	struct stat st;

	if (stat(target, &st)) {
		snprintf(message, size, "cannot open %s: %s", target, strerror(errno));
		return -errno;
	}
	if (S_ISREG(st.st_mode))
		return add_file(volumes, target, &st);
	if (S_ISBLK(st.st_mode))
		return add_block(volumes, target, st.st_rdev, find_mounted(mounts, st.st_rdev), message, size);
	fs = S_ISDIR(st.st_mode) ? find_mounted(mounts, st.st_dev) : NULL;
	if (!fs) {
		snprintf(message, size, "%s is neither in a mounted XFS nor a device nor an image", target);
		return -EINVAL;
	}
	return add_block(volumes, mnt_fs_get_source(fs), st.st_dev, fs, message, size);
}

static int add_all_mounted(struct volumes *volumes, struct libmnt_table *mounts, char *message, size_t size)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int ret = iter ? 0 : -ENOMEM;

	while (!ret && mnt_table_next_fs(mounts, iter, &fs) == 0) {
		const char *type = mnt_fs_get_fstype(fs), *source = mnt_fs_get_source(fs);

		if (type && source && !strcmp(type, "xfs"))
			ret = add_block(volumes, source, mnt_fs_get_devno(fs), fs, message, size);
	}
	mnt_free_iter(iter);
	return ret;
}

/* True if nothing holds a device: no snapshot, no volume on it, no array. */
static bool is_free(const char *device)
{
	const int fd = open(device, O_RDONLY | O_EXCL | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* True if a device is a snapshot of an audit. */
static bool is_ours(dev_t dev)
{
	char name[256], vg[VOLUME_LV], lv[VOLUME_LV];

	return is_lvm(dev) && read_attribute(dev, "dm/name", name, sizeof(name)) && split_name(name, vg, lv) &&
	       !strncmp(lv, VOLUME_OURS, strlen(VOLUME_OURS));
}

/* Does not read libblkid's cache, which may have devices that are gone, and entries of snapshots. */
static int add_all_unmounted(struct volumes *volumes, char *message, size_t size)
{
	blkid_cache cache = NULL;
	blkid_dev_iterate iter;
	blkid_dev device;
	struct stat st;
	int ret = 0;

	if (blkid_get_cache(&cache, "/dev/null") || blkid_probe_all(cache)) {
		if (cache)
			blkid_put_cache(cache);
		return 0;
	}
	iter = blkid_dev_iterate_begin(cache);
	blkid_dev_set_search(iter, "TYPE", "xfs");
	while (!ret && blkid_dev_next(iter, &device) == 0) {
		const char *name = blkid_dev_devname(device);

		if (is_free(name) && !stat(name, &st) && S_ISBLK(st.st_mode) && !is_ours(st.st_rdev))
			ret = add_block(volumes, name, st.st_rdev, NULL, message, size);
	}
	blkid_dev_iterate_end(iter);
	blkid_put_cache(cache);
	return ret;
}

int volumes_find(const char *const targets[], unsigned count, struct volumes *ret_volumes, char *message, size_t size)
{
	struct libmnt_table *mounts = mnt_new_table();
	int ret = mounts && !mnt_table_parse_file(mounts, "/proc/self/mountinfo") ? 0 : -ENOMEM;

	*ret_volumes = (struct volumes){ 0 };
	message[0] = '\0';
	for (unsigned i = 0; i < count && !ret; i++) {
		if (strcmp(targets[i], "all") != 0) {
			ret = add_target(ret_volumes, mounts, targets[i], message, size);
			continue;
		}
		ret = add_all_mounted(ret_volumes, mounts, message, size);
		if (!ret)
			ret = add_all_unmounted(ret_volumes, message, size);
	}
	mnt_unref_table(mounts);
	if (ret && !message[0])
		snprintf(message, size, "the volumes can't be found: %s", strerror(-ret));
	return ret;
}

void volumes_free(struct volumes *volumes)
{
	for (unsigned i = 0; i < volumes->count; i++)
		free_volume(&volumes->all[i]);
	free(volumes->all);
	*volumes = (struct volumes){ 0 };
}

bool volumes_share_disk(const struct volume *a, const struct volume *b)
{
	for (unsigned i = 0; i < a->ndisks; i++)
		for (unsigned j = 0; j < b->ndisks; j++)
			if (a->disks[i] == b->disks[j])
				return true;
	return false;
}
