/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check of an empty device in the middle of its sweep, into which checkpoints are loaded. */
#ifndef XFSCK_TESTS_FUZZ_CHECKPOINT_CHECK_H
#define XFSCK_TESTS_FUZZ_CHECKPOINT_CHECK_H

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/books/ledger.h"
#include "mend/rounds/check_again.h"
#include "../../repair/checkpoint/state.h"
#include "../../repair/names/dir_runs.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "../../repair/sets/save.h"
#include "check/walk/quota.h"
#include "check/walk/traverse.h"
#include "check/walk/walk.h"
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

/* Creates it; ends the program on failure. */
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

/* Returns a descriptor of a file with these contents, length and checksum. */
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

/* Loads the file into the check: 0 or negative errno. */
static inline int check_load(struct checkpoint_check *c, int fd)
{
	static struct loader l;
	int ret = load_begin(&l, fd);

	return ret ? ret : rows_load(&c->rc, &l);
}

/* Resumes from there, up to the comparisons after the sweep. */
static inline void check_go_on(struct checkpoint_check *c)
{
	if (!traverse_sweep(c->rc.traverse))
		phase_links(&c->rc);
	report_findings(c->rc.report, c->rc.findings, NULL);
}

/* Posts some facts of each kind, from both workers. */
static inline void check_learn(struct checkpoint_check *c)
{
	const struct geometry *geo = &c->rc.geo;
	struct traverse *t = c->rc.traverse;
	static const uint8_t name[] = "a name";
	const uint64_t first = (uint64_t)geo->first_data_agbno << geo->inopb_log; /* a valid inode */
	const struct sink sink = ledger_sink(c->rc.ledger);

	for (unsigned i = 0; i < CHECK_WORKERS; i++) {
		struct walker *w = t->walkers[i];
		const xino_t ino = { first + i };
		const struct claim claim = { .at = { { i }, { 100 + i }, 7 }, .owner = ino.v };
		const struct problem problem = { F_INODE_NBLOCKS_XREF, 3, 4, 5, UINT64_MAX };
		const uint32_t ids[QUOTA_TYPES] = { 1, i, UINT32_MAX };
		const uint64_t used[QUOTA_COUNTS] = { 1, 2, 3 };
		struct place place = place_of(OBJ_DIRECTORY);

		sink_tell(&sink, claim, i, &claim);
		place.ino = ino;
		place.agno.v = i;
		place.name = (struct name_view){ name, sizeof(name) - 1 };
		findings_add(c->rc.findings, i, &place, &problem);
		fuzz_promise(!quota_charge(c->rc.quota, i, ids, used));
		dir_runs_add(t->dirs, i, (struct dir_parent){ ino, geo->rootino });
		walk_gap(w, ino, GAP_CLAIMS);
		w->totals.inodes = 1000 + i;
		t->ags[i].inodes = 64 * (i + 1);
		t->ags[i].tree[BT_INO].siblings = 0x123456789abcdef * (i + 1);
		t->ags[i].have_agi = t->ags[i].have_agf = true;
		walk_add(w, t->ags[i].unlinked, t->ags[i].unlinked_room, t->ags[i].nunlinked,
			 (struct unlinked_inode){ 77, NULL_AGINO });
	}
}

/* Posts wanted blocks and inodes, and holds the sweep before any is read. */
static inline void check_want(struct checkpoint_check *c)
{
	struct walker *w = c->rc.traverse->walkers[0];

	for (uint32_t ag = 0; ag < c->rc.geo.agcount; ag++) {
		const struct inobt_record chunk = { .start = { 64 * 20 }, .count = 64, .free = 0xf0 };
		struct btree_expect leaf = { .kind = BT_BNO,
					     .agno = { ag },
					     .agbno = { 33 },
					     .owner = ag,
					     .keys_ok = true,
					     .has_low = true,
					     .low = { { 5, 6, 0 } } };

		walk_btree_wanted(w, &leaf);
		leaf.kind = BT_INO;
		leaf.root = leaf.unsure = true;
		walk_btree_wanted(w, &leaf);
		walk_chunk_found(w, (agno_t){ ag }, &chunk, false);
	}
	sweep_hold(c->rc.traverse->sweep);
	fuzz_promise(!traverse_sweep(c->rc.traverse));
	sweep_let_go(c->rc.traverse->sweep);
}

/* Returns the state as bytes, without length and checksum; the caller frees them. */
static inline uint8_t *check_bytes(struct checkpoint_check *c, size_t *ret_size)
{
	static struct saver s;
	int fd = memfd_create("state", MFD_CLOEXEC);
	uint8_t *bytes;

	fuzz_promise(fd >= 0);
	save_begin(&s, fd);
	fuzz_promise(!rows_save(&c->rc, &s));
	fuzz_promise(!save_end(&s));
	*ret_size = (size_t)s.bytes;
	bytes = malloc(*ret_size);
	fuzz_promise(bytes != NULL);
	fuzz_promise(pread(fd, bytes, *ret_size, 0) == (ssize_t)*ret_size);
	close(fd);
	return bytes;
}

/* Returns a state of that file system, with some of everything; likewise. */
static inline uint8_t *check_state(unsigned variant, size_t *ret_size)
{
	struct checkpoint_check c;
	uint8_t *bytes;

	check_make(&c, variant);
	check_learn(&c);
	check_want(&c);
	bytes = check_bytes(&c, ret_size);
	check_unmake(&c);
	return bytes;
}

#endif
