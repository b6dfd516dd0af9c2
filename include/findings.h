/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything xfsck can say about a file system, one row each.
 *
 *   x(symbol, id, severity, class, mender, follows, message)
 *
 * The id is printed, tested and documented, and is neither renamed nor reused; the order of rows is free.  The message
 * says only what is wrong: the place (AG, block, inode, path, name) is printed in front of it.  In it stand
 *
 *   {got} {want}    for the values found and expected, {index} for the number of the record, in decimal
 *   {got:x}         in hexadecimal
 *   {got:inode}     an inode with its path
 *   {got:owner}     the owner of blocks (an inode or OWNER_* of libxfs/btree.h) in words
 *   {got:ftype}     a file type in words (enum ftype of libxfs/dinode.h)
 *   {got:object}    an object's name (enum object of place.h); {want:...} likewise
 *   {one|many}      for the first word if the value before it is 1, else for the second
 *
 * severity: FATAL    nothing more can be checked
 *           CORRUPT  an object breaks a rule of its own
 *           XREF     two objects disagree, either may be wrong
 *           PREEN    harmless, a repair would tidy it
 *           NOTE     not an error; does not change the exit code
 * class:    PRIMARY    the only copy of a fact
 *           SECONDARY  a redundant copy: rmap, parent pointers, directory index, hints
 *           SUMMARY    counters
 * mender:   the row of mends.h that mends such a finding.  If that depends on the object, its row in place.h says which:
 *           CONTENTS   the mender of the object's contents
 *           TREE       the mender that builds the tree of which it is the root, or settles the claims that it makes
 *           NONE       none: it is no damage, can't be mended, or is mended by other findings about the exact place
 * follows:  the findings that it may follow from; a report lists it below these (enum follows).
 *
 * What a finding means, in words of a person who does not know XFS, is in explain/.
 */
#ifndef XFSCK_FINDINGS_H
#define XFSCK_FINDINGS_H

/* reading the device */
#define FINDINGS_IO(x)                                                                              \
	x(IO_UNREADABLE, "io.unreadable", CORRUPT, PRIMARY, CONTENTS, NOTHING, "{got} byte{|s} at byte {want} of the device cannot be read") \
	x(INODE_UNREADABLE, "inode.unreadable", CORRUPT, PRIMARY, inode_core, NOTHING, "{got} byte{|s} of this inode cannot be read, from byte {want} of the device") \
	x(IO_SHORT, "io.short", CORRUPT, PRIMARY, shrink, NOTHING, "device has {got} byte{|s}, superblock says {want}")

/* any block of a V5 file system: ondisk 00, invariant 4 */
#define FINDINGS_BLOCK(x)                                                                           \
	x(BLOCK_MAGIC, "block.magic", CORRUPT, PRIMARY, CONTENTS, NOTHING, "magic is {got:x}, should be {want:x}")        \
	x(BLOCK_CRC, "block.crc", CORRUPT, PRIMARY, CONTENTS, NOTHING, "checksum is {got:x}, should be {want:x}")     \
	x(BLOCK_BLKNO, "block.blkno", CORRUPT, PRIMARY, CONTENTS, NOTHING, "header has sector {got}, but it is read from sector {want}") \
	x(BLOCK_OWNER, "block.owner", CORRUPT, PRIMARY, CONTENTS, NOTHING, "owner is {got}, should be {want}")            \
	x(BLOCK_UUID, "block.uuid", CORRUPT, PRIMARY, CONTENTS, NOTHING, "UUID is not that of the file system")        \
	x(BLOCK_LSN, "block.lsn", CORRUPT, PRIMARY, CONTENTS, NOTHING, "log sequence number {got:x} is at or beyond the head of the log, {want:x}")

/* file systems that this version does not check: refused, not damaged */
#define FINDINGS_UNSUPPORTED(x)                                                                     \
	x(SB_VERSION_UNSUPPORTED, "sb.version_unsupported", FATAL, PRIMARY, NONE, NOTHING, "format version {got} is not supported by this version of xfsck") \
	x(SB_DIRV1_UNSUPPORTED, "sb.dirv1_unsupported", FATAL, PRIMARY, NONE, NOTHING, "feature bit 2000 is not set in {got:x}: version 1 directories are not supported") \
	x(SB_RO_COMPAT_UNSUPPORTED, "sb.ro_compat_unsupported", FATAL, PRIMARY, NONE, NOTHING, "unknown read-only compatible feature bits {got:x}: not supported by this version of xfsck") \
	x(SB_INCOMPAT_UNSUPPORTED, "sb.incompat_unsupported", FATAL, PRIMARY, NONE, NOTHING, "unknown incompatible feature bits {got:x}: not supported by this version of xfsck") \
	x(SB_LOG_INCOMPAT_UNSUPPORTED, "sb.log_incompat_unsupported", FATAL, PRIMARY, NONE, NOTHING, "log is dirty and has unknown incompatible log feature bits {got:x}: this version of xfsck cannot replay it")

/* superblock: ondisk 01, feature rules of ondisk 00 */
#define FINDINGS_SB(x)                                                                              \
	x(SB_VERSIONNUM, "sb.versionnum", CORRUPT, PRIMARY, sb, NOTHING, "version and feature bits are {got:x}, should be {want:x}") \
	x(SB_FEATURES2, "sb.features2", CORRUPT, PRIMARY, sb, NOTHING, "feature bits are {got:x}, should be {want:x}") \
	x(SB_BAD_FEATURES2, "sb.bad_features2", CORRUPT, SECONDARY, sb, NOTHING, "copy of the feature bits is {got:x}, should be {want:x}") \
	x(SB_FEATURES2_COPY, "sb.features2.copy", PREEN, SECONDARY, sb, NOTHING, "feature bits are {got:x}, their copy is {want:x}: the kernel combines both") \
	x(SB_NO_UNWRITTEN, "sb.no_unwritten", NOTE, PRIMARY, NONE, NOTHING, "no unwritten extents (feature bit {want:x}): current kernels do not mount this file system") \
	x(SB_COMPAT, "sb.features_compat", NOTE, PRIMARY, NONE, NOTHING, "unknown compatible feature bits {got:x} are kept") \
	x(SB_FEATURE_NEEDS, "sb.feature.needs", CORRUPT, PRIMARY, sb, NOTHING, "feature bit {got:x} is set, but {want:x}, which it requires, is not") \
	x(SB_NEEDSREPAIR, "sb.needsrepair", CORRUPT, PRIMARY, sb, NOTHING, "needsrepair flag is set: an earlier repair or upgrade was interrupted") \
	x(SB_META_UUID, "sb.meta_uuid", CORRUPT, PRIMARY, sb, NOTHING, "metadata UUID is zero")       \
	x(SB_SECTSIZE, "sb.sectsize", CORRUPT, PRIMARY, sb, NOTHING, "sector size is {got}, should be a power of two from 512 to 32768, at most the block size") \
	x(SB_SECTLOG, "sb.sectlog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the sector size is {got}, should be {want}") \
	x(SB_BLOCKSIZE, "sb.blocksize", CORRUPT, PRIMARY, sb, NOTHING, "block size is {got}, should be a power of two from 512 (1024 with checksums) to 65536") \
	x(SB_BLOCKLOG, "sb.blocklog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the block size is {got}, should be {want}") \
	x(SB_INODESIZE, "sb.inodesize", CORRUPT, PRIMARY, sb, NOTHING, "inode size is {got}, should be a power of two from 256 (512 with checksums) to 2048, at most half a block") \
	x(SB_INODELOG, "sb.inodelog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the inode size is {got}, should be {want}") \
	x(SB_INOPBLOCK, "sb.inopblock", CORRUPT, SECONDARY, sb, NOTHING, "inodes per block are {got}, should be {want}") \
	x(SB_INOPBLOG, "sb.inopblog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the inodes per block is {got}, should be {want}") \
	x(SB_DIRBLKLOG, "sb.dirblklog", CORRUPT, PRIMARY, sb, NOTHING, "directory blocks of 2^{got} blocks exceed 65536 bytes") \
	x(SB_AGBLOCKS, "sb.agblocks", CORRUPT, PRIMARY, sb, NOTHING, "allocation group size is {got} block{|s}, should be 16 MiB to 1 TiB") \
	x(SB_AGBLKLOG, "sb.agblklog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the allocation group size is {got}, should be {want}") \
	x(SB_AGCOUNT, "sb.agcount", CORRUPT, PRIMARY, sb, NOTHING, "number of allocation groups is {got}, should be {want}") \
	x(SB_DBLOCKS, "sb.dblocks", CORRUPT, PRIMARY, sb, NOTHING, "{got} data block{|s}: too many, or too few for the last allocation group") \
	x(SB_INOALIGNMT, "sb.inoalignmt", CORRUPT, PRIMARY, sb, NOTHING, "inode alignment is {got}, should be {want}") \
	x(SB_SPINO_ALIGN, "sb.spino_align", CORRUPT, PRIMARY, sb, NOTHING, "sparse inode alignment is {got}, should be {want}") \
	x(SB_UNIT, "sb.unit", CORRUPT, PRIMARY, sb, NOTHING, "stripe unit {got} does not match the feature bit, the stripe width or the allocation group size") \
	x(SB_WIDTH, "sb.width", CORRUPT, PRIMARY, sb, NOTHING, "stripe width {got} is not a multiple of the stripe unit {want}") \
	x(SB_WIDTH_MAX, "sb.width.max", CORRUPT, PRIMARY, sb, NOTHING, "stripe width is {got}, but the kernel mounts at most {want}") \
	x(SB_SECTOR_BIT, "sb.sector_bit", CORRUPT, PRIMARY, sb, NOTHING, "sector size is {got} byte{|s}, but the feature bit for large sectors is not set") \
	x(SB_LOGSECTSIZE, "sb.logsectsize", CORRUPT, PRIMARY, sb, NOTHING, "log sector size is {got}, should be a power of two from 512 to 32768, and 0 without large sectors") \
	x(SB_LOGSECTLOG, "sb.logsectlog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the log sector size is {got}, should be {want}") \
	x(SB_LOGSUNIT, "sb.logsunit", CORRUPT, PRIMARY, sb, NOTHING, "log stripe unit is {got}, should be 1 or whole blocks up to 262144 bytes") \
	x(SB_LOGBLOCKS, "sb.logblocks", CORRUPT, PRIMARY, sb, NOTHING, "log size {got} block{|s} is out of range") \
	x(SB_LOGBLOCKS_MIN, "sb.logblocks.min", CORRUPT, PRIMARY, sb, NOTHING, "log has {got} block{|s}, but the kernel requires at least {want}") \
	x(SB_LOGSTART, "sb.logstart", CORRUPT, PRIMARY, sb, NOTHING, "log of {want} block{|s} at block {got} does not fit into one allocation group, behind its headers") \
	x(SB_REXTSIZE, "sb.rextsize", CORRUPT, PRIMARY, sb, NOTHING, "realtime extent size is {got} block{|s}, should be 4 KiB to 1 GiB") \
	x(SB_RT_FIELD, "sb.rt_field", CORRUPT, PRIMARY, sb, NOTHING, "a realtime field is {got}, but there is no realtime section") \
	x(SB_RGEXTENTS, "sb.rgextents", CORRUPT, PRIMARY, sb, NOTHING, "realtime group size {got} extent{|s} is out of range") \
	x(SB_RGBLKLOG, "sb.rgblklog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the realtime group size is {got}, should be {want}") \
	x(SB_ROOTINO, "sb.rootino", CORRUPT, PRIMARY, sb, NOTHING, "root inode is {got}, should be {want}")         \
	x(SB_RBMINO, "sb.rbmino", CORRUPT, PRIMARY, sb, NOTHING, "realtime bitmap inode is {got}, should be {want}") \
	x(SB_RSUMINO, "sb.rsumino", CORRUPT, PRIMARY, sb, NOTHING, "realtime summary inode is {got}, should be {want}") \
	x(SB_METADIRINO, "sb.metadirino", CORRUPT, PRIMARY, sb, NOTHING, "metadata directory inode is {got}, should be {want}") \
	x(SB_QUOTINO, "sb.quotino", CORRUPT, PRIMARY, quota_sb, NOTHING, "quota inode {got} is invalid")             \
	x(SB_QUOTA_BIT, "sb.quota_bit", CORRUPT, PRIMARY, quota_sb, NOTHING, "quota flags or a quota inode are set, but the feature bit for quotas is not") \
	x(SB_QUOTA_NONE, "sb.quota_none", XREF, PRIMARY, quota_sb, NOTHING, "feature bit for quotas is set, but there is no quota inode") \
	x(SB_QFLAGS, "sb.qflags", CORRUPT, PRIMARY, sb, NOTHING, "quota flags are {got:x}, of which only {want:x} are known") \
	x(SB_QFLAGS_NEED, "sb.qflags.need", CORRUPT, PRIMARY, sb, NOTHING, "quota flags are {got:x}, should be {want:x}: a type that is not counted is enforced or checked") \
	x(SB_FLAGS, "sb.flags", PREEN, PRIMARY, sb, NOTHING, "flags are {got:x}, should be 0")                     \
	x(SB_SHARED_VN, "sb.shared_vn", CORRUPT, PRIMARY, sb, NOTHING, "shared version is {got}, should be 0")      \
	x(SB_INPROGRESS, "sb.inprogress", CORRUPT, PRIMARY, sb, NOTHING, "mkfs in-progress flag is {got}, should be 0") \
	x(SB_IMAX_PCT, "sb.imax_pct", CORRUPT, PRIMARY, sb, NOTHING, "maximum percentage of inode space is {got}, should be at most 100")    \
	x(SB_ICOUNT, "sb.icount", CORRUPT, SUMMARY, sb, NOTHING, "inode count {got} is invalid: it must be whole chunks, at least 64, and fit the file system") \
	x(SB_IFREE, "sb.ifree", CORRUPT, SUMMARY, sb, NOTHING, "free inode count is {got}, but there are {want} inodes")                    \
	x(SB_FDBLOCKS, "sb.fdblocks", CORRUPT, SUMMARY, sb, NOTHING, "free block count is {got}, but there are {want} blocks")              \
	x(SB_TAIL, "sb.tail", PREEN, SECONDARY, sb, NOTHING, "unused bytes behind the superblock are not zero")

