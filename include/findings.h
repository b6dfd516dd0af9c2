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
 * mender:   a row of mends.h, whose turn it is with such a finding.  Where that depends on the object that it is about,
 *           the object's row in place.h tells:
 *           CONTENTS   who mends what the object says
 *           TREE       who builds the tree that it is the root of, or settles the claims that it makes
 *           NONE       nobody: it is no damage, or nothing tells how to mend it
 * follows:  what it may follow from, below which a report lists it (enum follows).
 *
 * What a finding means, in words of a person who does not know XFS, is in explain/.
 */
#ifndef XFSCK_FINDINGS_H
#define XFSCK_FINDINGS_H

/* reading the device */
#define FINDINGS_IO(x)                                                                              \
	x(IO_UNREADABLE, "io.unreadable", CORRUPT, PRIMARY, CONTENTS, NOTHING, "{got} byte{|s} can't be read at byte {want} of the device") \
	x(INODE_UNREADABLE, "inode.unreadable", CORRUPT, PRIMARY, inode_core, NOTHING, "{got} of its bytes can't be read, from byte {want} of the device") \
	x(IO_SHORT, "io.short", CORRUPT, PRIMARY, shrink, NOTHING, "the device has {got} byte{|s}, the superblock says {want}")

/* any block of a V5 file system: ondisk 00 invariant 4 */
#define FINDINGS_BLOCK(x)                                                                           \
	x(BLOCK_MAGIC, "block.magic", CORRUPT, PRIMARY, CONTENTS, NOTHING, "magic {got:x}, should be {want:x}")        \
	x(BLOCK_CRC, "block.crc", CORRUPT, PRIMARY, CONTENTS, NOTHING, "checksum {got:x}, contents give {want:x}")     \
	x(BLOCK_BLKNO, "block.blkno", CORRUPT, PRIMARY, CONTENTS, NOTHING, "says it is at sector {got}, lies at sector {want}") \
	x(BLOCK_OWNER, "block.owner", CORRUPT, PRIMARY, CONTENTS, NOTHING, "owner {got}, should be {want}")            \
	x(BLOCK_UUID, "block.uuid", CORRUPT, PRIMARY, CONTENTS, NOTHING, "uuid is not that of the file system")        \
	x(BLOCK_LSN, "block.lsn", CORRUPT, PRIMARY, CONTENTS, NOTHING, "log sequence number {got:x} is not before the head of the log, {want:x}")

/* file systems that this version does not check: a refusal, not damage */
#define FINDINGS_UNSUPPORTED(x)                                                                     \
	x(SB_VERSION_UNSUPPORTED, "sb.version_unsupported", FATAL, PRIMARY, NONE, NOTHING, "format version {got} is not checked by this version of the program") \
	x(SB_DIRV1_UNSUPPORTED, "sb.dirv1_unsupported", FATAL, PRIMARY, NONE, NOTHING, "feature bit 2000 is not set in {got:x}: directories of version 1 are not checked by this version of the program") \
	x(SB_RO_COMPAT_UNSUPPORTED, "sb.ro_compat_unsupported", FATAL, PRIMARY, NONE, NOTHING, "unknown read-only compatible feature bits {got:x}: not checked by this version of the program") \
	x(SB_INCOMPAT_UNSUPPORTED, "sb.incompat_unsupported", FATAL, PRIMARY, NONE, NOTHING, "unknown incompatible feature bits {got:x}: not checked by this version of the program") \
	x(SB_LOG_INCOMPAT_UNSUPPORTED, "sb.log_incompat_unsupported", FATAL, PRIMARY, NONE, NOTHING, "unknown incompatible log feature bits {got:x}, and a log that is not clean: not replayed by this version of the program")

/* superblock: ondisk 01, feature rules of ondisk 00 */
#define FINDINGS_SB(x)                                                                              \
	x(SB_VERSIONNUM, "sb.versionnum", CORRUPT, PRIMARY, sb, NOTHING, "version and feature bits {got:x}, should be {want:x}") \
	x(SB_FEATURES2, "sb.features2", CORRUPT, PRIMARY, sb, NOTHING, "feature bits {got:x}, should be {want:x}") \
	x(SB_BAD_FEATURES2, "sb.bad_features2", CORRUPT, SECONDARY, sb, NOTHING, "copy of the feature bits is {got:x}, they are {want:x}") \
	x(SB_FEATURES2_COPY, "sb.features2.copy", PREEN, SECONDARY, sb, NOTHING, "feature bits {got:x}, and {want:x} in their copy: kernels go by both, and set both") \
	x(SB_NO_UNWRITTEN, "sb.no_unwritten", NOTE, PRIMARY, NONE, NOTHING, "a file system without unwritten extents (feature bit {want:x}), which kernels of today don't mount") \
	x(SB_COMPAT, "sb.features_compat", NOTE, PRIMARY, NONE, NOTHING, "compatible feature bits {got:x} are unknown to this version of the program; they are kept") \
	x(SB_FEATURE_NEEDS, "sb.feature.needs", CORRUPT, PRIMARY, sb, NOTHING, "feature bit {got:x} is set without {want:x}, which it needs") \
	x(SB_NEEDSREPAIR, "sb.needsrepair", CORRUPT, PRIMARY, sb, NOTHING, "marked as needing repair: an earlier repair or upgrade was cut short") \
	x(SB_META_UUID, "sb.meta_uuid", CORRUPT, PRIMARY, sb, NOTHING, "the uuid of the metadata is zero")       \
	x(SB_SECTSIZE, "sb.sectsize", CORRUPT, PRIMARY, sb, NOTHING, "sector size {got}, not a power of two from 512 to 32768 up to the block size") \
	x(SB_SECTLOG, "sb.sectlog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the sector size is {got}, should be {want}") \
	x(SB_BLOCKSIZE, "sb.blocksize", CORRUPT, PRIMARY, sb, NOTHING, "block size {got}, not a power of two from 512 (1024 with checksums) to 65536") \
	x(SB_BLOCKLOG, "sb.blocklog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the block size is {got}, should be {want}") \
	x(SB_INODESIZE, "sb.inodesize", CORRUPT, PRIMARY, sb, NOTHING, "inode size {got}, not a power of two from 256 (512 with checksums) to 2048 up to half a block") \
	x(SB_INODELOG, "sb.inodelog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the inode size is {got}, should be {want}") \
	x(SB_INOPBLOCK, "sb.inopblock", CORRUPT, SECONDARY, sb, NOTHING, "{got} inode{|s} per block, the sizes make {want}") \
	x(SB_INOPBLOG, "sb.inopblog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the inodes per block is {got}, should be {want}") \
	x(SB_DIRBLKLOG, "sb.dirblklog", CORRUPT, PRIMARY, sb, NOTHING, "directory blocks of 2^{got} blocks exceed 65536 bytes") \
	x(SB_AGBLOCKS, "sb.agblocks", CORRUPT, PRIMARY, sb, NOTHING, "allocation groups of {got} block{|s}, not 16 MiB to 1 TiB") \
	x(SB_AGBLKLOG, "sb.agblklog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the allocation group size is {got}, should be {want}") \
	x(SB_AGCOUNT, "sb.agcount", CORRUPT, PRIMARY, sb, NOTHING, "{got} allocation group{|s}, the sizes make {want}") \
	x(SB_DBLOCKS, "sb.dblocks", CORRUPT, PRIMARY, sb, NOTHING, "{got} data block{|s}: too many, or too few for the last allocation group") \
	x(SB_INOALIGNMT, "sb.inoalignmt", CORRUPT, PRIMARY, sb, NOTHING, "inode alignment {got}, should be {want}") \
	x(SB_SPINO_ALIGN, "sb.spino_align", CORRUPT, PRIMARY, sb, NOTHING, "sparse inode alignment {got}, should be {want}") \
	x(SB_UNIT, "sb.unit", CORRUPT, PRIMARY, sb, NOTHING, "stripe unit {got} does not fit the feature bit, the stripe width or the allocation group size") \
	x(SB_WIDTH, "sb.width", CORRUPT, PRIMARY, sb, NOTHING, "stripe width {got} is no multiple of the stripe unit, {want}") \
	x(SB_WIDTH_MAX, "sb.width.max", CORRUPT, PRIMARY, sb, NOTHING, "stripe width {got}: the kernel mounts up to {want}") \
	x(SB_SECTOR_BIT, "sb.sector_bit", CORRUPT, PRIMARY, sb, NOTHING, "sectors of {got} byte{|s} without the feature bit for large sectors") \
	x(SB_LOGSECTSIZE, "sb.logsectsize", CORRUPT, PRIMARY, sb, NOTHING, "log sector size {got}, not a power of two from 512 to 32768, or not 0 without large sectors") \
	x(SB_LOGSECTLOG, "sb.logsectlog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the log sector size is {got}, should be {want}") \
	x(SB_LOGSUNIT, "sb.logsunit", CORRUPT, PRIMARY, sb, NOTHING, "log stripe unit {got}, neither 1 nor whole blocks up to 262144 bytes") \
	x(SB_LOGBLOCKS, "sb.logblocks", CORRUPT, PRIMARY, sb, NOTHING, "log of {got} block{|s}, too small or too large") \
	x(SB_LOGBLOCKS_MIN, "sb.logblocks.min", CORRUPT, PRIMARY, sb, NOTHING, "log of {got} block{|s}, the kernel mounts none of less than {want}") \
	x(SB_LOGSTART, "sb.logstart", CORRUPT, PRIMARY, sb, NOTHING, "log of {want} block{|s} at block {got} does not lie in one allocation group behind its headers") \
	x(SB_REXTSIZE, "sb.rextsize", CORRUPT, PRIMARY, sb, NOTHING, "realtime extents of {got} block{|s}, not 4 KiB to 1 GiB") \
	x(SB_RT_FIELD, "sb.rt_field", CORRUPT, PRIMARY, sb, NOTHING, "a realtime field is {got} without a realtime section") \
	x(SB_RGEXTENTS, "sb.rgextents", CORRUPT, PRIMARY, sb, NOTHING, "realtime groups of {got} extent{|s}, too few or too many") \
	x(SB_RGBLKLOG, "sb.rgblklog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the realtime group size is {got}, should be {want}") \
	x(SB_ROOTINO, "sb.rootino", CORRUPT, PRIMARY, sb, NOTHING, "root inode {got}, should be {want}")         \
	x(SB_RBMINO, "sb.rbmino", CORRUPT, PRIMARY, sb, NOTHING, "realtime bitmap inode {got}, should be {want}") \
	x(SB_RSUMINO, "sb.rsumino", CORRUPT, PRIMARY, sb, NOTHING, "realtime summary inode {got}, should be {want}") \
	x(SB_METADIRINO, "sb.metadirino", CORRUPT, PRIMARY, sb, NOTHING, "metadata directory inode {got}, should be {want}") \
	x(SB_QUOTINO, "sb.quotino", CORRUPT, PRIMARY, quota_sb, NOTHING, "quota inode {got} can't be one")             \
	x(SB_QUOTA_BIT, "sb.quota_bit", CORRUPT, PRIMARY, quota_sb, NOTHING, "quota flags or a quota inode without the feature bit for quotas") \
	x(SB_QUOTA_NONE, "sb.quota_none", XREF, PRIMARY, quota_sb, NOTHING, "feature bit for quotas, but no quota inode") \
	x(SB_QFLAGS, "sb.qflags", CORRUPT, PRIMARY, sb, NOTHING, "quota flags {got:x}, of which {want:x} are known") \
	x(SB_QFLAGS_NEED, "sb.qflags.need", CORRUPT, PRIMARY, sb, NOTHING, "quota flags {got:x}: limits enforced or usage right of what is not counted, should be {want:x}") \
	x(SB_FLAGS, "sb.flags", PREEN, PRIMARY, sb, NOTHING, "flags {got:x}, should be 0")                     \
	x(SB_SHARED_VN, "sb.shared_vn", CORRUPT, PRIMARY, sb, NOTHING, "shared version {got}, should be 0")      \
	x(SB_INPROGRESS, "sb.inprogress", CORRUPT, PRIMARY, sb, NOTHING, "the in-progress mark of mkfs is {got}") \
	x(SB_IMAX_PCT, "sb.imax_pct", CORRUPT, PRIMARY, sb, NOTHING, "{got} percent of the space for inodes")    \
	x(SB_ICOUNT, "sb.icount", CORRUPT, SUMMARY, sb, NOTHING, "{got} inode{|s} can't be: whole chunks, at least 64, and as many as fit") \
	x(SB_IFREE, "sb.ifree", CORRUPT, SUMMARY, sb, NOTHING, "{got} free inode{|s} of {want}")                    \
	x(SB_FDBLOCKS, "sb.fdblocks", CORRUPT, SUMMARY, sb, NOTHING, "{got} free block{|s} of {want}")              \
	x(SB_TAIL, "sb.tail", PREEN, SECONDARY, sb, NOTHING, "unused bytes behind the superblock are not zero")

