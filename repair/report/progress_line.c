/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the progress line: what is done, the time left at this rate, and the current object if nothing moves. */
#include "progress.h"

/* value * factor / divisor, at most 10^18 */
static uint64_t scale(uint64_t value, uint64_t factor, uint64_t divisor)
{
	long double result = (long double)value * factor / divisor;

	return result < 1e18L ? (uint64_t)result : 1000000000000000000u;
}

/* Adds another part to the line if it fits into the columns. */
static void add_if_room(struct words *line, const struct words *more, size_t columns)
{
	if (line->length + more->length <= columns)
		words_add(line, "%s", more->text);
}

/* Adds that nothing moves, and the current object. */
static void add_standstill(struct words *line, const struct progress_view *view)
{
	words_add(line, ", nothing new for ");
	words_add_duration(line, view->idle_ms / 1000);
	if (!view->object)
		return;
	words_add(line, ", at %s ", view->object);
	words_add_number(line, view->number);
}

/* Adds the time left, or if that is unknown, the elapsed time; and the rate. */
static void add_pace(struct words *line, const struct progress_view *view, size_t columns)
{
	struct words time = { 0 }, rate = { 0 };

	if (view->done && view->done < view->total) {
		words_add(&time, ", ");
		words_add_duration(&time, scale(view->total - view->done, view->elapsed_ms, view->done) / 1000 + 1);
		words_add(&time, " left");
	} else if (!view->total) {
		words_add(&time, ", ");
		words_add_duration(&time, view->elapsed_ms / 1000);
	}
	if (view->done && view->elapsed_ms) {
		words_add(&rate, ", ");
		words_add_number(&rate, scale(view->done, 1000, view->elapsed_ms));
		words_add(&rate, " %s per s", view->unit);
	}
	add_if_room(line, &time, columns);
	add_if_room(line, &rate, columns);
}

void progress_add_line(struct words *line, const struct progress_view *view, size_t columns)
{
	struct words count = { 0 };

	words_add(line, "Phase %u (%s)%s%s: ", view->phase, view->title, view->step[0] ? ", " : "", view->step);
	if (view->total) {
		words_add(line, "%u%%", view->done < view->total ? (unsigned)scale(view->done, 100, view->total) : 100);
		words_add(&count, " (");
		words_add_number(&count, view->done);
		words_add(&count, " of ");
		words_add_number(&count, view->total);
		words_add(&count, ")");
	} else {
		words_add_number(line, view->done);
		words_add(line, " %s", view->unit);
	}
	if (view->idle_ms >= PROGRESS_IDLE_MS)
		add_standstill(line, view);
	else
		add_pace(line, view, columns);
	add_if_room(line, &count, columns);
}
