/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resumes a repair that was interrupted while it wrote: the primary superblock's sector points to the redo record,
 * which has everything that it had to write.  The record is staged first, in the layer of the replay, so that it is
 * checked as if it were on the device; the commit writes it.
 */
#include <errno.h>

#include "commit.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "base/spot.h"

enum phase_result resume(struct repair *rc)
{
	uint8_t sector[SECTOR_SIZE];
	struct spot spot = spot_of(rc, OBJ_SUPERBLOCK, 0);
	const struct check check = spot_check(&spot);
	struct redo_place place;
	uint64_t bytes;
	int ret;

	ret = device_read(rc->run->device, sector, 0, sizeof(sector));
	if (ret == -ENOMEM)
		return failed(rc, "looking for an interrupted repair", ret);
	if (ret || !redo_pointed(sector, &place))
		return PHASE_DONE;
	/* the pointer's checksum covers the first sector, which has the commit's mark */
	ret = redo_stage(rc->run->device, &place, SECTOR_SIZE, LAYER_REPLAY, &bytes);
	if (ret == -EBADMSG || ret == -ESTALE) {
		report_note(rc->report, "A repair was interrupted here, but the device was written to since then: the "
					"rest of that repair is skipped.");
		return PHASE_DONE;
	}
	if (ret)
		return failed(rc, "reading the rest of the interrupted repair", ret);
	rc->run->resumed = place;
	problem(&check, F_SB_REPAIR_CUT_SHORT, 0, bytes, place.offset);
	return PHASE_DONE;
}