/* the primary superblock against everything else: ondisk 01, "Secondary superblocks" */
#define FINDINGS_SB_LOSS(x)                                                                         \
	x(SB_LOST, "sb.lost", CORRUPT, PRIMARY, sb, NOTHING, "can't be used; superblocks that agree and stand in for it: {got}") \
	x(SB_DERIVED, "sb.derived", CORRUPT, PRIMARY, sb, NOTHING, "no superblock is left; what lies in allocation groups says that there are {got} of them, of {want} block{|s}") \
	x(SB_OUTVOTED, "sb.outvoted", XREF, PRIMARY, sb, NOTHING, "{got:x}, should be {want:x} as other superblocks have it") \
	x(SB_OUTVOTED_TEXT, "sb.outvoted.text", XREF, PRIMARY, sb, NOTHING, "uuid or label is not what other superblocks have") \
	x(SB_UNCONFIRMED, "sb.unconfirmed", FATAL, PRIMARY, NONE, NOTHING, "nothing else on the device confirms the geometry ({got} allocation group{|s} of {want} block{|s}): -o force_geometry checks with it nevertheless") \
	x(SB_NONE, "sb.none", FATAL, PRIMARY, NONE, NOTHING, "no usable superblock was found on the device")

/* secondary superblocks against the one that is relied on, the primary if it was not outvoted; either may be wrong: ondisk 01, invariant 10 */
#define FINDINGS_SB_CUT_SHORT(x)                                                                    \
	x(SB_REPAIR_CUT_SHORT, "sb.repair_cut_short", CORRUPT, PRIMARY, resume, NOTHING, "a repair was cut short: what it had yet to write, {got} bytes, is kept at byte {want} of the device")

#define FINDINGS_SB2(x)                                                                             \
	x(SB2_BLOCKSIZE, "sb.secondary.blocksize", XREF, SECONDARY, sb_copy, NOTHING, "block size {got}, the file system has {want}") \
	x(SB2_DBLOCKS, "sb.secondary.dblocks", XREF, SECONDARY, sb_copy, NOTHING, "data blocks {got}, the file system has {want}") \
	x(SB2_RBLOCKS, "sb.secondary.rblocks", XREF, SECONDARY, sb_copy, NOTHING, "realtime blocks {got}, the file system has {want}") \
	x(SB2_REXTENTS, "sb.secondary.rextents", XREF, SECONDARY, sb_copy, NOTHING, "realtime extents {got}, the file system has {want}") \
	x(SB2_UUID, "sb.secondary.uuid", XREF, SECONDARY, sb_copy, NOTHING, "uuid is not that of the file system") \
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
	x(SB2_BLOCKLOG, "sb.secondary.blocklog", XREF, SECONDARY, sb_copy, NOTHING, "block size logarithm {got}, the file system has {want}") \
	x(SB2_SECTLOG, "sb.secondary.sectlog", XREF, SECONDARY, sb_copy, NOTHING, "sector size logarithm {got}, the file system has {want}") \
	x(SB2_INODELOG, "sb.secondary.inodelog", XREF, SECONDARY, sb_copy, NOTHING, "inode size logarithm {got}, the file system has {want}") \
	x(SB2_INOPBLOG, "sb.secondary.inopblog", XREF, SECONDARY, sb_copy, NOTHING, "inodes per block logarithm {got}, the file system has {want}") \
	x(SB2_AGBLKLOG, "sb.secondary.agblklog", XREF, SECONDARY, sb_copy, NOTHING, "allocation group size logarithm {got}, the file system has {want}") \
	x(SB2_REXTSLOG, "sb.secondary.rextslog", XREF, SECONDARY, sb_copy, NOTHING, "realtime extents logarithm {got}, the file system has {want}") \
	x(SB2_IMAX_PCT, "sb.secondary.imax_pct", PREEN, SECONDARY, sb_copy, NOTHING, "percentage for inodes {got}, the file system has {want}") \
	x(SB2_FLAGS, "sb.secondary.flags", XREF, SECONDARY, sb_copy, NOTHING, "flags {got}, the file system has {want}") \
	x(SB2_SHARED_VN, "sb.secondary.shared_vn", XREF, SECONDARY, sb_copy, NOTHING, "shared version {got}, the file system has {want}") \
	x(SB2_INOALIGNMT, "sb.secondary.inoalignmt", XREF, SECONDARY, sb_copy, NOTHING, "inode alignment {got}, the file system has {want}") \
	x(SB2_DIRBLKLOG, "sb.secondary.dirblklog", XREF, SECONDARY, sb_copy, NOTHING, "directory block logarithm {got}, the file system has {want}") \
	x(SB2_LOGSECTLOG, "sb.secondary.logsectlog", XREF, SECONDARY, sb_copy, NOTHING, "log sector size logarithm {got}, the file system has {want}") \
	x(SB2_LOGSECTSIZE, "sb.secondary.logsectsize", XREF, SECONDARY, sb_copy, NOTHING, "log sector size {got}, the file system has {want}") \
	x(SB2_LOGSUNIT, "sb.secondary.logsunit", XREF, SECONDARY, sb_copy, NOTHING, "log stripe unit {got}, the file system has {want}") \
	x(SB2_FEATURES2, "sb.secondary.features2", XREF, SECONDARY, sb_copy, NOTHING, "feature bits {got:x}, the file system has {want:x}") \
	x(SB2_BAD_FEATURES2, "sb.secondary.bad_features2", XREF, SECONDARY, sb_copy, NOTHING, "copy of the feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_COMPAT, "sb.secondary.features_compat", XREF, SECONDARY, sb_copy, NOTHING, "compatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_RO_COMPAT, "sb.secondary.features_ro_compat", XREF, SECONDARY, sb_copy, NOTHING, "read-only compatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_INCOMPAT, "sb.secondary.features_incompat", XREF, SECONDARY, sb_copy, NOTHING, "incompatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_SPINO_ALIGN, "sb.secondary.spino_align", XREF, SECONDARY, sb_copy, NOTHING, "sparse inode alignment {got}, the file system has {want}") \
	x(SB2_META_UUID, "sb.secondary.meta_uuid", XREF, SECONDARY, sb_copy, NOTHING, "uuid of the metadata is not that of the file system") \
	x(SB2_RGCOUNT, "sb.secondary.rgcount", XREF, SECONDARY, sb_copy, NOTHING, "realtime groups {got}, the file system has {want}") \
	x(SB2_RGEXTENTS, "sb.secondary.rgextents", XREF, SECONDARY, sb_copy, NOTHING, "realtime group size {got}, the file system has {want}") \
	x(SB2_RTSTART, "sb.secondary.rtstart", XREF, SECONDARY, sb_copy, NOTHING, "start of the realtime section {got}, the file system has {want}") \
	x(SB2_RTRESERVED, "sb.secondary.rtreserved", XREF, SECONDARY, sb_copy, NOTHING, "reserved realtime blocks {got}, the file system has {want}") \
	x(SB2_RGBLKLOG, "sb.secondary.rgblklog", XREF, SECONDARY, sb_copy, NOTHING, "realtime group size logarithm {got}, the file system has {want}") \
	x(SB2_VERSIONNUM, "sb.secondary.versionnum", XREF, SECONDARY, sb_copy, NOTHING, "version and feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_LOG_INCOMPAT, "sb.secondary.features_log_incompat", XREF, SECONDARY, sb_copy, NOTHING, "incompatible log feature bits {got:x}, the file system has {want:x}") \
	x(SB2_INPROGRESS, "sb.secondary.inprogress", CORRUPT, SECONDARY, sb_copy, NOTHING, "the in-progress mark is {got}, neither 0 nor 1") \
	x(SB2_ROOTINO, "sb.secondary.rootino", CORRUPT, SECONDARY, sb_copy, NOTHING, "root inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_RBMINO, "sb.secondary.rbmino", CORRUPT, SECONDARY, sb_copy, NOTHING, "realtime bitmap inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_RSUMINO, "sb.secondary.rsumino", CORRUPT, SECONDARY, sb_copy, NOTHING, "realtime summary inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_METADIRINO, "sb.secondary.metadirino", CORRUPT, SECONDARY, sb_copy, NOTHING, "metadata directory inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_QUOTINO, "sb.secondary.quotino", CORRUPT, SECONDARY, sb_copy, NOTHING, "quota inode {got} can't be one, or none should be there") \
	x(SB2_QFLAGS, "sb.secondary.qflags", CORRUPT, SECONDARY, sb_copy, NOTHING, "quota flags {got:x}, of which {want:x} may be there") \
	x(SB2_COUNTER, "sb.secondary.counter", PREEN, SECONDARY, sb_copy, NOTHING, "a counter is {got}, at most {want} is possible")

/* AG headers: ondisk 02 */
#define FINDINGS_AG(x)                                                                              \
	x(AGF_VERSIONNUM, "agf.versionnum", CORRUPT, PRIMARY, ag_header, NOTHING, "version {got}, should be {want}")    \
	x(AGF_SEQNO, "agf.seqno", CORRUPT, PRIMARY, ag_header, NOTHING, "says it is that of AG {got}, lies in AG {want}") \
	x(AGF_LENGTH, "agf.length", CORRUPT, PRIMARY, ag_header, NOTHING, "length {got} block{|s}, superblock says {want}") \
	x(AGF_BNO_ROOT, "agf.bno_root", CORRUPT, PRIMARY, ag_space, NOTHING, "root of the bnobt is block {got}, which can't be") \
	x(AGF_BNO_LEVEL, "agf.bno_level", CORRUPT, PRIMARY, ag_header, NOTHING, "height of the bnobt is {got}, can be 1 to {want}") \
	x(AGF_CNT_ROOT, "agf.cnt_root", CORRUPT, PRIMARY, ag_space, NOTHING, "root of the cntbt is block {got}, which can't be") \
	x(AGF_CNT_LEVEL, "agf.cnt_level", CORRUPT, PRIMARY, ag_header, NOTHING, "height of the cntbt is {got}, can be 1 to {want}") \
	x(AGF_RMAP_ROOT, "agf.rmap_root", CORRUPT, PRIMARY, ag_space, NOTHING, "root of the rmapbt is block {got}, which can't be") \
	x(AGF_RMAP_LEVEL, "agf.rmap_level", CORRUPT, PRIMARY, ag_header, NOTHING, "height of the rmapbt is {got}, can be 1 to {want}") \
	x(AGF_REFCOUNT_ROOT, "agf.refcount_root", CORRUPT, PRIMARY, ag_space, NOTHING, "root of the refcountbt is block {got}, which can't be") \
	x(AGF_REFCOUNT_LEVEL, "agf.refcount_level", CORRUPT, PRIMARY, ag_header, NOTHING, "height of the refcountbt is {got}, can be 1 to {want}") \
	x(AGF_FLFIRST, "agf.flfirst", CORRUPT, PRIMARY, ag_space, NOTHING, "free list begins in slot {got}, there are {want}") \
	x(AGF_FLLAST, "agf.fllast", CORRUPT, PRIMARY, ag_space, NOTHING, "free list ends in slot {got}, there are {want}") \
	x(AGF_FLCOUNT, "agf.flcount", CORRUPT, PRIMARY, ag_space, NOTHING, "{got} block{|s} on the free list, its first and last slot make it {want}") \
	x(AGF_FREEBLKS, "agf.freeblks", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} free block{|s}, at most {want} {is|are} possible") \
	x(AGF_LONGEST, "agf.longest", CORRUPT, SUMMARY, ag_header, NOTHING, "longest free extent {got} block{|s}, of {want} free ones") \
	x(AGF_BTREEBLKS, "agf.btreeblks", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} btree block{|s} below the roots, at most {want} {is|are} possible") \
	x(AGF_RMAP_BLOCKS, "agf.rmap_blocks", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} rmapbt block{|s}, at most {want} {is|are} possible") \
	x(AGF_REFCOUNT_BLOCKS, "agf.refcount_blocks", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} refcountbt block{|s}, at most {want} {is|are} possible") \
	x(AGF_UNUSED, "agf.unused", PREEN, SECONDARY, ag_header, NOTHING, "a field of a tree that the file system does not have is {got}") \
	x(AGF_SPARE, "agf.spare", PREEN, SECONDARY, ag_header, NOTHING, "unused bytes are not zero")                    \
	x(AGFL_SEQNO, "agfl.seqno", CORRUPT, PRIMARY, ag_header, NOTHING, "says it is that of AG {got}, lies in AG {want}") \
	x(AGFL_BNO, "agfl.bno", CORRUPT, PRIMARY, ag_space, NOTHING, "slot {index} holds block {got}, which can't be") \
	x(AGFL_DUPLICATE, "agfl.duplicate", CORRUPT, PRIMARY, ag_space, NOTHING, "slot {index} holds block {got}, which slot {want} holds as well") \
	x(AGFL_UNUSED, "agfl.unused", CORRUPT, SECONDARY, ag_header, NOTHING, "unused slot {index} holds block {got}, groups have {want}") \
	x(AGI_VERSIONNUM, "agi.versionnum", CORRUPT, PRIMARY, ag_header, NOTHING, "version {got}, should be {want}")    \
	x(AGI_SEQNO, "agi.seqno", CORRUPT, PRIMARY, ag_header, NOTHING, "says it is that of AG {got}, lies in AG {want}") \
	x(AGI_LENGTH, "agi.length", CORRUPT, PRIMARY, ag_header, NOTHING, "length {got} block{|s}, superblock says {want}") \
	x(AGI_ROOT, "agi.root", CORRUPT, PRIMARY, ag_inodes, NOTHING, "root of the inobt is block {got}, which can't be") \
	x(AGI_LEVEL, "agi.level", CORRUPT, PRIMARY, ag_header, NOTHING, "height of the inobt is {got}, can be 1 to {want}") \
	x(AGI_FREE_ROOT, "agi.free_root", CORRUPT, PRIMARY, ag_inodes, NOTHING, "root of the finobt is block {got}, which can't be") \
	x(AGI_FREE_LEVEL, "agi.free_level", CORRUPT, PRIMARY, ag_header, NOTHING, "height of the finobt is {got}, can be 1 to {want}") \
	x(AGI_COUNT, "agi.count", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} inode{|s} can't be: whole chunks, at most {want}") \
	x(AGI_FREECOUNT, "agi.freecount", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} free inode{|s} of {want}")          \
	x(AGI_IBLOCKS, "agi.iblocks", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} inobt block{|s}, at most {want} {is|are} possible") \
	x(AGI_FBLOCKS, "agi.fblocks", CORRUPT, SUMMARY, ag_header, NOTHING, "{got} finobt block{|s}, at most {want} {is|are} possible") \
	x(AGI_NEWINO, "agi.newino", PREEN, SECONDARY, ag_header, NOTHING, "newest chunk begins with inode {got}, which can't be") \
	x(AGI_DIRINO, "agi.dirino", PREEN, SECONDARY, ag_header, NOTHING, "directory hint is inode {got}, which can't be") \
	x(AGI_UNLINKED, "agi.unlinked", CORRUPT, PRIMARY, ag_header, NOTHING, "unlinked list {index} begins with inode {got}, which can't be on it") \
	x(AGI_UNUSED, "agi.unused", PREEN, SECONDARY, ag_header, NOTHING, "a field that the file system does not use is {got}") \
	x(AGI_SPARE, "agi.spare", PREEN, SECONDARY, ag_header, NOTHING, "unused bytes are not zero")

