/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything xfsck can say about a file system, one row each.
 *
 *   x(symbol, id, severity, class, message)
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
 */
#ifndef XFSCK_FINDINGS_H
#define XFSCK_FINDINGS_H

/* reading the device */
#define FINDINGS_IO(x)                                                                              \
	x(IO_UNREADABLE, "io.unreadable", CORRUPT, PRIMARY, "{got} byte{|s} can't be read at byte {want} of the device") \
	x(INODE_UNREADABLE, "inode.unreadable", CORRUPT, PRIMARY, "{got} of its bytes can't be read, from byte {want} of the device") \
	x(IO_SHORT, "io.short", CORRUPT, PRIMARY, "the device has {got} byte{|s}, the superblock says {want}")

/* any block of a V5 file system: ondisk 00 invariant 4 */
#define FINDINGS_BLOCK(x)                                                                           \
	x(BLOCK_MAGIC, "block.magic", CORRUPT, PRIMARY, "magic {got:x}, should be {want:x}")        \
	x(BLOCK_CRC, "block.crc", CORRUPT, PRIMARY, "checksum {got:x}, contents give {want:x}")     \
	x(BLOCK_BLKNO, "block.blkno", CORRUPT, PRIMARY, "says it is at sector {got}, lies at sector {want}") \
	x(BLOCK_OWNER, "block.owner", CORRUPT, PRIMARY, "owner {got}, should be {want}")            \
	x(BLOCK_UUID, "block.uuid", CORRUPT, PRIMARY, "uuid is not that of the file system")        \
	x(BLOCK_LSN, "block.lsn", CORRUPT, PRIMARY, "log sequence number {got:x} is ahead of the log, which ends at {want:x}")

/* file systems that this version does not check: a refusal, not damage */
#define FINDINGS_UNSUPPORTED(x)                                                                     \
	x(SB_VERSION_UNSUPPORTED, "sb.version_unsupported", FATAL, PRIMARY, "format version {got} is not checked by this version of the program") \
	x(SB_DIRV1_UNSUPPORTED, "sb.dirv1_unsupported", FATAL, PRIMARY, "feature bit 2000 is not set in {got:x}: directories of version 1 are not checked by this version of the program") \
	x(SB_RO_COMPAT_UNSUPPORTED, "sb.ro_compat_unsupported", FATAL, PRIMARY, "unknown read-only compatible feature bits {got:x}: not checked by this version of the program") \
	x(SB_INCOMPAT_UNSUPPORTED, "sb.incompat_unsupported", FATAL, PRIMARY, "unknown incompatible feature bits {got:x}: not checked by this version of the program") \
	x(SB_LOG_INCOMPAT_UNSUPPORTED, "sb.log_incompat_unsupported", FATAL, PRIMARY, "unknown incompatible log feature bits {got:x}, and a log that is not clean: not replayed by this version of the program")

/* superblock: ondisk 01, feature rules of ondisk 00 */
#define FINDINGS_SB(x)                                                                              \
	x(SB_VERSIONNUM, "sb.versionnum", CORRUPT, PRIMARY, "version and feature bits {got:x}, should be {want:x}") \
	x(SB_FEATURES2, "sb.features2", CORRUPT, PRIMARY, "feature bits {got:x}, should be {want:x}") \
	x(SB_BAD_FEATURES2, "sb.bad_features2", CORRUPT, SECONDARY, "copy of the feature bits is {got:x}, they are {want:x}") \
	x(SB_FEATURES2_COPY, "sb.features2.copy", PREEN, SECONDARY, "feature bits {got:x}, and {want:x} in their copy: kernels go by both, and set both") \
	x(SB_NO_UNWRITTEN, "sb.no_unwritten", NOTE, PRIMARY, "a file system without unwritten extents (feature bit {want:x}), which kernels of today don't mount") \
	x(SB_COMPAT, "sb.features_compat", PREEN, PRIMARY, "compatible feature bits {got:x}, none are known") \
	x(SB_FEATURE_NEEDS, "sb.feature.needs", CORRUPT, PRIMARY, "feature bit {got:x} is set without {want:x}, which it needs") \
	x(SB_NEEDSREPAIR, "sb.needsrepair", CORRUPT, PRIMARY, "marked as needing repair: an earlier repair or upgrade was cut short") \
	x(SB_META_UUID, "sb.meta_uuid", CORRUPT, PRIMARY, "the uuid of the metadata is zero")       \
	x(SB_SECTSIZE, "sb.sectsize", CORRUPT, PRIMARY, "sector size {got}, not a power of two from 512 to 32768 up to the block size") \
	x(SB_SECTLOG, "sb.sectlog", CORRUPT, SECONDARY, "logarithm of the sector size is {got}, should be {want}") \
	x(SB_BLOCKSIZE, "sb.blocksize", CORRUPT, PRIMARY, "block size {got}, not a power of two from 512 (1024 with checksums) to 65536") \
	x(SB_BLOCKLOG, "sb.blocklog", CORRUPT, SECONDARY, "logarithm of the block size is {got}, should be {want}") \
	x(SB_INODESIZE, "sb.inodesize", CORRUPT, PRIMARY, "inode size {got}, not a power of two from 256 (512 with checksums) to 2048 up to half a block") \
	x(SB_INODELOG, "sb.inodelog", CORRUPT, SECONDARY, "logarithm of the inode size is {got}, should be {want}") \
	x(SB_INOPBLOCK, "sb.inopblock", CORRUPT, SECONDARY, "{got} inode{|s} per block, the sizes make {want}") \
	x(SB_INOPBLOG, "sb.inopblog", CORRUPT, SECONDARY, "logarithm of the inodes per block is {got}, should be {want}") \
	x(SB_DIRBLKLOG, "sb.dirblklog", CORRUPT, PRIMARY, "directory blocks of 2^{got} blocks exceed 65536 bytes") \
	x(SB_AGBLOCKS, "sb.agblocks", CORRUPT, PRIMARY, "allocation groups of {got} block{|s}, not 16 MiB to 1 TiB") \
	x(SB_AGBLKLOG, "sb.agblklog", CORRUPT, SECONDARY, "logarithm of the allocation group size is {got}, should be {want}") \
	x(SB_AGCOUNT, "sb.agcount", CORRUPT, PRIMARY, "{got} allocation group{|s}, the sizes make {want}") \
	x(SB_DBLOCKS, "sb.dblocks", CORRUPT, PRIMARY, "{got} data block{|s}: too many, or too few for the last allocation group") \
	x(SB_INOALIGNMT, "sb.inoalignmt", CORRUPT, PRIMARY, "inode alignment {got}, should be {want}") \
	x(SB_SPINO_ALIGN, "sb.spino_align", CORRUPT, PRIMARY, "sparse inode alignment {got}, should be {want}") \
	x(SB_UNIT, "sb.unit", CORRUPT, PRIMARY, "stripe unit {got} does not fit the feature bit, the stripe width or the allocation group size") \
	x(SB_WIDTH, "sb.width", CORRUPT, PRIMARY, "stripe width {got} is no multiple of the stripe unit, {want}") \
	x(SB_WIDTH_MAX, "sb.width.max", CORRUPT, PRIMARY, "stripe width {got}: the kernel mounts up to {want}") \
	x(SB_SECTOR_BIT, "sb.sector_bit", CORRUPT, PRIMARY, "sectors of {got} byte{|s} without the feature bit for large sectors") \
	x(SB_LOGSECTSIZE, "sb.logsectsize", CORRUPT, PRIMARY, "log sector size {got}, not a power of two from 512 to 32768, or not 0 without large sectors") \
	x(SB_LOGSECTLOG, "sb.logsectlog", CORRUPT, SECONDARY, "logarithm of the log sector size is {got}, should be {want}") \
	x(SB_LOGSUNIT, "sb.logsunit", CORRUPT, PRIMARY, "log stripe unit {got}, neither 1 nor whole blocks up to 262144 bytes") \
	x(SB_LOGBLOCKS, "sb.logblocks", CORRUPT, PRIMARY, "log of {got} block{|s}, too small or too large") \
	x(SB_LOGBLOCKS_MIN, "sb.logblocks.min", CORRUPT, PRIMARY, "log of {got} block{|s}, the kernel mounts none of less than {want}") \
	x(SB_LOGSTART, "sb.logstart", CORRUPT, PRIMARY, "log of {want} block{|s} at block {got} does not lie in one allocation group behind its headers") \
	x(SB_REXTSIZE, "sb.rextsize", CORRUPT, PRIMARY, "realtime extents of {got} block{|s}, not 4 KiB to 1 GiB") \
	x(SB_RT_FIELD, "sb.rt_field", CORRUPT, PRIMARY, "a realtime field is {got} without a realtime section") \
	x(SB_RGEXTENTS, "sb.rgextents", CORRUPT, PRIMARY, "realtime groups of {got} extent{|s}, too few or too many") \
	x(SB_RGBLKLOG, "sb.rgblklog", CORRUPT, SECONDARY, "logarithm of the realtime group size is {got}, should be {want}") \
	x(SB_ROOTINO, "sb.rootino", CORRUPT, PRIMARY, "root inode {got}, should be {want}")         \
	x(SB_RBMINO, "sb.rbmino", CORRUPT, PRIMARY, "realtime bitmap inode {got}, should be {want}") \
	x(SB_RSUMINO, "sb.rsumino", CORRUPT, PRIMARY, "realtime summary inode {got}, should be {want}") \
	x(SB_METADIRINO, "sb.metadirino", CORRUPT, PRIMARY, "metadata directory inode {got}, should be {want}") \
	x(SB_QUOTINO, "sb.quotino", CORRUPT, PRIMARY, "quota inode {got} can't be one")             \
	x(SB_QUOTA_BIT, "sb.quota_bit", CORRUPT, PRIMARY, "quota flags or a quota inode without the feature bit for quotas") \
	x(SB_QUOTA_NONE, "sb.quota_none", XREF, PRIMARY, "feature bit for quotas, but no quota inode") \
	x(SB_QFLAGS, "sb.qflags", CORRUPT, PRIMARY, "quota flags {got:x}, of which {want:x} are known") \
	x(SB_QFLAGS_NEED, "sb.qflags.need", CORRUPT, PRIMARY, "quota flags {got:x}: limits enforced or usage right of what is not counted, should be {want:x}") \
	x(SB_FLAGS, "sb.flags", PREEN, PRIMARY, "flags {got:x}, should be 0")                     \
	x(SB_SHARED_VN, "sb.shared_vn", CORRUPT, PRIMARY, "shared version {got}, should be 0")      \
	x(SB_INPROGRESS, "sb.inprogress", CORRUPT, PRIMARY, "the in-progress mark of mkfs is {got}") \
	x(SB_IMAX_PCT, "sb.imax_pct", CORRUPT, PRIMARY, "{got} percent of the space for inodes")    \
	x(SB_ICOUNT, "sb.icount", CORRUPT, SUMMARY, "{got} inode{|s} can't be: whole chunks, at least 64, and as many as fit") \
	x(SB_IFREE, "sb.ifree", CORRUPT, SUMMARY, "{got} free inode{|s} of {want}")                    \
	x(SB_FDBLOCKS, "sb.fdblocks", CORRUPT, SUMMARY, "{got} free block{|s} of {want}")              \
	x(SB_TAIL, "sb.tail", PREEN, SECONDARY, "unused bytes behind the superblock are not zero")

