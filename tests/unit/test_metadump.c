/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Crafted metadumps: each is read as far as it is valid, or refused with a reason. */
#define _GNU_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../cache/metadump.h"
#include "disk/metadump.h"
#include "disk/sb.h"
#include "units.h"

/* A dump in a file in memory. */
struct made {
	int fd;
	uint64_t end;
};

static struct made make(void)
{
	return (struct made){ .fd = memfd_create("dump", MFD_CLOEXEC) };
}

static void put(struct made *made, const void *bytes, size_t len)
{
	assert_int_equal(pwrite(made->fd, bytes, len, (off_t)made->end), len);
	made->end += len;
}

/* Adds sectors full of one byte; the first is a superblock if dblocks, its size in blocks, is not 0. */
static void put_sectors(struct made *made, unsigned sectors, uint8_t byte, uint64_t dblocks)
{
	uint8_t sector[SECTOR_SIZE];
	struct sb_disk sb = {
		.magicnum = be32_put(SB_MAGIC), .dblocks = be64_put(dblocks), .logblocks = be32_put(7), .blocklog = 12
	};

	for (unsigned i = 0; i < sectors; i++) {
		memset(sector, byte, sizeof(sector));
		if (dblocks && !i)
			memcpy(sector, &sb, sizeof(sb));
		put(made, sector, sizeof(sector));
	}
}

static struct made make_2(uint32_t compat, uint32_t incompat)
{
	const struct metadump2_disk head = { .magic = be32_put(METADUMP2_MAGIC),
					     .version = be32_put(METADUMP2_VERSION),
					     .compat = be32_put(compat),
					     .incompat = be32_put(incompat) };
	struct made made = make();

	put(&made, &head, sizeof(head));
	return made;
}

static void put_extent(struct made *made, uint64_t addr, uint32_t len)
{
	const struct metadump2_extent_disk extent = { be64_put(addr), be32_put(len) };

	put(made, &extent, sizeof(extent));
}

static void put_list(struct made *made, unsigned count, const uint64_t *daddr)
{
	struct metadump1_disk list = { .magic = be32_put(METADUMP1_MAGIC),
				       .count = be16_put((uint16_t)count),
				       .block_log = METADUMP1_BLOCK_LOG,
				       .info = METADUMP1_FLAGS | METADUMP1_OBFUSCATED };

	for (unsigned i = 0; daddr && i < count && i < METADUMP1_MOST; i++)
		list.daddr[i] = be64_put(daddr[i]);
	put(made, &list, sizeof(list));
}

static void assert_refused(struct made made, int error, const char *says)
{
	struct metadump dump;
	char why[256] = "";

	assert_int_equal(metadump_open(&dump, made.fd, 0, why, sizeof(why)), error);
	assert_non_null(strstr(why, says));
	metadump_close(&dump);
}

static uint8_t byte_at(const struct metadump *dump, enum metadump_role part, uint64_t offset)
{
	uint8_t byte = 0xee;

	assert_int_equal(metadump_read(dump, part, &byte, offset, 1), 0);
	return byte;
}

