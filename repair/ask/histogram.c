/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts a class of a histogram into a table, as cells of a row. */
#include "histogram.h"

#include "report/words.h"
#include "table.h"

void histogram_cells(struct table *table, const struct histogram *histogram, unsigned i)
{
	struct words end = { 0 };

	if (histogram_to(i) > histogram_from(i)) {
		words_add(&end, "to ");
		words_add_number(&end, histogram_to(i));
	}
	table_number(table, histogram_from(i));
	table_text(table, "%s", end.text);
	table_number(table, histogram_to(i));
	table_number(table, histogram->of[i].count);
	table_number(table, histogram->of[i].sum);
}