/* btrees of every kind and the records of the AG ones: ondisk 03 */
#define FINDINGS_BTREE(x)                                                                           \
	x(BTREE_LEVEL, "btree.level", CORRUPT, PRIMARY, TREE, NOTHING, "level {got}, should be {want}")            \
	x(BTREE_ROOT, "btree.root", XREF, PRIMARY, TREE, SPACE, "block {got} is said to be the root of the {want:object}, but is no such block") \
	x(BTREE_HEIGHT, "btree.height", XREF, PRIMARY, CONTENTS, NOTHING, "height of the {want:object} is {index}, its root makes it {got}") \
	x(BTREE_NUMRECS, "btree.numrecs", CORRUPT, PRIMARY, TREE, NOTHING, "{got} record{|s}, there are at most {want}") \
	x(BTREE_UNDERFULL, "btree.underfull", CORRUPT, PRIMARY, TREE, NOTHING, "{got} record{|s}, should have at least {want}") \
	x(BTREE_LEFTSIB, "btree.leftsib", CORRUPT, PRIMARY, TREE, NOTHING, "left sibling {got:x} can't be")        \
	x(BTREE_RIGHTSIB, "btree.rightsib", CORRUPT, PRIMARY, TREE, NOTHING, "right sibling {got:x} can't be")     \
	x(BTREE_PAD, "btree.pad", PREEN, PRIMARY, TREE, VALUE, "padding is {got:x}, should be 0")                \
	x(BTREE_FIRST_KEY, "btree.first_key", CORRUPT, PRIMARY, TREE, NOTHING, "first key is {got}, its parent says {want}") \
	x(BTREE_HIGH_KEY, "btree.high_key", CORRUPT, PRIMARY, TREE, NOTHING, "highest key is {got}, its parent says {want}") \
	x(BTREE_BOUND, "btree.bound", CORRUPT, PRIMARY, TREE, NOTHING, "last key is {got}, the next block begins with {want}") \
	x(BTREE_ORDER, "btree.order", CORRUPT, PRIMARY, TREE, NOTHING, "key {index} is {got}, the one before it {want}") \
	x(BTREE_OVERLAP, "btree.overlap", CORRUPT, PRIMARY, TREE, NOTHING, "record {index} begins at {got}, those before it allow {want}") \
	x(BTREE_OVERLAP_NEXT, "btree.overlap_next", CORRUPT, PRIMARY, TREE, NOTHING, "records allow the next block to begin at {got}, it does at {want}") \
	x(BTREE_POINTER, "btree.pointer", CORRUPT, PRIMARY, TREE, NOTHING, "pointer {index} is {got:x}, which can't be") \
	x(ALLOC_START, "alloc.start", CORRUPT, PRIMARY, TREE, NOTHING, "free extent {index} starts at {got}, the AG's blocks end or begin at {want}") \
	x(ALLOC_LENGTH, "alloc.length", CORRUPT, PRIMARY, TREE, NOTHING, "free extent {index} has {got} block{|s}, can have 1 to {want}") \
	x(INOBT_STARTINO, "inobt.startino", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} starts at inode {got}, the AG's inodes begin or end at {want}") \
	x(INOBT_ALIGN, "inobt.align", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} starts at inode {got}, which is no multiple of {want}") \
	x(INOBT_HOLEMASK, "inobt.holemask", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} can't lack the inodes of its mask {got:x}") \
	x(INOBT_COUNT, "inobt.count", CORRUPT, SUMMARY, TREE, NOTHING, "chunk {index} counts {got} inode{|s}, its mask leaves {want}") \
	x(INOBT_FREECOUNT, "inobt.freecount", CORRUPT, SUMMARY, TREE, NOTHING, "chunk {index} counts {got} free inode{|s}, its mask has {want}") \
	x(INOBT_HOLE_IN_USE, "inobt.hole_in_use", CORRUPT, PRIMARY, TREE, NOTHING, "chunk {index} uses inodes it doesn't have, free mask {got:x}") \
	x(FINOBT_FULL, "finobt.full", CORRUPT, SECONDARY, TREE, NOTHING, "chunk {index} has no free inode")        \
	x(RMAP_START, "rmap.start", CORRUPT, SECONDARY, TREE, NOTHING, "mapping {index} starts at {got}, the AG's blocks end or begin at {want}") \
	x(RMAP_LENGTH, "rmap.length", CORRUPT, SECONDARY, TREE, NOTHING, "mapping {index} has {got} block{|s}, can have 1 to {want}") \
	x(RMAP_OWNER, "rmap.owner", CORRUPT, SECONDARY, TREE, NOTHING, "mapping {index} has owner {got:x}, which can't be") \
	x(RMAP_FLAGS, "rmap.flags", CORRUPT, SECONDARY, TREE, NOTHING, "mapping {index} has flags {got:x}, its owner allows {want:x}") \
	x(RMAP_OFFSET, "rmap.offset", CORRUPT, SECONDARY, TREE, NOTHING, "mapping {index} has offset {got}, its owner allows {want}") \
	x(RMAP_UNMERGED, "rmap.unmerged", CORRUPT, SECONDARY, TREE, NOTHING, "mapping {index} starts at {got} and continues the one before it: they should be one") \
	x(REFCOUNT_START, "refcount.start", CORRUPT, SECONDARY, TREE, NOTHING, "shared extent {index} starts at {got}, the AG's blocks end or begin at {want}") \
	x(REFCOUNT_LENGTH, "refcount.length", CORRUPT, SECONDARY, TREE, NOTHING, "shared extent {index} has {got} block{|s}, can have 1 to {want}") \
	x(REFCOUNT_SHARED, "refcount.shared", CORRUPT, SECONDARY, TREE, NOTHING, "extent {index} is counted {got} time{|s}, should be at least {want}") \
	x(REFCOUNT_COW, "refcount.cow", CORRUPT, SECONDARY, TREE, NOTHING, "copy-on-write extent {index} is counted {got} time{|s}, should be {want}")