/* the primary superblock against everything else: ondisk 01, "Secondary superblocks" */
#define FINDINGS_SB_LOSS(x)                                                                         \
	x(SB_LOST, "sb.lost", CORRUPT, PRIMARY, "can't be used; superblocks that agree and stand in for it: {got}") \
	x(SB_DERIVED, "sb.derived", CORRUPT, PRIMARY, "no superblock is left; what lies in allocation groups says that there are {got} of them, of {want} block{|s}") \
	x(SB_OUTVOTED, "sb.outvoted", XREF, PRIMARY, "{got:x}, should be {want:x} as other superblocks have it") \
	x(SB_OUTVOTED_TEXT, "sb.outvoted.text", XREF, PRIMARY, "uuid or label is not what other superblocks have") \
	x(SB_UNCONFIRMED, "sb.unconfirmed", FATAL, PRIMARY, "nothing else on the device confirms the geometry ({got} allocation group{|s} of {want} block{|s}): -o force_geometry checks with it nevertheless") \
	x(SB_NONE, "sb.none", FATAL, PRIMARY, "no usable superblock was found on the device")

/* secondary superblocks against the one that is relied on, the primary if it was not outvoted; either may be wrong: ondisk 01, invariant 10 */
#define FINDINGS_SB_CUT_SHORT(x)                                                                    \
	x(SB_REPAIR_CUT_SHORT, "sb.repair_cut_short", CORRUPT, PRIMARY, "a repair was cut short: what it had yet to write, {got} bytes, is kept at byte {want} of the device")

#define FINDINGS_SB2(x)                                                                             \
	x(SB2_BLOCKSIZE, "sb.secondary.blocksize", XREF, SECONDARY, "block size {got}, the file system has {want}") \
	x(SB2_DBLOCKS, "sb.secondary.dblocks", XREF, SECONDARY, "data blocks {got}, the file system has {want}") \
	x(SB2_RBLOCKS, "sb.secondary.rblocks", XREF, SECONDARY, "realtime blocks {got}, the file system has {want}") \
	x(SB2_REXTENTS, "sb.secondary.rextents", XREF, SECONDARY, "realtime extents {got}, the file system has {want}") \
	x(SB2_UUID, "sb.secondary.uuid", XREF, SECONDARY, "uuid is not that of the file system") \
	x(SB2_LOGSTART, "sb.secondary.logstart", XREF, SECONDARY, "log start {got}, the file system has {want}") \
	x(SB2_REXTSIZE, "sb.secondary.rextsize", XREF, SECONDARY, "realtime extent size {got}, the file system has {want}") \
	x(SB2_AGBLOCKS, "sb.secondary.agblocks", XREF, SECONDARY, "allocation group size {got}, the file system has {want}") \
	x(SB2_AGCOUNT, "sb.secondary.agcount", XREF, SECONDARY, "allocation groups {got}, the file system has {want}") \
	x(SB2_RBMBLOCKS, "sb.secondary.rbmblocks", XREF, SECONDARY, "realtime bitmap blocks {got}, the file system has {want}") \
	x(SB2_LOGBLOCKS, "sb.secondary.logblocks", XREF, SECONDARY, "log blocks {got}, the file system has {want}") \
	x(SB2_SECTSIZE, "sb.secondary.sectsize", XREF, SECONDARY, "sector size {got}, the file system has {want}") \
	x(SB2_INODESIZE, "sb.secondary.inodesize", XREF, SECONDARY, "inode size {got}, the file system has {want}") \
	x(SB2_INOPBLOCK, "sb.secondary.inopblock", XREF, SECONDARY, "inodes per block {got}, the file system has {want}") \
	x(SB2_FNAME, "sb.secondary.fname", PREEN, SECONDARY, "label is not that of the file system") \
	x(SB2_BLOCKLOG, "sb.secondary.blocklog", XREF, SECONDARY, "block size logarithm {got}, the file system has {want}") \
	x(SB2_SECTLOG, "sb.secondary.sectlog", XREF, SECONDARY, "sector size logarithm {got}, the file system has {want}") \
	x(SB2_INODELOG, "sb.secondary.inodelog", XREF, SECONDARY, "inode size logarithm {got}, the file system has {want}") \
	x(SB2_INOPBLOG, "sb.secondary.inopblog", XREF, SECONDARY, "inodes per block logarithm {got}, the file system has {want}") \
	x(SB2_AGBLKLOG, "sb.secondary.agblklog", XREF, SECONDARY, "allocation group size logarithm {got}, the file system has {want}") \
	x(SB2_REXTSLOG, "sb.secondary.rextslog", XREF, SECONDARY, "realtime extents logarithm {got}, the file system has {want}") \
	x(SB2_IMAX_PCT, "sb.secondary.imax_pct", PREEN, SECONDARY, "percentage for inodes {got}, the file system has {want}") \
	x(SB2_FLAGS, "sb.secondary.flags", XREF, SECONDARY, "flags {got}, the file system has {want}") \
	x(SB2_SHARED_VN, "sb.secondary.shared_vn", XREF, SECONDARY, "shared version {got}, the file system has {want}") \
	x(SB2_INOALIGNMT, "sb.secondary.inoalignmt", XREF, SECONDARY, "inode alignment {got}, the file system has {want}") \
	x(SB2_DIRBLKLOG, "sb.secondary.dirblklog", XREF, SECONDARY, "directory block logarithm {got}, the file system has {want}") \
	x(SB2_LOGSECTLOG, "sb.secondary.logsectlog", XREF, SECONDARY, "log sector size logarithm {got}, the file system has {want}") \
	x(SB2_LOGSECTSIZE, "sb.secondary.logsectsize", XREF, SECONDARY, "log sector size {got}, the file system has {want}") \
	x(SB2_LOGSUNIT, "sb.secondary.logsunit", XREF, SECONDARY, "log stripe unit {got}, the file system has {want}") \
	x(SB2_FEATURES2, "sb.secondary.features2", XREF, SECONDARY, "feature bits {got:x}, the file system has {want:x}") \
	x(SB2_BAD_FEATURES2, "sb.secondary.bad_features2", XREF, SECONDARY, "copy of the feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_COMPAT, "sb.secondary.features_compat", XREF, SECONDARY, "compatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_RO_COMPAT, "sb.secondary.features_ro_compat", XREF, SECONDARY, "read-only compatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_INCOMPAT, "sb.secondary.features_incompat", XREF, SECONDARY, "incompatible feature bits {got:x}, the file system has {want:x}") \
	x(SB2_SPINO_ALIGN, "sb.secondary.spino_align", XREF, SECONDARY, "sparse inode alignment {got}, the file system has {want}") \
	x(SB2_META_UUID, "sb.secondary.meta_uuid", XREF, SECONDARY, "uuid of the metadata is not that of the file system") \
	x(SB2_RGCOUNT, "sb.secondary.rgcount", XREF, SECONDARY, "realtime groups {got}, the file system has {want}") \
	x(SB2_RGEXTENTS, "sb.secondary.rgextents", XREF, SECONDARY, "realtime group size {got}, the file system has {want}") \
	x(SB2_RTSTART, "sb.secondary.rtstart", XREF, SECONDARY, "start of the realtime section {got}, the file system has {want}") \
	x(SB2_RTRESERVED, "sb.secondary.rtreserved", XREF, SECONDARY, "reserved realtime blocks {got}, the file system has {want}") \
	x(SB2_RGBLKLOG, "sb.secondary.rgblklog", XREF, SECONDARY, "realtime group size logarithm {got}, the file system has {want}") \
	x(SB2_VERSIONNUM, "sb.secondary.versionnum", XREF, SECONDARY, "version and feature bits {got:x}, the file system has {want:x}") \
	x(SB2_FEATURES_LOG_INCOMPAT, "sb.secondary.features_log_incompat", XREF, SECONDARY, "incompatible log feature bits {got:x}, the file system has {want:x}") \
	x(SB2_INPROGRESS, "sb.secondary.inprogress", CORRUPT, SECONDARY, "the in-progress mark is {got}, neither 0 nor 1") \
	x(SB2_ROOTINO, "sb.secondary.rootino", CORRUPT, SECONDARY, "root inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_RBMINO, "sb.secondary.rbmino", CORRUPT, SECONDARY, "realtime bitmap inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_RSUMINO, "sb.secondary.rsumino", CORRUPT, SECONDARY, "realtime summary inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_METADIRINO, "sb.secondary.metadirino", CORRUPT, SECONDARY, "metadata directory inode {got}, neither none nor {want}, that of the file system") \
	x(SB2_QUOTINO, "sb.secondary.quotino", CORRUPT, SECONDARY, "quota inode {got} can't be one, or none should be there") \
	x(SB2_QFLAGS, "sb.secondary.qflags", CORRUPT, SECONDARY, "quota flags {got:x}, of which {want:x} may be there") \
	x(SB2_COUNTER, "sb.secondary.counter", PREEN, SECONDARY, "a counter is {got}, at most {want} is possible")