/* the primary superblock against everything else: ondisk 01, "Secondary superblocks" */
#define FINDINGS_SB_LOSS(x)                                                                         \
	x(SB_LOST, "sb.lost", CORRUPT, PRIMARY, sb, NOTHING, "unusable; {got} matching {backup|backups} found") \
	x(SB_DERIVED, "sb.derived", CORRUPT, PRIMARY, sb, NOTHING, "no usable superblock; geometry taken from the allocation groups: {got} of {want} block{|s}") \
	x(SB_OUTVOTED, "sb.outvoted", XREF, PRIMARY, sb, NOTHING, "value is {got:x}, but the other superblocks have {want:x}") \
	x(SB_OUTVOTED_TEXT, "sb.outvoted.text", XREF, PRIMARY, sb, NOTHING, "UUID or label differs from the other superblocks") \
	x(SB_UNCONFIRMED, "sb.unconfirmed", FATAL, PRIMARY, NONE, NOTHING, "nothing else on the device confirms the geometry: {got} allocation group{|s} of {want} block{|s}") \
	x(SB_NONE, "sb.none", FATAL, PRIMARY, NONE, NOTHING, "no usable superblock found on the device")

/*
 * secondary superblocks against the superblock in use, which is the primary unless it was outvoted; either may be
 * wrong: ondisk 01, invariant 10
 */
#define FINDINGS_SB_CUT_SHORT(x)                                                                    \
	x(SB_REPAIR_CUT_SHORT, "sb.repair_cut_short", CORRUPT, PRIMARY, resume, NOTHING, "a repair was interrupted: {got} byte{|s} still to be written are kept at byte {want} of the device")

