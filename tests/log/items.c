/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Byte order and padding of items in the log (ondisk 11, "Items"; the structures of the kernel's log format). */
#include <err.h>
#include <stddef.h>
#include <string.h>

#include "disk/log_item.h"
#include "items.h"

/*
 * The first region of an item, field by field: a digit is a number of that many bytes, a point a byte that is kept, and
 * the part after the star repeats to the end of the region.
 */
static const struct form {
	uint16_t type;
	const char *fields;
} forms[] = {
	{ LI_EFI, "2248*844" },	      { LI_EFD, "2248*844" },	   { LI_INODE, "22422484............844" },
	{ LI_BUF, "222284*4" },	      { LI_DQUOT, "224844" },	   { LI_QUOTAOFF, "224" },
	{ LI_ICREATE, "22" },	      { LI_RUI, "2248*88844" },	   { LI_RUD, "2248" },
	{ LI_CUI, "2248*844" },	      { LI_CUD, "2248" },	   { LI_BUI, "2248*88844" },
	{ LI_BUD, "2248" },	      { LI_ATTRI, "224884" },	   { LI_ATTRD, "2248" },
	{ LI_XMI, "22488844888888" }, { LI_XMD, "2248" },	   { LI_EFI_RT, "2248*844" },
	{ LI_EFD_RT, "2248*844" },    { LI_RUI_RT, "2248*88844" }, { LI_RUD_RT, "2248" },
	{ LI_CUI_RT, "2248*844" },    { LI_CUD_RT, "2248" },
};
#define TRANSACTION_FIELDS "4444"
#define EFI_SHORT	   "2248*84"
#define INODE_ITEM_SHORT   "2242284............844"

/* Offsets in regions of the machine that wrote them. */
#define INODE_VERSION	      4
#define INODE_FLAGS2	      120
#define INODE_V3_SIZE	      176
#define FLAGS2_BIGTIME	      (1u << 3)
#define ATTRI_OP	      24
#define INODE_ITEM_PAD	      12
#define INODE_ITEM_SIZE	      56
#define EFI_HEADER_SIZE	      16
#define EFI_EXTENT_SIZE	      16
#define EFI_EXTENT_SHORT_SIZE 12

static uint32_t little(const uint8_t *at, unsigned bytes)
{
	uint32_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | at[bytes];
	return value;
}

static void reverse(uint8_t *at, unsigned bytes)
{
	for (unsigned i = 0; i < bytes / 2; i++) {
		uint8_t byte = at[i];

		at[i] = at[bytes - 1 - i];
		at[bytes - 1 - i] = byte;
	}
}

/* Returns the offset after the last field, or the end of the region. */
static uint32_t swap_fields(const char *fields, uint8_t *region, uint32_t len, uint32_t at)
{
	const char *again = NULL;

	for (const char *field = fields; *field || again; field++) {
		unsigned bytes;

		if (*field == '*')
			again = ++field;
		else if (!*field)
			field = again;
		bytes = *field == '.' ? 1 : (unsigned)(*field - '0');
		if (bytes > len - at)
			break;
		reverse(region + at, bytes);
		at += bytes;
	}
	return at;
}

void item_swap_inode(uint8_t *core, uint32_t len, bool bigtime)
{
	bool v3 = len >= INODE_V3_SIZE && core[INODE_VERSION] >= 3;
	const char *time = bigtime ? "8" : "44";
	uint32_t at = swap_fields("22..244422", core, len, 0);

	at = swap_fields(v3 ? "8" : "......2", core, len, at);
	for (unsigned i = 0; i < 3; i++)
		at = swap_fields(time, core, len, at);
	at = swap_fields("88442..4224", core, len, at);
	if (!v3)
		return;
	at = swap_fields("448884............", core, len, at);
	at = swap_fields(time, core, len, at);
	swap_fields("8", core, len, at);
}

static bool is_efi(uint16_t type)
{
	return type == LI_EFI || type == LI_EFD || type == LI_EFI_RT || type == LI_EFD_RT;
}

/* True if an item has lost its padding already. */
static bool is_short(uint16_t type, const uint8_t *region, uint32_t len)
{
	if (type == LI_INODE)
		return len < INODE_ITEM_SIZE;
	return is_efi(type) && len == EFI_HEADER_SIZE + (uint64_t)little(region + 4, 4) * EFI_EXTENT_SHORT_SIZE;
}

static void swap_first(uint16_t type, uint8_t *region, uint32_t len)
{
	bool two_names = type == LI_ATTRI && len > ATTRI_OP && (region[ATTRI_OP] & 0xff) == ATTRI_PPTR_REPLACE;
	const char *short_fields = is_short(type, region, len) ? (is_efi(type) ? EFI_SHORT : INODE_ITEM_SHORT) : NULL;

	for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (forms[i].type == type) {
			uint32_t at = swap_fields(short_fields ? short_fields : forms[i].fields, region, len, 0);

			if (type == LI_ATTRI)
				swap_fields(two_names ? "2244" : "444", region, len, at);
			return;
		}
	}
	errx(1, "an item of type %x is in the log", type);
}

void item_swap(const struct item_position *position, uint8_t *region, uint32_t len)
{
	if (!position->begun)
		swap_fields(TRANSACTION_FIELDS, region, len, 0);
	else if (position->region == 0)
		swap_first((uint16_t)little(region, 2), region, len);
	else if (position->type == LI_INODE && position->region == 1)
		item_swap_inode(region, len, len >= INODE_V3_SIZE && little(region + INODE_FLAGS2, 4) & FLAGS2_BIGTIME);
}

uint32_t item_shorten(const struct item_position *position, uint8_t *region, uint32_t len)
{
	uint16_t type = (uint16_t)little(region, 2);
	uint32_t count;

	if (!position->begun || position->region > 0)
		return len;
	if (type == LI_INODE && len == INODE_ITEM_SIZE) {
		memmove(region + INODE_ITEM_PAD, region + INODE_ITEM_PAD + 4, len - INODE_ITEM_PAD - 4);
		return len - 4;
	}
	if (!is_efi(type) || len < EFI_HEADER_SIZE)
		return len;
	count = (len - EFI_HEADER_SIZE) / EFI_EXTENT_SIZE;
	for (uint32_t i = 1; i < count; i++)
		memmove(region + EFI_HEADER_SIZE + i * EFI_EXTENT_SHORT_SIZE,
			region + EFI_HEADER_SIZE + i * EFI_EXTENT_SIZE, EFI_EXTENT_SHORT_SIZE);
	return EFI_HEADER_SIZE + count * EFI_EXTENT_SHORT_SIZE;
}

void item_next(struct item_position *position, const uint8_t *region, uint32_t len)
{
	if (!position->begun) {
		position->begun = true;
		return;
	}
	if (position->region == 0) {
		if (len < 4)
			errx(1, "an item of %u bytes is in the log", len);
		position->type = (uint16_t)little(region, 2);
		position->regions = (uint16_t)little(region + 2, 2);
	}
	if (++position->region >= position->regions)
		position->region = 0;
}
