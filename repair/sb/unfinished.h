/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes copies that were not finished: their end, or whole allocation groups, read as zeroes. */
#ifndef XFSCK_REPAIR_UNFINISHED_H
#define XFSCK_REPAIR_UNFINISHED_H

struct repair;

/*
 * Ask for the user's consent to a repair, with a note, if much of the device reads as zeroes where something should be.
 * rc->findings: those of the check before the repair; rc->run->device shows the repair.
 */
void unfinished_ask(const struct repair *rc);

#endif
