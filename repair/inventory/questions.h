/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All questions, in the order in which they are answered: x(name), for `const struct question question_<name>`. */
#ifndef XFSCK_REPAIR_QUESTIONS_H
#define XFSCK_REPAIR_QUESTIONS_H

#include "inventory.h"

#define QUESTION_TABLE(x) x(list) x(name_of) x(owner) x(bad) x(map) x(frag) x(free_space) x(summary) x(extract)

#define x(name) extern const struct question question_##name;
QUESTION_TABLE(x)
#undef x

#endif