#define FINDINGS_SB2(x)                                                                             \
	x(SB2_BLOCKSIZE, "sb.secondary.blocksize", XREF, SECONDARY, sb_copy, NOTHING, "block size {got}, the file system has {want}") \
	x(SB2_DBLOCKS, "sb.secondary.dblocks", XREF, SECONDARY, sb_copy, NOTHING, "data blocks {got}, the file system has {want}") \
	x(SB2_RBLOCKS, "sb.secondary.rblocks", XREF, SECONDARY, sb_copy, NOTHING, "realtime blocks {got}, the file system has {want}") \
	x(SB2_REXTENTS, "sb.secondary.rextents", XREF, SECONDARY, sb_copy, NOTHING, "realtime extents {got}, the file system has {want}") \
	x(SB2_UUID, "sb.secondary.uuid", XREF, SECONDARY, sb_copy, NOTHING, "UUID is not that of the file system") \
	x(SB2_LOGSTART, "sb.secondary.logstart", XREF, SECONDARY, sb_copy, NOTHING, "log start {got}, the file system has {want}") \
	x(SB2_REXTSIZE, "sb.secondary.rextsize", XREF, SECONDARY, sb_copy, NOTHING, "realtime extent size {got}, the file system has {want}") \
	x(SB2_AGBLOCKS, "sb.secondary.agblocks", XREF, SECONDARY, sb_copy, NOTHING, "allocation group size {got}, the file system has {want}") \
	x(SB2_AGCOUNT, "sb.secondary.agcount", XREF, SECONDARY, sb_copy, NOTHING, "allocation groups {got}, the file system has {want}") \
	x(SB2_RBMBLOCKS, "sb.secondary.rbmblocks", XREF, SECONDARY, sb_copy, NOTHING, "realtime bitmap blocks {got}, the file system has {want}") \
	x(SB2_LOGBLOCKS, "sb.secondary.logblocks", XREF, SECONDARY, sb_copy, NOTHING, "log blocks {got}, the file system has {want}") \
	x(SB2_SECTSIZE, "sb.secondary.sectsize", XREF, SECONDARY, sb_copy, NOTHING, "sector size {got}, the file system has {want}") \
	x(SB2_INODESIZE, "sb.secondary.inodesize", XREF, SECONDARY, sb_copy, NOTHING, "inode size {got}, the file system has {want}") \
	x(SB2_INOPBLOCK, "sb.secondary.inopblock", XREF, SECONDARY, sb_copy, NOTHING, "inodes per block {got}, the file system has {want}") \
	x(SB2_FNAME, "sb.secondary.fname", PREEN, SECONDARY, sb_copy, NOTHING, "label is not that of the file system") \
	x(SB2_BLOCKLOG, "sb.secondary.blocklog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the block size is {got}, the file system has {want}") \
	x(SB2_SECTLOG, "sb.secondary.sectlog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the sector size is {got}, the file system has {want}") \
	x(SB2_INODELOG, "sb.secondary.inodelog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the inode size is {got}, the file system has {want}") \
	x(SB2_INOPBLOG, "sb.secondary.inopblog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the inodes per block is {got}, the file system has {want}") \
	x(SB2_AGBLKLOG, "sb.secondary.agblklog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the allocation group size is {got}, the file system has {want}") \
	x(SB2_REXTSLOG, "sb.secondary.rextslog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the realtime extents is {got}, the file system has {want}") \
	x(SB2_IMAX_PCT, "sb.secondary.imax_pct", PREEN, SECONDARY, sb_copy, NOTHING, "maximum percentage of inode space is {got}, the file system has {want}") \
	x(SB2_FLAGS, "sb.secondary.flags", XREF, SECONDARY, sb_copy, NOTHING, "flags {got}, the file system has {want}") \
	x(SB2_SHARED_VN, "sb.secondary.shared_vn", XREF, SECONDARY, sb_copy, NOTHING, "shared version {got}, the file system has {want}") \
	x(SB2_INOALIGNMT, "sb.secondary.inoalignmt", XREF, SECONDARY, sb_copy, NOTHING, "inode alignment {got}, the file system has {want}") \
	x(SB2_DIRBLKLOG, "sb.secondary.dirblklog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the blocks per directory block is {got}, the file system has {want}") \
	x(SB2_LOGSECTLOG, "sb.secondary.logsectlog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the log sector size is {got}, the file system has {want}") \
	x(SB2_LOGSECTSIZE, "sb.secondary.logsectsize", XREF, SECONDARY, sb_copy, NOTHING, "log sector size {got}, the file system has {want}") \
	x(SB2_LOGSUNIT, "sb.secondary.logsunit", XREF, SECONDARY, sb_copy, NOTHING, "log stripe unit {got}, the file system has {want}") \
	x(SB2_FEATURES2, "sb.secondary.features2", XREF, SECONDARY, sb_copy, NOTHING, "feature bits {got:x}, the file system has {want:x}") \
	x(SB2_BAD_FEATURES2, "sb.secondary.bad_features2", XREF, SECONDARY, sb_copy, NOTHING, "copy of the feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_COMPAT, "sb.secondary.features_compat", XREF, SECONDARY, sb_copy, NOTHING, "compatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_RO_COMPAT, "sb.secondary.features_ro_compat", XREF, SECONDARY, sb_copy, NOTHING, "read-only compatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_INCOMPAT, "sb.secondary.features_incompat", XREF, SECONDARY, sb_copy, NOTHING, "incompatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_SPINO_ALIGN, "sb.secondary.spino_align", XREF, SECONDARY, sb_copy, NOTHING, "sparse inode alignment {got}, the file system has {want}") \
	x(SB2_META_UUID, "sb.secondary.meta_uuid", XREF, SECONDARY, sb_copy, NOTHING, "metadata UUID is not that of the file system") \
	x(SB2_RGCOUNT, "sb.secondary.rgcount", XREF, SECONDARY, sb_copy, NOTHING, "realtime groups {got}, the file system has {want}") \
	x(SB2_RGEXTENTS, "sb.secondary.rgextents", XREF, SECONDARY, sb_copy, NOTHING, "realtime group size {got}, the file system has {want}") \
	x(SB2_RTSTART, "sb.secondary.rtstart", XREF, SECONDARY, sb_copy, NOTHING, "start of the realtime section {got}, the file system has {want}") \
	x(SB2_RTRESERVED, "sb.secondary.rtreserved", XREF, SECONDARY, sb_copy, NOTHING, "reserved realtime blocks {got}, the file system has {want}") \
	x(SB2_RGBLKLOG, "sb.secondary.rgblklog", XREF, SECONDARY, sb_copy, NOTHING, "log2 of the realtime group size is {got}, the file system has {want}") \
	x(SB2_VERSIONNUM, "sb.secondary.versionnum", XREF, SECONDARY, sb_copy, NOTHING, "version and feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_LOG_INCOMPAT, "sb.secondary.features_log_incompat", XREF, SECONDARY, sb_copy, NOTHING, "incompatible log feature bits {got:x}, the file system has {want:x}") \
	x(SB2_INPROGRESS, "sb.secondary.inprogress", CORRUPT, SECONDARY, sb_copy, NOTHING, "mkfs in-progress flag is {got}, should be 0 or 1") \
	x(SB2_ROOTINO, "sb.secondary.rootino", CORRUPT, SECONDARY, sb_copy, NOTHING, "root inode is {got}, should be {want} or unset") \
	x(SB2_RBMINO, "sb.secondary.rbmino", CORRUPT, SECONDARY, sb_copy, NOTHING, "realtime bitmap inode is {got}, should be {want} or unset") \
	x(SB2_RSUMINO, "sb.secondary.rsumino", CORRUPT, SECONDARY, sb_copy, NOTHING, "realtime summary inode is {got}, should be {want} or unset") \
	x(SB2_METADIRINO, "sb.secondary.metadirino", CORRUPT, SECONDARY, sb_copy, NOTHING, "metadata directory inode is {got}, should be {want} or unset") \
	x(SB2_QUOTINO, "sb.secondary.quotino", CORRUPT, SECONDARY, sb_copy, NOTHING, "quota inode {got} is invalid, or should be unset") \
	x(SB2_QFLAGS, "sb.secondary.qflags", CORRUPT, SECONDARY, sb_copy, NOTHING, "quota flags are {got:x}, of which only {want:x} are valid here") \
	x(SB2_COUNTER, "sb.secondary.counter", PREEN, SECONDARY, sb_copy, NOTHING, "a counter is {got}, should be at most {want}")

/* AG headers: ondisk 02 */
#define FINDINGS_AG(x)                                                                              \
	x(AGF_VERSIONNUM, "agf.versionnum", CORRUPT, PRIMARY, ag_header, NOTHING, "version is {got}, should be {want}")    \
	x(AGF_SEQNO, "agf.seqno", CORRUPT, PRIMARY, ag_header, NOTHING, "header has AG number {got}, but it is in AG {want}") \
	x(AGF_LENGTH, "agf.length", CORRUPT, PRIMARY, ag_header, NOTHING, "AG length is {got} block{|s}, superblock says {want}") \
	x(AGF_BNO_ROOT, "agf.bno_root", CORRUPT, PRIMARY, ag_space, NOTHING, "bnobt root, block {got}, is invalid") \
	x(AGF_BNO_LEVEL, "agf.bno_level", CORRUPT, PRIMARY, ag_header, NOTHING, "bnobt height is {got}, should be 1 to {want}") \
	x(AGF_CNT_ROOT, "agf.cnt_root", CORRUPT, PRIMARY, ag_space, NOTHING, "cntbt root, block {got}, is invalid") \
	x(AGF_CNT_LEVEL, "agf.cnt_level", CORRUPT, PRIMARY, ag_header, NOTHING, "cntbt height is {got}, should be 1 to {want}") \
	x(AGF_RMAP_ROOT, "agf.rmap_root", CORRUPT, PRIMARY, ag_space, NOTHING, "rmapbt root, block {got}, is invalid") \
	x(AGF_RMAP_LEVEL, "agf.rmap_level", CORRUPT, PRIMARY, ag_header, NOTHING, "rmapbt height is {got}, should be 1 to {want}") \
	x(AGF_REFCOUNT_ROOT, "agf.refcount_root", CORRUPT, PRIMARY, ag_space, NOTHING, "refcountbt root, block {got}, is invalid") \
	x(AGF_REFCOUNT_LEVEL, "agf.refcount_level", CORRUPT, PRIMARY, ag_header, NOTHING, "refcountbt height is {got}, should be 1 to {want}") \
	x(AGF_FLFIRST, "agf.flfirst", CORRUPT, PRIMARY, ag_space, NOTHING, "first slot of the free list is {got}, but there are {want} slots") \
	x(AGF_FLLAST, "agf.fllast", CORRUPT, PRIMARY, ag_space, NOTHING, "last slot of the free list is {got}, but there are {want} slots") \
	x(AGF_FLCOUNT, "agf.flcount", CORRUPT, PRIMARY, ag_space, NOTHING, "free list has {got} block{|s}, its first and last slot say {want}") \
	x(AGF_FREEBLKS, "agf.freeblks", CORRUPT, SUMMARY, ag_header, NOTHING, "free block count is {got}, should be at most {want}") \
	x(AGF_LONGEST, "agf.longest", CORRUPT, SUMMARY, ag_header, NOTHING, "longest free extent is {got} block{|s}, but only {want} {is|are} free") \
	x(AGF_BTREEBLKS, "agf.btreeblks", CORRUPT, SUMMARY, ag_header, NOTHING, "btree block count is {got}, should be at most {want}") \
	x(AGF_RMAP_BLOCKS, "agf.rmap_blocks", CORRUPT, SUMMARY, ag_header, NOTHING, "rmapbt block count is {got}, should be at most {want}") \
	x(AGF_REFCOUNT_BLOCKS, "agf.refcount_blocks", CORRUPT, SUMMARY, ag_header, NOTHING, "refcountbt block count is {got}, should be at most {want}") \
	x(AGF_UNUSED, "agf.unused", PREEN, SECONDARY, ag_header, NOTHING, "a field for a btree that this file system does not have is {got}, should be 0") \
	x(AGF_SPARE, "agf.spare", PREEN, SECONDARY, ag_header, NOTHING, "unused bytes are not zero")                    \
	x(AGFL_SEQNO, "agfl.seqno", CORRUPT, PRIMARY, ag_header, NOTHING, "header has AG number {got}, but it is in AG {want}") \
	x(AGFL_BNO, "agfl.bno", CORRUPT, PRIMARY, ag_space, NOTHING, "slot {index} has block {got}, which is invalid") \
	x(AGFL_DUPLICATE, "agfl.duplicate", CORRUPT, PRIMARY, ag_space, NOTHING, "slot {index} has block {got}, which is in slot {want}, too") \
	x(AGFL_UNUSED, "agfl.unused", CORRUPT, SECONDARY, ag_header, NOTHING, "unused slot {index} has block {got}, but an AG has {want}") \
	x(AGFL_LSN, "agfl.lsn", CORRUPT, SECONDARY, log, NOTHING, "free list block {index} has an old header whose log sequence number {got:x} is at or beyond the head of the log, {want:x}") \
	x(AGI_VERSIONNUM, "agi.versionnum", CORRUPT, PRIMARY, ag_header, NOTHING, "version is {got}, should be {want}")    \
	x(AGI_SEQNO, "agi.seqno", CORRUPT, PRIMARY, ag_header, NOTHING, "header has AG number {got}, but it is in AG {want}") \
	x(AGI_LENGTH, "agi.length", CORRUPT, PRIMARY, ag_header, NOTHING, "AG length is {got} block{|s}, superblock says {want}") \
	x(AGI_ROOT, "agi.root", CORRUPT, PRIMARY, ag_inodes, NOTHING, "inobt root, block {got}, is invalid") \
	x(AGI_LEVEL, "agi.level", CORRUPT, PRIMARY, ag_header, NOTHING, "inobt height is {got}, should be 1 to {want}") \
	x(AGI_FREE_ROOT, "agi.free_root", CORRUPT, PRIMARY, ag_inodes, NOTHING, "finobt root, block {got}, is invalid") \
	x(AGI_FREE_LEVEL, "agi.free_level", CORRUPT, PRIMARY, ag_header, NOTHING, "finobt height is {got}, should be 1 to {want}") \
	x(AGI_COUNT, "agi.count", CORRUPT, SUMMARY, ag_header, NOTHING, "inode count {got} is invalid: should be whole chunks, at most {want}") \
	x(AGI_FREECOUNT, "agi.freecount", CORRUPT, SUMMARY, ag_header, NOTHING, "free inode count is {got}, but there are {want} inodes")          \
	x(AGI_IBLOCKS, "agi.iblocks", CORRUPT, SUMMARY, ag_header, NOTHING, "inobt block count is {got}, should be at most {want}") \
	x(AGI_FBLOCKS, "agi.fblocks", CORRUPT, SUMMARY, ag_header, NOTHING, "finobt block count is {got}, should be at most {want}") \
	x(AGI_NEWINO, "agi.newino", PREEN, SECONDARY, ag_header, NOTHING, "newest chunk at inode {got} is invalid") \
	x(AGI_DIRINO, "agi.dirino", PREEN, SECONDARY, ag_header, NOTHING, "directory hint, inode {got}, is invalid") \
	x(AGI_UNLINKED, "agi.unlinked", CORRUPT, PRIMARY, ag_header, NOTHING, "unlinked list {index} starts at inode {got}, which is invalid") \
	x(AGI_UNUSED, "agi.unused", PREEN, SECONDARY, ag_header, NOTHING, "an unused field is {got}, should be 0") \
	x(AGI_SPARE, "agi.spare", PREEN, SECONDARY, ag_header, NOTHING, "unused bytes are not zero")

/* btrees of every kind and the records of the AG ones: ondisk 03 */
#define FINDINGS_BTREE(x)                                                                           \
	x(BTREE_LEVEL, "btree.level", CORRUPT, PRIMARY, TREE, NOTHING, "level is {got}, should be {want}")            \
	x(BTREE_ROOT, "btree.root", XREF, PRIMARY, TREE, SPACE, "block {got} should be the root of the {want:object}, but is not such a block") \
	x(BTREE_HEIGHT, "btree.height", XREF, PRIMARY, CONTENTS, NOTHING, "height of the {want:object} is {index}, its root says {got}") \
	x(BTREE_NUMRECS, "btree.numrecs", CORRUPT, PRIMARY, TREE, NOTHING, "block has {got} record{|s}, should have at most {want}") \
	x(BTREE_UNDERFULL, "btree.underfull", CORRUPT, PRIMARY, TREE, NOTHING, "block has {got} record{|s}, should have at least {want}") \
	x(BTREE_LEFTSIB, "btree.leftsib", CORRUPT, PRIMARY, TREE, NOTHING, "left sibling {got:x} is invalid")        \
	x(BTREE_RIGHTSIB, "btree.rightsib", CORRUPT, PRIMARY, TREE, NOTHING, "right sibling {got:x} is invalid")     \
	x(BTREE_PAD, "btree.pad", PREEN, PRIMARY, TREE, VALUE, "padding is {got:x}, should be 0")                \
	x(BTREE_FIRST_KEY, "btree.first_key", CORRUPT, PRIMARY, TREE, NOTHING, "first key is {got}, parent block says {want}") \
	x(BTREE_HIGH_KEY, "btree.high_key", CORRUPT, PRIMARY, TREE, NOTHING, "highest key is {got}, parent block says {want}") \
	x(BTREE_BOUND, "btree.bound", CORRUPT, PRIMARY, TREE, NOTHING, "last key is {got}, but the next block starts at {want}") \
	x(BTREE_ORDER, "btree.order", CORRUPT, PRIMARY, TREE, NOTHING, "key {index} is {got}, but the key before it is {want}") \
	x(BTREE_OVERLAP, "btree.overlap", CORRUPT, PRIMARY, TREE, NOTHING, "record {index} starts at {got}, but the records before it reach to {want}") \
	x(BTREE_OVERLAP_NEXT, "btree.overlap_next", CORRUPT, PRIMARY, TREE, NOTHING, "records reach to {got}, but the next block starts at {want}") \
	x(BTREE_POINTER, "btree.pointer", CORRUPT, PRIMARY, TREE, NOTHING, "pointer {index}, {got:x}, is invalid") \
	x(ALLOC_START, "alloc.start", CORRUPT, PRIMARY, TREE, NOTHING, "free extent {index} starts at {got}, outside the AG ({want})") \
	x(ALLOC_LENGTH, "alloc.length", CORRUPT, PRIMARY, TREE, NOTHING, "free extent {index} has {got} block{|s}, should have 1 to {want}") \
	x(INOBT_STARTINO, "inobt.startino", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} starts at inode {got}, outside the AG ({want})") \
	x(INOBT_ALIGN, "inobt.align", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} starts at inode {got}, which is not a multiple of {want}") \
	x(INOBT_HOLEMASK, "inobt.holemask", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} has an invalid hole mask, {got:x}") \
	x(INOBT_COUNT, "inobt.count", CORRUPT, SUMMARY, TREE, NOTHING, "chunk {index} has {got} inode{|s}, its hole mask says {want}") \
	x(INOBT_FREECOUNT, "inobt.freecount", CORRUPT, SUMMARY, TREE, NOTHING, "chunk {index} has {got} free inode{|s}, its free mask says {want}") \
	x(INOBT_HOLE_IN_USE, "inobt.hole_in_use", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} has inodes in use that its hole mask excludes, free mask {got:x}") \
	x(FINOBT_FULL, "finobt.full", CORRUPT, SECONDARY, TREE, NOTHING, "chunk {index} has no free inode")        \
	x(RMAP_START, "rmap.start", CORRUPT, SECONDARY, TREE, NOTHING, "reverse mapping {index} starts at {got}, outside the AG ({want})") \
	x(RMAP_LENGTH, "rmap.length", CORRUPT, SECONDARY, TREE, NOTHING, "reverse mapping {index} has {got} block{|s}, should have 1 to {want}") \
	x(RMAP_OWNER, "rmap.owner", CORRUPT, SECONDARY, TREE, NOTHING, "reverse mapping {index} has an invalid owner, {got:x}") \
	x(RMAP_FLAGS, "rmap.flags", CORRUPT, SECONDARY, TREE, NOTHING, "reverse mapping {index} has flags {got:x}, its owner allows {want:x}") \
	x(RMAP_OFFSET, "rmap.offset", CORRUPT, SECONDARY, TREE, NOTHING, "reverse mapping {index} has offset {got}, its owner allows {want}") \
	x(RMAP_UNMERGED, "rmap.unmerged", CORRUPT, SECONDARY, TREE, NOTHING, "reverse mapping {index} starts at {got} and continues the one before it: they should be merged") \
	x(REFCOUNT_START, "refcount.start", CORRUPT, SECONDARY, TREE, NOTHING, "shared extent {index} starts at {got}, outside the AG ({want})") \
	x(REFCOUNT_LENGTH, "refcount.length", CORRUPT, SECONDARY, TREE, NOTHING, "shared extent {index} has {got} block{|s}, should have 1 to {want}") \
	x(REFCOUNT_SHARED, "refcount.shared", CORRUPT, SECONDARY, TREE, NOTHING, "shared extent {index} has reference count {got}, should be at least {want}") \
	x(REFCOUNT_COW, "refcount.cow", CORRUPT, SECONDARY, TREE, NOTHING, "copy-on-write extent {index} has reference count {got}, should be {want}")

