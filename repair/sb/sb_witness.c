/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks for metadata that confirms a geometry: AGFs and AGIs have their AG's number, its length and the uuid (ondisk
 * 02), log records have the uuid (ondisk 11), and the root inode has its own number (ondisk 04).
 */
#include "sb_candidates.h"

#include "libxfs/ag.h"
#include "libxfs/dinode.h"
#include "libxfs/log.h"
#include "log/log_source.h"

#define FIRST_AGS 8u
#define LAST_AGS  8u /* these show a wrong AG size best */

struct doubts {
	bool any;
	bool identity; /* number, length or uuid contradicts the geometry */
};

static void doubt(void *ctx, const struct problem *problem)
{
	struct doubts *doubts = ctx;

	doubts->any = true;
	switch (problem->finding) {
	case F_AGF_SEQNO:
	case F_AGF_LENGTH:
	case F_AGI_SEQNO:
	case F_AGI_LENGTH:
	case F_BLOCK_UUID:
		doubts->identity = true;
		break;
	default:
		break;
	}
}

static void count_header(struct sb_support *support, bool decoded, const struct doubts *doubts)
{
	/* a header that can't be decoded is lost, and counts for neither side */
	if (decoded && doubts->identity)
		support->against++;
	else if (decoded)
		support->headers++;
}

static void ask_headers(struct device *device, const struct geometry *geo, agno_t agno, uint8_t *buffer,
			struct sb_support *support)
{
	uint64_t start = ag_offset(geo, agno);
	struct doubts of_agf = { 0 }, of_agi = { 0 };
	const struct check agf_check = { geo, doubt, &of_agf };
	const struct check agi_check = { geo, doubt, &of_agi };
	struct agf agf;
	struct agi agi;

	if (start >= device_bytes(device))
		return;
	device_read(device, buffer, ag_sector_offset(geo, agno, AGF_SECTOR), geo->sector_size);
	count_header(support, agf_decode(&agf_check, buffer, agno, &agf), &of_agf);
	device_read(device, buffer, ag_sector_offset(geo, agno, AGI_SECTOR), geo->sector_size);
	count_header(support, agi_decode(&agi_check, buffer, agno, &agi), &of_agi);
}

static bool ask_log(struct device *device, const struct geometry *geo)
{
	struct log_source log = log_source_of(geo, device, NULL);
	struct doubts doubts = { 0 };
	const struct check check = { geo, doubt, &doubts };
	struct log_state state;

	if (geo->logstart.v == 0 || geo->logblocks == 0)
		return false;
	log_examine(&check, log_source_read, &log, log_bbs(geo), &state);
	return state.condition != LOG_DAMAGED && !doubts.any;
}

static bool ask_root(struct device *device, const struct geometry *geo, uint8_t *buffer)
{
	agino_t agino = agino_of_ino(geo, geo->rootino);
	struct doubts doubts = { 0 };
	const struct check check = { geo, doubt, &doubts };
	struct dinode root;
	uint64_t start;

	if (!ino_valid(geo, geo->rootino))
		return false;
	start = bytes_of_daddr(daddr_of(geo, agno_of_ino(geo, geo->rootino), agbno_of_agino(geo, agino)));
	start += (uint64_t)(agino.v & (geo->inodes_per_block - 1)) << geo->inode_log;
	device_read(device, buffer, start, geo->inode_size);
	return dinode_decode(&check, buffer, geo->rootino, true, &root) && root.ftype == FT_DIR && !doubts.any;
}

struct sb_support sb_witness(struct device *device, const struct geometry *geo, uint8_t *buffer)
{
	struct sb_support support = { 0 };

	for (uint32_t agno = 0; agno < geo->agcount; agno++) {
		if (agno == FIRST_AGS && geo->agcount > FIRST_AGS + LAST_AGS)
			agno = geo->agcount - LAST_AGS;
		ask_headers(device, geo, (agno_t){ agno }, buffer, &support);
	}
	support.log = ask_log(device, geo);
	support.root = ask_root(device, geo, buffer);
	return support;
}
