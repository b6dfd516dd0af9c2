/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rectangles of a treemap: areas, edges, and sizes that no device has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../repair/report/treemap.h"

#define MOST 500u

static const struct treemap_rect frame = { 10, 20, 300, 100 };

static bool same(double a, double b, double spare)
{
	return a - b <= spare && b - a <= spare;
}

static void inside(const struct treemap_rect *r, const struct treemap_rect *f)
{
	const double spare = 1e-9 * (f->width + f->height + 1);

	assert_true(r->x >= f->x - spare && r->y >= f->y - spare && r->width >= -spare && r->height >= -spare);
	assert_true(r->x + r->width <= f->x + f->width + spare && r->y + r->height <= f->y + f->height + spare);
}

static double common(double a, double a_len, double b, double b_len)
{
	const double end = a + a_len < b + b_len ? a + a_len : b + b_len;

	return end - (a > b ? a : b);
}

/* Fails unless all are inside the frame, as large as their shares, and don't overlap. */
static void sound(const uint64_t *sizes, size_t count, const struct treemap_rect *f)
{
	static struct treemap_rect r[MOST];
	const double area = f->width * f->height;
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (double)sizes[i];
	treemap_layout(sizes, count, f, r);
	for (size_t i = 0; i < count; i++) {
		inside(&r[i], f);
		if (sum > 0)
			assert_true(
				same(r[i].width * r[i].height, area * ((double)sizes[i] / sum), area * 1e-9 + 1e-12));
		else
			assert_true(r[i].width * r[i].height == 0);
		for (size_t k = 0; k < i; k++)
			assert_true(common(r[i].x, r[i].width, r[k].x, r[k].width) < 1e-6 ||
				    common(r[i].y, r[i].height, r[k].y, r[k].height) < 1e-6);
	}
}

static int descending(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x > y ? -1 : x < y;
}

static void all_sizes_are_laid_out(void **state)
{
	static uint64_t sizes[MOST];
	uint64_t seed = 1;

	(void)state;
	for (size_t count = 0; count <= MOST; count = count * 2 + 1) {
		for (unsigned shift = 0; shift < 64; shift += 9) {
			for (size_t i = 0; i < count; i++) {
				seed = seed * 6364136223846793005u + 1442695040888963407u;
				sizes[i] = seed >> shift >> (i % 7 * shift / 7);
			}
			sound(sizes, count, &frame); /* in no order */
			qsort(sizes, count, sizeof(*sizes), descending);
			sound(sizes, count, &frame);
		}
	}
}

static void hostile_sizes(void **state)
{
	const uint64_t huge[] = { UINT64_MAX, UINT64_MAX, UINT64_C(1) << 63, UINT64_C(1) << 63, 1, 1, 0, 0 };
	const uint64_t none[] = { 0, 0, 0 }, late[] = { 0, 0, 5 };
	const struct treemap_rect flat = { 0, 0, 100, 0 }, point = { 3, 4, 0, 0 }, thin = { 0, 0, 1e-9, 1e6 };
	struct treemap_rect r[3];

	(void)state;
	sound(huge, 8, &frame);
	sound(huge, 2, &thin);
	sound(none, 3, &frame);
	sound(none, 0, &frame);
	sound(late, 3, &frame);
	for (size_t i = 0; i < 2; i++) {
		const struct treemap_rect *f = i ? &point : &flat;

		treemap_layout(huge, 3, f, r);
		for (size_t k = 0; k < 3; k++) {
			inside(&r[k], f);
			assert_true(r[k].width * r[k].height == 0);
		}
	}
}

/* The example of the paper: no rectangle is more than about three times longer than wide. */
static void they_are_close_to_squares(void **state)
{
	const uint64_t sizes[] = { 6, 6, 4, 3, 2, 2, 1 };
	const struct treemap_rect six_by_four = { 0, 0, 6, 4 };
	struct treemap_rect r[7];

	(void)state;
	treemap_layout(sizes, 7, &six_by_four, r);
	for (size_t i = 0; i < 7; i++)
		assert_true(r[i].width / r[i].height < 3.1 && r[i].height / r[i].width < 3.1);
	assert_true(same(r[0].width, 3, 1e-9) && same(r[0].height, 2, 1e-9)); /* two of 6 are above each other */
	assert_true(same(r[1].y, 2, 1e-9) && same(r[2].x, 3, 1e-9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_sizes_are_laid_out),
		cmocka_unit_test(hostile_sizes),
		cmocka_unit_test(they_are_close_to_squares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