/* inodes: ondisk 04 */
#define FINDINGS_INODE(x)                                                                           \
	x(INODE_VERSION, "inode.version", CORRUPT, PRIMARY, inode_core, NOTHING, "version is {got}, should be {want}")      \
	x(INODE_INO, "inode.ino", CORRUPT, PRIMARY, inode_core, NOTHING, "inode number in the core is {got}, should be {want}")     \
	x(INODE_FREE_IN_USE, "inode.free_in_use", XREF, PRIMARY, ag_inodes, INODES, "allocated in the inode btree, but its mode is 0") \
	x(INODE_USED_BUT_FREE, "inode.used_but_free", XREF, PRIMARY, ag_inodes, INODES, "free in the inode btree, but its mode is {got:x}") \
	x(INODE_FREE_FIELD, "inode.free.field", PREEN, PRIMARY, inode_core, NOTHING, "a field that should be 0 in free inodes is {got:x}") \
	x(INODE_FREE_FORMAT, "inode.free.format", PREEN, PRIMARY, inode_core, NOTHING, "free inode has fork format {got}, should be {want}") \
	x(INODE_MODE, "inode.mode", CORRUPT, PRIMARY, inode_core, NOTHING, "mode {got:x} has an invalid file type")  \
	x(INODE_SB_TYPE, "inode.sb_type", XREF, PRIMARY, inode_core, NOTHING, "file type is {got}, should be {want} for its use by the superblock") \
	x(INODE_NLINK, "inode.nlink", CORRUPT, PRIMARY, inode_core, NOTHING, "link count is {got}, should be at most {want}")       \
	x(INODE_NEXT_UNLINKED, "inode.next_unlinked", CORRUPT, PRIMARY, ag_unlinked, NOTHING, "next unlinked inode, {got} of its AG, is invalid") \
	x(INODE_TIME, "inode.time", CORRUPT, PRIMARY, inode_core, VALUE, "timestamp is {got} second{|s}, should be at most {want}") \
	x(INODE_NSEC, "inode.nsec", CORRUPT, PRIMARY, inode_core, VALUE, "timestamp has {got} nanosecond{|s}, should have at most {want}") \
	x(INODE_PAD, "inode.pad", CORRUPT, PRIMARY, inode_core, VALUE, "an unused field is {got:x}, should be {want:x}") \
	x(INODE_FLAGS, "inode.flags", CORRUPT, PRIMARY, inode_core, NOTHING, "flags are {got:x}, of which only {want:x} are valid here") \
	x(INODE_FLAGS2, "inode.flags2", CORRUPT, PRIMARY, inode_core, NOTHING, "flags2 is {got:x}, should be {want:x}")     \
	x(INODE_EXTSIZE, "inode.extsize", CORRUPT, PRIMARY, inode_core, VALUE, "extent size hint is {got} block{|s}, its flags allow at most {want}") \
	x(INODE_COWEXTSIZE, "inode.cowextsize", CORRUPT, PRIMARY, inode_core, VALUE, "copy-on-write extent size hint is {got} block{|s}, its flags allow at most {want}") \
	x(INODE_METATYPE, "inode.metatype", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file type {got} is invalid") \
	x(INODE_META_FLAGS, "inode.meta.flags", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file has flags {got:x}, should have {want:x}") \
	x(INODE_META_MODE, "inode.meta.mode", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file has mode {got:x}, should have {want:x}") \
	x(INODE_META_OWNER, "inode.meta.owner", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file is owned by {got}, should be owned by {want}") \
	x(INODE_FORMAT, "inode.format", CORRUPT, PRIMARY, inode_core, NOTHING, "data fork format is {got}, should be {want}") \
	x(INODE_AFORMAT, "inode.aformat", CORRUPT, PRIMARY, inode_core, NOTHING, "attribute fork format is {got}, should be {want}") \
	x(INODE_FORKOFF, "inode.forkoff", CORRUPT, PRIMARY, inode_core, NOTHING, "attribute fork offset is {got} times 8 bytes, should be at most {want}") \
	x(INODE_FORKOFF_LOW, "inode.forkoff.low", CORRUPT, PRIMARY, inode_core, NOTHING, "attribute fork offset is {got} times 8 bytes, should be at least {want}") \
	x(INODE_NEXTENTS, "inode.nextents", CORRUPT, PRIMARY, inode_core, NOTHING, "data fork extent count is {got}, should be {want}") \
	x(INODE_ANEXTENTS, "inode.anextents", CORRUPT, PRIMARY, inode_core, NOTHING, "attribute fork extent count is {got}, should be {want}") \
	x(INODE_NBLOCKS, "inode.nblocks", CORRUPT, SUMMARY, inode_core, INODE, "block count is {got}, should be {want}") \
	x(INODE_SIZE, "inode.size", CORRUPT, PRIMARY, inode_core, NOTHING, "size {got} is invalid, should be {want}")

/* inodes of version 4 file systems: ondisk 04 */
#define FINDINGS_INODE_V4(x)                                                                        \
	x(INODE_ONLINK, "inode.onlink", CORRUPT, SECONDARY, inode_core, NOTHING, "version 1 link count is {got} in a version 2 inode, should be {want}") \
	x(INODE_PROJID_HI, "inode.projid_hi", CORRUPT, PRIMARY, inode_core, VALUE, "upper half of the project id is {got}, but the file system has 16-bit project ids")

/* extent maps: ondisk 05 */
#define FINDINGS_BMAP(x)                                                                            \
	x(BMAP_START, "bmap.start", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} starts at block {got:x}, which is invalid") \
	x(BMAP_LENGTH, "bmap.length", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} has {got} block{|s}, should have 1 to {want}") \
	x(BMAP_OFFSET, "bmap.offset", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} at file block {got} reaches beyond file block {want}") \
	x(BMAP_UNWRITTEN, "bmap.unwritten", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} is unwritten, which is valid only for file data") \
	x(BMAP_ORDER, "bmap.order", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} is at file block {got}, but the extent before it ends at {want}") \
	x(BMDR_LEVEL, "bmdr.level", CORRUPT, PRIMARY, TREE, NOTHING, "bmbt root level is {got}, should be {index} to {want}") \
	x(BMDR_NUMRECS, "bmdr.numrecs", CORRUPT, PRIMARY, TREE, NOTHING, "bmbt root has {got} record{|s}, should have {index} to {want}")

/* directories, and the da nodes that attributes use as well: ondisk 06 */
#define FINDINGS_DIR(x)                                                                             \
	x(DA_FORW, "da.forw", CORRUPT, SECONDARY, CONTENTS, NOTHING, "right sibling, block {got}, is invalid") \
	x(DA_BACK, "da.back", CORRUPT, SECONDARY, CONTENTS, NOTHING, "left sibling, block {got}, is invalid") \
	x(DA_LEVEL, "da.level", CORRUPT, SECONDARY, CONTENTS, NOTHING, "da node level is {got}, should be 1 to {want}") \
	x(DA_COUNT, "da.count", CORRUPT, SECONDARY, CONTENTS, NOTHING, "entry count is {got}, should be at most {want}") \
	x(DA_ORDER, "da.order", CORRUPT, SECONDARY, CONTENTS, NOTHING, "entry {index} has hash {got:x}, but the entry before it has {want:x}") \
	x(DA_BEFORE, "da.before", CORRUPT, SECONDARY, CONTENTS, NOTHING, "entry {index} points to block {got}, which is invalid") \
	x(DIR_ENTRY_NAMELEN, "dir.entry.namelen", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} has an empty name") \
	x(DIR_ENTRY_NAME, "dir.entry.name", CORRUPT, PRIMARY, dir, NOTHING, "name of entry {index} contains byte {got:x}, which is not allowed") \
	x(DIR_ENTRY_DOTS, "dir.entry.dots", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} has the reserved name of {got} dot{|s}") \
	x(DIR_ENTRY_INO, "dir.entry.ino", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} points to invalid inode {got}") \
	x(DIR_ENTRY_INTERNAL, "dir.entry.internal", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} points to {got:inode}, an internal inode of the file system") \
	x(DIR_ENTRY_FTYPE, "dir.entry.ftype", CORRUPT, SECONDARY, dir, NOTHING, "entry {index} has invalid file type {got}") \
	x(DIR_ENTRY_DUPLICATE, "dir.entry.duplicate", CORRUPT, PRIMARY, dir, NOTHING, "entry at byte {got} has the same name as the entry at byte {want}") \
	x(DIR_DOTS_MISSING, "dir.dots.missing", CORRUPT, PRIMARY, dir, NOTHING, "entry of {got} dot{|s} is missing") \
	x(DIR_DOTS_NAME, "dir.dots.name", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} should be named . or .. but is not") \
	x(DIR_DOTS_FTYPE, "dir.dots.ftype", CORRUPT, SECONDARY, dir, NOTHING, "file type of . or .. is {got}, should be {want}") \
	x(DIR_DOT_INO, "dir.dot.ino", CORRUPT, PRIMARY, dir, NOTHING, "entry . points to inode {got}, should point to the directory itself, {want}") \
	x(DIR_DOTDOT_INO, "dir.dotdot.ino", CORRUPT, PRIMARY, dir, NOTHING, "entry .. points to invalid inode {got}") \
	x(DIR_SF_SIZE, "dir.sf.size", CORRUPT, PRIMARY, dir, NOTHING, "size is {got} byte{|s}, header and entries have {want}") \
	x(DIR_SF_COUNT, "dir.sf.count", CORRUPT, PRIMARY, dir, NOTHING, "entry count is {got}, should be {want}") \
	x(DIR_SF_I8COUNT, "dir.sf.i8count", CORRUPT, PRIMARY, dir, NOTHING, "count of inode numbers above 32 bits is {got}, should be {want}") \
	x(DIR_SF_NAMELEN, "dir.sf.namelen", CORRUPT, PRIMARY, dir, NOTHING, "name of entry {index} has {got} byte{|s}, more than the directory has left") \
	x(DIR_SF_OFFSET, "dir.sf.offset", CORRUPT, SECONDARY, dir, NOTHING, "offset of entry {index} is {got}, should be at least {want}") \
	x(DIR_DATA_LENGTH, "dir.data.length", CORRUPT, PRIMARY, dir, NOTHING, "entry or free region {index} has a length of {got} byte{|s}, but ends after {want}") \
	x(DIR_DATA_TAG, "dir.data.tag", CORRUPT, SECONDARY, dir, NOTHING, "tag of entry or free region {index} is {got}, should be {want}") \
	x(DIR_DATA_TORN, "dir.data.torn", CORRUPT, PRIMARY, dir, NOTHING, "{got} byte{|s} {is|are} neither an entry nor a free region") \
	x(DIR_DATA_ADJACENT, "dir.data.adjacent", CORRUPT, SECONDARY, dir, NOTHING, "free regions at bytes {want} and {got} should be merged") \
	x(DIR_BESTFREE_LENGTH, "dir.bestfree.length", CORRUPT, SECONDARY, dir, NOTHING, "length of bestfree {index} is {got}, should be {want}") \
	x(DIR_BESTFREE_OFFSET, "dir.bestfree.offset", CORRUPT, SECONDARY, dir, NOTHING, "bestfree {index} points to byte {got}, but there is no such free region") \
	x(DIR_BLOCK_COUNT, "dir.block.count", CORRUPT, SECONDARY, dir, NOTHING, "leaf entry count is {got}, should be {want}") \
	x(DIR_LEAF_COUNT, "dir.leaf.count", CORRUPT, SECONDARY, dir, NOTHING, "entry count is {got}, should be at most {want}") \
	x(DIR_LEAF_STALE, "dir.leaf.stale", CORRUPT, SECONDARY, dir, NOTHING, "stale entry count is {got}, should be {want}") \
	x(DIR_LEAF_ORDER, "dir.leaf.order", CORRUPT, SECONDARY, dir, NOTHING, "leaf entry {index} has hash {got:x}, but the entry before it has {want:x}") \
	x(DIR_LEAF_ADDRESS, "dir.leaf.address", CORRUPT, SECONDARY, dir, NOTHING, "leaf entry {index} points to address {got:x}, but there is no entry") \
	x(DIR_LEAF_BESTCOUNT, "dir.leaf.bestcount", CORRUPT, SECONDARY, dir, NOTHING, "count of data blocks is {got}, should be at most {want}") \
	x(DIR_LEAF_BESTS, "dir.leaf.bests", CORRUPT, SECONDARY, dir, NOTHING, "longest free region of data block {index} is {got} byte{|s}, which is invalid") \
	x(DIR_FREE_FIRSTDB, "dir.free.firstdb", CORRUPT, SECONDARY, dir, NOTHING, "first data block is {got}, should be {want}") \
	x(DIR_FREE_NVALID, "dir.free.nvalid", CORRUPT, SECONDARY, dir, NOTHING, "slot count is {got}, should be at most {want}") \
	x(DIR_FREE_NUSED, "dir.free.nused", CORRUPT, SECONDARY, dir, NOTHING, "count of used slots is {got}, should be {want}") \
	x(DIR_FREE_BESTS, "dir.free.bests", CORRUPT, SECONDARY, dir, NOTHING, "free region of slot {index} is {got} byte{|s}, which is invalid")

