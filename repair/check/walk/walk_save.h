/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves a traversal whose sweep was held, and goes on with one that was saved.  What has been learnt are sums and
 * lists; what is wanted are blocks that nothing is known of but what led to them.
 */
#ifndef XFSCK_REPAIR_WALK_SAVE_H
#define XFSCK_REPAIR_WALK_SAVE_H

struct btkey;
struct loader;
struct saver;
struct traverse;

/* Save what traverse_inodes() has learnt so far. */
void traverse_save(const struct traverse *t, struct saver *s);
/* After traverse_groups(): put what was saved in its place. */
void traverse_load(struct traverse *t, struct loader *l);

/* Save what is wanted, after which it is wanted again. */
void traverse_wanted_save(struct traverse *t, struct saver *s);
/* Want what was saved. */
void traverse_wanted_load(struct traverse *t, struct loader *l);

void walk_key_save(const struct btkey *key, struct saver *s);
struct btkey walk_key_load(struct loader *l);

#endif