/* AG headers: ondisk 02 */
#define FINDINGS_AG(x)                                                                              \
	x(AGF_VERSIONNUM, "agf.versionnum", CORRUPT, PRIMARY, "version {got}, should be {want}")    \
	x(AGF_SEQNO, "agf.seqno", CORRUPT, PRIMARY, "says it is that of AG {got}, lies in AG {want}") \
	x(AGF_LENGTH, "agf.length", CORRUPT, PRIMARY, "length {got} block{|s}, superblock says {want}") \
	x(AGF_BNO_ROOT, "agf.bno_root", CORRUPT, PRIMARY, "root of the bnobt is block {got}, which can't be") \
	x(AGF_BNO_LEVEL, "agf.bno_level", CORRUPT, PRIMARY, "height of the bnobt is {got}, can be 1 to {want}") \
	x(AGF_CNT_ROOT, "agf.cnt_root", CORRUPT, PRIMARY, "root of the cntbt is block {got}, which can't be") \
	x(AGF_CNT_LEVEL, "agf.cnt_level", CORRUPT, PRIMARY, "height of the cntbt is {got}, can be 1 to {want}") \
	x(AGF_RMAP_ROOT, "agf.rmap_root", CORRUPT, PRIMARY, "root of the rmapbt is block {got}, which can't be") \
	x(AGF_RMAP_LEVEL, "agf.rmap_level", CORRUPT, PRIMARY, "height of the rmapbt is {got}, can be 1 to {want}") \
	x(AGF_REFCOUNT_ROOT, "agf.refcount_root", CORRUPT, PRIMARY, "root of the refcountbt is block {got}, which can't be") \
	x(AGF_REFCOUNT_LEVEL, "agf.refcount_level", CORRUPT, PRIMARY, "height of the refcountbt is {got}, can be 1 to {want}") \
	x(AGF_FLFIRST, "agf.flfirst", CORRUPT, PRIMARY, "free list begins in slot {got}, there are {want}") \
	x(AGF_FLLAST, "agf.fllast", CORRUPT, PRIMARY, "free list ends in slot {got}, there are {want}") \
	x(AGF_FLCOUNT, "agf.flcount", CORRUPT, PRIMARY, "{got} block{|s} on the free list, its first and last slot make it {want}") \
	x(AGF_FREEBLKS, "agf.freeblks", CORRUPT, SUMMARY, "{got} free block{|s}, at most {want} {is|are} possible") \
	x(AGF_LONGEST, "agf.longest", CORRUPT, SUMMARY, "longest free extent {got} block{|s}, of {want} free ones") \
	x(AGF_BTREEBLKS, "agf.btreeblks", CORRUPT, SUMMARY, "{got} btree block{|s} below the roots, at most {want} {is|are} possible") \
	x(AGF_RMAP_BLOCKS, "agf.rmap_blocks", CORRUPT, SUMMARY, "{got} rmapbt block{|s}, at most {want} {is|are} possible") \
	x(AGF_REFCOUNT_BLOCKS, "agf.refcount_blocks", CORRUPT, SUMMARY, "{got} refcountbt block{|s}, at most {want} {is|are} possible") \
	x(AGF_UNUSED, "agf.unused", PREEN, SECONDARY, "a field of a tree that the file system does not have is {got}") \
	x(AGF_SPARE, "agf.spare", PREEN, SECONDARY, "unused bytes are not zero")                    \
	x(AGFL_SEQNO, "agfl.seqno", CORRUPT, PRIMARY, "says it is that of AG {got}, lies in AG {want}") \
	x(AGFL_BNO, "agfl.bno", CORRUPT, PRIMARY, "slot {index} holds block {got}, which can't be") \
	x(AGFL_DUPLICATE, "agfl.duplicate", CORRUPT, PRIMARY, "slot {index} holds block {got}, which slot {want} holds as well") \
	x(AGFL_UNUSED, "agfl.unused", CORRUPT, SECONDARY, "unused slot {index} holds block {got}, groups have {want}") \
	x(AGI_VERSIONNUM, "agi.versionnum", CORRUPT, PRIMARY, "version {got}, should be {want}")    \
	x(AGI_SEQNO, "agi.seqno", CORRUPT, PRIMARY, "says it is that of AG {got}, lies in AG {want}") \
	x(AGI_LENGTH, "agi.length", CORRUPT, PRIMARY, "length {got} block{|s}, superblock says {want}") \
	x(AGI_ROOT, "agi.root", CORRUPT, PRIMARY, "root of the inobt is block {got}, which can't be") \
	x(AGI_LEVEL, "agi.level", CORRUPT, PRIMARY, "height of the inobt is {got}, can be 1 to {want}") \
	x(AGI_FREE_ROOT, "agi.free_root", CORRUPT, PRIMARY, "root of the finobt is block {got}, which can't be") \
	x(AGI_FREE_LEVEL, "agi.free_level", CORRUPT, PRIMARY, "height of the finobt is {got}, can be 1 to {want}") \
	x(AGI_COUNT, "agi.count", CORRUPT, SUMMARY, "{got} inode{|s} can't be: whole chunks, at most {want}") \
	x(AGI_FREECOUNT, "agi.freecount", CORRUPT, SUMMARY, "{got} free inode{|s} of {want}")          \
	x(AGI_IBLOCKS, "agi.iblocks", CORRUPT, SUMMARY, "{got} inobt block{|s}, at most {want} {is|are} possible") \
	x(AGI_FBLOCKS, "agi.fblocks", CORRUPT, SUMMARY, "{got} finobt block{|s}, at most {want} {is|are} possible") \
	x(AGI_NEWINO, "agi.newino", PREEN, SECONDARY, "newest chunk begins with inode {got}, which can't be") \
	x(AGI_DIRINO, "agi.dirino", PREEN, SECONDARY, "directory hint is inode {got}, which can't be") \
	x(AGI_UNLINKED, "agi.unlinked", CORRUPT, PRIMARY, "unlinked list {index} begins with inode {got}, which can't be on it") \
	x(AGI_UNUSED, "agi.unused", PREEN, SECONDARY, "a field that the file system does not use is {got}") \
	x(AGI_SPARE, "agi.spare", PREEN, SECONDARY, "unused bytes are not zero")

/* btrees of every kind and the records of the AG ones: ondisk 03 */
#define FINDINGS_BTREE(x)                                                                           \
	x(BTREE_LEVEL, "btree.level", CORRUPT, PRIMARY, "level {got}, should be {want}")            \
	x(BTREE_ROOT, "btree.root", XREF, PRIMARY, "block {got} is said to be the root of the {want:object}, but is no such block") \
	x(BTREE_HEIGHT, "btree.height", XREF, PRIMARY, "height of the {want:object} is {index}, its root makes it {got}") \
	x(BTREE_NUMRECS, "btree.numrecs", CORRUPT, PRIMARY, "{got} record{|s}, there are at most {want}") \
	x(BTREE_UNDERFULL, "btree.underfull", CORRUPT, PRIMARY, "{got} record{|s}, should have at least {want}") \
	x(BTREE_LEFTSIB, "btree.leftsib", CORRUPT, PRIMARY, "left sibling {got:x} can't be")        \
	x(BTREE_RIGHTSIB, "btree.rightsib", CORRUPT, PRIMARY, "right sibling {got:x} can't be")     \
	x(BTREE_PAD, "btree.pad", PREEN, PRIMARY, "padding is {got:x}, should be 0")                \
	x(BTREE_FIRST_KEY, "btree.first_key", CORRUPT, PRIMARY, "first key is {got}, its parent says {want}") \
	x(BTREE_HIGH_KEY, "btree.high_key", CORRUPT, PRIMARY, "highest key is {got}, its parent says {want}") \
	x(BTREE_BOUND, "btree.bound", CORRUPT, PRIMARY, "last key is {got}, the next block begins with {want}") \
	x(BTREE_ORDER, "btree.order", CORRUPT, PRIMARY, "key {index} is {got}, the one before it {want}") \
	x(BTREE_OVERLAP, "btree.overlap", CORRUPT, PRIMARY, "record {index} begins at {got}, those before it allow {want}") \
	x(BTREE_OVERLAP_NEXT, "btree.overlap_next", CORRUPT, PRIMARY, "records allow the next block to begin at {got}, it does at {want}") \
	x(BTREE_POINTER, "btree.pointer", CORRUPT, PRIMARY, "pointer {index} is {got:x}, which can't be") \
	x(ALLOC_START, "alloc.start", CORRUPT, PRIMARY, "free extent {index} starts at {got}, the AG's blocks end or begin at {want}") \
	x(ALLOC_LENGTH, "alloc.length", CORRUPT, PRIMARY, "free extent {index} has {got} block{|s}, can have 1 to {want}") \
	x(INOBT_STARTINO, "inobt.startino", CORRUPT, PRIMARY, "chunk {index} starts at inode {got}, the AG's inodes begin or end at {want}") \
	x(INOBT_ALIGN, "inobt.align", CORRUPT, PRIMARY, "chunk {index} starts at inode {got}, which is no multiple of {want}") \
	x(INOBT_HOLEMASK, "inobt.holemask", CORRUPT, PRIMARY, "chunk {index} can't lack the inodes of its mask {got:x}") \
	x(INOBT_COUNT, "inobt.count", CORRUPT, SUMMARY, "chunk {index} counts {got} inode{|s}, its mask leaves {want}") \
	x(INOBT_FREECOUNT, "inobt.freecount", CORRUPT, SUMMARY, "chunk {index} counts {got} free inode{|s}, its mask has {want}") \
	x(INOBT_HOLE_IN_USE, "inobt.hole_in_use", CORRUPT, PRIMARY, "chunk {index} uses inodes it doesn't have, free mask {got:x}") \
	x(FINOBT_FULL, "finobt.full", CORRUPT, SECONDARY, "chunk {index} has no free inode")        \
	x(RMAP_START, "rmap.start", CORRUPT, SECONDARY, "mapping {index} starts at {got}, the AG's blocks end or begin at {want}") \
	x(RMAP_LENGTH, "rmap.length", CORRUPT, SECONDARY, "mapping {index} has {got} block{|s}, can have 1 to {want}") \
	x(RMAP_OWNER, "rmap.owner", CORRUPT, SECONDARY, "mapping {index} has owner {got:x}, which can't be") \
	x(RMAP_FLAGS, "rmap.flags", CORRUPT, SECONDARY, "mapping {index} has flags {got:x}, its owner allows {want:x}") \
	x(RMAP_OFFSET, "rmap.offset", CORRUPT, SECONDARY, "mapping {index} has offset {got}, its owner allows {want}") \
	x(REFCOUNT_START, "refcount.start", CORRUPT, SECONDARY, "shared extent {index} starts at {got}, the AG's blocks end or begin at {want}") \
	x(REFCOUNT_LENGTH, "refcount.length", CORRUPT, SECONDARY, "shared extent {index} has {got} block{|s}, can have 1 to {want}") \
	x(REFCOUNT_SHARED, "refcount.shared", CORRUPT, SECONDARY, "extent {index} is counted {got} time{|s}, should be at least {want}") \
	x(REFCOUNT_COW, "refcount.cow", CORRUPT, SECONDARY, "copy-on-write extent {index} is counted {got} time{|s}, should be {want}")