/* attributes: ondisk 07 */
#define FINDINGS_ATTR(x)                                                                            \
	x(ATTR_SF_TOTSIZE, "attr.sf.totsize", CORRUPT, PRIMARY, attr, NOTHING, "total size is {got}, but the attributes end at byte {want}") \
	x(ATTR_SF_COUNT, "attr.sf.count", CORRUPT, SUMMARY, attr, NOTHING, "attribute count is {got}, should be {want}") \
	x(ATTR_SF_ENTRY, "attr.sf.entry", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index} needs {got} byte{|s}, but {want} {is|are} left") \
	x(ATTR_FLAGS, "attr.flags", CORRUPT, PRIMARY, attr, NOTHING, "flags {got:x} of attribute {index} are invalid") \
	x(ATTR_NAMELEN, "attr.namelen", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index} has an empty name")          \
	x(ATTR_NAME, "attr.name", CORRUPT, PRIMARY, attr, NOTHING, "name of attribute {index} is invalid") \
	x(ATTR_HASH, "attr.hash", CORRUPT, SECONDARY, attr, NOTHING, "hash of attribute {index} is {got:x}, should be {want:x}") \
	x(ATTR_DUPLICATE, "attr.duplicate", CORRUPT, PRIMARY, attr, NOTHING, "attribute {got} has the same name as attribute {want}") \
	x(ATTR_INCOMPLETE, "attr.incomplete", NOTE, PRIMARY, NONE, NOTHING, "attribute {index} is incomplete, as after a crash, and not visible") \
	x(ATTR_PARENT_SIZE, "attr.parent.size", CORRUPT, SECONDARY, attr, NOTHING, "parent pointer {index} has {got} byte{|s}, should have {want}") \
	x(ATTR_PARENT_REMOTE, "attr.parent.remote", CORRUPT, SECONDARY, attr, NOTHING, "value of parent pointer {index} is not stored with its name") \
	x(ATTR_PARENT_INO, "attr.parent.ino", CORRUPT, SECONDARY, attr, NOTHING, "parent pointer {index} points to invalid inode {got}") \
	x(ATTR_ACL, "attr.acl", CORRUPT, PRIMARY, attr, NOTHING, "ACL in attribute {index} has {got} byte{|s}, should have {want}") \
	x(ATTR_ACL_ENTRY, "attr.acl.entry", CORRUPT, PRIMARY, attr, NOTHING, "entry {got} of the ACL in attribute {index} has tag {want:x}, which is unknown or a duplicate") \
	x(ATTR_ACL_LACKS, "attr.acl.lacks", CORRUPT, PRIMARY, attr, NOTHING, "ACL in attribute {index} has {got} entr{y|ies}, but lacks the required tags {want:x}") \
	x(ATTR_LEAF_COUNT, "attr.leaf.count", CORRUPT, PRIMARY, attr, NOTHING, "entry count is {got}, should be {want}") \
	x(ATTR_LEAF_USEDBYTES, "attr.leaf.usedbytes", CORRUPT, SUMMARY, attr, NOTHING, "used bytes are {got}, should be {want}") \
	x(ATTR_LEAF_FIRSTUSED, "attr.leaf.firstused", CORRUPT, SUMMARY, attr, NOTHING, "first used byte is {got}, should be {want}") \
	x(ATTR_LEAF_HOLES, "attr.leaf.holes", CORRUPT, SUMMARY, attr, NOTHING, "flag for holes is {got}, should be {want}") \
	x(ATTR_LEAF_FREEMAP, "attr.leaf.freemap", CORRUPT, SUMMARY, attr, NOTHING, "free region {index}, at byte {got}, is not free") \
	x(ATTR_LEAF_FREE, "attr.leaf.free", CORRUPT, SUMMARY, attr, NOTHING, "free regions have {got} byte{|s}, should have {want}") \
	x(ATTR_LEAF_PAD, "attr.leaf.pad", PREEN, PRIMARY, attr, VALUE, "padding of the header is not zero")      \
	x(ATTR_LEAF_NAMEIDX, "attr.leaf.nameidx", CORRUPT, PRIMARY, attr, NOTHING, "name of attribute {index} is at byte {got}, which is invalid") \
	x(ATTR_LEAF_SIZE, "attr.leaf.size", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index} needs {got} byte{|s}, but the block has {want} left") \
	x(ATTR_LEAF_OVERLAP, "attr.leaf.overlap", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index}, at byte {got}, overlaps another attribute") \
	x(ATTR_LEAF_ORDER, "attr.leaf.order", CORRUPT, SECONDARY, attr, NOTHING, "hash of attribute {index} is {got:x}, but the one before it is {want:x}") \
	x(ATTR_REMOTE_VALUELEN, "attr.remote.valuelen", CORRUPT, PRIMARY, attr, NOTHING, "value of attribute {index} has {got} byte{|s}, should have 1 to {want}") \
	x(ATTR_REMOTE_VALUEBLK, "attr.remote.valueblk", CORRUPT, PRIMARY, attr, NOTHING, "value of attribute {index} is at block {got} of the fork, which is invalid") \
	x(ATTR_REMOTE_OFFSET, "attr.remote.offset", CORRUPT, PRIMARY, attr, NOTHING, "offset in the value is {got}, should be {want}") \
	x(ATTR_REMOTE_BYTES, "attr.remote.bytes", CORRUPT, PRIMARY, attr, NOTHING, "block has {got} byte{|s} of a value, should have {want}") \
	x(ATTR_REMOTE_LSN, "attr.remote.lsn", CORRUPT, SECONDARY, attr, NOTHING, "log sequence number is {got:x}, should be {want:x} in such blocks")

/* symbolic links: ondisk 08 */
#define FINDINGS_SYMLINK(x)                                                                         \
	x(SYMLINK_NUL, "symlink.nul", CORRUPT, PRIMARY, symlink, NOTHING, "target ends at byte {got}, should have {want} byte{|s}") \
	x(SYMLINK_OFFSET, "symlink.offset", CORRUPT, PRIMARY, symlink, NOTHING, "offset in the target is {got}, should be {want}") \
	x(SYMLINK_BYTES, "symlink.bytes", CORRUPT, PRIMARY, symlink, NOTHING, "block has {got} byte{|s} of the target, should have at most {want}")