/* inodes: ondisk 04 */
#define FINDINGS_INODE(x)                                                                           \
	x(INODE_VERSION, "inode.version", CORRUPT, PRIMARY, inode_core, NOTHING, "version {got}, should be {want}")      \
	x(INODE_INO, "inode.ino", CORRUPT, PRIMARY, inode_core, NOTHING, "says it is inode {got}, should be {want}")     \
	x(INODE_FREE_IN_USE, "inode.free_in_use", XREF, PRIMARY, ag_inodes, INODES, "the inode btree has it in use, but its mode is 0") \
	x(INODE_USED_BUT_FREE, "inode.used_but_free", XREF, PRIMARY, ag_inodes, INODES, "the inode btree has it as free, but its mode is {got:x}") \
	x(INODE_FREE_FIELD, "inode.free.field", PREEN, PRIMARY, inode_core, NOTHING, "a field that is empty in free inodes has {got:x}") \
	x(INODE_FREE_FORMAT, "inode.free.format", PREEN, PRIMARY, inode_core, NOTHING, "free, but its fork format is {got}, should be {want}") \
	x(INODE_MODE, "inode.mode", CORRUPT, PRIMARY, inode_core, NOTHING, "mode {got:x} has no file type that exists")  \
	x(INODE_SB_TYPE, "inode.sb_type", XREF, PRIMARY, inode_core, NOTHING, "file type {got}, the superblock says it should be {want}") \
	x(INODE_NLINK, "inode.nlink", CORRUPT, PRIMARY, inode_core, NOTHING, "{got} link{|s}, can be {want} at most")       \
	x(INODE_NEXT_UNLINKED, "inode.next_unlinked", CORRUPT, PRIMARY, ag_unlinked, NOTHING, "points to inode {got} of its group as the next unlinked one, but can't") \
	x(INODE_TIME, "inode.time", CORRUPT, PRIMARY, inode_core, VALUE, "time stamp of {got} second{|s}, can be {want} at most") \
	x(INODE_NSEC, "inode.nsec", CORRUPT, PRIMARY, inode_core, VALUE, "time stamp with {got} nanosecond{|s}, can be {want} at most") \
	x(INODE_PAD, "inode.pad", CORRUPT, PRIMARY, inode_core, VALUE, "an unused field has {got:x}, should have {want}") \
	x(INODE_FLAGS, "inode.flags", CORRUPT, PRIMARY, inode_core, NOTHING, "flags {got:x}, of which only {want:x} are possible here") \
	x(INODE_FLAGS2, "inode.flags2", CORRUPT, PRIMARY, inode_core, NOTHING, "flags2 {got:x}, should be {want:x}")     \
	x(INODE_EXTSIZE, "inode.extsize", CORRUPT, PRIMARY, inode_core, VALUE, "extent size hint of {got} block{|s}, its flags allow {want} at most") \
	x(INODE_COWEXTSIZE, "inode.cowextsize", CORRUPT, PRIMARY, inode_core, VALUE, "copy-on-write hint of {got} block{|s}, its flags allow {want} at most") \
	x(INODE_METATYPE, "inode.metatype", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file type {got}, which can't be") \
	x(INODE_META_FLAGS, "inode.meta.flags", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file with flags {got:x}, needs {want:x}") \
	x(INODE_META_MODE, "inode.meta.mode", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file with mode {got:x}, should be {want:x}") \
	x(INODE_META_OWNER, "inode.meta.owner", CORRUPT, PRIMARY, inode_core, NOTHING, "metadata file owned by {got}, should be by {want}") \
	x(INODE_FORMAT, "inode.format", CORRUPT, PRIMARY, inode_core, NOTHING, "data fork has format {got}, should have {want}") \
	x(INODE_AFORMAT, "inode.aformat", CORRUPT, PRIMARY, inode_core, NOTHING, "attribute fork has format {got}, should have {want}") \
	x(INODE_FORKOFF, "inode.forkoff", CORRUPT, PRIMARY, inode_core, NOTHING, "attribute fork is at {got} times 8 bytes, should be at {want} at most") \
	x(INODE_FORKOFF_LOW, "inode.forkoff.low", CORRUPT, PRIMARY, inode_core, NOTHING, "attribute fork is at {got} times 8 bytes, should be at {want} at least") \
	x(INODE_NEXTENTS, "inode.nextents", CORRUPT, PRIMARY, inode_core, NOTHING, "{got} extent{|s} {doesn't|don't} go with the data fork, {want} would") \
	x(INODE_ANEXTENTS, "inode.anextents", CORRUPT, PRIMARY, inode_core, NOTHING, "{got} extent{|s} {doesn't|don't} go with the attribute fork, {want} would") \
	x(INODE_NBLOCKS, "inode.nblocks", CORRUPT, SUMMARY, inode_core, INODE, "{got} block{|s} {doesn't|don't} go with its extents, {want} would") \
	x(INODE_SIZE, "inode.size", CORRUPT, PRIMARY, inode_core, NOTHING, "size {got} is not one that can be, {want} is")

/* inodes of version 4 file systems: ondisk 04 */
#define FINDINGS_INODE_V4(x)                                                                        \
	x(INODE_ONLINK, "inode.onlink", CORRUPT, SECONDARY, inode_core, NOTHING, "link count of version 1 is {got} in an inode of version 2, should be {want}") \
	x(INODE_PROJID_HI, "inode.projid_hi", CORRUPT, PRIMARY, inode_core, VALUE, "upper half of the project is {got}, which the file system does not use")

/* extent maps: ondisk 05 */
#define FINDINGS_BMAP(x)                                                                            \
	x(BMAP_START, "bmap.start", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} starts at block {got:x}, which can't be") \
	x(BMAP_LENGTH, "bmap.length", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} has {got} block{|s}, can have 1 to {want}") \
	x(BMAP_OFFSET, "bmap.offset", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} at file block {got} reaches beyond block {want}") \
	x(BMAP_UNWRITTEN, "bmap.unwritten", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} is unwritten, which only data of files can be") \
	x(BMAP_ORDER, "bmap.order", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} is at file block {got}, the one before it ends at {want}") \
	x(BMDR_LEVEL, "bmdr.level", CORRUPT, PRIMARY, TREE, NOTHING, "root level is {got}, should be {index} to {want}") \
	x(BMDR_NUMRECS, "bmdr.numrecs", CORRUPT, PRIMARY, TREE, NOTHING, "root has {got} record{|s}, should have {index} to {want}")

/* directories, and the da nodes that attributes have as well: ondisk 06 */
#define FINDINGS_DIR(x)                                                                             \
	x(DA_FORW, "da.forw", CORRUPT, SECONDARY, CONTENTS, NOTHING, "right sibling is block {got}, which can't be") \
	x(DA_BACK, "da.back", CORRUPT, SECONDARY, CONTENTS, NOTHING, "left sibling is block {got}, which can't be") \
	x(DA_LEVEL, "da.level", CORRUPT, SECONDARY, CONTENTS, NOTHING, "level {got} of a node, should be 1 to {want}") \
	x(DA_COUNT, "da.count", CORRUPT, SECONDARY, CONTENTS, NOTHING, "says it has {got} entr{y|ies}, there are {want} at most") \
	x(DA_ORDER, "da.order", CORRUPT, SECONDARY, CONTENTS, NOTHING, "entry {index} has hash {got:x}, below {want:x} of the one before") \
	x(DA_BEFORE, "da.before", CORRUPT, SECONDARY, CONTENTS, NOTHING, "entry {index} points to block {got}, which can't be") \
	x(DIR_ENTRY_NAMELEN, "dir.entry.namelen", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} has a name of no bytes") \
	x(DIR_ENTRY_NAME, "dir.entry.name", CORRUPT, PRIMARY, dir, NOTHING, "name of entry {index} has a byte {got:x}") \
	x(DIR_ENTRY_DOTS, "dir.entry.dots", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} has a name of {got} dot{|s}, which is reserved") \
	x(DIR_ENTRY_INO, "dir.entry.ino", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} names inode {got}, which can't be") \
	x(DIR_ENTRY_INTERNAL, "dir.entry.internal", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} names {got:inode}, which the file system keeps for itself") \
	x(DIR_ENTRY_FTYPE, "dir.entry.ftype", CORRUPT, SECONDARY, dir, NOTHING, "entry {index} has file type {got}") \
	x(DIR_ENTRY_DUPLICATE, "dir.entry.duplicate", CORRUPT, PRIMARY, dir, NOTHING, "entry at byte {got} has the name of the one at byte {want}") \
	x(DIR_DOTS_MISSING, "dir.dots.missing", CORRUPT, PRIMARY, dir, NOTHING, "the entry of {got} dot{|s} is missing") \
	x(DIR_DOTS_NAME, "dir.dots.name", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} is not called . or .. as it must") \
	x(DIR_DOTS_FTYPE, "dir.dots.ftype", CORRUPT, SECONDARY, dir, NOTHING, "file type of . or .. is {got}, should be {want}") \
	x(DIR_DOT_INO, "dir.dot.ino", CORRUPT, PRIMARY, dir, NOTHING, "entry . names inode {got}, not the directory itself, {want}") \
	x(DIR_DOTDOT_INO, "dir.dotdot.ino", CORRUPT, PRIMARY, dir, NOTHING, "entry .. names inode {got}, which can't be") \
	x(DIR_SF_SIZE, "dir.sf.size", CORRUPT, PRIMARY, dir, NOTHING, "size is {got} byte{|s}, header and entries take {want}") \
	x(DIR_SF_COUNT, "dir.sf.count", CORRUPT, PRIMARY, dir, NOTHING, "says it has {got} entr{y|ies}, there are {want}") \
	x(DIR_SF_I8COUNT, "dir.sf.i8count", CORRUPT, PRIMARY, dir, NOTHING, "says it has {got} inode number{|s} above 32 bits, there are {want}") \
	x(DIR_SF_NAMELEN, "dir.sf.namelen", CORRUPT, PRIMARY, dir, NOTHING, "entry {index} has a name of {got} byte{|s}, which doesn't fit") \
	x(DIR_SF_OFFSET, "dir.sf.offset", CORRUPT, SECONDARY, dir, NOTHING, "entry {index} has offset {got}, least possible is {want}") \
	x(DIR_DATA_LENGTH, "dir.data.length", CORRUPT, PRIMARY, dir, NOTHING, "entry or free region {index} says it takes {got} byte{|s}, ends after {want}") \
	x(DIR_DATA_TAG, "dir.data.tag", CORRUPT, SECONDARY, dir, NOTHING, "tag of entry or free region {index} is {got}, should be {want}") \
	x(DIR_DATA_TORN, "dir.data.torn", CORRUPT, PRIMARY, dir, NOTHING, "{got} byte{|s} {is|are} neither entry nor free region") \
	x(DIR_DATA_ADJACENT, "dir.data.adjacent", CORRUPT, SECONDARY, dir, NOTHING, "free regions at bytes {want} and {got} are not joined") \
	x(DIR_BESTFREE_LENGTH, "dir.bestfree.length", CORRUPT, SECONDARY, dir, NOTHING, "bestfree {index} has length {got}, should have {want}") \
	x(DIR_BESTFREE_OFFSET, "dir.bestfree.offset", CORRUPT, SECONDARY, dir, NOTHING, "bestfree {index} points to byte {got}, where no such free region is") \
	x(DIR_BLOCK_COUNT, "dir.block.count", CORRUPT, SECONDARY, dir, NOTHING, "says it has {got} leaf entr{y|ies}, there are {want}") \
	x(DIR_LEAF_COUNT, "dir.leaf.count", CORRUPT, SECONDARY, dir, NOTHING, "{got} entr{y|ies}, there is room for {want}") \
	x(DIR_LEAF_STALE, "dir.leaf.stale", CORRUPT, SECONDARY, dir, NOTHING, "says it has {got} stale entr{y|ies}, there are {want}") \
	x(DIR_LEAF_ORDER, "dir.leaf.order", CORRUPT, SECONDARY, dir, NOTHING, "leaf entry {index} has hash {got:x}, below {want:x} of the one before") \
	x(DIR_LEAF_ADDRESS, "dir.leaf.address", CORRUPT, SECONDARY, dir, NOTHING, "leaf entry {index} has address {got:x}, where no entry is") \
	x(DIR_LEAF_BESTCOUNT, "dir.leaf.bestcount", CORRUPT, SECONDARY, dir, NOTHING, "says it knows {got} data block{|s}, there is room for {want}") \
	x(DIR_LEAF_BESTS, "dir.leaf.bests", CORRUPT, SECONDARY, dir, NOTHING, "longest free region of data block {index} is said to have {got} byte{|s}, which can't be") \
	x(DIR_FREE_FIRSTDB, "dir.free.firstdb", CORRUPT, SECONDARY, dir, NOTHING, "starts with data block {got}, should with {want}") \
	x(DIR_FREE_NVALID, "dir.free.nvalid", CORRUPT, SECONDARY, dir, NOTHING, "{got} slot{|s}, there is room for {want}") \
	x(DIR_FREE_NUSED, "dir.free.nused", CORRUPT, SECONDARY, dir, NOTHING, "says {got} slot{|s} {is|are} in use, there are {want}") \
	x(DIR_FREE_BESTS, "dir.free.bests", CORRUPT, SECONDARY, dir, NOTHING, "slot {index} has a free region of {got} byte{|s}, which can't be")