/* inodes: ondisk 04 */
#define FINDINGS_INODE(x)                                                                           \
	x(INODE_VERSION, "inode.version", CORRUPT, PRIMARY, "version {got}, should be {want}")      \
	x(INODE_INO, "inode.ino", CORRUPT, PRIMARY, "says it is inode {got}, should be {want}")     \
	x(INODE_FREE_IN_USE, "inode.free_in_use", XREF, PRIMARY, "the inode btree has it in use, but its mode is 0") \
	x(INODE_USED_BUT_FREE, "inode.used_but_free", XREF, PRIMARY, "the inode btree has it as free, but its mode is {got:x}") \
	x(INODE_FREE_FIELD, "inode.free.field", PREEN, PRIMARY, "a field that is empty in free inodes has {got:x}") \
	x(INODE_FREE_FORMAT, "inode.free.format", PREEN, PRIMARY, "free, but its fork format is {got}, should be {want}") \
	x(INODE_MODE, "inode.mode", CORRUPT, PRIMARY, "mode {got:x} has no file type that exists")  \
	x(INODE_SB_TYPE, "inode.sb_type", XREF, PRIMARY, "file type {got}, the superblock says it should be {want}") \
	x(INODE_NLINK, "inode.nlink", CORRUPT, PRIMARY, "{got} link{|s}, can be {want} at most")       \
	x(INODE_NEXT_UNLINKED, "inode.next_unlinked", CORRUPT, PRIMARY, "points to inode {got} of its group as the next unlinked one, but can't") \
	x(INODE_TIME, "inode.time", CORRUPT, PRIMARY, "time stamp of {got} second{|s}, can be {want} at most") \
	x(INODE_NSEC, "inode.nsec", CORRUPT, PRIMARY, "time stamp with {got} nanosecond{|s}, can be {want} at most") \
	x(INODE_PAD, "inode.pad", CORRUPT, PRIMARY, "an unused field has {got:x}, should have {want}") \
	x(INODE_FLAGS, "inode.flags", CORRUPT, PRIMARY, "flags {got:x}, of which only {want:x} are possible here") \
	x(INODE_FLAGS2, "inode.flags2", CORRUPT, PRIMARY, "flags2 {got:x}, should be {want:x}")     \
	x(INODE_EXTSIZE, "inode.extsize", CORRUPT, PRIMARY, "extent size hint of {got} block{|s}, its flags allow {want} at most") \
	x(INODE_COWEXTSIZE, "inode.cowextsize", CORRUPT, PRIMARY, "copy-on-write hint of {got} block{|s}, its flags allow {want} at most") \
	x(INODE_METATYPE, "inode.metatype", CORRUPT, PRIMARY, "metadata file type {got}, which can't be") \
	x(INODE_META_FLAGS, "inode.meta.flags", CORRUPT, PRIMARY, "metadata file with flags {got:x}, needs {want:x}") \
	x(INODE_META_MODE, "inode.meta.mode", CORRUPT, PRIMARY, "metadata file with mode {got:x}, should be {want:x}") \
	x(INODE_META_OWNER, "inode.meta.owner", CORRUPT, PRIMARY, "metadata file owned by {got}, should be by {want}") \
	x(INODE_FORMAT, "inode.format", CORRUPT, PRIMARY, "data fork has format {got}, should have {want}") \
	x(INODE_AFORMAT, "inode.aformat", CORRUPT, PRIMARY, "attribute fork has format {got}, should have {want}") \
	x(INODE_FORKOFF, "inode.forkoff", CORRUPT, PRIMARY, "attribute fork is at {got} times 8 bytes, should be at {want} at most") \
	x(INODE_FORKOFF_LOW, "inode.forkoff.low", CORRUPT, PRIMARY, "attribute fork is at {got} times 8 bytes, should be at {want} at least") \
	x(INODE_NEXTENTS, "inode.nextents", CORRUPT, PRIMARY, "{got} extent{|s} {doesn't|don't} go with the data fork, {want} would") \
	x(INODE_ANEXTENTS, "inode.anextents", CORRUPT, PRIMARY, "{got} extent{|s} {doesn't|don't} go with the attribute fork, {want} would") \
	x(INODE_NBLOCKS, "inode.nblocks", CORRUPT, SUMMARY, "{got} block{|s} {doesn't|don't} go with its extents, {want} would") \
	x(INODE_SIZE, "inode.size", CORRUPT, PRIMARY, "size {got} is not one that can be, {want} is")

/* inodes of version 4 file systems: ondisk 04 */
#define FINDINGS_INODE_V4(x)                                                                        \
	x(INODE_ONLINK, "inode.onlink", CORRUPT, SECONDARY, "link count of version 1 is {got} in an inode of version 2, should be {want}") \
	x(INODE_PROJID_HI, "inode.projid_hi", CORRUPT, PRIMARY, "upper half of the project is {got}, which the file system does not use")

/* extent maps: ondisk 05 */
#define FINDINGS_BMAP(x)                                                                            \
	x(BMAP_START, "bmap.start", CORRUPT, PRIMARY, "extent {index} starts at block {got:x}, which can't be") \
	x(BMAP_LENGTH, "bmap.length", CORRUPT, PRIMARY, "extent {index} has {got} block{|s}, can have 1 to {want}") \
	x(BMAP_OFFSET, "bmap.offset", CORRUPT, PRIMARY, "extent {index} at file block {got} reaches beyond block {want}") \
	x(BMAP_UNWRITTEN, "bmap.unwritten", CORRUPT, PRIMARY, "extent {index} is unwritten, which only data of files can be") \
	x(BMAP_ORDER, "bmap.order", CORRUPT, PRIMARY, "extent {index} is at file block {got}, the one before it ends at {want}") \
	x(BMDR_LEVEL, "bmdr.level", CORRUPT, PRIMARY, "the root's level is {got}, can be 1 to {want}") \
	x(BMDR_NUMRECS, "bmdr.numrecs", CORRUPT, PRIMARY, "the root has {got} child{|ren}, can have 1 to {want}")

/* directories, and the da nodes that attributes have as well: ondisk 06 */
#define FINDINGS_DIR(x)                                                                             \
	x(DA_FORW, "da.forw", CORRUPT, SECONDARY, "right sibling is block {got}, which can't be") \
	x(DA_BACK, "da.back", CORRUPT, SECONDARY, "left sibling is block {got}, which can't be") \
	x(DA_LEVEL, "da.level", CORRUPT, SECONDARY, "level {got} of a node, should be 1 to {want}") \
	x(DA_COUNT, "da.count", CORRUPT, SECONDARY, "says it has {got} entr{y|ies}, there are {want} at most") \
	x(DA_ORDER, "da.order", CORRUPT, SECONDARY, "entry {index} has hash {got:x}, below {want:x} of the one before") \
	x(DA_BEFORE, "da.before", CORRUPT, SECONDARY, "entry {index} points to block {got}, which can't be") \
	x(DIR_ENTRY_NAMELEN, "dir.entry.namelen", CORRUPT, PRIMARY, "entry {index} has a name of no bytes") \
	x(DIR_ENTRY_NAME, "dir.entry.name", CORRUPT, PRIMARY, "name of entry {index} has a byte {got:x}") \
	x(DIR_ENTRY_DOTS, "dir.entry.dots", CORRUPT, PRIMARY, "entry {index} has a name of {got} dot{|s}, which is reserved") \
	x(DIR_ENTRY_INO, "dir.entry.ino", CORRUPT, PRIMARY, "entry {index} names inode {got}, which can't be") \
	x(DIR_ENTRY_INTERNAL, "dir.entry.internal", CORRUPT, PRIMARY, "entry {index} names {got:inode}, which the file system keeps for itself") \
	x(DIR_ENTRY_FTYPE, "dir.entry.ftype", CORRUPT, SECONDARY, "entry {index} has file type {got}") \
	x(DIR_ENTRY_DUPLICATE, "dir.entry.duplicate", CORRUPT, PRIMARY, "entry at byte {got} has the name of the one at byte {want}") \
	x(DIR_DOTS_MISSING, "dir.dots.missing", CORRUPT, PRIMARY, "the entry of {got} dot{|s} is missing") \
	x(DIR_DOTS_NAME, "dir.dots.name", CORRUPT, PRIMARY, "entry {index} is not called . or .. as it must") \
	x(DIR_DOTS_FTYPE, "dir.dots.ftype", CORRUPT, SECONDARY, "file type of . or .. is {got}, should be {want}") \
	x(DIR_DOT_INO, "dir.dot.ino", CORRUPT, PRIMARY, "entry . names inode {got}, not the directory itself, {want}") \
	x(DIR_DOTDOT_INO, "dir.dotdot.ino", CORRUPT, PRIMARY, "entry .. names inode {got}, which can't be") \
	x(DIR_SF_SIZE, "dir.sf.size", CORRUPT, PRIMARY, "size is {got} byte{|s}, header and entries take {want}") \
	x(DIR_SF_COUNT, "dir.sf.count", CORRUPT, PRIMARY, "says it has {got} entr{y|ies}, there are {want}") \
	x(DIR_SF_I8COUNT, "dir.sf.i8count", CORRUPT, PRIMARY, "says it has {got} inode number{|s} above 32 bits, there are {want}") \
	x(DIR_SF_NAMELEN, "dir.sf.namelen", CORRUPT, PRIMARY, "entry {index} has a name of {got} byte{|s}, which doesn't fit") \
	x(DIR_SF_OFFSET, "dir.sf.offset", CORRUPT, SECONDARY, "entry {index} has offset {got}, least possible is {want}") \
	x(DIR_DATA_LENGTH, "dir.data.length", CORRUPT, PRIMARY, "entry or free region {index} says it takes {got} byte{|s}, ends after {want}") \
	x(DIR_DATA_TAG, "dir.data.tag", CORRUPT, SECONDARY, "tag of entry or free region {index} is {got}, should be {want}") \
	x(DIR_DATA_TORN, "dir.data.torn", CORRUPT, PRIMARY, "{got} byte{|s} {is|are} neither entry nor free region") \
	x(DIR_DATA_ADJACENT, "dir.data.adjacent", CORRUPT, SECONDARY, "free regions at bytes {want} and {got} are not joined") \
	x(DIR_BESTFREE_LENGTH, "dir.bestfree.length", CORRUPT, SECONDARY, "bestfree {index} has length {got}, should have {want}") \
	x(DIR_BESTFREE_OFFSET, "dir.bestfree.offset", CORRUPT, SECONDARY, "bestfree {index} points to byte {got}, where no such free region is") \
	x(DIR_BLOCK_COUNT, "dir.block.count", CORRUPT, SECONDARY, "says it has {got} leaf entr{y|ies}, there are {want}") \
	x(DIR_LEAF_COUNT, "dir.leaf.count", CORRUPT, SECONDARY, "{got} entr{y|ies}, there is room for {want}") \
	x(DIR_LEAF_STALE, "dir.leaf.stale", CORRUPT, SECONDARY, "says it has {got} stale entr{y|ies}, there are {want}") \
	x(DIR_LEAF_ORDER, "dir.leaf.order", CORRUPT, SECONDARY, "leaf entry {index} has hash {got:x}, below {want:x} of the one before") \
	x(DIR_LEAF_ADDRESS, "dir.leaf.address", CORRUPT, SECONDARY, "leaf entry {index} has address {got:x}, where no entry is") \
	x(DIR_LEAF_BESTCOUNT, "dir.leaf.bestcount", CORRUPT, SECONDARY, "says it knows {got} data block{|s}, there is room for {want}") \
	x(DIR_LEAF_BESTS, "dir.leaf.bests", CORRUPT, SECONDARY, "longest free region of data block {index} is said to have {got} byte{|s}, which can't be") \
	x(DIR_FREE_FIRSTDB, "dir.free.firstdb", CORRUPT, SECONDARY, "starts with data block {got}, should with {want}") \
	x(DIR_FREE_NVALID, "dir.free.nvalid", CORRUPT, SECONDARY, "{got} slot{|s}, there is room for {want}") \
	x(DIR_FREE_NUSED, "dir.free.nused", CORRUPT, SECONDARY, "says {got} slot{|s} {is|are} in use, there are {want}") \
	x(DIR_FREE_BESTS, "dir.free.bests", CORRUPT, SECONDARY, "slot {index} has a free region of {got} byte{|s}, which can't be")

