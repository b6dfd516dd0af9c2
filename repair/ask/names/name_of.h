/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells what inodes are called (--name-of). */
#ifndef XFSCK_REPAIR_NAME_OF_H
#define XFSCK_REPAIR_NAME_OF_H

#include <stdio.h>

struct name_search;
struct repair;

/* Tell all names of the numbers in run->names_asked, which were searched for, as text and as JSON. 0 or -ENOMEM. */
int name_of_tell(struct repair *rc, const struct name_search *search, FILE *out);

#endif