/* log: ondisk 11 */
#define FINDINGS_LOG(x)                                                                             \
	x(LOG_DAMAGED, "log.damaged", CORRUPT, PRIMARY, log, NOTHING, "head or tail of the log cannot be found, see block {index}") \
	x(LOG_UNREADABLE, "log.unreadable", CORRUPT, PRIMARY, log, NOTHING, "{got} byte{|s} at byte {want} of the device, in block {index} of the log, cannot be read") \
	x(LOG_ZEROED, "log.zeroed", CORRUPT, PRIMARY, log, NOTHING, "log is empty: even its first record is missing") \
	x(LOG_UNFINISHED, "log.unfinished", CORRUPT, PRIMARY, log, NOTHING, "log holds nothing but the first record of a new log") \
	x(LOG_CYCLE, "log.cycle", CORRUPT, PRIMARY, log, NOTHING, "cycle number of log block {index} is {got}, should be {want}") \
	x(LOG_RECORD_MAGIC, "log.record.magic", CORRUPT, PRIMARY, log, NOTHING, "log block {index} should start a record, but its magic is {got:x}") \
	x(LOG_RECORD_VERSION, "log.record.version", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: version is {got}, should be {want}") \
	x(LOG_RECORD_LEN, "log.record.len", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: length is {got}, should be at most {want}") \
	x(LOG_RECORD_SIZE, "log.record.size", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: buffer size is {got}, should be at most {want}") \
	x(LOG_RECORD_LSN, "log.record.lsn", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: log sequence number is {got:x}, should be {want:x}") \
	x(LOG_RECORD_TAIL, "log.record.tail", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: tail {got:x} is invalid") \
	x(LOG_RECORD_CRC, "log.record.crc", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: checksum is {got:x}, should be {want:x}") \
	x(LOG_RECORD_OPS, "log.record.ops", CORRUPT, PRIMARY, log, NOTHING, "unmount record at log block {index}: operation count is {got}, should be {want}") \
	x(LOG_RECORD_FORMAT, "log.record.format", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: format is {got}, should be {want}") \
	x(LOG_RECORD_UUID, "log.record.uuid", CORRUPT, PRIMARY, log, NOTHING, "record at log block {index}: UUID is not that of the file system")

/* contents of the records that wait for replay: ondisk 11; {index} is the 512-byte block of the log */
#define FINDINGS_LOG_ITEM(x)                                                                        \
	x(LOG_OP_COUNT, "log.op.count", CORRUPT, PRIMARY, log, NOTHING, "record that ends at log block {index}: operation count is {got}, should be {want}") \
	x(LOG_OP_CLIENT, "log.op.client", CORRUPT, PRIMARY, log, NOTHING, "operation in log block {index}: client is {got:x}, should be {want:x}") \
	x(LOG_OP_LEN, "log.op.len", CORRUPT, PRIMARY, log, NOTHING, "operation in log block {index}: length is {got} byte{|s}, but its record has {want} left") \
	x(LOG_OP_FLAGS, "log.op.flags", CORRUPT, PRIMARY, log, NOTHING, "operation in log block {index}: flags {got:x} are invalid") \
	x(LOG_OP_CONTINUED, "log.op.continued", CORRUPT, PRIMARY, log, NOTHING, "operation in log block {index}: its continuation flag does not match the operation before it") \
	x(LOG_TRANSACTION_START, "log.transaction.start", CORRUPT, PRIMARY, log, NOTHING, "log block {index} starts transaction {got:x} a second time") \
	x(LOG_TRANSACTION_HEADER, "log.transaction.header", CORRUPT, PRIMARY, log, NOTHING, "transaction in log block {index} has no header") \
	x(LOG_TRANSACTION_ITEMS, "log.transaction.items", CORRUPT, PRIMARY, log, NOTHING, "transaction in log block {index}: region count is {got}, should be {want}") \
	x(LOG_ITEM_TYPE, "log.item.type", CORRUPT, PRIMARY, log, NOTHING, "item in log block {index}: type {got:x} is unknown") \
	x(LOG_ITEM_REGIONS, "log.item.regions", CORRUPT, PRIMARY, log, NOTHING, "item in log block {index}: region count is {got}, should be {want}") \
	x(LOG_ITEM_CUT, "log.item.cut", CORRUPT, PRIMARY, log, NOTHING, "item in log block {index} has {got} of {want} regions at the end of its transaction") \
	x(LOG_ITEM_REGION_LEN, "log.item.region_len", CORRUPT, PRIMARY, log, NOTHING, "region in log block {index}: length is {got} byte{|s}, should be a multiple of 4, at most {want}") \
	x(LOG_ITEM_LEN, "log.item.len", CORRUPT, PRIMARY, log, NOTHING, "item in log block {index}: length is {got} byte{|s}, should be {want}") \
	x(LOG_ITEM_SECTORS, "log.item.sectors", CORRUPT, PRIMARY, log, NOTHING, "item in log block {index}: {want} sector{|s} from {got} are outside the file system") \
	x(LOG_BUF_FLAGS, "log.buf.flags", CORRUPT, PRIMARY, log, NOTHING, "buffer in log block {index}: flags are {got:x}, of which only {want:x} are known") \
	x(LOG_BUF_TYPE, "log.buf.type", CORRUPT, PRIMARY, log, NOTHING, "buffer in log block {index}: type is {got}, should be at most {want}") \
	x(LOG_BUF_MAP_SIZE, "log.buf.map_size", CORRUPT, PRIMARY, log, NOTHING, "buffer in log block {index}: its map has {got} word{|s}, should have at most {want}") \
	x(LOG_BUF_MAP, "log.buf.map", CORRUPT, PRIMARY, log, NOTHING, "buffer in log block {index}: its map reaches to byte {got} of {want}") \
	x(LOG_BUF_REGION, "log.buf.region", CORRUPT, PRIMARY, log, NOTHING, "buffer in log block {index}: a region has {got} byte{|s}, its map says {want}") \
	x(LOG_INODE_FIELDS, "log.inode.fields", CORRUPT, PRIMARY, log, NOTHING, "inode in log block {index}: field flags {got:x} are invalid") \
	x(LOG_INODE_NUMBER, "log.inode.number", CORRUPT, PRIMARY, log, NOTHING, "inode in log block {index}: number {got} is invalid") \
	x(LOG_INODE_PLACE, "log.inode.place", CORRUPT, PRIMARY, log, NOTHING, "inode in log block {index}: its place is byte {got} of the device, its number says {want}") \
	x(LOG_INODE_MAGIC, "log.inode.magic", CORRUPT, PRIMARY, log, NOTHING, "inode in log block {index}: magic is {got:x}, should be {want:x}") \
	x(LOG_INODE_VERSION, "log.inode.version", CORRUPT, PRIMARY, log, NOTHING, "inode in log block {index}: version is {got}, should be {want}") \
	x(LOG_INODE_INO, "log.inode.ino", CORRUPT, PRIMARY, log, NOTHING, "inode in log block {index}: its core has number {got}, should have {want}") \
	x(LOG_INODE_FORK, "log.inode.fork", CORRUPT, PRIMARY, log, NOTHING, "fork in log block {index}: length is {got} byte{|s}, should be {want}") \
	x(LOG_INODE_ROOT_KIND, "log.inode.root_kind", CORRUPT, PRIMARY, log, NOTHING, "inode in log block {index}: metadata file type {got} has no btree") \
	x(LOG_INODE_ROOT, "log.inode.root", CORRUPT, PRIMARY, log, NOTHING, "btree root in log block {index}: level or record count is {got}, should be {want}") \
	x(LOG_ICREATE_ISIZE, "log.icreate.isize", CORRUPT, PRIMARY, log, NOTHING, "inode creation in log block {index}: inode size is {got} bytes, should be {want}") \
	x(LOG_ICREATE_LENGTH, "log.icreate.length", CORRUPT, PRIMARY, log, NOTHING, "inode creation in log block {index}: length is {got} blocks, should be {want}") \
	x(LOG_ICREATE_COUNT, "log.icreate.count", CORRUPT, PRIMARY, log, NOTHING, "inode creation in log block {index}: inode count is {got}, should be {want}") \
	x(LOG_ICREATE_PLACE, "log.icreate.place", CORRUPT, PRIMARY, log, NOTHING, "inode creation in log block {index}: block {got} of AG {want} cannot hold inodes") \
	x(LOG_DQUOT_OFFSET, "log.dquot.offset", CORRUPT, PRIMARY, log, NOTHING, "quota record of id {want} in log block {index}: offset in its block is {got} bytes, which is invalid") \
	x(LOG_DQUOT_MAGIC, "log.dquot.magic", CORRUPT, PRIMARY, log, NOTHING, "quota record in log block {index}: magic is {got:x}, should be {want:x}") \
	x(LOG_DQUOT_ID, "log.dquot.id", CORRUPT, PRIMARY, log, NOTHING, "quota record in log block {index}: id is {got}, should be {want}") \
	x(LOG_LOSES_INODE, "log.loses.inode", NOTE, PRIMARY, NONE, NOTHING, "changes of this inode in the log are lost with the log") \
	x(LOG_INTENT_COUNT, "log.intent.count", CORRUPT, PRIMARY, log, NOTHING, "intent in log block {index}: {got} extent{|s} do not match its length of {want} bytes") \
	x(LOG_INTENT_FLAGS, "log.intent.flags", CORRUPT, PRIMARY, log, NOTHING, "intent in log block {index}: flags {got:x} are invalid") \
	x(LOG_INTENT_EXTENT, "log.intent.extent", CORRUPT, PRIMARY, log, NOTHING, "intent in log block {index}: {want} block{|s} from {got} are not a valid extent") \
	x(LOG_INTENT_OWNER, "log.intent.owner", CORRUPT, PRIMARY, log, NOTHING, "intent in log block {index}: owner {got} is invalid") \
	x(LOG_INTENT_INODE, "log.intent.inode", CORRUPT, PRIMARY, log, NOTHING, "intent in log block {index}: inode {got} is invalid") \
	x(LOG_INTENT_NAME, "log.intent.name", CORRUPT, PRIMARY, log, NOTHING, "name or value in log block {index}: length is {got}, should be {want}")

/* quota files: ondisk 10, ondisk 12 Q1 and Q2; {index} is the id of a user, group or project */
#define FINDINGS_QUOTA(x)                                                                           \
	x(DQUOT_MAGIC, "dquot.magic", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index}: magic is {got:x}, should be {want:x}") \
	x(DQUOT_BLOCK_TYPE, "dquot.block.type", CORRUPT, PRIMARY, dquot, NOTHING, "all records have type {got:x}, should have {want:x}") \
	x(DQUOT_CRC, "dquot.crc", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index}: checksum is {got:x}, should be {want:x}") \
	x(DQUOT_UUID, "dquot.uuid", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index}: UUID is not that of the file system") \
	x(DQUOT_LSN, "dquot.lsn", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index}: log sequence number {got:x} is at or beyond the head of the log, {want:x}") \
	x(DQUOT_VERSION, "dquot.version", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index}: version is {got}, should be {want}") \
	x(DQUOT_TYPE, "dquot.type", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index}: type is {got:x}, should be {want:x}") \
	x(DQUOT_ID, "dquot.id", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index} has id {got}") \
	x(DQUOT_LIMITS, "dquot.limits", NOTE, PRIMARY, NONE, NOTHING, "id {index}: soft limit {got} is above the hard limit {want}") \
	x(DQUOT_TIMER, "dquot.timer", CORRUPT, PRIMARY, dquot, NOTHING, "id {index}: timer is {got}, should be at most {want}") \
	x(DQUOT_TIMER_STOPPED, "dquot.timer.stopped", CORRUPT, PRIMARY, dquot, NOTHING, "id {index}: usage {got} is above the limit of {want}, but no timer is set") \
	x(DQUOT_TIMER_RUNNING, "dquot.timer.running", PREEN, PRIMARY, dquot, NOTHING, "id {index}: timer is set (until {got}), but no limit is exceeded") \
	x(DQUOT_PAD, "dquot.pad", PREEN, PRIMARY, dquot, NOTHING, "record of id {index}: an unused field is {got:x}, should be 0") \
	x(QUOTA_FILE_MISSING, "quota.file.missing", XREF, PRIMARY, quota_sb, NAMES, "usage is counted, but the quota file (inode {got}) is missing") \
	x(QUOTA_FILE_NAME, "quota.file.name", XREF, PRIMARY, quota_dir, NOTHING, "quota directory points to inode {got}, which is not a quota file of this type") \
	x(QUOTA_FILE_UNNAMED, "quota.file.unnamed", XREF, PRIMARY, quota_dir, NOTHING, "quota file, inode {got}, has no entry in the quota directory") \
	x(QUOTA_FILE_MODE, "quota.file.mode", PREEN, PRIMARY, quota_file, NOTHING, "mode of the quota file is {got:x}, should be {want:x}") \
	x(QUOTA_FILE_SIZE, "quota.file.size", PREEN, PRIMARY, quota_file, NOTHING, "size of the quota file is {got}, should be {want}") \
	x(QUOTA_FILE_FLAGS, "quota.file.flags", CORRUPT, PRIMARY, quota_file, NOTHING, "quota file has flag {got:x}, which is invalid here") \
	x(QUOTA_FILE_ATTR, "quota.file.attr", CORRUPT, PRIMARY, quota_file, NOTHING, "quota file has extended attributes") \
	x(QUOTA_FILE_UNWRITTEN, "quota.file.unwritten", CORRUPT, PRIMARY, quota_file, NOTHING, "{got} block{|s} of the quota file {is|are} unwritten") \
	x(QUOTA_FILE_OFFSET, "quota.file.offset", CORRUPT, PRIMARY, quota_file, NOTHING, "{got} block{|s} of the quota file {is|are} beyond file block {want}, the last for an id") \
	x(QUOTA_BLOCKS, "quota.blocks", XREF, SUMMARY, dquot, ANY, "id {index} uses {want} block{|s}, quota record says {got}") \
	x(QUOTA_INODES, "quota.inodes", XREF, SUMMARY, dquot, ANY, "id {index} has {want} inode{|s}, quota record says {got}") \
	x(QUOTA_RTBLOCKS, "quota.rtblocks", XREF, SUMMARY, dquot, ANY, "id {index} uses {want} realtime block{|s}, quota record says {got}") \
	x(QUOTA_NO_RECORD, "quota.record.missing", XREF, SUMMARY, dquot, ANY, "id {index} has {got} inode{|s}, but no quota record")
