/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assert_in_range() of cmocka 1, of numbers without a sign, by the name that cmocka 2 has for it.  Comes after
 * <cmocka.h>. */
#ifndef TESTS_IN_RANGE_H
#define TESTS_IN_RANGE_H

#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range(value, least, most) assert_uint_in_range(value, least, most)
#endif

#endif