static void devices_of_version_2_are_told_apart(void **state)
{
	struct made made = make_2(METADUMP2_OBFUSCATED, METADUMP2_RT);
	struct metadump dump;
	uint64_t data, hole;
	char why[256];

	(void)state;
	put_extent(&made, 0, 1);
	put_sectors(&made, 1, 0, 1000);
	put_extent(&made, 80, 8);
	put_sectors(&made, 8, 0xd1, 0);
	put_extent(&made, 1ull << METADUMP2_DEVICE_LOG | 2, 2);
	put_sectors(&made, 2, 0x10, 0);
	put_extent(&made, 2ull << METADUMP2_DEVICE_LOG, 1);
	put_sectors(&made, 1, 0x57, 0);
	assert_int_equal(metadump_open(&dump, made.fd, 0, why, sizeof(why)), 0);
	assert_true(dump.obfuscated && dump.version == 2);
	assert_int_equal(dump.bytes[METADUMP_DATA], 1000 << 12);
	assert_int_equal(dump.bytes[METADUMP_LOG], 7 << 12);
	assert_int_equal(dump.bytes[METADUMP_RT], SECTOR_SIZE);
	assert_int_equal(byte_at(&dump, METADUMP_DATA, 80 << SECTOR_LOG), 0xd1);
	assert_int_equal(byte_at(&dump, METADUMP_DATA, (80 << SECTOR_LOG) - 1), 0);
	assert_int_equal(byte_at(&dump, METADUMP_DATA, 88 << SECTOR_LOG), 0);
	assert_int_equal(byte_at(&dump, METADUMP_LOG, (2 << SECTOR_LOG) + 5), 0x10);
	assert_int_equal(byte_at(&dump, METADUMP_RT, 0), 0x57);
	assert_int_equal(metadump_find(&dump, METADUMP_DATA, SECTOR_SIZE, &data, &hole), 0);
	assert_int_equal(data, 80 << SECTOR_LOG);
	assert_int_equal(hole, 88 << SECTOR_LOG);
	assert_int_equal(metadump_find(&dump, METADUMP_DATA, 88 << SECTOR_LOG, &data, &hole), -ENXIO);
	metadump_close(&dump);
}

static void later_blocks_win_but_over_the_superblock(void **state)
{
	const uint64_t first[] = { 0, 5, 6, 5, 0 };
	struct made made = make();
	struct metadump dump;
	char why[256];

	(void)state;
	put_list(&made, 5, first);
	put_sectors(&made, 1, 0, 1000);
	put_sectors(&made, 1, 1, 0);
	put_sectors(&made, 1, 2, 0);
	put_sectors(&made, 1, 3, 0);
	put_sectors(&made, 1, 4, 0);
	assert_int_equal(metadump_open(&dump, made.fd, 0, why, sizeof(why)), 0);
	assert_true(dump.obfuscated && dump.version == 1);
	assert_int_equal(byte_at(&dump, METADUMP_DATA, 0), 'X');
	assert_int_equal(byte_at(&dump, METADUMP_DATA, 5 << SECTOR_LOG), 3);
	assert_int_equal(byte_at(&dump, METADUMP_DATA, 6 << SECTOR_LOG), 2);
	metadump_close(&dump);
}

static void impossible_dumps_of_version_1_are_refused(void **state)
{
	const uint64_t beyond[] = { 0, (1ull << 54) }, most[] = { 0, UINT64_MAX }, possible[] = { 0, 8 };
	struct made made = make();

	(void)state;
	put(&made, "XFSM", 4);
	assert_refused(made, -EBADMSG, "cut short");
	made = make();
	put_list(&made, METADUMP1_MOST + 1, NULL);
	assert_refused(made, -EBADMSG, "no list of blocks");
	made = make();
	put_list(&made, UINT16_MAX, NULL);
	assert_refused(made, -EBADMSG, "no list of blocks");
	made = make();
	put_list(&made, 0, NULL);
	assert_refused(made, -EBADMSG, "nothing of a data device");
	made = make();
	put_list(&made, 2, beyond);
	put_sectors(&made, 2, 0, 1000);
	assert_refused(made, -EBADMSG, "impossible address");
	made = make();
	put_list(&made, 2, most);
	put_sectors(&made, 2, 0, 1000);
	assert_refused(made, -EBADMSG, "impossible address");
	made = make();
	put_list(&made, 2, possible);
	put_sectors(&made, 1, 0, 1000);
	assert_refused(made, -EBADMSG, "cut short");
}

