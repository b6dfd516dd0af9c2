/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to checkpoint/: the contents of the file. */
#ifndef XFSCK_REPAIR_CHECKPOINT_STATE_H
#define XFSCK_REPAIR_CHECKPOINT_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct checkpoint;
struct hash_key;
struct loader;
struct options;
struct repair;
struct saver;
struct words;

/* head.c: which program wrote it, and the hash key. */
void head_save(const struct repair *rc, struct saver *s);
/* False: another version wrote it, or it is no checkpoint; *why is the rest of a sentence about the file. */
bool head_load(struct hash_key *ret_key, struct loader *l, struct words *why);

/* lost.c: unreadable ranges. False: see the error of l. */
void unreadable_save(const struct repair *rc, struct saver *s);
bool unreadable_load(struct checkpoint *c, const struct repair *rc, struct loader *l);

/* identity.c: what is checked, by its headers, and how. */
void identity_save(const struct repair *rc, struct saver *s);
/* False: something differs, or the file makes no sense; *why is a sentence, or empty: then see the error of l. */
bool identity_load(const struct repair *rc, struct loader *l, struct words *why);

/* sampled.c: a sample of what was read, which is compared. Returns as identity.c. */
void sampled_save(const struct repair *rc, struct saver *s);
bool sampled_load(const struct repair *rc, struct loader *l, struct words *why);

/* rows.c: the state of the check. 0 or negative errno. */
int rows_save(const struct repair *rc, struct saver *s);
int rows_load(struct repair *rc, struct loader *l);

/* Returns the nanoseconds until the next checkpoint, from the cost of the last one; 0: there was none. */
uint64_t checkpoint_interval(uint64_t cost);

#endif
