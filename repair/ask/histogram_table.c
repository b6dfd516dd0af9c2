/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a histogram into a table. */
#include "histogram_table.h"

#include "histogram.h"
#include "report/json_out.h"
#include "report/words.h"
#include "table.h"

/* Writes a histogram as JSON. */

json_t *histogram_array(struct report_json *json, const struct histogram *histogram, const char *count, const char *sum)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++) {
		json_t *object;

		if (!histogram->of[i].count)
			continue;
		object = json_object();
		json_out_set(json, object, "from", json_out_number(histogram_from(i)));
		json_out_set(json, object, "to", json_out_number(histogram_to(i)));
		json_out_set(json, object, count, json_out_number(histogram->of[i].count));
		json_out_set(json, object, sum, json_out_number(histogram->of[i].sum));
		json_out_append(json, array, object);
	}
	return array;
}

void histogram_cells(struct table *table, const struct histogram *histogram, unsigned i)
{
	struct words end = { 0 };

	if (histogram_to(i) > histogram_from(i)) {
		words_add(&end, "to ");
		words_add_number(&end, histogram_to(i));
	}
	table_number(table, histogram_from(i));
	table_text(table, "%s", end.text);
	table_number(table, histogram->of[i].count);
	table_number(table, histogram->of[i].sum);
}
