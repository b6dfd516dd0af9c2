/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: inodes in use (ondisk 04). */
#include "damage.h"
#include "disk/dir.h"
#include "inode.h"
#include "table.h"
#include "walk.h"

/* ---- excuses ---- */

static uint16_t type_of(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	return be16_get(inode->mode) & MODE_TYPE;
}

static bool is_file(const struct damage *d)
{
	return type_of(d) == MODE_REG;
}

static bool is_dir(const struct damage *d)
{
	return type_of(d) == MODE_DIR;
}

static bool is_file_or_dir(const struct damage *d)
{
	return is_file(d) || is_dir(d);
}

/* True for the size of a file, or of a target in the inode that now ends early. */
static bool is_possible_size(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	if (type_of(d) == MODE_SYMLINK)
		return inode->format == DINODE_FMT_LOCAL && d->after > 0 && d->after < d->before;
	return is_file(d) && d->after >> 63 == 0;
}

static bool is_possible_time(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	if (be64_get(inode->flags2) & DIFLAG2_BIGTIME)
		return d->after < BIGTIME_END;
	return (uint32_t)d->after < NSEC_PER_SEC;
}

static bool has_hint_flag(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	return (be16_get(inode->flags) & (DIFLAG_EXTSIZE | DIFLAG_EXTSZINHERIT)) && d->after != 0 &&
	       d->after <= inode_hint_max(d->image);
}

static bool has_cow_hint_flag(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	return (be64_get(inode->flags2) & DIFLAG2_COWEXTSIZE) && d->after != 0 && d->after <= inode_hint_max(d->image);
}

/* True for an empty attribute fork, or none, which can't be distinguished. */
static bool has_empty_attr_fork(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	return inode->aformat == DINODE_FMT_EXTENTS && inode_extents(inode, true) == 0 &&
	       sizeof(*inode) + d->after * 8 < d->object->length;
}

/* True if all times are valid in the other encoding. */
static bool has_possible_times(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);
	be64_t times[] = { inode->times[0], inode->times[1], inode->times[2], inode->crtime };

	if (d->after & DIFLAG2_BIGTIME)
		return false; /* never in these images */
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if ((uint32_t)be64_get(times[i]) >= NSEC_PER_SEC)
			return false;
	return true;
}

static bool has_no_extents(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	return d->image->nrext64 && inode_extents(inode, false) == 0 && inode_extents(inode, true) == 0;
}

static bool may_be_reflinked(const struct damage *d)
{
	return is_file(d) && ((d->after & DIFLAG2_REFLINK) || !inode_shares_blocks(d->catalog, d->object));
}

/* True if no parent pointer has its generation: an empty directory has no children. */
static bool is_no_parent(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);
	const struct dir_sf_header_disk *dir = (const struct dir_sf_header_disk *)(inode + 1);

	return !d->image->parent || !is_dir(d) || (inode->format == DINODE_FMT_LOCAL && dir->count == 0);
}

static const struct excuse access_excuse = { "permissions are what users say", NULL };
static const struct excuse owner_excuse = { "ids are what users say, and quotas are off", NULL };
static const struct excuse size_excuse = {
	"a file's size is what users say, and extents may lie behind it; a target in the inode may end early",
	is_possible_size
};
static const struct excuse time_excuse = { "any time can be right", is_possible_time };
static const struct excuse hint_excuse = { "any other extent size will do as a hint", has_hint_flag };
static const struct excuse cow_hint_excuse = { "any other extent size will do as a hint", has_cow_hint_flag };
static const struct excuse user_flag_excuse = { "a flag that users may set on any file", NULL };
static const struct excuse file_or_dir_flag_excuse = { "a flag that users may set on files and directories",
						       is_file_or_dir };
static const struct excuse dir_flag_excuse = { "a flag that users may set on directories", is_dir };
static const struct excuse gen_excuse = { "any generation is right if no parent pointer names it", is_no_parent };
static const struct excuse forkoff_excuse = { "an attribute fork without contents may begin anywhere, or be absent",
					      has_empty_attr_fork };
static const struct excuse bigtime_excuse = { "times that make sense in both encodings", has_possible_times };
static const struct excuse nrext64_excuse = { "counters that are 0 in both forms", has_no_extents };
static const struct excuse reflink_excuse = { "the mark may be on files that share nothing", may_be_reflinked };
static const struct excuse changecount_excuse = { "any count of changes can be right", NULL };

/* ---- inodes in use ---- */

#define USER_FLAGS                                                                                                     \
	(DIFLAG_PREALLOC | DIFLAG_IMMUTABLE | DIFLAG_APPEND | DIFLAG_SYNC | DIFLAG_NOATIME | DIFLAG_NODUMP |           \
	 DIFLAG_NODEFRAG | DIFLAG_FILESTREAM)
#define DIR_FLAGS    (DIFLAG_RTINHERIT | DIFLAG_PROJINHERIT)
#define OTHER_FLAGS2 (~(uint64_t)(DIFLAG2_DAX | DIFLAG2_REFLINK | DIFLAG2_BIGTIME | DIFLAG2_NREXT64))

