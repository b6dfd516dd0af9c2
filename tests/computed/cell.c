/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cell.h"

#include <err.h>
#include <stdlib.h>

#include "plan.h"

static void write_pattern(struct plan *plan, struct pattern *pattern, bool wide)
{
	if (!pattern_create(plan->geo, plan->cell->length, pattern))
		err(2, "a cell");
	plan_write(plan, pattern, wide);
}

static void end_plan(struct plan *plan)
{
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		dir_end(&plan->files[i].dir);
		free(plan->files[i].map);
	}
	free(plan->files);
}

static void note_metadata(struct cell *cell)
{
	uint32_t next = cell->length;

	cell->next = calloc(cell->length, sizeof(*cell->next));
	if (!cell->next)
		err(2, "a cell");
	for (uint32_t i = cell->length; i--;) {
		if (cell->narrow.blocks[i].bytes) {
			next = i;
			cell->metadata++;
		}
		cell->next[i] = next;
	}
}

void cell_create(const struct geometry *g, const struct cell_options *options, struct cell *ret_cell)
{
	struct plan plan = { .geo = g, .options = *options, .random = options->seed, .cell = ret_cell };

	*ret_cell = (struct cell){ 0 };
	plan_files(&plan);
	plan_space(&plan);
	write_pattern(&plan, &ret_cell->narrow, false);
	write_pattern(&plan, &ret_cell->wide, true);
	note_metadata(ret_cell);
	end_plan(&plan);
}

void cell_destroy(struct cell *cell)
{
	pattern_destroy(&cell->narrow);
	pattern_destroy(&cell->wide);
	free(cell->next);
	free(cell->named);
	for (enum btree_kind kind = 0; kind < BT_AG_NR; kind++)
		records_free(&cell->records[kind]);
}
