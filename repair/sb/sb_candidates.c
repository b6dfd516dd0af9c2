/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads superblocks, and decodes them without reporting anything. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sb_candidates.h"

#include "array.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "report.h"

#define MOST_AGS 256u /* superblocks of one geometry to read: enough for a vote */

static void remember(void *ctx, const struct problem *problem)
{
	struct sb_candidate *candidate = ctx;

	if (finding_severity(problem->finding) == SEV_NOTE) /* not damage, so not a fault of this superblock */
		return;
	if (finding_severity(problem->finding) == SEV_FATAL)
		candidate->unsupported = true;
	if (candidate->problem_count < SB_CANDIDATE_PROBLEMS)
		candidate->problems[candidate->problem_count] = *problem;
	candidate->problem_count++;
}

/* True if a superblock is at the start of some AG of its own geometry; it has no AG number. */
static bool in_place(const struct geometry *geo, uint64_t position)
{
	uint64_t ag_bytes = bytes_of_ag(geo);

	return position % ag_bytes == 0 && position / ag_bytes < geo->agcount;
}

void sb_candidate_decode(struct sb_candidate *candidate, const uint8_t *bytes, uint64_t position)
{
	const struct check check = { NULL, remember, candidate };

	*candidate = (struct sb_candidate){ .position = position };
	memcpy(candidate->sector, bytes, SB_CANDIDATE_BYTES);
	candidate->found = be32_get(((const struct sb_disk *)bytes)->magicnum) == SB_MAGIC;
	candidate->decoded = sb_decode(&check, bytes, SB_READ_BYTES, &candidate->geo);
	candidate->usable = candidate->decoded && in_place(&candidate->geo, position);
}

unsigned sb_candidate_faults(const struct sb_candidate *candidate)
{
	unsigned faults = 0;

	for (unsigned i = 0; i < candidate->problem_count && i < SB_CANDIDATE_PROBLEMS; i++) {
		const struct problem *p = &candidate->problems[i];

		faults += p->finding == F_BLOCK_CRC || (p->finding != F_SB_NEEDSREPAIR && sb_is_shared(p->offset));
	}
	return faults;
}

int sb_candidates_init(struct sb_candidates *list, struct device *device)
{
	*list = (struct sb_candidates){ .device = device, .buffer = malloc(SB_READ_BYTES) };
	return list->buffer ? sb_candidates_add(list, 0) : -ENOMEM;
}

void sb_candidates_free(struct sb_candidates *list)
{
	free(list->buffer);
	free(list->all);
}

int sb_candidates_add(struct sb_candidates *list, uint64_t position)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->all[i].position == position)
			return 0;
	if (array_grow(&list->all, &list->room, list->count, sizeof(*list->all)))
		return -ENOMEM;
	/* unreadable bytes are zero */
	if (device_read(list->device, list->buffer, position, SB_READ_BYTES) == -ENOMEM)
		return -ENOMEM;
	sb_candidate_decode(&list->all[list->count], list->buffer, position);
	if (!list->all[list->count].usable || list->all[list->count].problem_count)
		sb_byte_put_back(list->buffer, &list->all[list->count]);
	if (position == 0 || list->all[list->count].found)
		list->count++;
	return 0;
}

int sb_candidates_add_all(struct sb_candidates *list, const struct geometry *geo)
{
	uint64_t ag_bytes = bytes_of_ag(geo);
	int ret = 0;

	for (uint32_t agno = 1; agno < geo->agcount && !ret; agno++) {
		if (geo->agcount > MOST_AGS && agno == MOST_AGS / 2)
			agno = geo->agcount - MOST_AGS / 2;
		if (agno * ag_bytes >= device_bytes(list->device))
			break;
		ret = sb_candidates_add(list, agno * ag_bytes);
	}
	return ret;
}

int sb_candidates_add_behind(struct sb_candidates *list, const struct geometry *geo)
{
	const uint64_t end = geo->agcount * bytes_of_ag(geo);
	const size_t before = list->count;
	struct geometry grown;
	int ret;

	if (end >= device_bytes(list->device))
		return 0;
	ret = sb_candidates_add(list, end);
	if (ret || list->count == before || !list->all[before].usable)
		return ret;
	grown = list->all[before].geo;
	return sb_candidates_add_all(list, &grown);
}
