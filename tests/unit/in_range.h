/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmocka 1's assert_in_range() for unsigned numbers, by cmocka 2's name. Include it after <cmocka.h>. */
#ifndef TESTS_IN_RANGE_H
#define TESTS_IN_RANGE_H

#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range(value, least, most) assert_uint_in_range(value, least, most)
#endif

#endif