/* attributes: ondisk 07 */
#define FINDINGS_ATTR(x)                                                                            \
	x(ATTR_SF_TOTSIZE, "attr.sf.totsize", CORRUPT, PRIMARY, "total size {got}, the attributes end at byte {want}") \
	x(ATTR_SF_COUNT, "attr.sf.count", CORRUPT, SUMMARY, "count {got}, there are {want} attribute{|s}") \
	x(ATTR_SF_ENTRY, "attr.sf.entry", CORRUPT, PRIMARY, "attribute {index} needs {got} byte{|s}, {want} {is|are} left") \
	x(ATTR_FLAGS, "attr.flags", CORRUPT, PRIMARY, "attribute {index} has flags {got:x}, which can't be") \
	x(ATTR_NAMELEN, "attr.namelen", CORRUPT, PRIMARY, "attribute {index} has no name")          \
	x(ATTR_NAME, "attr.name", CORRUPT, PRIMARY, "name of attribute {index} is not one that can be") \
	x(ATTR_HASH, "attr.hash", CORRUPT, SECONDARY, "attribute {index} has hash {got:x}, its name gives {want:x}") \
	x(ATTR_DUPLICATE, "attr.duplicate", CORRUPT, PRIMARY, "attribute {got} is the same as attribute {want}") \
	x(ATTR_INCOMPLETE, "attr.incomplete", NOTE, PRIMARY, "attribute {index} was never completed, as after a crash: nobody sees it") \
	x(ATTR_PARENT_SIZE, "attr.parent.size", CORRUPT, SECONDARY, "parent pointer {index} has {got} byte{|s}, should have {want}") \
	x(ATTR_PARENT_REMOTE, "attr.parent.remote", CORRUPT, SECONDARY, "value of parent pointer {index} is not with its name") \
	x(ATTR_PARENT_INO, "attr.parent.ino", CORRUPT, SECONDARY, "parent pointer {index} names inode {got}, which can't be a parent") \
	x(ATTR_ACL, "attr.acl", CORRUPT, PRIMARY, "ACL in attribute {index} has {got} byte{|s}, its count needs {want}") \
	x(ATTR_ACL_ENTRY, "attr.acl.entry", CORRUPT, PRIMARY, "entry {got} of the ACL in attribute {index} is of kind {want:x}, which is unknown or was there before") \
	x(ATTR_ACL_LACKS, "attr.acl.lacks", CORRUPT, PRIMARY, "the {got} entr{y|ies} of the ACL in attribute {index} lack kinds {want:x}") \
	x(ATTR_LEAF_COUNT, "attr.leaf.count", CORRUPT, PRIMARY, "count {got}, there are {want} entr{y|ies}") \
	x(ATTR_LEAF_USEDBYTES, "attr.leaf.usedbytes", CORRUPT, SUMMARY, "{got} byte{|s} used, names and values take {want}") \
	x(ATTR_LEAF_FIRSTUSED, "attr.leaf.firstused", CORRUPT, SUMMARY, "first used byte is {got}, names start at {want}") \
	x(ATTR_LEAF_HOLES, "attr.leaf.holes", CORRUPT, SUMMARY, "flag for holes is {got}, should be {want}") \
	x(ATTR_LEAF_FREEMAP, "attr.leaf.freemap", CORRUPT, SUMMARY, "free region {index}, at byte {got}, is not free space") \
	x(ATTR_LEAF_FREE, "attr.leaf.free", CORRUPT, SUMMARY, "free regions have {got} byte{|s}, {want} {is|are} free") \
	x(ATTR_LEAF_PAD, "attr.leaf.pad", PREEN, PRIMARY, "padding of the header is not zero")      \
	x(ATTR_LEAF_NAMEIDX, "attr.leaf.nameidx", CORRUPT, PRIMARY, "name of attribute {index} at byte {got}, which can't be") \
	x(ATTR_LEAF_SIZE, "attr.leaf.size", CORRUPT, PRIMARY, "attribute {index} needs {got} byte{|s}, {want} {is|are} left in the block") \
	x(ATTR_LEAF_OVERLAP, "attr.leaf.overlap", CORRUPT, PRIMARY, "attribute {index}, at byte {got}, overlaps another") \
	x(ATTR_LEAF_ORDER, "attr.leaf.order", CORRUPT, SECONDARY, "hash {got:x} of attribute {index} follows {want:x}") \
	x(ATTR_REMOTE_VALUELEN, "attr.remote.valuelen", CORRUPT, PRIMARY, "value of attribute {index} has {got} byte{|s}, should be 1 to {want}") \
	x(ATTR_REMOTE_VALUEBLK, "attr.remote.valueblk", CORRUPT, PRIMARY, "value of attribute {index} at block {got} of the fork, which can't be") \
	x(ATTR_REMOTE_OFFSET, "attr.remote.offset", CORRUPT, PRIMARY, "bytes {got} ff. of a value, should be {want}") \
	x(ATTR_REMOTE_BYTES, "attr.remote.bytes", CORRUPT, PRIMARY, "{got} byte{|s} of a value, should be {want}") \
	x(ATTR_REMOTE_LSN, "attr.remote.lsn", CORRUPT, SECONDARY, "log sequence number {got:x}, such blocks have {want:x}")

/* symbolic links: ondisk 08 */
#define FINDINGS_SYMLINK(x)                                                                         \
	x(SYMLINK_NUL, "symlink.nul", CORRUPT, PRIMARY, "target ends at byte {got}, should have {want} byte{|s}") \
	x(SYMLINK_OFFSET, "symlink.offset", CORRUPT, PRIMARY, "bytes {got} ff. of the target, should be {want}") \
	x(SYMLINK_BYTES, "symlink.bytes", CORRUPT, PRIMARY, "{got} byte{|s} of the target, {want} at most")

/* log: ondisk 11 */
#define FINDINGS_LOG(x)                                                                             \
	x(LOG_DAMAGED, "log.damaged", CORRUPT, PRIMARY, "where the log ends or begins can't be found, see block {index}") \
	x(LOG_UNREADABLE, "log.unreadable", CORRUPT, PRIMARY, "{got} byte{|s} can't be read at byte {want} of the device, in block {index} of the log") \
	x(LOG_ZEROED, "log.zeroed", CORRUPT, PRIMARY, "the log is empty, not even its first record is there") \
	x(LOG_UNFINISHED, "log.unfinished", CORRUPT, PRIMARY, "a new log was begun, but its first record is all there is of it") \
	x(LOG_CYCLE, "log.cycle", CORRUPT, PRIMARY, "block {index} of the log has cycle {got}, should have {want}") \
	x(LOG_RECORD_MAGIC, "log.record.magic", CORRUPT, PRIMARY, "there should be a record at block {index}, but its magic is {got:x}") \
	x(LOG_RECORD_VERSION, "log.record.version", CORRUPT, PRIMARY, "version of the record at block {index} is {got}, should be {want}") \
	x(LOG_RECORD_LEN, "log.record.len", CORRUPT, PRIMARY, "length of the record at block {index} is {got}, can be {want} at most") \
	x(LOG_RECORD_SIZE, "log.record.size", CORRUPT, PRIMARY, "buffer size of the record at block {index} is {got}, can be {want} at most") \
	x(LOG_RECORD_LSN, "log.record.lsn", CORRUPT, PRIMARY, "log sequence number of the record at block {index} is {got:x}, should be {want:x}") \
	x(LOG_RECORD_TAIL, "log.record.tail", CORRUPT, PRIMARY, "the record at block {index} says that the log begins at {got:x}, which can't be") \
	x(LOG_RECORD_CRC, "log.record.crc", CORRUPT, PRIMARY, "checksum of the record at block {index} is {got:x}, contents give {want:x}") \
	x(LOG_RECORD_OPS, "log.record.ops", CORRUPT, PRIMARY, "the unmount record at block {index} says it has {got} operation{|s}, should have {want}") \
	x(LOG_RECORD_FORMAT, "log.record.format", CORRUPT, PRIMARY, "format of the record at block {index} is {got}, should be {want}") \
	x(LOG_RECORD_UUID, "log.record.uuid", CORRUPT, PRIMARY, "uuid of the record at block {index} is not that of the file system")

