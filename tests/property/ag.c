/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: superblocks and AG headers (ondisk 01, 02). */
#include "damage.h"
#include "disk/agf.h"
#include "disk/agfl.h"
#include "disk/agi.h"
#include "disk/sb.h"
#include "table.h"
#include "units.h"
#include "walk.h"

/* ---- superblocks ---- */

static bool is_none(const struct damage *d)
{
	return d->after == 0 || d->after == NULL_INO;
}

static bool is_none_or_primary(const struct damage *d)
{
	const uint8_t *primary = d->image->sound + d->field->offset;

	return is_none(d) || d->after == number_get(primary, d->field->size);
}

static bool is_none_or_root(const struct damage *d)
{
	return d->after == NULL_INO || d->after == d->image->rootino;
}

static bool is_possible_counter(const struct damage *d)
{
	const struct sb_disk *sb = (const struct sb_disk *)d->image->sound;
	uint64_t inodes = be64_get(sb->dblocks) << sb->inopblog;

	return d->after <= (d->field->offset == offsetof(struct sb_disk, fdblocks) ? be64_get(sb->dblocks) : inodes);
}

/* True if the copy differs only in bits that are set and cleared in the primary alone. */
static bool is_behind(const struct damage *d)
{
	uint64_t bits = 0;

	switch (d->field->offset) {
	case offsetof(struct sb_disk, versionnum):
		bits = SB_VERSION_ATTR | SB_VERSION_QUOTA | SB_VERSION_DALIGN;
		break;
	case offsetof(struct sb_disk, features_incompat):
		bits = SB_INCOMPAT_NEEDSREPAIR;
		break;
	case offsetof(struct sb_disk, features_log_incompat):
		bits = SB_LOG_INCOMPAT_KNOWN;
		break;
	default:
		break;
	}
	return ((d->before ^ d->after) & ~bits) == 0;
}

static const struct excuse quotino_excuse = { "no quota inode is written as 0 or as all ones", is_none };
static const struct excuse copy_ino_excuse = { "copies may lack the number of an inode", is_none_or_primary };
static const struct excuse copy_root_excuse = { "copies may lack the number of the root inode", is_none_or_root };
static const struct excuse copy_mark_excuse = { "mkfs leaves the mark in copies", damage_leaves_boolean };
static const struct excuse copy_count_excuse = { "counters of copies are those of any time, or 0",
						 is_possible_counter };
static const struct excuse copy_bits_excuse = { "copies don't follow when a bit changes that is not the geometry's",
						is_behind };

