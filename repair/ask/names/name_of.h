/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --name-of: the names of inodes. */
#ifndef XFSCK_REPAIR_NAME_OF_H
#define XFSCK_REPAIR_NAME_OF_H

#include <stdio.h>

struct name_search;
struct repair;

/* Prints the results of the search for run->names_asked as text and JSON. 0 or -ENOMEM. */
int name_of_tell(struct repair *rc, const struct name_search *search, FILE *out);

#endif
