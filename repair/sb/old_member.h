/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes arrays one of whose members is of an earlier time. */
#ifndef XFSCK_REPAIR_OLD_MEMBER_H
#define XFSCK_REPAIR_OLD_MEMBER_H

struct repair;

/*
 * Ask for the user's consent to a repair, with a note, if the metadata in every Nth piece of the device is older than that
 * of the others.  This reads up to 256 MiB.
 */
void old_member_ask(const struct repair *rc);

#endif