static void impossible_dumps_of_version_2_are_refused(void **state)
{
	struct made made = make_2(0, 2);

	(void)state;
	assert_refused(made, -EOPNOTSUPP, "newer");
	made = make_2(0, 0);
	assert_refused(made, -EBADMSG, "nothing of a data device");
	made = make_2(0, 0);
	put(&made, "short", 5);
	assert_refused(made, -EBADMSG, "cut short");
	made = make_2(0, 0);
	put_extent(&made, 0, 0);
	assert_refused(made, -EBADMSG, "impossible address");
	made = make_2(0, 0);
	put_extent(&made, 0, UINT32_MAX);
	put_sectors(&made, 3, 0, 0);
	assert_refused(made, -EBADMSG, "cut short");
	made = make_2(0, 0);
	put_extent(&made, (1ull << METADUMP2_DEVICE_LOG) - 1, 2);
	put_sectors(&made, 2, 0, 0);
	assert_refused(made, -EBADMSG, "impossible address");
	made = make_2(0, 0);
	put_extent(&made, 3ull << METADUMP2_DEVICE_LOG, 1);
	put_sectors(&made, 1, 0, 0);
	assert_refused(made, -EBADMSG, "unknown device");
	made = make_2(0, 0);
	put_extent(&made, 1ull << 60, 1);
	put_sectors(&made, 1, 0, 0);
	assert_refused(made, -EBADMSG, "unknown device");
}

static void sizes_in_a_superblock_are_not_relied_on(void **state)
{
	struct made made = make_2(0, 0);
	struct metadump dump;
	char why[256];

	(void)state;
	put_extent(&made, 0, 1);
	put_sectors(&made, 1, 0, UINT64_MAX);
	put_extent(&made, (1ull << METADUMP2_DEVICE_LOG) - 2, 1);
	put_sectors(&made, 1, 9, 0);
	assert_int_equal(metadump_open(&dump, made.fd, 0, why, sizeof(why)), 0);
	assert_int_equal(dump.bytes[METADUMP_DATA], ((1ull << METADUMP2_DEVICE_LOG) - 1) << SECTOR_LOG);
	assert_int_equal(byte_at(&dump, METADUMP_DATA, ((1ull << METADUMP2_DEVICE_LOG) - 2) << SECTOR_LOG), 9);
	metadump_close(&dump);
}

/* Any changed byte leaves a dump that is read or refused. */
static void changed_dumps_do_no_harm(void **state)
{
	unsigned seed = 11;

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		struct made made = round % 2 ? make_2(0, 0) : make();
		struct metadump dump;
		uint8_t bytes[4096];
		uint64_t daddr[METADUMP1_MOST];
		char why[256] = "";

		for (unsigned i = 0; i < METADUMP1_MOST; i++)
			daddr[i] = (unsigned)rand_r(&seed) % 100;
		daddr[0] = 0;
		if (round % 2) {
			for (unsigned i = 0; i < 4; i++) {
				put_extent(&made, daddr[i], 2);
				put_sectors(&made, 2, (uint8_t)i, i ? 0 : 1000);
			}
		} else {
			put_list(&made, 10, daddr);
			put_sectors(&made, 10, 1, 1000);
		}
		for (unsigned i = 0; i <= round % 4; i++) {
			const uint8_t byte = (uint8_t)rand_r(&seed);

			assert_int_equal(pwrite(made.fd, &byte, 1, (off_t)((unsigned)rand_r(&seed) % made.end)), 1);
		}
		if (round % 5 == 0)
			assert_int_equal(ftruncate(made.fd, (off_t)((unsigned)rand_r(&seed) % made.end)), 0);
		if (!metadump_open(&dump, made.fd, 0, why, sizeof(why))) {
			assert_int_equal(metadump_read(&dump, METADUMP_DATA, bytes, 512, sizeof(bytes)), 0);
			assert_true(dump.bytes[METADUMP_DATA] > 0);
		} else {
			assert_true(why[0]);
		}
		metadump_close(&dump);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_of_version_2_are_told_apart),
		cmocka_unit_test(later_blocks_win_but_over_the_superblock),
		cmocka_unit_test(impossible_dumps_of_version_1_are_refused),
		cmocka_unit_test(impossible_dumps_of_version_2_are_refused),
		cmocka_unit_test(sizes_in_a_superblock_are_not_relied_on),
		cmocka_unit_test(changed_dumps_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
