/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replayed IMAGE COPY [LOG]: replays the dirty log of an image, or its external log, and writes the changes to a copy
 * of the image, whose log is not changed.  Prints the number of bytes; fails if the log can't be replayed.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "libxfs/crc.h"
#include "report.h"

static int write_run(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	const int *fd = ctx;

	return pwrite(*fd, bytes, len, (off_t)offset) == (ssize_t)len ? 0 : -EIO;
}

static void open_all(struct repair *rc, char **argv, int argc, struct options *options)
{
	const struct device_options device = { .engine = ENGINE_AUTO };
	FILE *null = fopen("/dev/null", "w");
	char message[512];

	if (!null || crc_selftest())
		errx(1, "can't begin");
	if (options_parse(argc, argv, null, stderr, options) != OPTIONS_RUN)
		errx(1, "options");
	rc->run->options = options;
	rc->run->max_workers = 1;
	rc->findings = findings_new(1);
	if (!rc->findings || report_open(options, argc, argv, null, stderr, &rc->report))
		errx(1, "can't begin");
	if (device_open(options->device, &device, &rc->run->device, message, sizeof(message)))
		errx(1, "%s", message);
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	struct repair rc = { .run = &run };
	struct options options;
	char *with_log[] = { "replayed", "-n", "-l", argc > 3 ? argv[3] : NULL, argv[1], NULL };
	char *without[] = { "replayed", "-n", argv[1], NULL };
	int fd, ret;

	if (argc != 3 && argc != 4)
		errx(2, "usage: replayed IMAGE COPY [LOG]");
	open_all(&rc, argc == 4 ? with_log : without, argc == 4 ? 5 : 3, &options);
	if (phase_superblock(&rc) != PHASE_DONE || phase_log(&rc) != PHASE_DONE)
		errx(1, "%s can't be checked", argv[1]);
	if (rc.log.condition != LOG_DIRTY || !rc.run->log_replayed)
		errx(1, "the log of %s is not dirty, or can't be replayed", argv[1]);
	fd = open(argv[2], O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", argv[2]);
	ret = device_staged_each(rc.run->device, LAYER_REPLAY, write_run, &fd);
	if (ret || close(fd))
		errx(1, "writing to %s", argv[2]);
	printf("%llu\n", (unsigned long long)device_staged(rc.run->device, LAYER_REPLAY));
	return 0;
}