/* attributes: ondisk 07 */
#define FINDINGS_ATTR(x)                                                                            \
	x(ATTR_SF_TOTSIZE, "attr.sf.totsize", CORRUPT, PRIMARY, attr, NOTHING, "total size {got}, the attributes end at byte {want}") \
	x(ATTR_SF_COUNT, "attr.sf.count", CORRUPT, SUMMARY, attr, NOTHING, "count {got}, there are {want} attribute{|s}") \
	x(ATTR_SF_ENTRY, "attr.sf.entry", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index} needs {got} byte{|s}, {want} {is|are} left") \
	x(ATTR_FLAGS, "attr.flags", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index} has flags {got:x}, which can't be") \
	x(ATTR_NAMELEN, "attr.namelen", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index} has no name")          \
	x(ATTR_NAME, "attr.name", CORRUPT, PRIMARY, attr, NOTHING, "name of attribute {index} is not one that can be") \
	x(ATTR_HASH, "attr.hash", CORRUPT, SECONDARY, attr, NOTHING, "attribute {index} has hash {got:x}, its name gives {want:x}") \
	x(ATTR_DUPLICATE, "attr.duplicate", CORRUPT, PRIMARY, attr, NOTHING, "attribute {got} is the same as attribute {want}") \
	x(ATTR_INCOMPLETE, "attr.incomplete", NOTE, PRIMARY, NONE, NOTHING, "attribute {index} was never completed, as after a crash: nobody sees it") \
	x(ATTR_PARENT_SIZE, "attr.parent.size", CORRUPT, SECONDARY, attr, NOTHING, "parent pointer {index} has {got} byte{|s}, should have {want}") \
	x(ATTR_PARENT_REMOTE, "attr.parent.remote", CORRUPT, SECONDARY, attr, NOTHING, "value of parent pointer {index} is not with its name") \
	x(ATTR_PARENT_INO, "attr.parent.ino", CORRUPT, SECONDARY, attr, NOTHING, "parent pointer {index} names inode {got}, which can't be a parent") \
	x(ATTR_ACL, "attr.acl", CORRUPT, PRIMARY, attr, NOTHING, "ACL in attribute {index} has {got} byte{|s}, its count needs {want}") \
	x(ATTR_ACL_ENTRY, "attr.acl.entry", CORRUPT, PRIMARY, attr, NOTHING, "entry {got} of the ACL in attribute {index} is of kind {want:x}, which is unknown or was there before") \
	x(ATTR_ACL_LACKS, "attr.acl.lacks", CORRUPT, PRIMARY, attr, NOTHING, "the {got} entr{y|ies} of the ACL in attribute {index} lack kinds {want:x}") \
	x(ATTR_LEAF_COUNT, "attr.leaf.count", CORRUPT, PRIMARY, attr, NOTHING, "count {got}, there are {want} entr{y|ies}") \
	x(ATTR_LEAF_USEDBYTES, "attr.leaf.usedbytes", CORRUPT, SUMMARY, attr, NOTHING, "{got} byte{|s} used, names and values take {want}") \
	x(ATTR_LEAF_FIRSTUSED, "attr.leaf.firstused", CORRUPT, SUMMARY, attr, NOTHING, "first used byte is {got}, names start at {want}") \
	x(ATTR_LEAF_HOLES, "attr.leaf.holes", CORRUPT, SUMMARY, attr, NOTHING, "flag for holes is {got}, should be {want}") \
	x(ATTR_LEAF_FREEMAP, "attr.leaf.freemap", CORRUPT, SUMMARY, attr, NOTHING, "free region {index}, at byte {got}, is not free space") \
	x(ATTR_LEAF_FREE, "attr.leaf.free", CORRUPT, SUMMARY, attr, NOTHING, "free regions have {got} byte{|s}, {want} {is|are} free") \
	x(ATTR_LEAF_PAD, "attr.leaf.pad", PREEN, PRIMARY, attr, VALUE, "padding of the header is not zero")      \
	x(ATTR_LEAF_NAMEIDX, "attr.leaf.nameidx", CORRUPT, PRIMARY, attr, NOTHING, "name of attribute {index} at byte {got}, which can't be") \
	x(ATTR_LEAF_SIZE, "attr.leaf.size", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index} needs {got} byte{|s}, {want} {is|are} left in the block") \
	x(ATTR_LEAF_OVERLAP, "attr.leaf.overlap", CORRUPT, PRIMARY, attr, NOTHING, "attribute {index}, at byte {got}, overlaps another") \
	x(ATTR_LEAF_ORDER, "attr.leaf.order", CORRUPT, SECONDARY, attr, NOTHING, "hash {got:x} of attribute {index} follows {want:x}") \
	x(ATTR_REMOTE_VALUELEN, "attr.remote.valuelen", CORRUPT, PRIMARY, attr, NOTHING, "value of attribute {index} has {got} byte{|s}, should be 1 to {want}") \
	x(ATTR_REMOTE_VALUEBLK, "attr.remote.valueblk", CORRUPT, PRIMARY, attr, NOTHING, "value of attribute {index} at block {got} of the fork, which can't be") \
	x(ATTR_REMOTE_OFFSET, "attr.remote.offset", CORRUPT, PRIMARY, attr, NOTHING, "bytes {got} ff. of a value, should be {want}") \
	x(ATTR_REMOTE_BYTES, "attr.remote.bytes", CORRUPT, PRIMARY, attr, NOTHING, "{got} byte{|s} of a value, should be {want}") \
	x(ATTR_REMOTE_LSN, "attr.remote.lsn", CORRUPT, SECONDARY, attr, NOTHING, "log sequence number {got:x}, such blocks have {want:x}")

/* symbolic links: ondisk 08 */
#define FINDINGS_SYMLINK(x)                                                                         \
	x(SYMLINK_NUL, "symlink.nul", CORRUPT, PRIMARY, symlink, NOTHING, "target ends at byte {got}, should have {want} byte{|s}") \
	x(SYMLINK_OFFSET, "symlink.offset", CORRUPT, PRIMARY, symlink, NOTHING, "bytes {got} ff. of the target, should be {want}") \
	x(SYMLINK_BYTES, "symlink.bytes", CORRUPT, PRIMARY, symlink, NOTHING, "{got} byte{|s} of the target, {want} at most")