static const struct field used_fields[] = {
	FIELD(dinode_disk, magic),
	BITS(dinode_disk, mode, "mode: type", MODE_TYPE),
	BITS(dinode_disk, mode, "mode: permissions", 0xffff & ~MODE_TYPE, .excuse = &access_excuse),
	FIELD(dinode_disk, version),
	FIELD(dinode_disk, format),
	FIELD(dinode_disk, metatype),
	FIELD(dinode_disk, uid, .excuse = &owner_excuse),
	FIELD(dinode_disk, gid, .excuse = &owner_excuse),
	FIELD(dinode_disk, nlink),
	FIELD(dinode_disk, projid_lo, .excuse = &owner_excuse),
	FIELD(dinode_disk, projid_hi, .excuse = &owner_excuse),
	FIELD(dinode_disk, large_nextents),
	ARRAY(dinode_disk, times, .excuse = &time_excuse),
	FIELD(dinode_disk, size, .excuse = &size_excuse),
	FIELD(dinode_disk, nblocks),
	FIELD(dinode_disk, extsize, .excuse = &hint_excuse),
	FIELD(dinode_disk, nextents),
	FIELD(dinode_disk, anextents),
	FIELD(dinode_disk, forkoff, .excuse = &forkoff_excuse),
	FIELD(dinode_disk, aformat),
	FIELD(dinode_disk, dmevmask, .excuse = &nobody_excuse),
	FIELD(dinode_disk, dmstate, .excuse = &nobody_excuse),
	BITS(dinode_disk, flags, "flags: of users", USER_FLAGS, .excuse = &user_flag_excuse),
	BITS(dinode_disk, flags, "flags: of directories", DIR_FLAGS, .excuse = &dir_flag_excuse),
	BITS(dinode_disk, flags, "flags: NOSYMLINKS", DIFLAG_NOSYMLINKS, .excuse = &file_or_dir_flag_excuse),
	BITS(dinode_disk, flags, "flags: others", 0xffff & ~(USER_FLAGS | DIR_FLAGS | DIFLAG_NOSYMLINKS)),
	FIELD(dinode_disk, gen, .excuse = &gen_excuse),
	FIELD(dinode_disk, next_unlinked),
	FIELD(dinode_disk, crc),
	FIELD(dinode_disk, changecount, .excuse = &changecount_excuse),
	FIELD(dinode_disk, lsn, .excuse = &lsn_excuse),
	BITS(dinode_disk, flags2, "flags2: DAX", DIFLAG2_DAX, .excuse = &file_or_dir_flag_excuse),
	BITS(dinode_disk, flags2, "flags2: REFLINK", DIFLAG2_REFLINK, .excuse = &reflink_excuse),
	BITS(dinode_disk, flags2, "flags2: BIGTIME", DIFLAG2_BIGTIME, .excuse = &bigtime_excuse),
	BITS(dinode_disk, flags2, "flags2: NREXT64", DIFLAG2_NREXT64, .excuse = &nrext64_excuse),
	BITS(dinode_disk, flags2, "flags2: others", OTHER_FLAGS2),
	FIELD(dinode_disk, cowextsize, .excuse = &cow_hint_excuse),
	ARRAY(dinode_disk, pad2),
	FIELD(dinode_disk, crtime, .excuse = &time_excuse),
	FIELD(dinode_disk, ino),
	ARRAY(dinode_disk, uuid),
};
const struct structure inode_structure = STRUCTURE("inode", used_fields, sizeof(struct dinode_disk));

static const struct excuse device_excuse = {
	"device numbers are what users say; nobody reads those of fifos and sockets", NULL
};
static const struct field device_fields[] = ALONE("number", 4, .excuse = &device_excuse);
const struct structure inode_device_structure = STRUCTURE("inode's device", device_fields, sizeof(be32_t));

/* ---- forks ---- */

static void walk_local(struct catalog *catalog, const struct dinode_disk *inode, bool attr, size_t offset, size_t size)
{
	if (attr)
		walk_attr_sf(catalog, offset, size);
	else if ((be16_get(inode->mode) & MODE_TYPE) == MODE_DIR)
		walk_dir_sf(catalog, offset, be64_get(inode->size));
	else
		walk_symlink_target(catalog, KIND_INODE_SYMLINK, offset, be64_get(inode->size));
}

static void walk_fork(struct catalog *catalog, const struct dinode_disk *inode, bool attr, size_t offset, size_t size)
{
	switch (attr ? inode->aformat : inode->format) {
	case DINODE_FMT_DEV:
		catalog_add(catalog, KIND_INODE_SPECIAL, &inode_device_structure, offset, 1);
		break;
	case DINODE_FMT_LOCAL:
		walk_local(catalog, inode, attr, offset, size);
		break;
	case DINODE_FMT_EXTENTS:
		walk_extents(catalog, KIND_EXTENTS, offset, inode_extents(inode, attr));
		break;
	case DINODE_FMT_BTREE:
		walk_bmdr(catalog, offset, size);
		break;
	default:
		break;
	}
}

void walk_inode(struct catalog *catalog, enum kind kind)
{
	const struct dinode_disk *inode = (const struct dinode_disk *)catalog_bytes(catalog);
	size_t end = catalog->image->inode_size, attr = inode->forkoff ? sizeof(*inode) + inode->forkoff * 8u : end;

	catalog_add(catalog, kind, &inode_structure, 0, 1);
	walk_fork(catalog, inode, false, sizeof(*inode), attr - sizeof(*inode));
	if (inode->forkoff)
		walk_fork(catalog, inode, true, attr, end - attr);
	catalog_end_object(catalog, &unused_structure);
}
