/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records "lost", "changed" and "gained" of a report in JSON. */
#ifndef XFSCK_TESTS_ACCOUNT_TOLD_H
#define XFSCK_TESTS_ACCOUNT_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOTHING UINT64_MAX /* an inode that is not known */

enum fate {
	LOST,
	CHANGED,
	GAINED,
	OUTDATED, /* a name that is removed, and that the inode had not when the damage was done */
};

enum what {
	NAME,
	DATA,
	ATTRIBUTE,
	TARGET,
	INODE,
};

struct range {
	uint64_t from, to; /* bytes */
};

struct told {
	enum fate fate;
	enum what what;
	uint64_t ino, dir;    /* or NOTHING */
	char *name;	      /* of a name or, as the kernel lists it, an attribute; NULL: not known */
	char *now;	      /* the path that the inode has now; NULL: none is told */
	char *field;	      /* of a changed inode, else NULL */
	bool leads_elsewhere; /* a name: `old` and `new` are inodes */
	bool counted;	      /* nothing but a count tells */
	bool made_anew, guessed;
	bool unconfirmed; /* read where a checksum or an inode number was wrong: any byte of it may have been another */
	bool has_path;
	int64_t old, new;
	uint64_t count;
	struct range *ranges;
	size_t nranges;
};

/* Of the summary. */
struct figures {
	bool known, missing_known, about;
	uint64_t in_place, moved, damaged, lost, missing, missing_most;
};

struct account {
	struct figures figures;
	struct told *all;
	size_t count, room;
};

/* Read the lines of a file. Ends the program if one is not JSON. */
void account_read(struct account *account, const char *file);
/* "lost name", for messages. */
const char *told_words(const struct told *told);

#endif
