/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Saves a traversal whose sweep was held, and resumes it.  The state consists of sums and lists, and of wanted blocks,
 * of which only the expectation is known.
 */
#ifndef XFSCK_REPAIR_WALK_SAVE_H
#define XFSCK_REPAIR_WALK_SAVE_H

struct btkey;
struct loader;
struct saver;
struct traverse;

/* Saves the state of the traversal so far. */
void traverse_save(const struct traverse *t, struct saver *s);
/* Replaces the state with the saved one, after traverse_groups(). */
void traverse_load(struct traverse *t, struct loader *l);

/* Saves the wanted blocks, and posts them again. */
void traverse_wanted_save(struct traverse *t, struct saver *s);
/* Posts the saved wanted blocks. */
void traverse_wanted_load(struct traverse *t, struct loader *l);

void walk_key_save(const struct btkey *key, struct saver *s);
struct btkey walk_key_load(struct loader *l);

#endif
