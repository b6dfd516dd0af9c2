/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check of a device that holds nothing, in the midst of its sweep: for what checkpoints are read into. */
#ifndef XFSCK_TESTS_FUZZ_CHECKPOINT_CHECK_H
#define XFSCK_TESTS_FUZZ_CHECKPOINT_CHECK_H

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../repair/books/ledger.h"
#include "../../repair/check_again.h"
#include "../../repair/checkpoint/state.h"
#include "../../repair/names/dir_runs.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "../../repair/sets/save.h"
#include "../../repair/walk/quota.h"
#include "../../repair/walk/traverse.h"
#include "fuzz.h"
#include "options.h"
#include "report.h"

#define CHECK_WORKERS 2u

struct checkpoint_check {
	struct options options;
	struct run run;
	struct repair rc;
	uint8_t primary[4096];
	int fd; /* of the device */
};

/* Ends the program if it can't be made. */
static inline void check_make(struct checkpoint_check *c, unsigned variant)
{
	static const struct sweep_options sweep = {
		.workers = CHECK_WORKERS, .depth = 2, .max_request = 65536, .max_queued = 1024, .window_bytes = 1 << 20
	};
	static const struct scope scope = { .judge = true, .claims = true, .names = true, .pptrs = true };
	const struct device_options options = { .engine = ENGINE_THREADS };
	char path[64], message[256] = "";
	struct sink sink;

	memset(c, 0, sizeof(*c));
	c->rc.run = &c->run;
	c->run.options = &c->options;
	c->run.key = (struct hash_key){ { 1, 2, 3, 4 } };
	c->options.no_modify = true;
	c->rc.geo = fuzz_geometry(variant);
	c->rc.workers = c->run.max_workers = CHECK_WORKERS;
	c->rc.log.condition = LOG_CLEAN;
	c->fd = memfd_create("device", MFD_CLOEXEC);
	if (c->fd < 0 || ftruncate(c->fd, (off_t)(c->rc.geo.dblocks << c->rc.geo.block_log)))
		err(2, "memfd_create");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->fd);
	if (device_open(path, &options, &c->run.device, message, sizeof(message)))
		errx(2, "%s", message);
	c->rc.report = report_silent(&c->options, stderr);
	c->rc.findings = findings_new(CHECK_WORKERS);
	c->rc.ledger = ledger_new(&c->rc.geo, CHECK_WORKERS, &c->run.key);
	c->rc.quota = quota_new(&c->rc.geo, CHECK_WORKERS, &c->run.key, 7);
	if (!c->rc.report || !c->rc.findings || !c->rc.ledger || !c->rc.quota)
		errx(2, "out of memory");
	sink = ledger_sink(c->rc.ledger);
	if (traverse_new(&c->rc.geo, c->run.device, c->primary, &scope, &sink, c->rc.findings, &sweep, &c->rc.traverse))
		errx(2, "out of memory");
	c->rc.traverse->quota = c->rc.quota;
	c->rc.traverse->dirs = dir_runs_new(CHECK_WORKERS);
	if (!c->rc.traverse->dirs)
		errx(2, "out of memory");
}

static inline void check_unmake(struct checkpoint_check *c)
{
	report_silent_free(c->rc.report);
	c->rc.primary = NULL;
	check_forget(&c->rc);
	device_close(c->run.device);
	close(c->fd);
}

/* A file with these contents, length and checksum.  A descriptor. */
static inline int check_file(const uint8_t *bytes, size_t size)
{
	static struct saver s;
	int fd = memfd_create("checkpoint", MFD_CLOEXEC);

	if (fd < 0)
		err(2, "memfd_create");
	save_begin(&s, fd);
	save_bytes(&s, bytes, size);
	if (save_end(&s))
		errx(2, "no room");
	return fd;
}

/* Read what the file holds into the check: 0 or negative errno. */
static inline int check_load(struct checkpoint_check *c, int fd)
{
	static struct loader l;
	int ret = load_begin(&l, fd);

	return ret ? ret : rows_load(&c->rc, &l);
}

/* Go on with what was read, up to the comparisons behind the sweep. */
static inline void check_go_on(struct checkpoint_check *c)
{
	if (!traverse_sweep(c->rc.traverse))
		phase_links(&c->rc);
	report_findings(c->rc.report, c->rc.findings, NULL);
}

#endif
