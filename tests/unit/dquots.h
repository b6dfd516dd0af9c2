/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of quota files: a record, written at the offsets of ondisk 10. */
#ifndef XFSCK_TESTS_DQUOTS_H
#define XFSCK_TESTS_DQUOTS_H

#include "dirs.h"

enum {
	MAGIC = 0,
	VERSION = 2,
	TYPE = 3,
	ID = 4,
	BLK_HARD = 8,
	BLK_SOFT = 16,
	INO_HARD = 24,
	INO_SOFT = 32,
	BCOUNT = 40,
	ICOUNT = 48,
	ITIMER = 56,
	BTIMER = 60,
	WARNS = 64,
	PAD0 = 68,
	RTB_HARD = 72,
	RTB_SOFT = 80,
	RTBCOUNT = 88,
	RTBTIMER = 96,
	PAD = 102,
	FILL = 104,
	CRC = 108,
	LSN = 112,
	UUID = 120,
	SIZE = 136,
};

#define USER	1u
#define PROJECT 2u
#define GROUP	4u
#define BIGTIME 0x80u

/* Fills in what every record has. */
static inline void put_dquot(uint8_t *record, const struct geometry *geo, uint8_t type, uint32_t id)
{
	put16(record + MAGIC, 0x4451);
	record[VERSION] = 1;
	record[TYPE] = type;
	put32(record + ID, id);
	put64(record + LSN, 0x100000010);
	memcpy(record + UUID, geo->meta_uuid, 16);
}

#endif