/* what the records of a log that waits for replay say: ondisk 11; {index} is the 512-byte block of the log */
#define FINDINGS_LOG_ITEM(x)                                                                        \
	x(LOG_OP_COUNT, "log.op.count", CORRUPT, PRIMARY, "the record that ends at block {index} of the log says it has {got} operation{|s}, has {want}") \
	x(LOG_OP_CLIENT, "log.op.client", CORRUPT, PRIMARY, "the operation in block {index} of the log is by {got:x}, should be by {want:x}") \
	x(LOG_OP_LEN, "log.op.len", CORRUPT, PRIMARY, "the operation in block {index} of the log has {got} byte{|s}, its record has {want} left") \
	x(LOG_OP_FLAGS, "log.op.flags", CORRUPT, PRIMARY, "flags {got:x} of the operation in block {index} of the log can't be") \
	x(LOG_OP_CONTINUED, "log.op.continued", CORRUPT, PRIMARY, "the operation in block {index} of the log does not fit to the one before, which is or is not to be continued") \
	x(LOG_TRANSACTION_START, "log.transaction.start", CORRUPT, PRIMARY, "transaction {got:x} is started in block {index} of the log while it is under way") \
	x(LOG_TRANSACTION_HEADER, "log.transaction.header", CORRUPT, PRIMARY, "the transaction in block {index} of the log has no header") \
	x(LOG_TRANSACTION_ITEMS, "log.transaction.items", CORRUPT, PRIMARY, "the transaction in block {index} of the log says it has {got} region{|s}, has {want}") \
	x(LOG_ITEM_TYPE, "log.item.type", CORRUPT, PRIMARY, "the item in block {index} of the log has the unknown type {got:x}") \
	x(LOG_ITEM_REGIONS, "log.item.regions", CORRUPT, PRIMARY, "the item in block {index} of the log has {got} region{|s}, not {want}") \
	x(LOG_ITEM_CUT, "log.item.cut", CORRUPT, PRIMARY, "the item in block {index} of the log has {got} of {want} regions when its transaction ends") \
	x(LOG_ITEM_REGION_LEN, "log.item.region_len", CORRUPT, PRIMARY, "a region of {got} byte{|s} in block {index} of the log, can be {want} at most and multiples of 4") \
	x(LOG_ITEM_LEN, "log.item.len", CORRUPT, PRIMARY, "the item in block {index} of the log has {got} byte{|s}, should have {want}") \
	x(LOG_ITEM_SECTORS, "log.item.sectors", CORRUPT, PRIMARY, "the item in block {index} of the log is about {want} sector{|s} from {got}, where nothing can be") \
	x(LOG_BUF_FLAGS, "log.buf.flags", CORRUPT, PRIMARY, "flags {got:x} of the buffer in block {index} of the log, of which {want:x} are known") \
	x(LOG_BUF_TYPE, "log.buf.type", CORRUPT, PRIMARY, "the buffer in block {index} of the log is of type {got}, {want} is the last one") \
	x(LOG_BUF_MAP_SIZE, "log.buf.map_size", CORRUPT, PRIMARY, "the map of the buffer in block {index} of the log has {got} word{|s}, there is room for {want}") \
	x(LOG_BUF_MAP, "log.buf.map", CORRUPT, PRIMARY, "the map of the buffer in block {index} of the log goes up to byte {got} of {want}") \
	x(LOG_BUF_REGION, "log.buf.region", CORRUPT, PRIMARY, "a region of {got} byte{|s} of a buffer in block {index} of the log, where its map says {want}") \
	x(LOG_INODE_FIELDS, "log.inode.fields", CORRUPT, PRIMARY, "fields {got:x} of the inode in block {index} of the log can't be") \
	x(LOG_INODE_NUMBER, "log.inode.number", CORRUPT, PRIMARY, "inode {got} in block {index} of the log can't be") \
	x(LOG_INODE_PLACE, "log.inode.place", CORRUPT, PRIMARY, "the inode in block {index} of the log is said to lie at byte {got} of the device, its number says {want}") \
	x(LOG_INODE_MAGIC, "log.inode.magic", CORRUPT, PRIMARY, "the inode in block {index} of the log has magic {got:x}, should have {want:x}") \
	x(LOG_INODE_VERSION, "log.inode.version", CORRUPT, PRIMARY, "the inode in block {index} of the log has version {got}, should have {want}") \
	x(LOG_INODE_INO, "log.inode.ino", CORRUPT, PRIMARY, "the inode in block {index} of the log says it is {got}, should be {want}") \
	x(LOG_INODE_FORK, "log.inode.fork", CORRUPT, PRIMARY, "the fork in block {index} of the log has {got} byte{|s}, should have {want}") \
	x(LOG_INODE_ROOT_KIND, "log.inode.root_kind", CORRUPT, PRIMARY, "the inode in block {index} of the log is of type {got} of metadata files, which has no btree in it") \
	x(LOG_INODE_ROOT, "log.inode.root", CORRUPT, PRIMARY, "the btree root in block {index} of the log: level or number of entries is {got}, should be {want}") \
	x(LOG_ICREATE_ISIZE, "log.icreate.isize", CORRUPT, PRIMARY, "inodes of {got} bytes are created in block {index} of the log, should be {want}") \
	x(LOG_ICREATE_LENGTH, "log.icreate.length", CORRUPT, PRIMARY, "inodes in {got} block{|s} are created in block {index} of the log, should be {want}") \
	x(LOG_ICREATE_COUNT, "log.icreate.count", CORRUPT, PRIMARY, "{got} inode{|s} {is|are} created in block {index} of the log, should be {want}") \
	x(LOG_ICREATE_PLACE, "log.icreate.place", CORRUPT, PRIMARY, "inodes are created in block {index} of the log at block {got} of allocation group {want}, where none can be") \
	x(LOG_DQUOT_OFFSET, "log.dquot.offset", CORRUPT, PRIMARY, "the quota record of id {want} in block {index} of the log is said to lie at byte {got} of its block") \
	x(LOG_DQUOT_MAGIC, "log.dquot.magic", CORRUPT, PRIMARY, "the quota record in block {index} of the log has magic {got:x}, should have {want:x}") \
	x(LOG_DQUOT_ID, "log.dquot.id", CORRUPT, PRIMARY, "the quota record in block {index} of the log is of id {got}, should be of {want}") \
	x(LOG_LOSES_INODE, "log.loses.inode", NOTE, PRIMARY, "the log holds changes of it, which are lost with the log") \
	x(LOG_INTENT_COUNT, "log.intent.count", CORRUPT, PRIMARY, "the intent in block {index} of the log has {got} extent{|s} in {want} bytes") \
	x(LOG_INTENT_FLAGS, "log.intent.flags", CORRUPT, PRIMARY, "flags {got:x} of the intent in block {index} of the log can't be") \
	x(LOG_INTENT_EXTENT, "log.intent.extent", CORRUPT, PRIMARY, "an intent in block {index} of the log is about {want} block{|s} from {got}, where no extent can be") \
	x(LOG_INTENT_OWNER, "log.intent.owner", CORRUPT, PRIMARY, "an intent in block {index} of the log is about blocks of owner {got}, which can't be") \
	x(LOG_INTENT_INODE, "log.intent.inode", CORRUPT, PRIMARY, "an intent in block {index} of the log is about inode {got}, which can't be") \
	x(LOG_INTENT_NAME, "log.intent.name", CORRUPT, PRIMARY, "a name or value of {want} byte{|s} in block {index} of the log is said to have {got}")

/* quota files: ondisk 10, ondisk 12 Q1 and Q2; {index} is the id of a user, group or project */
#define FINDINGS_QUOTA(x)                                                                           \
	x(DQUOT_MAGIC, "dquot.magic", CORRUPT, PRIMARY, "record of id {index} has magic {got:x}, should be {want:x}") \
	x(DQUOT_BLOCK_TYPE, "dquot.block.type", CORRUPT, PRIMARY, "all records have type {got:x}, should have {want:x}") \
	x(DQUOT_CRC, "dquot.crc", CORRUPT, PRIMARY, "checksum of the record of id {index} is {got:x}, contents give {want:x}") \
	x(DQUOT_UUID, "dquot.uuid", CORRUPT, PRIMARY, "uuid of the record of id {index} is not that of the file system") \
	x(DQUOT_LSN, "dquot.lsn", CORRUPT, PRIMARY, "log sequence number {got:x} of the record of id {index} is ahead of the log, which ends at {want:x}") \
	x(DQUOT_VERSION, "dquot.version", CORRUPT, PRIMARY, "record of id {index} has version {got}, should be {want}") \
	x(DQUOT_TYPE, "dquot.type", CORRUPT, PRIMARY, "record of id {index} has type {got:x}, should be {want:x}") \
	x(DQUOT_ID, "dquot.id", CORRUPT, PRIMARY, "record in the place of id {index} has id {got}") \
	x(DQUOT_LIMITS, "dquot.limits", NOTE, PRIMARY, "id {index} has a soft limit of {got}, above its hard limit of {want}") \
	x(DQUOT_TIMER, "dquot.timer", CORRUPT, PRIMARY, "a timer of id {index} is {got}, can be {want} at most") \
	x(DQUOT_TIMER_STOPPED, "dquot.timer.stopped", CORRUPT, PRIMARY, "id {index} uses {got}, above its limit of {want}, but no timer runs") \
	x(DQUOT_TIMER_RUNNING, "dquot.timer.running", PREEN, PRIMARY, "a timer of id {index} runs (until {got}), but no limit is exceeded") \
	x(DQUOT_PAD, "dquot.pad", PREEN, PRIMARY, "an unused field in the record of id {index} has {got:x}") \
	x(QUOTA_FILE_MISSING, "quota.file.missing", XREF, PRIMARY, "usage has been counted, but there is no quota file (inode {got})") \
	x(QUOTA_FILE_NAME, "quota.file.name", XREF, PRIMARY, "the quota directory names inode {got} for this type, which it does not have") \
	x(QUOTA_FILE_UNNAMED, "quota.file.unnamed", XREF, PRIMARY, "inode {got} is a quota file, but the quota directory does not name it") \
	x(QUOTA_FILE_MODE, "quota.file.mode", PREEN, PRIMARY, "quota file with mode {got:x}, should be {want:x}") \
	x(QUOTA_FILE_SIZE, "quota.file.size", PREEN, PRIMARY, "quota file with a size of {got}, should be {want}") \
	x(QUOTA_FILE_FLAGS, "quota.file.flags", CORRUPT, PRIMARY, "quota file with flag {got:x}, which it can't have") \
	x(QUOTA_FILE_ATTR, "quota.file.attr", CORRUPT, PRIMARY, "quota file with attributes") \
	x(QUOTA_FILE_UNWRITTEN, "quota.file.unwritten", CORRUPT, PRIMARY, "{got} block{|s} of the quota file {is|are} unwritten") \
	x(QUOTA_FILE_OFFSET, "quota.file.offset", CORRUPT, PRIMARY, "the quota file has {got} block{|s} behind file block {want}, the last for an id") \
	x(QUOTA_BLOCKS, "quota.blocks", XREF, SUMMARY, "id {index} uses {want} block{|s}, its record says {got}") \
	x(QUOTA_INODES, "quota.inodes", XREF, SUMMARY, "id {index} has {want} inode{|s}, its record says {got}") \
	x(QUOTA_RTBLOCKS, "quota.rtblocks", XREF, SUMMARY, "id {index} uses {want} realtime block{|s}, its record says {got}") \
	x(QUOTA_NO_RECORD, "quota.record.missing", XREF, SUMMARY, "id {index} has {got} inode{|s}, but no record")