/* x(macro, member, excuse in the primary, excuse in a copy) */
#define SB_FIELDS(x)                                                                                                                           \
	x(FIELD, magicnum, NULL, NULL) x(FIELD, blocksize, NULL, NULL) x(FIELD, dblocks, NULL, NULL) x(                                        \
		FIELD, rblocks, NULL, NULL) x(FIELD, rextents, NULL, NULL) x(ARRAY, uuid, NULL,                                                \
									     NULL) x(FIELD, logstart, NULL, NULL)                              \
		x(FIELD, rootino, NULL, &copy_root_excuse) x(FIELD, rbmino, NULL, &copy_ino_excuse) x(                                         \
			FIELD, rsumino, NULL,                                                                                                  \
			&copy_ino_excuse) x(FIELD, rextsize, NULL, NULL) x(FIELD, agblocks, NULL, NULL)                                        \
			x(FIELD, agcount, NULL, NULL) x(FIELD, rbmblocks, NULL, NULL) x(FIELD, logblocks, NULL, NULL) x(                       \
				FIELD, versionnum,                                                                                             \
				NULL,                                                                                                          \
				&copy_bits_excuse) x(FIELD, sectsize, NULL,                                                                    \
						     NULL) x(FIELD, inodesize, NULL,                                                           \
							     NULL) x(FIELD, inopblock, NULL,                                                   \
								     NULL) x(ARRAY, fname, NULL, NULL)                                         \
				x(FIELD, blocklog, NULL, NULL) x(FIELD, sectlog, NULL, NULL) x(FIELD, inodelog, NULL, NULL) x(                 \
					FIELD, inopblog, NULL, NULL) x(FIELD, agblklog,                                                        \
								       NULL, NULL) x(FIELD, rextslog,                                          \
										     NULL, NULL) x(FIELD, inprogress, NULL, &copy_mark_excuse) \
					x(FIELD, imax_pct, NULL, NULL) x(FIELD, icount, NULL, &copy_count_excuse) x(                           \
						FIELD, ifree,                                                                                  \
						NULL, &copy_count_excuse) x(FIELD, fdblocks, NULL,                                             \
									    &copy_count_excuse) x(FIELD, frextents, NULL, NULL)                \
						x(FIELD, uquotino, &quotino_excuse, &quotino_excuse) x(                                        \
							FIELD, gquotino, &quotino_excuse,                                                      \
							&quotino_excuse) x(FIELD, qflags, NULL,                                                \
									   NULL) x(FIELD, flags, NULL,                                         \
										   NULL) x(FIELD, shared_vn, NULL, NULL)                       \
							x(FIELD, inoalignmt, NULL, NULL) x(FIELD, unit, NULL, NULL) x(                         \
								FIELD,                                                                         \
								width, NULL, NULL) x(FIELD, dirblklog, NULL,                                   \
										     NULL) x(FIELD, logsectlog, NULL,                          \
											     NULL) x(FIELD, logsectsize, NULL, NULL)           \
								x(FIELD, logsunit, NULL, NULL) x(FIELD, features2, NULL, NULL) x(              \
									FIELD, bad_features2,                                                  \
									NULL,                                                                  \
									NULL) x(FIELD, features_compat, NULL, NULL)                            \
									x(FIELD, features_ro_compat, NULL, NULL) x(                            \
										FIELD, features_incompat,                                      \
										NULL,                                                          \
										&copy_bits_excuse) x(FIELD,                                    \
												     features_log_incompat,                    \
												     NULL,                                     \
												     &copy_bits_excuse)                        \
										x(FIELD, crc, NULL, NULL) x(                                   \
											FIELD, spino_align,                                    \
											NULL, NULL) x(FIELD, pquotino,                         \
												      &quotino_excuse,                         \
												      &quotino_excuse)                         \
											x(FIELD, lsn, &lsn_excuse,                             \
											  &lsn_excuse) x(ARRAY,                                \
													 meta_uuid,                            \
													 NULL,                                 \
													 NULL) x(FIELD,                        \
														 metadirino,                   \
														 NULL,                         \
														 NULL)                         \
												x(FIELD, rgcount, NULL, NULL) x(               \
													FIELD,                                 \
													rgextents,                             \
													NULL, NULL) x(FIELD,                   \
														      rgblklog,                \
														      NULL, NULL)              \
													x(ARRAY, pad, NULL, NULL) x(           \
														FIELD,                         \
														rtstart,                       \
														NULL,                          \
														NULL)                          \
														x(FIELD,                       \
														  rtreserved,                  \
														  NULL,                        \
														  NULL)

static const struct field primary_fields[] = {
#define x(how, member, primary, secondary) how(sb_disk, member, .excuse = (primary)),
	SB_FIELDS(x)
#undef x
};
static const struct field secondary_fields[] = {
#define x(how, member, primary, secondary) how(sb_disk, member, .excuse = (secondary)),
	SB_FIELDS(x)
#undef x
};
const struct structure primary_structure = STRUCTURE("superblock", primary_fields, sizeof(struct sb_disk));
const struct structure secondary_structure =
	STRUCTURE("secondary superblock", secondary_fields, sizeof(struct sb_disk));

void walk_superblock(struct catalog *catalog, enum kind kind)
{
	catalog_add(catalog, kind, kind == KIND_SUPERBLOCK ? &primary_structure : &secondary_structure, 0, 1);
	catalog_end_object(catalog, &zero_structure);
}

/* ---- AGF ---- */

static const struct field agf_fields[] = {
	FIELD(agf_disk, magicnum),
	FIELD(agf_disk, versionnum),
	FIELD(agf_disk, seqno),
	FIELD(agf_disk, length),
	FIELD(agf_disk, bno_root),
	FIELD(agf_disk, cnt_root),
	FIELD(agf_disk, rmap_root),
	FIELD(agf_disk, bno_level),
	FIELD(agf_disk, cnt_level),
	FIELD(agf_disk, rmap_level),
	FIELD(agf_disk, flfirst),
	FIELD(agf_disk, fllast),
	FIELD(agf_disk, flcount),
	FIELD(agf_disk, freeblks),
	FIELD(agf_disk, longest),
	FIELD(agf_disk, btreeblks),
	ARRAY(agf_disk, uuid),
	FIELD(agf_disk, rmap_blocks),
	FIELD(agf_disk, refcount_blocks),
	FIELD(agf_disk, refcount_root),
	FIELD(agf_disk, refcount_level),
	ARRAY(agf_disk, spare64),
	FIELD(agf_disk, lsn, .excuse = &lsn_excuse),
	FIELD(agf_disk, crc),
	FIELD(agf_disk, spare2),
};
const struct structure agf_structure = STRUCTURE("AGF", agf_fields, sizeof(struct agf_disk));

