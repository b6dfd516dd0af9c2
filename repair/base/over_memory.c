/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/over_memory.h"
#include "repair.h"
#include "report.h"
#include "run.h"

void over_memory(const struct repair *rc, enum over_memory what)
{
	static const char *const notes[OVER_MEMORY_NR] = {
		[OVER_MEMORY_GROUP] = "Repairing an AG needs more memory than -m allows; xfsck uses what it needs.",
		[OVER_MEMORY_DIRECTORY] = "Repairing a large directory needs more memory than -m allows; xfsck uses "
					  "what it needs.",
		[OVER_MEMORY_LOG] = "A transaction in the log needs more memory than -m allows; xfsck uses what it "
				    "needs.",
	};

	if (!rc->run->over_memory[what])
		report_note(rc->report, notes[what]);
	rc->run->over_memory[what] = true;
}