/* realtime: ondisk 01 invariant 7, 09 */
#define FINDINGS_RT(x)                                                                              \
	x(BMAP_RT_ALIGN, "bmap.rt_align", CORRUPT, PRIMARY, "extent {index} at file block {got} starts {want} block{|s} into a realtime extent, which doesn't go together") \
	x(INODE_RT_GROUP, "inode.rt.group", CORRUPT, PRIMARY, "belongs to realtime group {got}, there are {want}") \
	x(INODE_RT_PROJID, "inode.rt.projid", CORRUPT, PRIMARY, "belongs to project {got}, files of the realtime section to none") \
	x(SB_RBLOCKS, "sb.rblocks", CORRUPT, PRIMARY, "a realtime section of {got} block{|s} can't be") \
	x(SB_REXTENTS, "sb.rextents", CORRUPT, PRIMARY, "{got} realtime extent{|s}, the sizes make {want}") \
	x(SB_RBMBLOCKS, "sb.rbmblocks", CORRUPT, PRIMARY, "realtime bitmaps of {got} block{|s}, the sizes make {want}") \
	x(SB_REXTSLOG, "sb.rextslog", CORRUPT, SECONDARY, "logarithm of the realtime extents is {got}, should be {want}") \
	x(SB_RGCOUNT, "sb.rgcount", CORRUPT, PRIMARY, "{got} realtime group{|s}, the sizes make {want}") \
	x(SB_RTSTART, "sb.rtstart", CORRUPT, PRIMARY, "the realtime section starts at block {got}, should be {want} or behind it") \
	x(SB_RTRESERVED, "sb.rtreserved", CORRUPT, PRIMARY, "{got} realtime block{|s} {is|are} reserved, at most {want} can be") \
	x(SB_PAD, "sb.pad", CORRUPT, SECONDARY, "padding is {got:x}, should be 0")                  \
	x(RTSB_PAD, "rtsb.pad", CORRUPT, SECONDARY, "padding is {got:x}, should be 0")              \
	x(RTSB_FNAME, "rtsb.fname", XREF, SECONDARY, "label is not that of the file system")        \
	x(RTSB_UUID, "rtsb.uuid", XREF, SECONDARY, "uuid is not that of the file system")           \
	x(RTSB_META_UUID, "rtsb.meta_uuid", XREF, SECONDARY, "uuid of the metadata is not that of the file system") \
	x(RTSB_TAIL, "rtsb.tail", CORRUPT, SECONDARY, "unused bytes are not zero")                  \
	x(RTBITMAP_BEYOND, "rtbitmap.beyond", CORRUPT, SECONDARY, "word {got:x} has extents that don't exist as free, should be {want:x}") \
	x(RTBITMAP_UNMAPPED, "rtbitmap.unmapped", CORRUPT, PRIMARY, "the realtime bitmap has {got} block{|s}, should have {want}") \
	x(RTSUMMARY_BEYOND, "rtsummary.beyond", CORRUPT, SECONDARY, "a counter behind the last one is {got}, should be 0") \
	x(RTSUMMARY_COUNTER, "rtsummary.counter", CORRUPT, SUMMARY, "counts {got} free run{|s} where at most {want} {fits|fit}") \
	x(RTSUMMARY_UNMAPPED, "rtsummary.unmapped", CORRUPT, PRIMARY, "the realtime summary has {got} block{|s}, should have {want}") \
	x(RTGROUP_SPACE, "rtgroup.space", XREF, PRIMARY, "blocks are owned twice, or by nobody: files, bitmap and reference counts don't add up to the group") \
	x(RTGROUP_RMAP, "rtgroup.rmap", XREF, SECONDARY, "rtrmapbt and the owners of blocks disagree") \
	x(RTGROUP_SUMMARY, "rtgroup.summary", XREF, SUMMARY, "realtime summary and bitmap disagree")  \
	x(RTGROUP_USED, "rtgroup.used_blocks", XREF, SUMMARY, "inode says {got} block{|s} {is|are} in use, its rtrmapbt maps {want}") \
	x(RTFILE_DIRECTORY, "rtfile.directory", CORRUPT, PRIMARY, "the metadata directory tree has no directory rtgroups") \
	x(RTFILE_MISSING, "rtfile.missing", CORRUPT, PRIMARY, "there is no metadata file of type {got} (5 bitmap, 6 summary, 7 rmap, 8 refcount)") \
	x(RTFILE_EXTRA, "rtfile.extra", CORRUPT, PRIMARY, "there is a metadata file of type {got} (5 bitmap, 6 summary, 7 rmap, 8 refcount), which this file system can't have") \
	x(RTFILE_TWICE, "rtfile.twice", CORRUPT, PRIMARY, "there are {got} metadata file{|s} of type {index} (5 bitmap, 6 summary, 7 rmap, 8 refcount)") \
	x(RTFILE_NAME, "rtfile.name", XREF, PRIMARY, "the name of metadata file {index} (5 bitmap, 6 summary, 7 rmap, 8 refcount) leads to inode {got}, it is inode {want}") \
	x(SB_FREXTENTS_COUNT, "sb.frextents.count", XREF, SUMMARY, "{got} free realtime extent{|s}, the bitmaps hold {want}") \
	x(SB_FREXTENTS, "sb.frextents", CORRUPT, SUMMARY, "{got} free realtime extent{|s}, at most {want} {is|are} possible")

