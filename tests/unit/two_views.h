/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of repair/mend/loss: what is known before and after a repair, fact by fact, and the comparison. */
#ifndef XFSCK_TESTS_TWO_VIEWS_H
#define XFSCK_TESTS_TWO_VIEWS_H

#include "btrees.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../repair/mend/loss/loss.h"
#include "../../repair/mend/loss/loss_compare.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "libxfs/dinode.h"

enum {
	ROOT = 128,
	DIR_A = 160,
	DIR_B = 161,
	FILE_INO = 200,
	LISTED = 1 << 20, /* bytes of the list of losses: enough for each test */
};

struct two_views {
	struct run run;
	struct repair rc, again;
	struct loss_facts *facts;
	struct loss_list list;
	struct loss_tally tally;
	struct seals seals;
	struct loss_areas areas;
	struct ino_set not_in_rmapbt;
	struct loss_compare c;
};

static inline void views_open(struct two_views *v)
{
	*v = (struct two_views){ .seals.lock = PTHREAD_MUTEX_INITIALIZER, .list.limit = LISTED };
	v->rc.run = v->again.run = &v->run;
	v->rc.geo = btrees_geometry();
	v->rc.geo.metadir = false;
	v->rc.geo.rootino.v = ROOT;
	v->again.geo = v->rc.geo;
	v->facts = loss_facts_new(1, 1 << 24);
	assert_non_null(v->facts);
	assert_int_equal(loss_tally_begin(&v->tally, &v->rc.geo), 0);
	v->c = (struct loss_compare){ .rc = &v->rc,
				      .again = &v->again,
				      .list = &v->list,
				      .tally = &v->tally,
				      .seals = &v->seals,
				      .areas = &v->areas,
				      .not_in_rmapbt = &v->not_in_rmapbt,
				      .bytes_left = LOSS_COMPARE_MOST };
}

static inline void views_close(struct two_views *v)
{
	loss_facts_free(v->facts);
	loss_list_free(&v->list);
	loss_tally_end(&v->tally);
	seals_free(&v->seals);
	ino_set_free(&v->not_in_rmapbt);
	reattached_free(&v->run.reattached);
}

/* Adds a fact with these bytes. */
static inline void views_put(struct two_views *v, const struct loss_fact *fact, const void *bytes, size_t len)
{
	struct loss_fact copy = *fact;

	copy.len = (uint16_t)len;
	loss_facts_put(v->facts, 0, &copy, bytes);
	assert_false(loss_facts_full(v->facts));
}

static inline void views_compare(struct two_views *v)
{
	size_t count;
	struct loss_fact **sorted = loss_facts_sorted(v->facts, &count);

	assert_non_null(sorted);
	loss_compare(&v->c, sorted, count);
	assert_int_equal(v->c.error, 0);
}

/* ---- facts ---- */

/* The same number for equal names. */
static inline uint64_t views_hash(const char *name)
{
	uint64_t hash = 1;

	for (; *name; name++)
		hash = hash * 31 + (uint8_t)*name;
	return hash;
}

/* An empty file with one link. */
static inline struct inode_core views_core(void)
{
	return (struct inode_core){
		.times = { 1, 2, 3, 4 }, .mode = S_IFREG | 0644, .nlink = 1, .gen = 7, .crc = 0x1234
	};
}

static inline void views_inode(struct two_views *v, enum fact_side side, uint64_t ino, uint8_t ftype,
			       const struct inode_core *core)
{
	views_put(v, &(struct loss_fact){ .ino.v = ino, .kind = FACT_INODE, .side = (uint8_t)side, .flags = ftype },
		  core, sizeof(*core));
}

/* An inode that is the same before and after. */
static inline void views_inode_stays(struct two_views *v, uint64_t ino, uint8_t ftype)
{
	const struct inode_core core = views_core();

	views_inode(v, SIDE_BEFORE, ino, ftype, &core);
	views_inode(v, SIDE_AFTER, ino, ftype, &core);
}

#define NAME_OF(side_, ino_, dir_, name_)                                                                              \
	((struct loss_fact){ .ino.v = (ino_),                                                                          \
			     .kind = FACT_NAME,                                                                        \
			     .side = (uint8_t)(side_),                                                                 \
			     .flags = FT_REG,                                                                          \
			     .a = (dir_),                                                                              \
			     .b = views_hash(name_) })

static inline void views_name(struct two_views *v, enum fact_side side, uint64_t ino, uint64_t dir, const char *name)
{
	views_put(v, &NAME_OF(side, ino, dir, name), name, strlen(name));
}

static inline void views_name_stays(struct two_views *v, uint64_t ino, uint64_t dir, const char *name)
{
	views_name(v, SIDE_BEFORE, ino, dir, name);
	views_name(v, SIDE_AFTER, ino, dir, name);
}

/* A name that a mender dropped. */
static inline void views_drop_name(struct two_views *v, enum drop_reason reason, uint64_t ino, uint64_t dir,
				   const char *name)
{
	struct loss_fact fact = NAME_OF(SIDE_DROPPED, ino, dir, name);

	fact.reason = (uint8_t)reason;
	views_put(v, &fact, name, strlen(name));
}

/* An inode that a mender dropped. */
static inline void views_drop_inode(struct two_views *v, enum drop_reason reason, uint64_t ino)
{
	views_put(v,
		  &(struct loss_fact){
			  .ino.v = ino, .kind = FACT_INODE, .side = SIDE_DROPPED, .reason = (uint8_t)reason },
		  NULL, 0);
}

/* The inode was reconnected, and its former place is unknown. */
static inline void views_orphan(struct two_views *v, uint64_t ino)
{
	assert_int_equal(reattached_add(&v->run.reattached, &(struct reattached){ .ino.v = ino, .by = BY_NOBODY }), 0);
	reattached_settle(&v->run.reattached);
}

/* ---- results ---- */

/* Returns the only difference. */
static inline const struct loss *views_only(const struct two_views *v, enum loss_kind kind, enum loss_fate fate)
{
	assert_int_equal(v->list.count, 1);
	assert_int_equal(v->list.all[0].kind, kind);
	assert_int_equal(v->list.all[0].fate, fate);
	return &v->list.all[0];
}

/* Returns the difference of this kind and fate, of which there is one. */
static inline const struct loss *views_one(const struct two_views *v, enum loss_kind kind, enum loss_fate fate)
{
	const struct loss *one = NULL;

	for (size_t i = 0; i < v->list.count; i++) {
		if (v->list.all[i].kind != kind || v->list.all[i].fate != fate)
			continue;
		assert_null(one);
		one = &v->list.all[i];
	}
	assert_non_null(one);
	return one;
}

/* Returns how many differences of this kind and fate there are. */
static inline unsigned views_times(const struct two_views *v, enum loss_kind kind, enum loss_fate fate)
{
	unsigned n = 0;

	for (size_t i = 0; i < v->list.count; i++)
		n += v->list.all[i].kind == kind && v->list.all[i].fate == fate;
	return n;
}

static inline void views_assert_name(const struct loss *loss, uint64_t dir, const char *name)
{
	assert_int_equal(loss->dir.v, dir);
	assert_int_equal(loss->namelen, strlen(name));
	assert_memory_equal(loss->bytes, name, loss->namelen);
}

/* The inode's present name, beside a lost one. */
static inline void views_assert_now(const struct loss *loss, uint64_t dir, const char *name)
{
	assert_int_equal(loss->now_dir.v, dir);
	assert_int_equal(loss->now_len, strlen(name));
	assert_memory_equal(loss->bytes + loss->namelen, name, loss->now_len);
}

#endif
