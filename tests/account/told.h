/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records "lost", "changed" and "gained" of a report in JSON. */
#ifndef XFSCK_TESTS_ACCOUNT_TOLD_H
#define XFSCK_TESTS_ACCOUNT_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOTHING UINT64_MAX /* an unknown inode */

enum fate {
	LOST,
	CHANGED,
	GAINED,
	OUTDATED, /* a removed name that the inode did not have when the damage was done */
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
	char *name;	      /* of a name or, as the kernel lists it, an attribute; NULL: unknown */
	char *now;	      /* the present path of the inode; NULL: not reported */
	char *field;	      /* of a changed inode, else NULL */
	bool leads_elsewhere; /* of a name: `old` and `new` are inodes */
	bool counted;	      /* known only from a count */
	bool rebuilt, guessed;
	bool unconfirmed; /* read under a wrong checksum or inode number: any byte may be wrong */
	bool has_path;
	int64_t old, new;
	uint64_t count;
	struct range *ranges;
	size_t nranges;
};

/* The figures of the summary. */
struct figures {
	bool known, missing_known, about;
	uint64_t in_place, moved, damaged, lost, missing, missing_most;
};

struct account {
	struct figures figures;
	struct told *all;
	size_t count, room;
};

/* Reads the lines of a file.  Ends the program if one is not JSON. */
void account_read(struct account *account, const char *file);
/* "lost name", for messages. */
const char *told_words(const struct told *told);

#endif
