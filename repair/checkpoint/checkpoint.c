/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the files of --checkpoint and --resume, and prints how to resume. */
#define _GNU_SOURCE 1

#include "checkpoint/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint/state.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/quote.h"
#include "report/words.h"
#include "run.h"

/* ---- the command that resumes ---- */

/* True if an argument is one of the two options, maybe shortened; *ret_alone: its value is the next argument. */
static bool is_own_option(const char *arg, bool *ret_alone)
{
	const char *const names[] = { "checkpoint", "resume" };
	const size_t len = strncmp(arg, "--", 2) ? 0 : strcspn(arg + 2, "=");
	bool own = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		own |= len && !strncmp(names[i], arg + 2, len);
	*ret_alone = own && !arg[2 + len];
	return own;
}

/* Returns the command line that resumes; the caller frees it. NULL: out of memory. */
static char *make_command(const char *file, int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool alone = false;

	if (!out)
		return NULL;
	quote_shell(out, argv[0]);
	fputs(" --resume=", out);
	quote_shell(out, file);
	for (int i = 1; i < argc; i++) {
		if (alone) {
			alone = false;
			continue;
		}
		if (is_own_option(argv[i], &alone))
			continue;
		fputc(' ', out);
		quote_shell(out, argv[i]);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* ---- opening ---- */

static enum phase_result refuse(const struct repair *rc, const char *option, const char *file, const char *why)
{
	char sentence[PATH_MAX + 256];

	snprintf(sentence, sizeof(sentence), "--%s=%s: %s", option, file, why);
	return trouble(rc, sentence);
}

/* Begins to read the file of an earlier run. */
static enum phase_result begin_load(struct checkpoint *c, struct repair *rc, int fd)
{
	const char *file = rc->run->options->resume;
	struct words why = { 0 };
	int ret;

	c->loader = malloc(sizeof(*c->loader));
	if (!c->loader) {
		close(fd);
		return failed(rc, "a checkpoint", -ENOMEM);
	}
	ret = load_begin(c->loader, fd);
	if (ret == -EBADMSG)
		words_add(&why, "it is damaged, or not a checkpoint of xfsck");
	else if (ret)
		words_add(&why, "%s", strerror(-ret));
	else if (head_load(&rc->run->key, c->loader, &why) && !unreadable_load(c, rc, c->loader))
		words_add(&why, "%s", c->loader->error == -EBADMSG ? "it is damaged" : strerror(-c->loader->error));
	return why.length ? refuse(rc, "resume", file, why.text) : PHASE_DONE;
}

/* Opens the file of an earlier run. If it does not exist, this check starts over, and reports that. */
static enum phase_result open_old(struct checkpoint *c, struct repair *rc)
{
	const struct options *o = rc->run->options;
	struct replacement place;
	char sentence[PATH_MAX + 64];
	const char *why;
	int fd = replacement_begin(o->resume, &place, &why);

	if (!fd)
		fd = replacement_open(&place, &why);
	replacement_end(&place);
	if (fd == -ENOENT) {
		snprintf(sentence, sizeof(sentence), "%s does not exist: the check starts over", o->resume);
		report_aside(rc->report, sentence);
		return PHASE_DONE;
	}
	return fd < 0 ? refuse(rc, "resume", o->resume, why) : begin_load(c, rc, fd);
}

/* Tests that the file can be written. It must not exist, unless it is the one to resume from. */
static enum phase_result open_new(struct checkpoint *c, const struct repair *rc)
{
	const struct options *o = rc->run->options;
	const char *why;
	int fd = replacement_begin(o->checkpoint, &c->place, &why);

	if (fd)
		return refuse(rc, "checkpoint", o->checkpoint, why);
	if (!o->resume || strcmp(o->resume, o->checkpoint) != 0) {
		fd = replacement_open(&c->place, &why);
		if (fd >= 0)
			close(fd);
		if (fd != -ENOENT)
			return refuse(rc, "checkpoint", o->checkpoint,
				      "it exists; if it is a checkpoint, use --resume");
	} else {
		c->exists = c->loader != NULL;
	}
	fd = replacement_prepare(&c->place);
	return fd < 0 ? refuse(rc, "checkpoint", o->checkpoint, strerror(-fd)) : PHASE_DONE;
}

enum phase_result checkpoint_open(struct repair *rc, int argc, char **argv)
{
	const struct options *o = rc->run->options;
	enum phase_result result = PHASE_DONE;
	struct checkpoint *c;

	if (!o->checkpoint)
		return PHASE_DONE;
	c = calloc(1, sizeof(*c));
	if (!c)
		return failed(rc, "checkpoints", -ENOMEM);
	c->place = (struct replacement){ .folder = -1, .files = { -1, -1 } };
	rc->checkpoint = c;
	c->command = make_command(o->checkpoint, argc, argv);
	c->saver = malloc(sizeof(*c->saver));
	if (!c->command || !c->saver)
		return failed(rc, "checkpoints", -ENOMEM);
	if (o->resume)
		result = open_old(c, rc);
	return result == PHASE_DONE ? open_new(c, rc) : result;
}

int checkpoint_folder(const struct checkpoint *c)
{
	return c ? c->place.folder : -1;
}

bool checkpoint_opens(const struct checkpoint *c)
{
	return replacement_opens(&c->place);
}

void checkpoint_forget_old(struct checkpoint *c)
{
	if (c->loader)
		close(c->loader->fd);
	free(c->loader);
	c->loader = NULL;
}

void checkpoint_tell(const struct checkpoint *c, const char *program)
{
	/* a file that was refused is of no use */
	if (c && c->exists && !c->loader)
		quote_said(stderr, program, "once that is remedied, to go on: %s", c->command);
}

void checkpoint_close(struct checkpoint *c, bool done)
{
	if (!c)
		return;
	if (done && c->swept && c->exists)
		replacement_remove(&c->place);
	if (c->watching)
		watch_end(&c->watch);
	checkpoint_forget_old(c);
	replacement_end(&c->place);
	free(c->command);
	free(c->unreadable);
	free(c->saver);
	free(c);
}

/* ---- signals ---- */

enum interrupt_end checkpoint_advise(void *ctx, char *words, size_t size)
{
	struct checkpoint *c = ctx;
	const bool exists = __atomic_load_n(&c->exists, __ATOMIC_RELAXED);

	if (__atomic_load_n(&c->watching, __ATOMIC_ACQUIRE) && watch_stop(&c->watch)) {
		snprintf(words, size, "writing a checkpoint, then exiting; a second signal exits at once");
		return END_SOON;
	}
	if (!exists)
		return END_BY_SIGNAL;
	snprintf(words, size, "the run ends; to go on: %s", c->command);
	return END_RESUMABLE;
}
