/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What those who write a plan and those who read it must agree on. */
#ifndef XFSCK_REPAIR_PLAN_FORMAT_H
#define XFSCK_REPAIR_PLAN_FORMAT_H

#define PLAN_FORMAT    1u
#define PLAN_ID_DIGITS 16u   /* of an id, in hexadecimal */
#define PLAN_IDS_LINE  1000u /* ids in a line, at most */

#endif
