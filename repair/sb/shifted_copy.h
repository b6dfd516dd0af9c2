/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes copies in the middle of which bytes are missing. */
#ifndef XFSCK_REPAIR_SHIFTED_COPY_H
#define XFSCK_REPAIR_SHIFTED_COPY_H

struct repair;

/*
 * Whether everything from some byte on lies too early, by a multiple of 512 bytes: then each repair would destroy what
 * a better copy still has.  PHASE_FAILED: it does, and the user has been told.  This reads the headers of the last
 * allocation group, and more only if they are not where they should be.
 */
enum phase_result shifted_copy_by_headers(const struct repair *rc);
/* The same by the last findings in rc->findings, whose blocks may lie before the places where they are missed. */
enum phase_result shifted_copy_by_findings(const struct repair *rc);

#endif