/* realtime: ondisk 01 invariant 7, 09 */
#define FINDINGS_RT(x)                                                                              \
	x(BMAP_RT_ALIGN, "bmap.rt_align", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} at file block {got} starts {want} block{|s} into a realtime extent") \
	x(INODE_RT_GROUP, "inode.rt.group", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata of realtime group {got}, but there are {want} groups") \
	x(INODE_RT_PROJID, "inode.rt.projid", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file has project id {got}, should have none") \
	x(SB_RBLOCKS, "sb.rblocks", CORRUPT, PRIMARY, sb, NOTHING, "realtime section size {got} block{|s} is invalid") \
	x(SB_REXTENTS, "sb.rextents", CORRUPT, PRIMARY, sb, NOTHING, "realtime extent count is {got}, should be {want}") \
	x(SB_RBMBLOCKS, "sb.rbmblocks", CORRUPT, PRIMARY, sb, NOTHING, "realtime bitmap size is {got} block{|s}, should be {want}") \
	x(SB_REXTSLOG, "sb.rextslog", CORRUPT, SECONDARY, sb, NOTHING, "log2 of the realtime extents is {got}, should be {want}") \
	x(SB_RGCOUNT, "sb.rgcount", CORRUPT, PRIMARY, sb, NOTHING, "number of realtime groups is {got}, should be {want}") \
	x(SB_RTSTART, "sb.rtstart", CORRUPT, PRIMARY, sb, NOTHING, "realtime section starts at block {got}, should start at {want} or behind it") \
	x(SB_RTRESERVED, "sb.rtreserved", CORRUPT, PRIMARY, sb, NOTHING, "{got} realtime block{|s} {is|are} reserved, should be at most {want}") \
	x(SB_PAD, "sb.pad", CORRUPT, SECONDARY, sb, NOTHING, "padding is {got:x}, should be 0")                  \
	x(RTSB_PAD, "rtsb.pad", CORRUPT, SECONDARY, rtsb, NOTHING, "padding is {got:x}, should be 0")              \
	x(RTSB_FNAME, "rtsb.fname", XREF, SECONDARY, rtsb, NOTHING, "label is not that of the file system")        \
	x(RTSB_UUID, "rtsb.uuid", XREF, SECONDARY, rtsb, NOTHING, "UUID is not that of the file system")           \
	x(RTSB_META_UUID, "rtsb.meta_uuid", XREF, SECONDARY, rtsb, NOTHING, "metadata UUID is not that of the file system") \
	x(RTSB_TAIL, "rtsb.tail", CORRUPT, SECONDARY, rtsb, NOTHING, "unused bytes are not zero")                  \
	x(RTBITMAP_BEYOND, "rtbitmap.beyond", CORRUPT, SECONDARY, rt_space, NOTHING, "word {got:x} marks extents beyond the end as free, should be {want:x}") \
	x(RTBITMAP_UNMAPPED, "rtbitmap.unmapped", CORRUPT, PRIMARY, rt_space, NOTHING, "realtime bitmap has {got} block{|s}, should have {want}") \
	x(RTSUMMARY_BEYOND, "rtsummary.beyond", CORRUPT, SECONDARY, rt_space, NOTHING, "counter beyond the last one is {got}, should be 0") \
	x(RTSUMMARY_COUNTER, "rtsummary.counter", CORRUPT, SUMMARY, rt_space, NOTHING, "count of free extents is {got}, should be at most {want}") \
	x(RTSUMMARY_UNMAPPED, "rtsummary.unmapped", CORRUPT, PRIMARY, rt_space, NOTHING, "realtime summary has {got} block{|s}, should have {want}") \
	x(RTGROUP_SPACE, "rtgroup.space", XREF, PRIMARY, rt_space, ANY, "ownership records do not add up: some blocks have two owners or none") \
	x(RTGROUP_RMAP, "rtgroup.rmap", XREF, SECONDARY, rt_space, ANY, "rtrmapbt and block usage do not match") \
	x(RTGROUP_SUMMARY, "rtgroup.summary", XREF, SUMMARY, rt_space, ANY, "realtime summary and realtime bitmap do not match")  \
	x(RTGROUP_USED, "rtgroup.used_blocks", XREF, SUMMARY, rt_space, ANY, "used block count in the inode is {got}, its rtrmapbt has {want}") \
	x(RTFILE_DIRECTORY, "rtfile.directory", CORRUPT, PRIMARY, rt_file, NAMES, "directory \"rtgroups\" is missing from the metadata directory tree") \
	x(RTFILE_MISSING, "rtfile.missing", CORRUPT, PRIMARY, rt_file, NAMES, "metadata file of type {got} (5 bitmap, 6 summary, 7 rmap, 8 refcount) is missing") \
	x(RTFILE_EXTRA, "rtfile.extra", CORRUPT, PRIMARY, rt_file, NOTHING, "metadata file of type {got} (5 bitmap, 6 summary, 7 rmap, 8 refcount) should not exist in this file system") \
	x(RTFILE_TWICE, "rtfile.twice", CORRUPT, PRIMARY, rt_file, NOTHING, "there {is|are} {got} metadata file{|s} of type {index} (5 bitmap, 6 summary, 7 rmap, 8 refcount), should be 1") \
	x(RTFILE_NAME, "rtfile.name", XREF, PRIMARY, rt_file, NOTHING, "entry of metadata file {index} (5 bitmap, 6 summary, 7 rmap, 8 refcount) points to inode {got}, should point to {want}") \
	x(SB_FREXTENTS_COUNT, "sb.frextents.count", XREF, SUMMARY, field, ANY, "free realtime extent count is {got}, realtime bitmaps have {want}") \
	x(SB_FREXTENTS, "sb.frextents", CORRUPT, SUMMARY, sb, NOTHING, "free realtime extent count is {got}, should be at most {want}")

/* objects that must agree with each other: ondisk 12 */
#define FINDINGS_XREF(x)                                                                            \
	x(BTREE_TOO_LARGE, "btree.too_large", CORRUPT, PRIMARY, TREE, NOTHING, "btree has more blocks than the {want} that are possible: some are referenced more than once") \
	x(INOBT_TOO_MANY, "inobt.too_many", CORRUPT, PRIMARY, TREE, NOTHING, "chunks have more inodes than the {want} that fit into the AG: some are listed more than once") \
	x(BTREE_SIBLINGS, "btree.siblings", XREF, SECONDARY, TREE, NOTHING, "sibling pointers do not match the order of the blocks: {got} found, should be {want}") \
	x(INODE_NEXTENTS_XREF, "inode.nextents.count", XREF, SUMMARY, inode_fork, INODE, "data fork extent count is {got}, data fork has {want}") \
	x(INODE_ANEXTENTS_XREF, "inode.anextents.count", XREF, SUMMARY, inode_fork, INODE, "attribute fork extent count is {got}, attribute fork has {want}") \
	x(INODE_NBLOCKS_XREF, "inode.nblocks.count", XREF, SUMMARY, inode_fork, INODE, "block count is {got}, forks have {want}") \
	x(INODE_SHARED_NOT_REFLINK, "inode.reflink.missing", XREF, PRIMARY, inode_shared, SPACE, "shares blocks with another file (at file block {got}), but the reflink flag is not set") \
	x(DA_NO_ROOT, "da.root.missing", CORRUPT, PRIMARY, CONTENTS, NOTHING, "hash tree has no root block")         \
	x(DA_CHILDREN, "da.node.children", XREF, SECONDARY, CONTENTS, INODE, "da nodes (level {got}) and their child blocks do not match in address or last hash") \
	x(DA_SIBLINGS, "da.siblings", XREF, SECONDARY, CONTENTS, INODE, "sibling pointers do not match the order of the blocks: {got} found, should be {want}") \
	x(DA_LEAF_ORDER, "da.leaf.order.across", CORRUPT, SECONDARY, CONTENTS, NOTHING, "first hash is {got:x}, but the leaf before ends with {want:x}") \
	x(DIR_SIZE_XREF, "dir.size.count", XREF, SUMMARY, dir, INODE, "directory size is {got} byte{|s}, its blocks have {want}") \
	x(DIR_BLOCK_PARTLY_MAPPED, "dir.block.partly_mapped", CORRUPT, PRIMARY, dir, NOTHING, "directory block at file block {got} is only partly mapped") \
	x(DIR_BLOCK_SCATTERED, "dir.block.scattered", CORRUPT, PRIMARY, dir, NOTHING, "directory blocks are in too many pieces to be read within {want} MiB: not all were checked") \
	x(DIR_BLOCK_NOT_ALONE, "dir.format.block", CORRUPT, PRIMARY, dir, NOTHING, "block-format directory has {got} block{|s}, should have {want}") \
	x(DIR_LEAF1_NOT_ALONE, "dir.format.leaf1", CORRUPT, PRIMARY, dir, NOTHING, "leaf-format directory has {got} index block{|s}, should have {want}") \
	x(DIR_LEAF1_BESTCOUNT, "dir.leaf1.bestcount.size", XREF, SECONDARY, dir, NOTHING, "leaf lists {got} data block{|s}, the directory size makes it {want}") \
	x(DIR_NAMES, "dir.names.index", XREF, SECONDARY, dir, INODE, "entries and hash index do not match")              \
	x(DIR_BESTFREE_INDEX, "dir.bestfree.index", XREF, SECONDARY, dir, INODE, "free space in the data blocks and the free index do not match") \
	x(DIR_DUPLICATES, "dir.entry.duplicates", CORRUPT, PRIMARY, dir, NOTHING, "{got} name{|s} {occurs|occur} more than once") \
	x(ATTR_VALUE_BLOCKS, "attr.value.blocks", XREF, PRIMARY, attr, INODE, "entries with remote values and the value blocks do not match") \
	x(ATTR_DUPLICATES, "attr.duplicates", CORRUPT, PRIMARY, attr, NOTHING, "{got} attribute{|s} {occurs|occur} more than once") \
	x(SYMLINK_LENGTH, "symlink.length", XREF, PRIMARY, symlink, NOTHING, "target has {got} byte{|s}, inode size is {want}") \
	x(SYMLINK_PARTS, "symlink.parts", CORRUPT, PRIMARY, symlink, NOTHING, "blocks of the target leave gaps or overlap")        \
	x(AG_SPACE, "ag.space", XREF, PRIMARY, ag_space, SPACE, "ownership records do not add up: some blocks have two owners or none") \
	x(AG_RMAP, "ag.rmap", XREF, SECONDARY, ag_space, SPACE, "rmapbt and block usage do not match")           \
	x(AG_FREESIZE, "ag.freesize", XREF, SECONDARY, ag_space, SPACE, "bnobt and cntbt do not have the same free extents") \
	x(AG_FINOBT, "ag.finobt", XREF, SECONDARY, ag_inodes, INODES, "finobt does not match the inobt's chunks with free inodes") \
	x(AG_UNLINKED, "ag.unlinked", XREF, PRIMARY, ag_unlinked, INODES, "unlinked lists in the AGI and inodes with link count 0 do not match") \
	x(AG_UNLINKED_LOOP, "ag.unlinked.loop", CORRUPT, PRIMARY, ag_unlinked, NOTHING, "{got} inode{|s} with link count 0 {is|are} on no unlinked list") \
	x(AGF_FREEBLKS_COUNT, "agf.freeblks.count", XREF, SUMMARY, field, SPACE, "free block count is {got}, free-space btree has {want}") \
	x(AGF_LONGEST_COUNT, "agf.longest.count", XREF, SUMMARY, field, SPACE, "longest free extent is {got} block{|s}, free-space btree has {want}") \
	x(AGF_BTREEBLKS_COUNT, "agf.btreeblks.count", XREF, SUMMARY, field, SPACE, "btree block count is {got}, should be {want}") \
	x(AGF_RMAP_BLOCKS_COUNT, "agf.rmap_blocks.count", XREF, SUMMARY, field, SPACE, "rmapbt block count is {got}, should be {want}") \
	x(AGF_REFCOUNT_BLOCKS_COUNT, "agf.refcount_blocks.count", XREF, SUMMARY, field, SPACE, "refcountbt block count is {got}, should be {want}") \
	x(AGI_COUNT_COUNT, "agi.count.count", XREF, SUMMARY, ag_inodes, INODES, "inode count is {got}, inobt has {want}")     \
	x(AGI_FREECOUNT_COUNT, "agi.freecount.count", XREF, SUMMARY, field, INODES, "free inode count is {got}, inobt has {want}") \
	x(AGI_IBLOCKS_COUNT, "agi.iblocks.count", XREF, SUMMARY, field, INODES, "inobt block count is {got}, should be {want}") \
	x(AGI_FBLOCKS_COUNT, "agi.fblocks.count", XREF, SUMMARY, field, INODES, "finobt block count is {got}, should be {want}") \
	x(SB_ICOUNT_COUNT, "sb.icount.count", XREF, SUMMARY, field, ANY, "inode count is {got}, AGs have {want}")    \
	x(SB_IFREE_COUNT, "sb.ifree.count", XREF, SUMMARY, field, ANY, "free inode count is {got}, AGs have {want}")  \
	x(SB_FDBLOCKS_COUNT, "sb.fdblocks.count", XREF, SUMMARY, field, ANY, "free block count is {got}, AGs have {want}") \
	x(INODES_LINKS, "inodes.links", XREF, PRIMARY, NONE, NAMES, "link counts and directory entries do not match (inodes whose number divided by 64 is {got} modulo {want})") \
	x(INODES_FTYPE, "inodes.ftype", XREF, SECONDARY, NONE, NAMES, "file types in inodes and in directory entries do not match (inodes whose number divided by 64 is {got} modulo {want})") \
	x(INODES_PARENTS, "inodes.parents", XREF, PRIMARY, NONE, NAMES, "`..` and the entries of directories do not match (inodes whose number divided by 64 is {got} modulo {want})") \
	x(INODES_PPTRS, "inodes.pptrs", XREF, SECONDARY, NONE, NAMES, "parent pointers and directory entries do not match (inodes whose number divided by 64 is {got} modulo {want})") \
	x(SB_LOG_INCOMPAT, "sb.log_incompat", CORRUPT, PRIMARY, sb, NOTHING, "unknown incompatible log feature bits {got:x} are set, but the log is clean") \
	x(SB_LOG_XATTRS, "sb.log_xattrs", PREEN, PRIMARY, sb, NOTHING, "feature bit for attribute items in the log is set, but the log is clean") \
	x(TREE_UNREACHABLE, "tree.unreachable", XREF, PRIMARY, circle, GOT, "directory is not reachable from the root: its `..` is {got:inode}") \
	x(TREE_TWO_PARENTS, "tree.dotdot.twice", CORRUPT, PRIMARY, dir, NOTHING, "directory has more than one `..`") \
	x(TREE_ROOT, "tree.root", CORRUPT, PRIMARY, inode_chunk, NOTHING, "root inode {got} is not a directory, or is not allocated") \
	x(TREE_ROOT_PARENT, "tree.root.dotdot", CORRUPT, PRIMARY, dir, NOTHING, "`..` of the root directory is {got:inode}, should be the root ({want})")