/* log: ondisk 11 */
#define FINDINGS_LOG(x)                                                                             \
	x(LOG_DAMAGED, "log.damaged", CORRUPT, PRIMARY, log, NOTHING, "where the log ends or begins can't be found, see block {index}") \
	x(LOG_UNREADABLE, "log.unreadable", CORRUPT, PRIMARY, log, NOTHING, "{got} byte{|s} can't be read at byte {want} of the device, in block {index} of the log") \
	x(LOG_ZEROED, "log.zeroed", CORRUPT, PRIMARY, log, NOTHING, "the log is empty, not even its first record is there") \
	x(LOG_UNFINISHED, "log.unfinished", CORRUPT, PRIMARY, log, NOTHING, "a new log was begun, but its first record is all there is of it") \
	x(LOG_CYCLE, "log.cycle", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log has cycle {got}, should have {want}") \
	x(LOG_RECORD_MAGIC, "log.record.magic", CORRUPT, PRIMARY, log, NOTHING, "there should be a record at block {index}, but its magic is {got:x}") \
	x(LOG_RECORD_VERSION, "log.record.version", CORRUPT, PRIMARY, log, NOTHING, "version of the record at block {index} is {got}, should be {want}") \
	x(LOG_RECORD_LEN, "log.record.len", CORRUPT, PRIMARY, log, NOTHING, "length of the record at block {index} is {got}, can be {want} at most") \
	x(LOG_RECORD_SIZE, "log.record.size", CORRUPT, PRIMARY, log, NOTHING, "buffer size of the record at block {index} is {got}, can be {want} at most") \
	x(LOG_RECORD_LSN, "log.record.lsn", CORRUPT, PRIMARY, log, NOTHING, "log sequence number of the record at block {index} is {got:x}, should be {want:x}") \
	x(LOG_RECORD_TAIL, "log.record.tail", CORRUPT, PRIMARY, log, NOTHING, "the record at block {index} says that the log begins at {got:x}, which can't be") \
	x(LOG_RECORD_CRC, "log.record.crc", CORRUPT, PRIMARY, log, NOTHING, "checksum of the record at block {index} is {got:x}, contents give {want:x}") \
	x(LOG_RECORD_OPS, "log.record.ops", CORRUPT, PRIMARY, log, NOTHING, "the unmount record at block {index} says it has {got} operation{|s}, should have {want}") \
	x(LOG_RECORD_FORMAT, "log.record.format", CORRUPT, PRIMARY, log, NOTHING, "format of the record at block {index} is {got}, should be {want}") \
	x(LOG_RECORD_UUID, "log.record.uuid", CORRUPT, PRIMARY, log, NOTHING, "uuid of the record at block {index} is not that of the file system")

/* what the records of a log that waits for replay say: ondisk 11; {index} is the 512-byte block of the log */
#define FINDINGS_LOG_ITEM(x)                                                                        \
	x(LOG_OP_COUNT, "log.op.count", CORRUPT, PRIMARY, log, NOTHING, "the record that ends at block {index} of the log says it has {got} operation{|s}, has {want}") \
	x(LOG_OP_CLIENT, "log.op.client", CORRUPT, PRIMARY, log, NOTHING, "the operation in block {index} of the log is by {got:x}, should be by {want:x}") \
	x(LOG_OP_LEN, "log.op.len", CORRUPT, PRIMARY, log, NOTHING, "the operation in block {index} of the log has {got} byte{|s}, its record has {want} left") \
	x(LOG_OP_FLAGS, "log.op.flags", CORRUPT, PRIMARY, log, NOTHING, "flags {got:x} of the operation in block {index} of the log can't be") \
	x(LOG_OP_CONTINUED, "log.op.continued", CORRUPT, PRIMARY, log, NOTHING, "the operation in block {index} of the log does not fit to the one before, which is or is not to be continued") \
	x(LOG_TRANSACTION_START, "log.transaction.start", CORRUPT, PRIMARY, log, NOTHING, "transaction {got:x} is started in block {index} of the log while it is under way") \
	x(LOG_TRANSACTION_HEADER, "log.transaction.header", CORRUPT, PRIMARY, log, NOTHING, "the transaction in block {index} of the log has no header") \
	x(LOG_TRANSACTION_ITEMS, "log.transaction.items", CORRUPT, PRIMARY, log, NOTHING, "the transaction in block {index} of the log says it has {got} region{|s}, has {want}") \
	x(LOG_ITEM_TYPE, "log.item.type", CORRUPT, PRIMARY, log, NOTHING, "the item in block {index} of the log has the unknown type {got:x}") \
	x(LOG_ITEM_REGIONS, "log.item.regions", CORRUPT, PRIMARY, log, NOTHING, "the item in block {index} of the log has {got} region{|s}, not {want}") \
	x(LOG_ITEM_CUT, "log.item.cut", CORRUPT, PRIMARY, log, NOTHING, "the item in block {index} of the log has {got} of {want} regions when its transaction ends") \
	x(LOG_ITEM_REGION_LEN, "log.item.region_len", CORRUPT, PRIMARY, log, NOTHING, "a region of {got} byte{|s} in block {index} of the log, can be {want} at most and multiples of 4") \
	x(LOG_ITEM_LEN, "log.item.len", CORRUPT, PRIMARY, log, NOTHING, "the item in block {index} of the log has {got} byte{|s}, should have {want}") \
	x(LOG_ITEM_SECTORS, "log.item.sectors", CORRUPT, PRIMARY, log, NOTHING, "the item in block {index} of the log is about {want} sector{|s} from {got}, where nothing can be") \
	x(LOG_BUF_FLAGS, "log.buf.flags", CORRUPT, PRIMARY, log, NOTHING, "flags {got:x} of the buffer in block {index} of the log, of which {want:x} are known") \
	x(LOG_BUF_TYPE, "log.buf.type", CORRUPT, PRIMARY, log, NOTHING, "the buffer in block {index} of the log is of type {got}, {want} is the last one") \
	x(LOG_BUF_MAP_SIZE, "log.buf.map_size", CORRUPT, PRIMARY, log, NOTHING, "the map of the buffer in block {index} of the log has {got} word{|s}, there is room for {want}") \
	x(LOG_BUF_MAP, "log.buf.map", CORRUPT, PRIMARY, log, NOTHING, "the map of the buffer in block {index} of the log goes up to byte {got} of {want}") \
	x(LOG_BUF_REGION, "log.buf.region", CORRUPT, PRIMARY, log, NOTHING, "a region of {got} byte{|s} of a buffer in block {index} of the log, where its map says {want}") \
	x(LOG_INODE_FIELDS, "log.inode.fields", CORRUPT, PRIMARY, log, NOTHING, "fields {got:x} of the inode in block {index} of the log can't be") \
	x(LOG_INODE_NUMBER, "log.inode.number", CORRUPT, PRIMARY, log, NOTHING, "inode {got} in block {index} of the log can't be") \
	x(LOG_INODE_PLACE, "log.inode.place", CORRUPT, PRIMARY, log, NOTHING, "the inode in block {index} of the log is said to lie at byte {got} of the device, its number says {want}") \
	x(LOG_INODE_MAGIC, "log.inode.magic", CORRUPT, PRIMARY, log, NOTHING, "the inode in block {index} of the log has magic {got:x}, should have {want:x}") \
	x(LOG_INODE_VERSION, "log.inode.version", CORRUPT, PRIMARY, log, NOTHING, "the inode in block {index} of the log has version {got}, should have {want}") \
	x(LOG_INODE_INO, "log.inode.ino", CORRUPT, PRIMARY, log, NOTHING, "the inode in block {index} of the log says it is {got}, should be {want}") \
	x(LOG_INODE_FORK, "log.inode.fork", CORRUPT, PRIMARY, log, NOTHING, "the fork in block {index} of the log has {got} byte{|s}, should have {want}") \
	x(LOG_INODE_ROOT_KIND, "log.inode.root_kind", CORRUPT, PRIMARY, log, NOTHING, "the inode in block {index} of the log is of type {got} of metadata files, which has no btree in it") \
	x(LOG_INODE_ROOT, "log.inode.root", CORRUPT, PRIMARY, log, NOTHING, "the btree root in block {index} of the log: level or number of entries is {got}, should be {want}") \
	x(LOG_ICREATE_ISIZE, "log.icreate.isize", CORRUPT, PRIMARY, log, NOTHING, "inodes of {got} bytes are created in block {index} of the log, should be {want}") \
	x(LOG_ICREATE_LENGTH, "log.icreate.length", CORRUPT, PRIMARY, log, NOTHING, "inodes in {got} block{|s} are created in block {index} of the log, should be {want}") \
	x(LOG_ICREATE_COUNT, "log.icreate.count", CORRUPT, PRIMARY, log, NOTHING, "{got} inode{|s} {is|are} created in block {index} of the log, should be {want}") \
	x(LOG_ICREATE_PLACE, "log.icreate.place", CORRUPT, PRIMARY, log, NOTHING, "inodes are created in block {index} of the log at block {got} of allocation group {want}, where none can be") \
	x(LOG_DQUOT_OFFSET, "log.dquot.offset", CORRUPT, PRIMARY, log, NOTHING, "the quota record of id {want} in block {index} of the log is said to lie at byte {got} of its block") \
	x(LOG_DQUOT_MAGIC, "log.dquot.magic", CORRUPT, PRIMARY, log, NOTHING, "the quota record in block {index} of the log has magic {got:x}, should have {want:x}") \
	x(LOG_DQUOT_ID, "log.dquot.id", CORRUPT, PRIMARY, log, NOTHING, "the quota record in block {index} of the log is of id {got}, should be of {want}") \
	x(LOG_LOSES_INODE, "log.loses.inode", NOTE, PRIMARY, NONE, NOTHING, "the log holds changes of it, which are lost with the log") \
	x(LOG_INTENT_COUNT, "log.intent.count", CORRUPT, PRIMARY, log, NOTHING, "the intent in block {index} of the log has {got} extent{|s} in {want} bytes") \
	x(LOG_INTENT_FLAGS, "log.intent.flags", CORRUPT, PRIMARY, log, NOTHING, "flags {got:x} of the intent in block {index} of the log can't be") \
	x(LOG_INTENT_EXTENT, "log.intent.extent", CORRUPT, PRIMARY, log, NOTHING, "an intent in block {index} of the log is about {want} block{|s} from {got}, where no extent can be") \
	x(LOG_INTENT_OWNER, "log.intent.owner", CORRUPT, PRIMARY, log, NOTHING, "an intent in block {index} of the log is about blocks of owner {got}, which can't be") \
	x(LOG_INTENT_INODE, "log.intent.inode", CORRUPT, PRIMARY, log, NOTHING, "an intent in block {index} of the log is about inode {got}, which can't be") \
	x(LOG_INTENT_NAME, "log.intent.name", CORRUPT, PRIMARY, log, NOTHING, "a name or value of {want} byte{|s} in block {index} of the log is said to have {got}")

/* quota files: ondisk 10, ondisk 12 Q1 and Q2; {index} is the id of a user, group or project */
#define FINDINGS_QUOTA(x)                                                                           \
	x(DQUOT_MAGIC, "dquot.magic", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index} has magic {got:x}, should be {want:x}") \
	x(DQUOT_BLOCK_TYPE, "dquot.block.type", CORRUPT, PRIMARY, dquot, NOTHING, "all records have type {got:x}, should have {want:x}") \
	x(DQUOT_CRC, "dquot.crc", CORRUPT, PRIMARY, dquot, NOTHING, "checksum of the record of id {index} is {got:x}, contents give {want:x}") \
	x(DQUOT_UUID, "dquot.uuid", CORRUPT, PRIMARY, dquot, NOTHING, "uuid of the record of id {index} is not that of the file system") \
	x(DQUOT_LSN, "dquot.lsn", CORRUPT, PRIMARY, dquot, NOTHING, "log sequence number {got:x} of the record of id {index} is not before the head of the log, {want:x}") \
	x(DQUOT_VERSION, "dquot.version", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index} has version {got}, should be {want}") \
	x(DQUOT_TYPE, "dquot.type", CORRUPT, PRIMARY, dquot, NOTHING, "record of id {index} has type {got:x}, should be {want:x}") \
	x(DQUOT_ID, "dquot.id", CORRUPT, PRIMARY, dquot, NOTHING, "record in the place of id {index} has id {got}") \
	x(DQUOT_LIMITS, "dquot.limits", NOTE, PRIMARY, NONE, NOTHING, "id {index} has a soft limit of {got}, above its hard limit of {want}") \
	x(DQUOT_TIMER, "dquot.timer", CORRUPT, PRIMARY, dquot, NOTHING, "a timer of id {index} is {got}, can be {want} at most") \
	x(DQUOT_TIMER_STOPPED, "dquot.timer.stopped", CORRUPT, PRIMARY, dquot, NOTHING, "id {index} uses {got}, above its limit of {want}, but no timer runs") \
	x(DQUOT_TIMER_RUNNING, "dquot.timer.running", PREEN, PRIMARY, dquot, NOTHING, "a timer of id {index} runs (until {got}), but no limit is exceeded") \
	x(DQUOT_PAD, "dquot.pad", PREEN, PRIMARY, dquot, NOTHING, "an unused field in the record of id {index} has {got:x}") \
	x(QUOTA_FILE_MISSING, "quota.file.missing", XREF, PRIMARY, quota_sb, NOTHING, "usage has been counted, but there is no quota file (inode {got})") \
	x(QUOTA_FILE_NAME, "quota.file.name", XREF, PRIMARY, quota_dir, NOTHING, "the quota directory names inode {got} for this type, which it does not have") \
	x(QUOTA_FILE_UNNAMED, "quota.file.unnamed", XREF, PRIMARY, quota_dir, NOTHING, "inode {got} is a quota file, but the quota directory does not name it") \
	x(QUOTA_FILE_MODE, "quota.file.mode", PREEN, PRIMARY, quota_file, NOTHING, "quota file with mode {got:x}, should be {want:x}") \
	x(QUOTA_FILE_SIZE, "quota.file.size", PREEN, PRIMARY, quota_file, NOTHING, "quota file with a size of {got}, should be {want}") \
	x(QUOTA_FILE_FLAGS, "quota.file.flags", CORRUPT, PRIMARY, quota_file, NOTHING, "quota file with flag {got:x}, which it can't have") \
	x(QUOTA_FILE_ATTR, "quota.file.attr", CORRUPT, PRIMARY, quota_file, NOTHING, "quota file with attributes") \
	x(QUOTA_FILE_UNWRITTEN, "quota.file.unwritten", CORRUPT, PRIMARY, quota_file, NOTHING, "{got} block{|s} of the quota file {is|are} unwritten") \
	x(QUOTA_FILE_OFFSET, "quota.file.offset", CORRUPT, PRIMARY, quota_file, NOTHING, "the quota file has {got} block{|s} behind file block {want}, the last for an id") \
	x(QUOTA_BLOCKS, "quota.blocks", XREF, SUMMARY, dquot, ANY, "id {index} uses {want} block{|s}, its record says {got}") \
	x(QUOTA_INODES, "quota.inodes", XREF, SUMMARY, dquot, ANY, "id {index} has {want} inode{|s}, its record says {got}") \
	x(QUOTA_RTBLOCKS, "quota.rtblocks", XREF, SUMMARY, dquot, ANY, "id {index} uses {want} realtime block{|s}, its record says {got}") \
	x(QUOTA_NO_RECORD, "quota.record.missing", XREF, SUMMARY, dquot, ANY, "id {index} has {got} inode{|s}, but no record")
