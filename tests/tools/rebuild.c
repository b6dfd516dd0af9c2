/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rebuild [-i|-s] FILE [RTFILE]: rebuilds the btrees, free list and headers of every AG of a sound image from its
 * inodes, and the superblock's count of free blocks.  -i: the inode btrees as well.  -s: blocks of directories and
 * symbolic links may also belong to files, as if these shared them.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mend/rounds/check_again.h"
#include "../../repair/mend/base/mend.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "disk/sb.h"
#include "../../repair/mend/make/mend_ag.h"
#include "../../repair/mend/collect/mend_evidence.h"
#include "report.h"

static int stage(void *ctx, const void *bytes, uint64_t offset, size_t len)
{
	return device_stage(ctx, LAYER_MEND, bytes, offset, len);
}

static int put_down(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	if (pwrite(*(int *)ctx, bytes, len, (off_t)offset) != (ssize_t)len)
		err(1, "writing");
	return 0;
}

/* Removes the information which owners may not share blocks. */
static void let_share(struct evidence_records *records)
{
	for (size_t i = 0; i < records->nuses; i++)
		if (records->uses[i].owner < OWNER_COW)
			records->uses[i].object = 0;
}

static uint64_t rebuild(struct repair *rc, struct mend_evidence *evidence, agno_t agno, bool inodes)
{
	const struct ag_writer writer = { stage, rc->run->device };
	struct ag_contents contents;
	struct ag_mended mended = { 0 };
	struct inobt_record *chunks;
	int ret = mend_evidence_contents(evidence, agno, inodes, &contents, &chunks);

	if (!ret)
		ret = mend_ag(&rc->geo, &contents, &writer, &mended);
	if (ret)
		errx(1, "AG %u: %s", agno.v, strerror(-ret));
	free(chunks);
	return agf_free_blocks(&mended.agf);
}

static void set_fdblocks(struct repair *rc, uint64_t fdblocks)
{
	uint8_t *sector = malloc(rc->geo.sector_size);

	if (!sector)
		errx(1, "no memory");
	memcpy(sector, rc->primary, rc->geo.sector_size);
	((struct sb_disk *)sector)->fdblocks = be64_put(fdblocks);
	sb_seal(sector, rc->geo.sector_size);
	if (device_stage(rc->run->device, LAYER_MEND, sector, 0, rc->geo.sector_size))
		errx(1, "staging the superblock");
	free(sector);
}

int main(int argc, char **argv)
{
	struct options options = { .program = "rebuild", .no_modify = true, .merge_gap = -1 };
	struct device_options how = { .engine = ENGINE_AUTO };
	struct run run = { .options = &options };
	struct repair rc = { .run = &run };
	struct mend m = { .rc = &rc, .now = &rc };
	struct mend_evidence evidence;
	bool inodes = argc > 1 && !strcmp(argv[1], "-i"), shared = argc > 1 && !strcmp(argv[1], "-s"), *all;
	uint64_t fdblocks = 0;
	char message[512];
	int fd;

	argv += 1 + inodes + shared;
	if (!*argv)
		errx(2, "usage: rebuild [-i|-s] FILE [RTFILE]");
	options.device = *argv++;
	options.rt_device = *argv;
	options.progress = PROGRESS_NEVER;
	if (device_open(options.device, &how, &rc.run->device, message, sizeof(message)))
		errx(1, "%s", message);
	rc.run->max_workers = 1;
	rc.run->memory = memory_share(0, rc.run->max_workers);
	rc.findings = findings_new(1);
	rc.report = report_silent(&options, stderr);
	if (!rc.findings || !rc.report)
		errx(1, "no memory");
	if (phase_superblock(&rc) != PHASE_DONE || hash_key_random(&rc.run->key))
		errx(1, "%s is no sound file system", options.device);
	all = calloc(group_count(&rc.geo), sizeof(*all));
	if (!all)
		errx(1, "no memory");
	memset(all, true, rc.geo.agcount);
	if (mend_evidence_collect(&m, all, MEND_CLAIMS, &evidence))
		errx(1, "collecting evidence");
	if (shared)
		let_share(&evidence.records);
	for (uint32_t ag = 0; ag < rc.geo.agcount; ag++)
		fdblocks += rebuild(&rc, &evidence, (agno_t){ ag }, inodes);
	set_fdblocks(&rc, fdblocks);
	fd = open(options.device, O_WRONLY);
	if (fd < 0 || device_staged_each(rc.run->device, LAYER_MEND, put_down, &fd) || fsync(fd))
		err(1, "%s", options.device);
	close(fd);
	mend_evidence_free(&evidence);
	free(all);
	report_silent_free(rc.report);
	check_forget(&rc);
	if (rc.run->rt_device)
		device_close(rc.run->rt_device);
	device_close(rc.run->device);
	return 0;
}
