/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A name is tried by a file of that name in a folder with no other, which is then listed: no rule of any file system
 * has to be known. The same shows at the beginning, by pairs of names, whether the target needs that at all.
 */
#include "exact_name.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"

/* ---- trying names ---- */

static int new_file(int dir, const char *name)
{
	return openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* True if two names are one file. */
static bool are_one(int trial, const char *made, const char *asked)
{
	const int fd = new_file(trial, made);
	bool one;

	if (fd < 0)
		return false;
	close(fd);
	one = !faccessat(trial, asked, F_OK, AT_SYMLINK_NOFOLLOW);
	unlinkat(trial, made, 0);
	return one;
}

int exact_names_open(struct exact_names *names, int dir)
{
	static const char *const pairs[][2] = {
		{ "name.", "name" },
		{ "name ", "name" },
		{ "name", "NAME" },
		{ "\xc3\xa9", "e\xcc\x81" }, /* an e with an accent, composed and decomposed */
	};
	int ret = hash_key_random(&names->key);

	if (ret)
		return ret;
	if (mkdirat(dir, EXACT_NAMES_TRIAL, 0700) && errno != EEXIST)
		return -errno;
	names->trial = openat(dir, EXACT_NAMES_TRIAL, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (names->trial < 0)
		return -errno;
	ret = folder_clear(names->trial, ""); /* what a run that was stopped has left */
	for (size_t i = 0; !ret && i < sizeof(pairs) / sizeof(*pairs); i++)
		names->folds |= are_one(names->trial, pairs[i][0], pairs[i][1]);
	return ret;
}

void exact_names_close(struct exact_names *names, int dir)
{
	if (names->trial < 0)
		return;
	close(names->trial);
	names->trial = -1;
	unlinkat(dir, EXACT_NAMES_TRIAL, AT_REMOVEDIR);
}

void exact_names_free(struct exact_names *names)
{
	number_set_free(&names->dirs);
	number_set_free(&names->listed);
}

struct trying {
	const char *name;
	bool is;
};

static bool is_it(void *ctx, const struct dirent *d)
{
	struct trying *trying = ctx;

	trying->is = !strcmp(d->d_name, trying->name);
	return !trying->is;
}

/* True if the target holds this name as it is, or refuses it, which creating the file shows again. */
static bool is_held(const struct exact_names *names, const char *name)
{
	struct trying trying = { .name = name };
	const int fd = names->trial < 0 ? -1 : new_file(names->trial, name);
	int ret;

	if (fd < 0)
		return true;
	close(fd);
	ret = folder_each(names->trial, is_it, &trying);
	unlinkat(names->trial, name, 0);
	return ret || trying.is;
}

/* ---- names that are there ---- */

static uint64_t hash_of(const struct exact_names *names, const char *name)
{
	return hash_name(&names->key, (const uint8_t *)name, strlen(name));
}

static uint64_t hash_in(const struct exact_names *names, const struct stat *dir, uint64_t name)
{
	return hash3(&names->key, dir->st_dev, dir->st_ino, name);
}

struct listing {
	struct exact_names *names;
	const struct stat *dir;
	int error;
};

static bool list_one(void *ctx, const struct dirent *d)
{
	struct listing *listing = ctx;
	const uint64_t hash = hash_of(listing->names, d->d_name);
	int ret = number_set_add(&listing->names->listed, hash);

	if (ret >= 0 && d->d_type == DT_DIR)
		ret = number_set_add(&listing->names->dirs, hash_in(listing->names, listing->dir, hash));
	listing->error = ret < 0 ? ret : 0;
	return ret >= 0;
}

/* True if a directory has exactly this name. 1, 0 or negative errno. */
static int is_listed(struct exact_names *names, int dir, const char *name)
{
	const uint64_t hash = hash_of(names, name);
	struct stat st;
	struct listing listing = { .names = names, .dir = &st };
	int ret;

	if (fstat(dir, &st))
		return -errno;
	if (number_set_has(&names->dirs, hash_in(names, &st, hash)))
		return 1;
	if (names->dev == st.st_dev && names->ino == st.st_ino && number_set_has(&names->listed, hash))
		return 1;
	number_set_free(&names->listed);
	names->listed = (struct number_set){ 0 };
	names->dev = st.st_dev;
	names->ino = st.st_ino;
	ret = folder_each(dir, list_one, &listing);
	if (!ret)
		ret = listing.error;
	return ret ? ret : number_set_has(&names->listed, hash);
}

int exact_name_check(struct exact_names *names, int dir, const char *name)
{
	struct stat st;
	int ret;

	if (!names->folds)
		return 0;
	ret = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) ? 0 : is_listed(names, dir, name);
	if (ret)
		return ret < 0 ? ret : 0;
	if (!is_held(names, name))
		return -EILSEQ;
	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) ? 0 : -ENOTUNIQ;
}

void exact_name_made_dir(struct exact_names *names, int dir, const char *name)
{
	struct stat st;

	/* without memory, it is listed when it is passed again */
	if (names->folds && !fstat(dir, &st))
		number_set_add(&names->dirs, hash_in(names, &st, hash_of(names, name)));
}