/* realtime: ondisk 01 invariant 7, 09 */
#define FINDINGS_RT(x)                                                                              \
	x(BMAP_RT_ALIGN, "bmap.rt_align", CORRUPT, PRIMARY, inode_fork, NOTHING, "extent {index} at file block {got} starts {want} block{|s} into a realtime extent, which doesn't go together") \
	x(INODE_RT_GROUP, "inode.rt.group", CORRUPT, PRIMARY, inode_core, NOTHING, "belongs to realtime group {got}, there are {want}") \
	x(INODE_RT_PROJID, "inode.rt.projid", CORRUPT, PRIMARY, inode_core, NOTHING, "belongs to project {got}, files of the realtime section to none") \
	x(SB_RBLOCKS, "sb.rblocks", CORRUPT, PRIMARY, sb, NOTHING, "a realtime section of {got} block{|s} can't be") \
	x(SB_REXTENTS, "sb.rextents", CORRUPT, PRIMARY, sb, NOTHING, "{got} realtime extent{|s}, the sizes make {want}") \
	x(SB_RBMBLOCKS, "sb.rbmblocks", CORRUPT, PRIMARY, sb, NOTHING, "realtime bitmaps of {got} block{|s}, the sizes make {want}") \
	x(SB_REXTSLOG, "sb.rextslog", CORRUPT, SECONDARY, sb, NOTHING, "logarithm of the realtime extents is {got}, should be {want}") \
	x(SB_RGCOUNT, "sb.rgcount", CORRUPT, PRIMARY, sb, NOTHING, "{got} realtime group{|s}, the sizes make {want}") \
	x(SB_RTSTART, "sb.rtstart", CORRUPT, PRIMARY, sb, NOTHING, "the realtime section starts at block {got}, should be {want} or behind it") \
	x(SB_RTRESERVED, "sb.rtreserved", CORRUPT, PRIMARY, sb, NOTHING, "{got} realtime block{|s} {is|are} reserved, at most {want} can be") \
	x(SB_PAD, "sb.pad", CORRUPT, SECONDARY, sb, NOTHING, "padding is {got:x}, should be 0")                  \
	x(RTSB_PAD, "rtsb.pad", CORRUPT, SECONDARY, rtsb, NOTHING, "padding is {got:x}, should be 0")              \
	x(RTSB_FNAME, "rtsb.fname", XREF, SECONDARY, rtsb, NOTHING, "label is not that of the file system")        \
	x(RTSB_UUID, "rtsb.uuid", XREF, SECONDARY, rtsb, NOTHING, "uuid is not that of the file system")           \
	x(RTSB_META_UUID, "rtsb.meta_uuid", XREF, SECONDARY, rtsb, NOTHING, "uuid of the metadata is not that of the file system") \
	x(RTSB_TAIL, "rtsb.tail", CORRUPT, SECONDARY, rtsb, NOTHING, "unused bytes are not zero")                  \
	x(RTBITMAP_BEYOND, "rtbitmap.beyond", CORRUPT, SECONDARY, rt_space, NOTHING, "word {got:x} has extents that don't exist as free, should be {want:x}") \
	x(RTBITMAP_UNMAPPED, "rtbitmap.unmapped", CORRUPT, PRIMARY, rt_space, NOTHING, "the realtime bitmap has {got} block{|s}, should have {want}") \
	x(RTSUMMARY_BEYOND, "rtsummary.beyond", CORRUPT, SECONDARY, rt_space, NOTHING, "a counter behind the last one is {got}, should be 0") \
	x(RTSUMMARY_COUNTER, "rtsummary.counter", CORRUPT, SUMMARY, rt_space, NOTHING, "counts {got} free run{|s} where at most {want} {fits|fit}") \
	x(RTSUMMARY_UNMAPPED, "rtsummary.unmapped", CORRUPT, PRIMARY, rt_space, NOTHING, "the realtime summary has {got} block{|s}, should have {want}") \
	x(RTGROUP_SPACE, "rtgroup.space", XREF, PRIMARY, rt_space, ANY, "blocks are owned twice, or by nobody: files, bitmap and reference counts don't add up to the group") \
	x(RTGROUP_RMAP, "rtgroup.rmap", XREF, SECONDARY, rt_space, ANY, "rtrmapbt and the owners of blocks disagree") \
	x(RTGROUP_SUMMARY, "rtgroup.summary", XREF, SUMMARY, rt_space, ANY, "realtime summary and bitmap disagree")  \
	x(RTGROUP_USED, "rtgroup.used_blocks", XREF, SUMMARY, rt_space, ANY, "inode says {got} block{|s} {is|are} in use, its rtrmapbt maps {want}") \
	x(RTFILE_DIRECTORY, "rtfile.directory", CORRUPT, PRIMARY, rt_file, NOTHING, "the metadata directory tree has no directory rtgroups") \
	x(RTFILE_MISSING, "rtfile.missing", CORRUPT, PRIMARY, rt_file, NOTHING, "there is no metadata file of type {got} (5 bitmap, 6 summary, 7 rmap, 8 refcount)") \
	x(RTFILE_EXTRA, "rtfile.extra", CORRUPT, PRIMARY, rt_file, NOTHING, "there is a metadata file of type {got} (5 bitmap, 6 summary, 7 rmap, 8 refcount), which this file system can't have") \
	x(RTFILE_TWICE, "rtfile.twice", CORRUPT, PRIMARY, rt_file, NOTHING, "there are {got} metadata file{|s} of type {index} (5 bitmap, 6 summary, 7 rmap, 8 refcount)") \
	x(RTFILE_NAME, "rtfile.name", XREF, PRIMARY, rt_file, NOTHING, "the name of metadata file {index} (5 bitmap, 6 summary, 7 rmap, 8 refcount) leads to inode {got}, it is inode {want}") \
	x(SB_FREXTENTS_COUNT, "sb.frextents.count", XREF, SUMMARY, field, ANY, "{got} free realtime extent{|s}, the bitmaps hold {want}") \
	x(SB_FREXTENTS, "sb.frextents", CORRUPT, SUMMARY, sb, NOTHING, "{got} free realtime extent{|s}, at most {want} {is|are} possible")

