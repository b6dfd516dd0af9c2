/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to checkpoint/: what is in the file. */
#ifndef XFSCK_REPAIR_CHECKPOINT_STATE_H
#define XFSCK_REPAIR_CHECKPOINT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct checkpoint;
struct hash_key;
struct loader;
struct options;
struct repair;
struct saver;
struct words;

/* head.c: which program wrote it, and the key of all sums. */
void head_save(const struct repair *rc, struct saver *s);
/* False: another version wrote it, or it is none; *why is the rest of a sentence about the file. */
bool head_load(struct hash_key *ret_key, struct loader *l, struct words *why);

/* lost.c: what could not be read.  False: see the error of l. */
void lost_save(const struct repair *rc, struct saver *s);
bool lost_load(struct checkpoint *c, const struct repair *rc, struct loader *l);

/* identity.c: what is checked, as far as the headers tell, and how. */
void identity_save(const struct repair *rc, struct saver *s);
/*
 * False: it is not what it was, or the file makes no sense; then *why is a sentence, or empty if the error of l says
 * it.
 */
bool identity_load(const struct repair *rc, struct loader *l, struct words *why);

/* sampled.c: a sample of what was read.  As identity.c; it reads the sample again. */
void sampled_save(const struct repair *rc, struct saver *s);
bool sampled_load(const struct repair *rc, struct loader *l, struct words *why);

/* rows.c: what the check knows.  0 or negative errno. */
int rows_save(const struct repair *rc, struct saver *s);
int rows_load(struct repair *rc, struct loader *l);

/* Nanoseconds until the next checkpoint, after one that has cost so many; 0: it is the first one. */
uint64_t checkpoint_interval(uint64_t cost);

#endif