/* the records behind a checksum of an account that does not balance: ondisk 12 */
#define FINDINGS_LOCATE(x)                                                                          \
	x(SPACE_LOST, "space.lost", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here {is|are} neither free nor in use") \
	x(SPACE_FREE_IN_USE, "space.free_in_use", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here {is|are} both in use and free") \
	x(SPACE_CLAIMED_TWICE, "space.claimed_twice", XREF, PRIMARY, TREE, SPACE, "{got} block{|s} from here {is|are} also claimed by {want:owner}") \
	x(SPACE_SHARED_OFTEN, "space.shared_often", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here {is|are} also claimed by {want:owner}, more often than the reference count allows") \
	x(SPACE_FREE_TWICE, "space.free_twice", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here {is|are} in two free extents") \
	x(REFCOUNT_STAGED, "refcount.staged", XREF, SECONDARY, TREE, NOTHING, "{got} block{|s} {is|are} still reserved for copy-on-write, though the log is clean") \
	x(REFCOUNT_COUNT, "refcount.count", XREF, SECONDARY, ag_space, SPACE, "{index} block{|s} from here {is|are} used {want} time{|s}, reference count is {got}") \
	x(RMAP_LACKS, "rmap.lacks", XREF, SECONDARY, ag_space, SPACE, "rmapbt has no record for {got} block{|s} from here") \
	x(RMAP_STRAY, "rmap.stray", XREF, SECONDARY, ag_space, SPACE, "rmapbt lists {got} block{|s} from here under {want:owner}, which does not use {it|them} that way") \
	x(BNOBT_LACKS, "bnobt.lacks", XREF, SECONDARY, ag_space, SPACE, "free extent of {got} block{|s} from here is missing from the bnobt, the cntbt has it") \
	x(CNTBT_LACKS, "cntbt.lacks", XREF, SECONDARY, ag_space, SPACE, "free extent of {got} block{|s} from here is missing from the cntbt, the bnobt has it") \
	x(FINOBT_LACKS, "finobt.lacks", XREF, SECONDARY, ag_inodes, INODES, "chunk of inode {got} has free inodes, but is missing from the finobt") \
	x(FINOBT_EXTRA, "finobt.extra", XREF, SECONDARY, ag_inodes, INODES, "finobt has the chunk of inode {got}, which the inobt lists as full or not at all") \
	x(FINOBT_DIFFERS, "finobt.differs", XREF, SECONDARY, ag_inodes, INODES, "chunk of inode {got} differs between finobt and inobt") \
	x(UNLINKED_LACKS, "unlinked.lacks", XREF, PRIMARY, ag_unlinked, INODES, "link count is 0, but the inode is not on an unlinked list") \
	x(UNLINKED_TWICE, "unlinked.twice", XREF, PRIMARY, ag_unlinked, INODES, "{got} unlinked list pointer{|s} {points|point} to this inode, should be {want}") \
	x(UNLINKED_STRAY, "unlinked.stray", XREF, PRIMARY, ag_unlinked, INODES, "on an unlinked list, but not deleted") \
	x(INODE_NLINK_COUNT, "inode.nlink.count", XREF, PRIMARY, nlink, NAMES, "link count is {got}, but {want} directory entr{y points|ies point} here") \
	x(INODE_ORPHAN, "inode.orphan", XREF, PRIMARY, orphan, NAMES, "no directory entry points here, link count is {got}")  \
	x(INODE_ROOTED_DANGLING, "inode.rooted.dangling", XREF, PRIMARY, inode_chunk, NOTHING, "superblock points to this inode, but it is not allocated") \
	x(DIR_ENTRY_DANGLING, "dir.entry.dangling", XREF, PRIMARY, dir, GOT, "entry points to inode {got}, which is not allocated") \
	x(DIR_ENTRY_FORMER, "dir.entry.former", XREF, PRIMARY, dir, GOT, "entry points to {got:inode}, which is older than the missing part of the log: the number may have been reused there") \
	x(DIR_ENTRY_SURPLUS, "dir.entry.surplus", XREF, PRIMARY, surplus, GOT, "entry points to {got:inode}, whose link count is below its {want} {entry|entries}: one of them may be wrong") \
	x(DIR_DOTDOT_DANGLING, "dir.dotdot.dangling", XREF, PRIMARY, dir, GOT, "`..` points to inode {got}, which is not allocated") \
	x(DIR_ENTRY_OTHER_TREE, "dir.entry.other_tree", XREF, PRIMARY, dir, NOTHING, "entry points to inode {got}: only one of directory and inode is internal metadata") \
	x(DIR_ENTRY_FTYPE_INODE, "dir.entry.ftype.inode", XREF, SECONDARY, dir, NAMES, "file type in the entry is {got:ftype}, the inode is {want:ftype}") \
	x(DIR_LINKED_AGAIN, "dir.linked_again", XREF, PRIMARY, dir, GOT, "entry points to {got:inode}, a directory with {want} entr{y|ies}, which may have only one") \
	x(DIR_ENTRY_ROOT, "dir.entry.root", XREF, PRIMARY, dir, NOTHING, "entry points to inode {got}, a root directory, which cannot have a name") \
	x(DIR_DOTDOT_PARENT, "dir.dotdot.parent", XREF, PRIMARY, dir, WANT, "`..` is {got:inode}, but the entry for this directory is in {want:inode}") \
	x(PPTR_LACKS, "pptr.lacks", XREF, SECONDARY, pptr, WANT, "missing parent pointer for its entry in {want:inode}") \
	x(PPTR_STRAY, "pptr.stray", XREF, SECONDARY, pptr, GOT, "parent pointer to {got:inode}, which has no such entry")

/* operations that a crash interrupted: ondisk 11, "Intents/dones" */
#define FINDINGS_INTENTS(x)                                                                         \
	x(LOG_INTENT_MANY, "log.intent.many", CORRUPT, PRIMARY, log, NOTHING, "log has more than {got} unfinished operations, more than any kernel leaves") \
	x(LOG_INTENT_PLACE, "log.intent.place", CORRUPT, PRIMARY, log, NOTHING, "unfinished operation in the log: {want} block{|s} from block {got} are not a valid extent") \
	x(LOG_INTENT_CHILD, "log.intent.child", CORRUPT, PRIMARY, log, NOTHING, "unfinished operation in the log: {got:inode} is invalid")

/* items of a log that waits for replay, against the objects that they change: ondisk 11, "Recovery rules" */
#define FINDINGS_REPLAY(x)                                                                          \
	x(LOG_REPLAY_PLACE, "log.replay.place", CORRUPT, PRIMARY, log, NOTHING, "log block {index} changes {got} sector{|s} from sector {want} of the device, which are outside the file system's metadata") \
	x(LOG_REPLAY_UNREADABLE, "log.replay.unreadable", CORRUPT, PRIMARY, log, NOTHING, "log block {index} changes {got} byte{|s} at sector {want} of the device, which cannot be read") \
	x(LOG_REPLAY_NOT_INODE, "log.replay.not_inode", CORRUPT, PRIMARY, log, NOTHING, "log block {index} changes an inode, but there is none: magic is {got:x}, should be {want:x}") \
	x(LOG_REPLAY_FORK, "log.replay.fork", CORRUPT, PRIMARY, log, NOTHING, "log block {index} has {got} byte{|s} of an inode fork, which has room for {want}") \
	x(LOG_REPLAY_UNLINKED, "log.replay.unlinked", CORRUPT, PRIMARY, log, NOTHING, "log block {index} sets the next unlinked inode to inode 0") \
	x(LOG_REPLAY_NOT_DQUOT, "log.replay.not_dquot", CORRUPT, PRIMARY, log, NOTHING, "log block {index} changes a quota record, but there is none: magic is {got:x}, should be {want:x}") \
	x(LOG_REPLAY_BMBT, "log.replay.bmbt", CORRUPT, PRIMARY, log, NOTHING, "log block {index} changes the owner of a bmbt, but block {got} is not a bmbt block of level {want}")

#define FINDING_TABLE(x)                                                                            \
	FINDINGS_IO(x)                                                                              \
	FINDINGS_BLOCK(x)                                                                           \
	FINDINGS_UNSUPPORTED(x)                                                                     \
	FINDINGS_SB(x)                                                                              \
	FINDINGS_SB_LOSS(x)                                                                         \
	FINDINGS_SB_CUT_SHORT(x)                                                                    \
	FINDINGS_SB2(x)                                                                             \
	FINDINGS_AG(x)                                                                              \
	FINDINGS_BTREE(x)                                                                           \
	FINDINGS_INODE(x)                                                                           \
	FINDINGS_INODE_V4(x)                                                                        \
	FINDINGS_BMAP(x)                                                                            \
	FINDINGS_DIR(x)                                                                             \
	FINDINGS_ATTR(x)                                                                            \
	FINDINGS_SYMLINK(x)                                                                         \
	FINDINGS_LOG(x)                                                                             \
	FINDINGS_LOG_ITEM(x)                                                                        \
	FINDINGS_INTENTS(x)                                                                         \
	FINDINGS_REPLAY(x)                                                                          \
	FINDINGS_QUOTA(x)                                                                           \
	FINDINGS_RT(x)                                                                              \
	FINDINGS_XREF(x)                                                                            \
	FINDINGS_LOCATE(x)

enum finding {
#define x(symbol, id, severity, class, mender, follows, message) F_##symbol,
	FINDING_TABLE(x)
#undef x
	FINDING_NR,
};

enum severity {
	SEV_FATAL,
	SEV_CORRUPT,
	SEV_XREF,
	SEV_PREEN,
	SEV_NOTE,
};

enum finding_class {
	CLASS_PRIMARY,
	CLASS_SECONDARY,
	CLASS_SUMMARY,
};

enum follows {
	FOLLOWS_NOTHING, /* a cause of its own */
	FOLLOWS_VALUE,	 /* a cause of its own, and never the cause of others: a value that nothing depends on */
	FOLLOWS_INODE,	 /* may follow from damage to the inode that it is about */
	FOLLOWS_GOT,	 /* ... to the inode {got}, or to any object that hides names */
	FOLLOWS_WANT,	 /* ... to the inode {want}, or to any object that hides names */
	FOLLOWS_NAMES,	 /* ... to any object that hides names */
	FOLLOWS_SPACE,	 /* ... to an object of the same group that hides owners of blocks, or free blocks */
	FOLLOWS_INODES,	 /* ... to an object of the same group that hides which inodes are in use */
	FOLLOWS_ANY,	 /* ... to any object: it is a sum */
};

#endif