/* what must agree with what: ondisk 12 */
#define FINDINGS_XREF(x)                                                                            \
	x(BTREE_TOO_LARGE, "btree.too_large", CORRUPT, PRIMARY, TREE, NOTHING, "the tree leads to more than the {want} block{|s} that it can have: to some of them more than once") \
	x(INOBT_TOO_MANY, "inobt.too_many", CORRUPT, PRIMARY, TREE, NOTHING, "records for more than the {want} inode{|s} that the AG has room for: some are there twice") \
	x(BTREE_SIBLINGS, "btree.siblings", XREF, SECONDARY, TREE, NOTHING, "{got} sibling pointer{|s}, or not between the right blocks; there should be {want}") \
	x(INODE_NEXTENTS_XREF, "inode.nextents.count", XREF, SUMMARY, inode_fork, INODE, "inode says its data fork has {got} extent{|s}, it has {want}") \
	x(INODE_ANEXTENTS_XREF, "inode.anextents.count", XREF, SUMMARY, inode_fork, INODE, "inode says its attribute fork has {got} extent{|s}, it has {want}") \
	x(INODE_NBLOCKS_XREF, "inode.nblocks.count", XREF, SUMMARY, inode_fork, INODE, "inode says it has {got} block{|s}, its forks have {want}") \
	x(INODE_SHARED_NOT_REFLINK, "inode.reflink.missing", XREF, PRIMARY, inode_shared, SPACE, "shares blocks with another file (at file block {got}) but is not marked reflinked") \
	x(DA_NO_ROOT, "da.root.missing", CORRUPT, PRIMARY, CONTENTS, NOTHING, "the hash tree has no root block")         \
	x(DA_CHILDREN, "da.node.children", XREF, SECONDARY, CONTENTS, INODE, "nodes and the blocks below them (level {got}) don't agree on addresses or last hashes") \
	x(DA_SIBLINGS, "da.siblings", XREF, SECONDARY, CONTENTS, INODE, "{got} sibling pointer{|s}, or not between the right blocks; there should be {want}") \
	x(DA_LEAF_ORDER, "da.leaf.order.across", CORRUPT, SECONDARY, CONTENTS, NOTHING, "first hash {got:x} is below the last hash {want:x} of the leaf before") \
	x(DIR_SIZE_XREF, "dir.size.count", XREF, SUMMARY, dir, INODE, "inode says the directory has {got} byte{|s}, its blocks reach to {want}") \
	x(DIR_BLOCK_PARTLY_MAPPED, "dir.block.partly_mapped", CORRUPT, PRIMARY, dir, NOTHING, "only a part of the directory block at file block {got} is mapped") \
	x(DIR_BLOCK_SCATTERED, "dir.block.scattered", CORRUPT, PRIMARY, dir, NOTHING, "its blocks lie in too many pieces to be put together in {want} MiB: not all of it was checked") \
	x(DIR_BLOCK_NOT_ALONE, "dir.format.block", CORRUPT, PRIMARY, dir, NOTHING, "a block-format directory with {got} block{|s}, should be {want}") \
	x(DIR_LEAF1_NOT_ALONE, "dir.format.leaf1", CORRUPT, PRIMARY, dir, NOTHING, "a leaf-format directory with {got} index block{|s}, should be {want}") \
	x(DIR_LEAF1_BESTCOUNT, "dir.leaf1.bestcount.size", XREF, SECONDARY, dir, NOTHING, "leaf speaks of {got} data block{|s}, the size of {want}") \
	x(DIR_NAMES, "dir.names.index", XREF, SECONDARY, dir, INODE, "names and hash index disagree")              \
	x(DIR_BESTFREE_INDEX, "dir.bestfree.index", XREF, SECONDARY, dir, INODE, "free space of the data blocks and the free index disagree") \
	x(DIR_DUPLICATES, "dir.entry.duplicates", CORRUPT, PRIMARY, dir, NOTHING, "{got} name{|s} {occurs|occur} more than once") \
	x(ATTR_VALUE_BLOCKS, "attr.value.blocks", XREF, PRIMARY, attr, INODE, "entries with values in blocks of their own, and the value blocks, disagree") \
	x(ATTR_DUPLICATES, "attr.duplicates", CORRUPT, PRIMARY, attr, NOTHING, "{got} attribute{|s} {occurs|occur} more than once") \
	x(SYMLINK_LENGTH, "symlink.length", XREF, PRIMARY, symlink, NOTHING, "{got} byte{|s} in its blocks, inode says {want}") \
	x(SYMLINK_PARTS, "symlink.parts", CORRUPT, PRIMARY, symlink, NOTHING, "its parts leave gaps or overlap")        \
	x(AG_SPACE, "ag.space", XREF, PRIMARY, ag_space, SPACE, "blocks are owned twice, or by nobody: owners, free space and reference counts don't add up to the AG") \
	x(AG_RMAP, "ag.rmap", XREF, SECONDARY, ag_space, SPACE, "rmapbt and the owners of blocks disagree")           \
	x(AG_FREESIZE, "ag.freesize", XREF, SECONDARY, ag_space, SPACE, "bnobt and cntbt don't hold the same free extents") \
	x(AG_FINOBT, "ag.finobt", XREF, SECONDARY, ag_inodes, INODES, "finobt does not hold the inobt's chunks with free inodes") \
	x(AG_UNLINKED, "ag.unlinked", XREF, PRIMARY, ag_unlinked, INODES, "inodes without links and the AGI's unlinked lists disagree") \
	x(AG_UNLINKED_LOOP, "ag.unlinked.loop", CORRUPT, PRIMARY, ag_unlinked, NOTHING, "{got} inode{|s} without links {is|are} on no list that begins in the AGI") \
	x(AGF_FREEBLKS_COUNT, "agf.freeblks.count", XREF, SUMMARY, field, SPACE, "{got} free block{|s}, bnobt holds {want}") \
	x(AGF_LONGEST_COUNT, "agf.longest.count", XREF, SUMMARY, field, SPACE, "longest free extent {got} block{|s}, in the bnobt it is {want}") \
	x(AGF_BTREEBLKS_COUNT, "agf.btreeblks.count", XREF, SUMMARY, field, SPACE, "{got} btree block{|s} below the roots, there are {want}") \
	x(AGF_RMAP_BLOCKS_COUNT, "agf.rmap_blocks.count", XREF, SUMMARY, field, SPACE, "{got} rmapbt block{|s}, there are {want}") \
	x(AGF_REFCOUNT_BLOCKS_COUNT, "agf.refcount_blocks.count", XREF, SUMMARY, field, SPACE, "{got} refcountbt block{|s}, there are {want}") \
	x(AGI_COUNT_COUNT, "agi.count.count", XREF, SUMMARY, ag_inodes, INODES, "{got} inode{|s}, inobt holds {want}")     \
	x(AGI_FREECOUNT_COUNT, "agi.freecount.count", XREF, SUMMARY, field, INODES, "{got} free inode{|s}, inobt holds {want}") \
	x(AGI_IBLOCKS_COUNT, "agi.iblocks.count", XREF, SUMMARY, field, INODES, "{got} inobt block{|s}, there are {want}") \
	x(AGI_FBLOCKS_COUNT, "agi.fblocks.count", XREF, SUMMARY, field, INODES, "{got} finobt block{|s}, there are {want}") \
	x(SB_ICOUNT_COUNT, "sb.icount.count", XREF, SUMMARY, field, ANY, "{got} inode{|s}, the AGs hold {want}")    \
	x(SB_IFREE_COUNT, "sb.ifree.count", XREF, SUMMARY, field, ANY, "{got} free inode{|s}, the AGs hold {want}")  \
	x(SB_FDBLOCKS_COUNT, "sb.fdblocks.count", XREF, SUMMARY, field, ANY, "{got} free block{|s}, the AGs hold {want}") \
	x(INODES_LINKS, "inodes.links", XREF, PRIMARY, NONE, NAMES, "link counts and directory entries disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(INODES_FTYPE, "inodes.ftype", XREF, SECONDARY, NONE, NAMES, "types of inodes and types in directory entries disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(INODES_PARENTS, "inodes.parents", XREF, PRIMARY, NONE, NAMES, "`..` and the entries for directories disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(INODES_PPTRS, "inodes.pptrs", XREF, SECONDARY, NONE, NAMES, "parent pointers and directory entries disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(SB_LOG_INCOMPAT, "sb.log_incompat", CORRUPT, PRIMARY, sb, NOTHING, "unknown incompatible log feature bits {got:x}, but the log is clean") \
	x(SB_LOG_XATTRS, "sb.log_xattrs", PREEN, PRIMARY, sb, NOTHING, "says that the log holds attribute items, but the log is clean") \
	x(TREE_UNREACHABLE, "tree.unreachable", XREF, PRIMARY, circle, GOT, "the directory and what is below it can't be reached from the root: its `..` is {got:inode}") \
	x(TREE_TWO_PARENTS, "tree.dotdot.twice", CORRUPT, PRIMARY, dir, NOTHING, "the directory has more than one `..`") \
	x(TREE_ROOT, "tree.root", CORRUPT, PRIMARY, inode_chunk, NOTHING, "the root directory (inode {got}) is not a directory in use") \
	x(TREE_ROOT_PARENT, "tree.root.dotdot", CORRUPT, PRIMARY, dir, NOTHING, "`..` of the root is {got:inode}, should be itself ({want})")

/* single records where an account does not balance: ondisk 12 */
#define FINDINGS_LOCATE(x)                                                                          \
	x(SPACE_LOST, "space.lost", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here {is|are} neither free nor used by anything") \
	x(SPACE_FREE_IN_USE, "space.free_in_use", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here {is|are} in use and free as well") \
	x(SPACE_CLAIMED_TWICE, "space.claimed_twice", XREF, PRIMARY, TREE, SPACE, "{got} block{|s} from here also {belongs|belong} to {want:owner}") \
	x(SPACE_SHARED_OFTEN, "space.shared_often", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here also {belongs|belong} to {want:owner}, and to more files than the reference count says") \
	x(SPACE_FREE_TWICE, "space.free_twice", XREF, PRIMARY, ag_space, SPACE, "{got} block{|s} from here {is|are} in two free extents") \
	x(REFCOUNT_COUNT, "refcount.count", XREF, SECONDARY, ag_space, SPACE, "{index} block{|s} from here {is|are} used {want} time{|s}, the reference count is {got}") \
	x(RMAP_LACKS, "rmap.lacks", XREF, SECONDARY, ag_space, SPACE, "the rmapbt does not have {got} block{|s} from here as {it is|they are} used") \
	x(RMAP_STRAY, "rmap.stray", XREF, SECONDARY, ag_space, SPACE, "{got} block{|s} from here {belongs|belong}, says the rmapbt, to {want:owner}, which does not use them so") \
	x(BNOBT_LACKS, "bnobt.lacks", XREF, SECONDARY, ag_space, SPACE, "a free extent of {got} block{|s} begins here according to the cntbt alone") \
	x(CNTBT_LACKS, "cntbt.lacks", XREF, SECONDARY, ag_space, SPACE, "a free extent of {got} block{|s} begins here according to the bnobt alone") \
	x(FINOBT_LACKS, "finobt.lacks", XREF, SECONDARY, ag_inodes, INODES, "the chunk of inode {got} has free inodes, but only the inobt knows of it") \
	x(FINOBT_EXTRA, "finobt.extra", XREF, SECONDARY, ag_inodes, INODES, "has the chunk of inode {got}, which the inobt has without free inodes, or not at all") \
	x(FINOBT_DIFFERS, "finobt.differs", XREF, SECONDARY, ag_inodes, INODES, "has the chunk of inode {got} in another way than the inobt") \
	x(UNLINKED_LACKS, "unlinked.lacks", XREF, PRIMARY, ag_unlinked, INODES, "it has no links, and no unlinked list leads to it, as one does to what was deleted while open") \
	x(UNLINKED_TWICE, "unlinked.twice", XREF, PRIMARY, ag_unlinked, INODES, "{got} pointer{|s} of unlinked lists {leads|lead} to it, should be {want}") \
	x(UNLINKED_STRAY, "unlinked.stray", XREF, PRIMARY, ag_unlinked, INODES, "an unlinked list leads to it, but it is not a deleted inode") \
	x(INODE_NLINK_COUNT, "inode.nlink.count", XREF, PRIMARY, nlink, NAMES, "link count {got}, the entries make it {want}") \
	x(INODE_ORPHAN, "inode.orphan", XREF, PRIMARY, orphan, NAMES, "no directory names it, its link count is {got}")  \
	x(INODE_ROOTED_DANGLING, "inode.rooted.dangling", XREF, PRIMARY, inode_chunk, NOTHING, "the superblock names it, but it is not in use") \
	x(DIR_ENTRY_DANGLING, "dir.entry.dangling", XREF, PRIMARY, dir, GOT, "leads to inode {got}, which is not in use") \
	x(DIR_ENTRY_FORMER, "dir.entry.former", XREF, PRIMARY, dir, GOT, "points to {got:inode}, which is older than the missing part of the log: the number may have been used again there") \
	x(DIR_ENTRY_SURPLUS, "dir.entry.surplus", XREF, PRIMARY, surplus, GOT, "leads to {got:inode}, whose link count is less than its {want} {entry|entries}: one of them may be wrong") \
	x(DIR_DOTDOT_DANGLING, "dir.dotdot.dangling", XREF, PRIMARY, dir, GOT, "`..` leads to inode {got}, which is not in use") \
	x(DIR_ENTRY_OTHER_TREE, "dir.entry.other_tree", XREF, PRIMARY, dir, NOTHING, "leads to inode {got}: one of the two is a metadata file, the other is not") \
	x(DIR_ENTRY_FTYPE_INODE, "dir.entry.ftype.inode", XREF, SECONDARY, dir, GOT, "is said to be {got:ftype}, the inode is {want:ftype}") \
	x(DIR_LINKED_AGAIN, "dir.linked_again", XREF, PRIMARY, dir, GOT, "leads to {got:inode}, a directory that {want} entr{y leads|ies lead} to; only one may") \
	x(DIR_ENTRY_ROOT, "dir.entry.root", XREF, PRIMARY, dir, NOTHING, "leads to inode {got}, a root directory, which has no name") \
	x(DIR_DOTDOT_PARENT, "dir.dotdot.parent", XREF, PRIMARY, dir, WANT, "`..` is inode {got}, but what names it is {want:inode}") \
	x(PPTR_LACKS, "pptr.lacks", XREF, SECONDARY, pptr, WANT, "{want:inode} names it, but it has no parent pointer that says so") \
	x(PPTR_STRAY, "pptr.stray", XREF, SECONDARY, pptr, GOT, "its parent pointer leads to {got:inode}, which does not name it so")

/* operations that a crash interrupted: ondisk 11, "Intents/dones" */
#define FINDINGS_INTENTS(x)                                                                         \
	x(LOG_INTENT_MANY, "log.intent.many", CORRUPT, PRIMARY, log, NOTHING, "more than {got} operations in the log wait to be finished: no kernel leaves that many") \
	x(LOG_INTENT_PLACE, "log.intent.place", CORRUPT, PRIMARY, log, NOTHING, "an operation in the log waits to be finished on {want} block{|s} from block {got}, where nothing can be") \
	x(LOG_INTENT_CHILD, "log.intent.child", CORRUPT, PRIMARY, log, NOTHING, "an operation in the log waits to be finished on {got:inode}, which can't be")

/* what a log that waits for replay holds, against what it is about: ondisk 11, "Recovery rules" */
#define FINDINGS_REPLAY(x)                                                                          \
	x(LOG_REPLAY_PLACE, "log.replay.place", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log holds changes of {got} sector{|s} from sector {want} of the device, which the log can't change") \
	x(LOG_REPLAY_UNREADABLE, "log.replay.unreadable", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log holds changes of {got} byte{|s} at sector {want} of the device, which can't be read") \
	x(LOG_REPLAY_NOT_INODE, "log.replay.not_inode", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log holds a change of an inode where none is: magic {got:x}, should be {want:x}") \
	x(LOG_REPLAY_FORK, "log.replay.fork", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log holds {got} byte{|s} of a fork of an inode, which has room for {want}") \
	x(LOG_REPLAY_UNLINKED, "log.replay.unlinked", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log makes inode 0 the next one in a list of unlinked inodes") \
	x(LOG_REPLAY_NOT_DQUOT, "log.replay.not_dquot", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log holds a change of a quota record where none is: magic {got:x}, should be {want:x}") \
	x(LOG_REPLAY_BMBT, "log.replay.bmbt", CORRUPT, PRIMARY, log, NOTHING, "block {index} of the log changes the owner of a bmbt, but block {got} is not a block of that at level {want}")

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
	FOLLOWS_NOTHING, /* it stands for itself */
	FOLLOWS_VALUE,	 /* likewise, and nothing follows from it: a value that nothing else depends on */
	FOLLOWS_INODE,	 /* from damage to the inode that it is about */
	FOLLOWS_GOT,	 /* from damage to the inode that {got} is, or to whatever hides names */
	FOLLOWS_WANT,	 /* from damage to the inode that {want} is, or to whatever hides names */
	FOLLOWS_NAMES,	 /* from damage to whatever hides names */
	FOLLOWS_SPACE,	 /* from damage to whatever hides owners of blocks, or free blocks, of the same group */
	FOLLOWS_INODES,	 /* from damage to whatever hides which inodes of the same group are in use */
	FOLLOWS_ANY,	 /* from any damage: it is a sum */
};

#endif