void walk_agf(struct catalog *catalog, enum kind kind)
{
	catalog_add(catalog, kind, &agf_structure, 0, 1);
	catalog_end_object(catalog, &zero_structure);
}

/* ---- AGFL ---- */

static bool is_block_or_none(const struct damage *d)
{
	return d->after == NULL_AGBNO || d->after < d->image->agblocks;
}

static const struct excuse inactive_excuse = { "slots that are not in use keep any block of the AG", is_block_or_none };

static const struct field agfl_fields[] = {
	FIELD(agfl_disk, magicnum), FIELD(agfl_disk, seqno),
	ARRAY(agfl_disk, uuid),	    FIELD(agfl_disk, lsn, .excuse = &lsn_excuse),
	FIELD(agfl_disk, crc),
};
static const struct field active_fields[] = ALONE("bno", 4);
static const struct field inactive_fields[] = ALONE("bno", 4, .excuse = &inactive_excuse);
const struct structure agfl_structure = STRUCTURE("AGFL", agfl_fields, sizeof(struct agfl_disk));
const struct structure agfl_active_structure = STRUCTURE("AGFL slot in use", active_fields, sizeof(be32_t));
const struct structure agfl_inactive_structure = STRUCTURE("AGFL slot not in use", inactive_fields, sizeof(be32_t));

void walk_agfl(struct catalog *catalog, enum kind kind)
{
	uint32_t sector = catalog->image->sector_size, slots = agfl_slots(true, sector);
	/* the AGF lies two sectors before */
	const struct agf_disk *agf = (const struct agf_disk *)(catalog_bytes(catalog) - 2 * (size_t)sector);
	uint32_t first = be32_get(agf->flfirst), count = be32_get(agf->flcount);

	catalog_add(catalog, kind, &agfl_structure, 0, 1);
	for (uint32_t i = 0; i < slots; i++) {
		bool active = (i + slots - first) % slots < count;

		catalog_add(catalog, kind, active ? &agfl_active_structure : &agfl_inactive_structure,
			    sizeof(struct agfl_disk) + i * sizeof(be32_t), 1);
	}
	catalog_end_object(catalog, &unused_structure);
}

/* ---- AGI ---- */

static bool is_inode_or_none(const struct damage *d)
{
	return d->after == NULL_AGINO || d->after >> d->image->inopb_log < d->image->agblocks;
}

static const struct excuse hint_excuse = { "a hint: any inode of the AG, or none, will do", is_inode_or_none };

static const struct field agi_fields[] = {
	FIELD(agi_disk, magicnum),
	FIELD(agi_disk, versionnum),
	FIELD(agi_disk, seqno),
	FIELD(agi_disk, length),
	FIELD(agi_disk, count),
	FIELD(agi_disk, root),
	FIELD(agi_disk, level),
	FIELD(agi_disk, freecount),
	FIELD(agi_disk, newino, .excuse = &hint_excuse),
	FIELD(agi_disk, dirino, .excuse = &hint_excuse),
	ARRAY(agi_disk, unlinked),
	ARRAY(agi_disk, uuid),
	FIELD(agi_disk, crc),
	FIELD(agi_disk, pad32),
	FIELD(agi_disk, lsn, .excuse = &lsn_excuse),
	FIELD(agi_disk, free_root),
	FIELD(agi_disk, free_level),
	FIELD(agi_disk, iblocks),
	FIELD(agi_disk, fblocks),
};
const struct structure agi_structure = STRUCTURE("AGI", agi_fields, sizeof(struct agi_disk));

void walk_agi(struct catalog *catalog, enum kind kind)
{
	catalog_add(catalog, kind, &agi_structure, 0, 1);
	catalog_end_object(catalog, &zero_structure);
}