/* what must agree with what: ondisk 12 */
#define FINDINGS_XREF(x)                                                                            \
	x(BTREE_TOO_LARGE, "btree.too_large", CORRUPT, PRIMARY, "the tree has more than {want} block{|s}: it runs in a circle") \
	x(INOBT_TOO_MANY, "inobt.too_many", CORRUPT, PRIMARY, "records for more than the {want} inode{|s} that the AG has room for: some are there twice") \
	x(BTREE_SIBLINGS, "btree.siblings", XREF, SECONDARY, "{got} sibling pointer{|s}, or not between the right blocks; there should be {want}") \
	x(INODE_NEXTENTS_XREF, "inode.nextents.count", XREF, SUMMARY, "inode says its data fork has {got} extent{|s}, it has {want}") \
	x(INODE_ANEXTENTS_XREF, "inode.anextents.count", XREF, SUMMARY, "inode says its attribute fork has {got} extent{|s}, it has {want}") \
	x(INODE_NBLOCKS_XREF, "inode.nblocks.count", XREF, SUMMARY, "inode says it has {got} block{|s}, its forks have {want}") \
	x(INODE_SHARED_NOT_REFLINK, "inode.reflink.missing", XREF, PRIMARY, "shares blocks with another file (at file block {got}) but is not marked reflinked") \
	x(DA_NO_ROOT, "da.root.missing", CORRUPT, PRIMARY, "the hash tree has no root block")         \
	x(DA_CHILDREN, "da.node.children", XREF, SECONDARY, "nodes and the blocks below them (level {got}) don't agree on addresses or last hashes") \
	x(DA_SIBLINGS, "da.siblings", XREF, SECONDARY, "{got} sibling pointer{|s}, or not between the right blocks; there should be {want}") \
	x(DA_LEAF_ORDER, "da.leaf.order.across", CORRUPT, SECONDARY, "first hash {got:x} is below the last hash {want:x} of the leaf before") \
	x(DIR_SIZE_XREF, "dir.size.count", XREF, SUMMARY, "inode says the directory has {got} byte{|s}, its blocks reach to {want}") \
	x(DIR_BLOCK_PARTLY_MAPPED, "dir.block.partly_mapped", CORRUPT, PRIMARY, "only a part of the directory block at file block {got} is mapped") \
	x(DIR_BLOCK_SCATTERED, "dir.block.scattered", CORRUPT, PRIMARY, "its blocks lie in too many pieces to be put together in {want} MiB: not all of it was checked") \
	x(DIR_BLOCK_NOT_ALONE, "dir.format.block", CORRUPT, PRIMARY, "a block-format directory with {got} block{|s}, should be {want}") \
	x(DIR_LEAF1_NOT_ALONE, "dir.format.leaf1", CORRUPT, PRIMARY, "a leaf-format directory with {got} index block{|s}, should be {want}") \
	x(DIR_LEAF1_BESTCOUNT, "dir.leaf1.bestcount.size", XREF, SECONDARY, "leaf speaks of {got} data block{|s}, the size of {want}") \
	x(DIR_NAMES, "dir.names.index", XREF, SECONDARY, "names and hash index disagree")              \
	x(DIR_BESTFREE_INDEX, "dir.bestfree.index", XREF, SECONDARY, "free space of the data blocks and the free index disagree") \
	x(DIR_DUPLICATES, "dir.entry.duplicates", CORRUPT, PRIMARY, "{got} name{|s} {occurs|occur} more than once") \
	x(ATTR_VALUE_BLOCKS, "attr.value.blocks", XREF, PRIMARY, "entries with values in blocks of their own, and the value blocks, disagree") \
	x(ATTR_DUPLICATES, "attr.duplicates", CORRUPT, PRIMARY, "{got} attribute{|s} {occurs|occur} more than once") \
	x(SYMLINK_LENGTH, "symlink.length", XREF, PRIMARY, "{got} byte{|s} in its blocks, inode says {want}") \
	x(SYMLINK_PARTS, "symlink.parts", CORRUPT, PRIMARY, "its parts leave gaps or overlap")        \
	x(AG_SPACE, "ag.space", XREF, PRIMARY, "blocks are owned twice, or by nobody: owners, free space and reference counts don't add up to the AG") \
	x(AG_RMAP, "ag.rmap", XREF, SECONDARY, "rmapbt and the owners of blocks disagree")           \
	x(AG_FREESIZE, "ag.freesize", XREF, SECONDARY, "bnobt and cntbt don't hold the same free extents") \
	x(AG_FINOBT, "ag.finobt", XREF, SECONDARY, "finobt does not hold the inobt's chunks with free inodes") \
	x(AG_UNLINKED, "ag.unlinked", XREF, PRIMARY, "inodes without links and the AGI's unlinked lists disagree") \
	x(AG_UNLINKED_LOOP, "ag.unlinked.loop", CORRUPT, PRIMARY, "{got} inode{|s} without links {is|are} on no list that begins in the AGI") \
	x(AGF_FREEBLKS_COUNT, "agf.freeblks.count", XREF, SUMMARY, "{got} free block{|s}, bnobt holds {want}") \
	x(AGF_LONGEST_COUNT, "agf.longest.count", XREF, SUMMARY, "longest free extent {got} block{|s}, in the bnobt it is {want}") \
	x(AGF_BTREEBLKS_COUNT, "agf.btreeblks.count", XREF, SUMMARY, "{got} btree block{|s} below the roots, there are {want}") \
	x(AGF_RMAP_BLOCKS_COUNT, "agf.rmap_blocks.count", XREF, SUMMARY, "{got} rmapbt block{|s}, there are {want}") \
	x(AGF_REFCOUNT_BLOCKS_COUNT, "agf.refcount_blocks.count", XREF, SUMMARY, "{got} refcountbt block{|s}, there are {want}") \
	x(AGI_COUNT_COUNT, "agi.count.count", XREF, SUMMARY, "{got} inode{|s}, inobt holds {want}")     \
	x(AGI_FREECOUNT_COUNT, "agi.freecount.count", XREF, SUMMARY, "{got} free inode{|s}, inobt holds {want}") \
	x(AGI_IBLOCKS_COUNT, "agi.iblocks.count", XREF, SUMMARY, "{got} inobt block{|s}, there are {want}") \
	x(AGI_FBLOCKS_COUNT, "agi.fblocks.count", XREF, SUMMARY, "{got} finobt block{|s}, there are {want}") \
	x(SB_ICOUNT_COUNT, "sb.icount.count", XREF, SUMMARY, "{got} inode{|s}, the AGs hold {want}")    \
	x(SB_IFREE_COUNT, "sb.ifree.count", XREF, SUMMARY, "{got} free inode{|s}, the AGs hold {want}")  \
	x(SB_FDBLOCKS_COUNT, "sb.fdblocks.count", XREF, SUMMARY, "{got} free block{|s}, the AGs hold {want}") \
	x(INODES_LINKS, "inodes.links", XREF, PRIMARY, "link counts and directory entries disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(INODES_FTYPE, "inodes.ftype", XREF, SECONDARY, "types of inodes and types in directory entries disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(INODES_PARENTS, "inodes.parents", XREF, PRIMARY, "`..` and the entries for directories disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(INODES_PPTRS, "inodes.pptrs", XREF, SECONDARY, "parent pointers and directory entries disagree (of inodes whose number, divided by 64, leaves {got} modulo {want})") \
	x(SB_LOG_INCOMPAT, "sb.log_incompat", CORRUPT, PRIMARY, "unknown incompatible log feature bits {got:x}, but the log is clean") \
	x(SB_LOG_XATTRS, "sb.log_xattrs", PREEN, PRIMARY, "says that the log holds attribute items, but the log is clean") \
	x(TREE_UNREACHABLE, "tree.unreachable", XREF, PRIMARY, "the directory and what is below it can't be reached from the root: its `..` is {got:inode}") \
	x(TREE_TWO_PARENTS, "tree.dotdot.twice", CORRUPT, PRIMARY, "the directory has more than one `..`") \
	x(TREE_ROOT, "tree.root", CORRUPT, PRIMARY, "the root directory (inode {got}) is not a directory in use") \
	x(TREE_ROOT_PARENT, "tree.root.dotdot", CORRUPT, PRIMARY, "`..` of the root is {got:inode}, should be itself ({want})")

/* single records where an account does not balance: ondisk 12 */
#define FINDINGS_LOCATE(x)                                                                          \
	x(SPACE_LOST, "space.lost", XREF, PRIMARY, "{got} block{|s} from here {is|are} neither free nor used by anything") \
	x(SPACE_FREE_IN_USE, "space.free_in_use", XREF, PRIMARY, "{got} block{|s} from here {is|are} in use and free as well") \
	x(SPACE_CLAIMED_TWICE, "space.claimed_twice", XREF, PRIMARY, "{got} block{|s} from here also {belongs|belong} to {want:owner}") \
	x(SPACE_SHARED_OFTEN, "space.shared_often", XREF, PRIMARY, "{got} block{|s} from here also {belongs|belong} to {want:owner}, and to more files than the reference count says") \
	x(SPACE_FREE_TWICE, "space.free_twice", XREF, PRIMARY, "{got} block{|s} from here {is|are} in two free extents") \
	x(REFCOUNT_COUNT, "refcount.count", XREF, SECONDARY, "{index} block{|s} from here {is|are} used {want} time{|s}, the reference count is {got}") \
	x(RMAP_LACKS, "rmap.lacks", XREF, SECONDARY, "the rmapbt does not have {got} block{|s} from here as {it is|they are} used") \
	x(RMAP_STRAY, "rmap.stray", XREF, SECONDARY, "{got} block{|s} from here {belongs|belong}, says the rmapbt, to {want:owner}, which does not use them so") \
	x(BNOBT_LACKS, "bnobt.lacks", XREF, SECONDARY, "a free extent of {got} block{|s} begins here according to the cntbt alone") \
	x(CNTBT_LACKS, "cntbt.lacks", XREF, SECONDARY, "a free extent of {got} block{|s} begins here according to the bnobt alone") \
	x(FINOBT_LACKS, "finobt.lacks", XREF, SECONDARY, "the chunk of inode {got} has free inodes, but only the inobt knows of it") \
	x(FINOBT_EXTRA, "finobt.extra", XREF, SECONDARY, "has the chunk of inode {got}, which the inobt has without free inodes, or not at all") \
	x(FINOBT_DIFFERS, "finobt.differs", XREF, SECONDARY, "has the chunk of inode {got} in another way than the inobt") \
	x(UNLINKED_LACKS, "unlinked.lacks", XREF, PRIMARY, "it was deleted while open, but no unlinked list leads to it") \
	x(UNLINKED_TWICE, "unlinked.twice", XREF, PRIMARY, "{got} pointer{|s} of unlinked lists {leads|lead} to it, should be {want}") \
	x(UNLINKED_STRAY, "unlinked.stray", XREF, PRIMARY, "an unlinked list leads to it, but it is not a deleted inode") \
	x(INODE_NLINK_COUNT, "inode.nlink.count", XREF, PRIMARY, "link count {got}, the entries make it {want}") \
	x(INODE_ORPHAN, "inode.orphan", XREF, PRIMARY, "no directory names it, its link count is {got}")  \
	x(INODE_ROOTED_DANGLING, "inode.rooted.dangling", XREF, PRIMARY, "the superblock names it, but it is not in use") \
	x(DIR_ENTRY_DANGLING, "dir.entry.dangling", XREF, PRIMARY, "leads to inode {got}, which is not in use") \
	x(DIR_ENTRY_SURPLUS, "dir.entry.surplus", XREF, PRIMARY, "leads to {got:inode}, whose link count is less than its {want} {entry|entries}: one of them may be wrong") \
	x(DIR_DOTDOT_DANGLING, "dir.dotdot.dangling", XREF, PRIMARY, "`..` leads to inode {got}, which is not in use") \
	x(DIR_ENTRY_OTHER_TREE, "dir.entry.other_tree", XREF, PRIMARY, "leads to inode {got}: one of the two is a metadata file, the other is not") \
	x(DIR_ENTRY_FTYPE_INODE, "dir.entry.ftype.inode", XREF, SECONDARY, "is said to be {got:ftype}, the inode is {want:ftype}") \
	x(DIR_LINKED_AGAIN, "dir.linked_again", XREF, PRIMARY, "leads to {got:inode}, a directory that {want} entr{y leads|ies lead} to; only one may") \
	x(DIR_ENTRY_ROOT, "dir.entry.root", XREF, PRIMARY, "leads to inode {got}, a root directory, which has no name") \
	x(DIR_DOTDOT_PARENT, "dir.dotdot.parent", XREF, PRIMARY, "`..` is inode {got}, but what names it is {want:inode}") \
	x(PPTR_LACKS, "pptr.lacks", XREF, SECONDARY, "{want:inode} names it, but it has no parent pointer that says so") \
	x(PPTR_STRAY, "pptr.stray", XREF, SECONDARY, "its parent pointer leads to {got:inode}, which does not name it so")

/* operations that a crash interrupted: ondisk 11, "Intents/dones" */
#define FINDINGS_INTENTS(x)                                                                         \
	x(LOG_INTENT_MANY, "log.intent.many", CORRUPT, PRIMARY, "more than {got} operations in the log wait to be finished: no kernel leaves that many") \
	x(LOG_INTENT_PLACE, "log.intent.place", CORRUPT, PRIMARY, "an operation in the log waits to be finished on {want} block{|s} from block {got}, where nothing can be") \
	x(LOG_INTENT_CHILD, "log.intent.child", CORRUPT, PRIMARY, "an operation in the log waits to be finished on {got:inode}, which can't be")

/* what a log that waits for replay holds, against what it is about: ondisk 11, "Recovery rules" */
#define FINDINGS_REPLAY(x)                                                                          \
	x(LOG_REPLAY_PLACE, "log.replay.place", CORRUPT, PRIMARY, "block {index} of the log holds changes of {got} sector{|s} from sector {want} of the device, which the log can't change") \
	x(LOG_REPLAY_UNREADABLE, "log.replay.unreadable", CORRUPT, PRIMARY, "block {index} of the log holds changes of {got} byte{|s} at sector {want} of the device, which can't be read") \
	x(LOG_REPLAY_NOT_INODE, "log.replay.not_inode", CORRUPT, PRIMARY, "block {index} of the log holds a change of an inode where none is: magic {got:x}, should be {want:x}") \
	x(LOG_REPLAY_FORK, "log.replay.fork", CORRUPT, PRIMARY, "block {index} of the log holds {got} byte{|s} of a fork of an inode, which has room for {want}") \
	x(LOG_REPLAY_UNLINKED, "log.replay.unlinked", CORRUPT, PRIMARY, "block {index} of the log makes inode 0 the next one in a list of unlinked inodes") \
	x(LOG_REPLAY_NOT_DQUOT, "log.replay.not_dquot", CORRUPT, PRIMARY, "block {index} of the log holds a change of a quota record where none is: magic {got:x}, should be {want:x}") \
	x(LOG_REPLAY_BMBT, "log.replay.bmbt", CORRUPT, PRIMARY, "block {index} of the log changes the owner of a bmbt, but block {got} is not a block of that at level {want}")

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
#define x(symbol, id, severity, class, message) F_##symbol,
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

#endif
