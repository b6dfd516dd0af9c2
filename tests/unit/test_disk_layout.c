/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our structs of the disk format against those that xfsprogs publishes in <xfs/...>, written by others from the same
 * facts: sizes, offsets and widths of fields, magic numbers, feature bits.  Left out are those that the installed
 * package lacks or whose names change between versions.
 */
/* Used by inline functions in the headers, not by us. */
#define ASSERT(x)		 ((void)(x))
#define be16_to_cpu(x)		 (x)
#define be32_to_cpu(x)		 (x)
#define cpu_to_be16(x)		 (x)
#define cpu_to_be32(x)		 (x)
#define cpu_to_be64(x)		 (x)
#define get_unaligned_be16(p)	 (*(const uint8_t *)(p))
#define put_unaligned_be16(v, p) ((void)(v), (void)(p))
#define round_up(x, y)		 ((x) + (y))
#include <xfs/xfs.h>
/* Used but not defined by the headers of some versions. */
#ifndef __nonstring
#define __nonstring
#endif
#define time64_t int64_t
#include <xfs/xfs_types.h>
#include <xfs/xfs_format.h>
#include <xfs/xfs_da_format.h>
#include <xfs/xfs_log_format.h>

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include "disk/agf.h"
#include "disk/agfl.h"
#include "disk/agi.h"
#include "disk/alloc.h"
#include "disk/attr.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/da.h"
#include "disk/dir.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/log.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "disk/sb.h"
#include "disk/symlink.h"

/* An array of bytes and an array of words of the same extent are the same. */
static void assert_same(const char *what, size_t our_offset, size_t our_size, size_t their_offset, size_t their_size)
{
	if (our_offset != their_offset || our_size != their_size)
		fail_msg("%s: offset %zu size %zu, in xfsprogs offset %zu size %zu", what, our_offset, our_size,
			 their_offset, their_size);
}

#define FIELD(our, our_field, their, their_field)                                                                      \
	assert_same(#our "." #our_field, offsetof(struct our, our_field), sizeof(((struct our *)0)->our_field),        \
		    offsetof(struct their, their_field), sizeof(((struct their *)0)->their_field))
#define SIZE(our, their) assert_same(#our, 0, sizeof(struct our), 0, sizeof(struct their))

/* ondisk 01 */
static void superblock_lies_as_in_xfsprogs(void **state)
{
	(void)state;
	/* the package may not know the last fields */
	FIELD(sb_disk, magicnum, xfs_dsb, sb_magicnum);
	FIELD(sb_disk, blocksize, xfs_dsb, sb_blocksize);
	FIELD(sb_disk, dblocks, xfs_dsb, sb_dblocks);
	FIELD(sb_disk, rblocks, xfs_dsb, sb_rblocks);
	FIELD(sb_disk, rextents, xfs_dsb, sb_rextents);
	FIELD(sb_disk, uuid, xfs_dsb, sb_uuid);
	FIELD(sb_disk, logstart, xfs_dsb, sb_logstart);
	FIELD(sb_disk, rootino, xfs_dsb, sb_rootino);
	FIELD(sb_disk, rbmino, xfs_dsb, sb_rbmino);
	FIELD(sb_disk, rsumino, xfs_dsb, sb_rsumino);
	FIELD(sb_disk, rextsize, xfs_dsb, sb_rextsize);
	FIELD(sb_disk, agblocks, xfs_dsb, sb_agblocks);
	FIELD(sb_disk, agcount, xfs_dsb, sb_agcount);
	FIELD(sb_disk, rbmblocks, xfs_dsb, sb_rbmblocks);
	FIELD(sb_disk, logblocks, xfs_dsb, sb_logblocks);
	FIELD(sb_disk, versionnum, xfs_dsb, sb_versionnum);
	FIELD(sb_disk, sectsize, xfs_dsb, sb_sectsize);
	FIELD(sb_disk, inodesize, xfs_dsb, sb_inodesize);
	FIELD(sb_disk, inopblock, xfs_dsb, sb_inopblock);
	FIELD(sb_disk, fname, xfs_dsb, sb_fname);
	FIELD(sb_disk, blocklog, xfs_dsb, sb_blocklog);
	FIELD(sb_disk, sectlog, xfs_dsb, sb_sectlog);
	FIELD(sb_disk, inodelog, xfs_dsb, sb_inodelog);
	FIELD(sb_disk, inopblog, xfs_dsb, sb_inopblog);
	FIELD(sb_disk, agblklog, xfs_dsb, sb_agblklog);
	FIELD(sb_disk, rextslog, xfs_dsb, sb_rextslog);
	FIELD(sb_disk, inprogress, xfs_dsb, sb_inprogress);
	FIELD(sb_disk, imax_pct, xfs_dsb, sb_imax_pct);
	FIELD(sb_disk, icount, xfs_dsb, sb_icount);
	FIELD(sb_disk, ifree, xfs_dsb, sb_ifree);
	FIELD(sb_disk, fdblocks, xfs_dsb, sb_fdblocks);
	FIELD(sb_disk, frextents, xfs_dsb, sb_frextents);
	FIELD(sb_disk, uquotino, xfs_dsb, sb_uquotino);
	FIELD(sb_disk, gquotino, xfs_dsb, sb_gquotino);
	FIELD(sb_disk, qflags, xfs_dsb, sb_qflags);
	FIELD(sb_disk, flags, xfs_dsb, sb_flags);
	FIELD(sb_disk, shared_vn, xfs_dsb, sb_shared_vn);
	FIELD(sb_disk, inoalignmt, xfs_dsb, sb_inoalignmt);
	FIELD(sb_disk, unit, xfs_dsb, sb_unit);
	FIELD(sb_disk, width, xfs_dsb, sb_width);
	FIELD(sb_disk, dirblklog, xfs_dsb, sb_dirblklog);
	FIELD(sb_disk, logsectlog, xfs_dsb, sb_logsectlog);
	FIELD(sb_disk, logsectsize, xfs_dsb, sb_logsectsize);
	FIELD(sb_disk, logsunit, xfs_dsb, sb_logsunit);
	FIELD(sb_disk, features2, xfs_dsb, sb_features2);
	FIELD(sb_disk, bad_features2, xfs_dsb, sb_bad_features2);
	FIELD(sb_disk, features_compat, xfs_dsb, sb_features_compat);
	FIELD(sb_disk, features_ro_compat, xfs_dsb, sb_features_ro_compat);
	FIELD(sb_disk, features_incompat, xfs_dsb, sb_features_incompat);
	FIELD(sb_disk, features_log_incompat, xfs_dsb, sb_features_log_incompat);
	FIELD(sb_disk, crc, xfs_dsb, sb_crc);
	FIELD(sb_disk, spino_align, xfs_dsb, sb_spino_align);
	FIELD(sb_disk, pquotino, xfs_dsb, sb_pquotino);
	FIELD(sb_disk, lsn, xfs_dsb, sb_lsn);
	FIELD(sb_disk, meta_uuid, xfs_dsb, sb_meta_uuid);
}

/* ondisk 02 */
static void ag_headers_lie_as_in_xfsprogs(void **state)
{
	(void)state;
	SIZE(agf_disk, xfs_agf);
	FIELD(agf_disk, magicnum, xfs_agf, agf_magicnum);
	FIELD(agf_disk, versionnum, xfs_agf, agf_versionnum);
	FIELD(agf_disk, seqno, xfs_agf, agf_seqno);
	FIELD(agf_disk, length, xfs_agf, agf_length);
	FIELD(agf_disk, flfirst, xfs_agf, agf_flfirst);
	FIELD(agf_disk, fllast, xfs_agf, agf_fllast);
	FIELD(agf_disk, flcount, xfs_agf, agf_flcount);
	FIELD(agf_disk, freeblks, xfs_agf, agf_freeblks);
	FIELD(agf_disk, longest, xfs_agf, agf_longest);
	FIELD(agf_disk, btreeblks, xfs_agf, agf_btreeblks);
	FIELD(agf_disk, uuid, xfs_agf, agf_uuid);
	FIELD(agf_disk, rmap_blocks, xfs_agf, agf_rmap_blocks);
	FIELD(agf_disk, refcount_blocks, xfs_agf, agf_refcount_blocks);
	FIELD(agf_disk, refcount_root, xfs_agf, agf_refcount_root);
	FIELD(agf_disk, refcount_level, xfs_agf, agf_refcount_level);
	FIELD(agf_disk, lsn, xfs_agf, agf_lsn);
	FIELD(agf_disk, crc, xfs_agf, agf_crc);
	SIZE(agfl_disk, xfs_agfl);
	FIELD(agfl_disk, magicnum, xfs_agfl, agfl_magicnum);
	FIELD(agfl_disk, seqno, xfs_agfl, agfl_seqno);
	FIELD(agfl_disk, uuid, xfs_agfl, agfl_uuid);
	FIELD(agfl_disk, lsn, xfs_agfl, agfl_lsn);
	FIELD(agfl_disk, crc, xfs_agfl, agfl_crc);
	SIZE(agi_disk, xfs_agi);
	FIELD(agi_disk, magicnum, xfs_agi, agi_magicnum);
	FIELD(agi_disk, versionnum, xfs_agi, agi_versionnum);
	FIELD(agi_disk, seqno, xfs_agi, agi_seqno);
	FIELD(agi_disk, length, xfs_agi, agi_length);
	FIELD(agi_disk, count, xfs_agi, agi_count);
	FIELD(agi_disk, root, xfs_agi, agi_root);
	FIELD(agi_disk, level, xfs_agi, agi_level);
	FIELD(agi_disk, freecount, xfs_agi, agi_freecount);
	FIELD(agi_disk, newino, xfs_agi, agi_newino);
	FIELD(agi_disk, dirino, xfs_agi, agi_dirino);
	FIELD(agi_disk, unlinked, xfs_agi, agi_unlinked);
	FIELD(agi_disk, uuid, xfs_agi, agi_uuid);
	FIELD(agi_disk, crc, xfs_agi, agi_crc);
	FIELD(agi_disk, pad32, xfs_agi, agi_pad32);
	FIELD(agi_disk, lsn, xfs_agi, agi_lsn);
	FIELD(agi_disk, free_root, xfs_agi, agi_free_root);
	FIELD(agi_disk, free_level, xfs_agi, agi_free_level);
	FIELD(agi_disk, iblocks, xfs_agi, agi_iblocks);
	FIELD(agi_disk, fblocks, xfs_agi, agi_fblocks);
}

/* ondisk 03 and 05 */
static void btrees_lie_as_in_xfsprogs(void **state)
{
	(void)state;
	FIELD(btree_short_disk, magic, xfs_btree_block, bb_magic);
	FIELD(btree_short_disk, level, xfs_btree_block, bb_level);
	FIELD(btree_short_disk, numrecs, xfs_btree_block, bb_numrecs);
	FIELD(btree_short_disk, leftsib, xfs_btree_block, bb_u.s.bb_leftsib);
	FIELD(btree_short_disk, rightsib, xfs_btree_block, bb_u.s.bb_rightsib);
	FIELD(btree_short_disk, blkno, xfs_btree_block, bb_u.s.bb_blkno);
	FIELD(btree_short_disk, lsn, xfs_btree_block, bb_u.s.bb_lsn);
	FIELD(btree_short_disk, uuid, xfs_btree_block, bb_u.s.bb_uuid);
	FIELD(btree_short_disk, owner, xfs_btree_block, bb_u.s.bb_owner);
	FIELD(btree_short_disk, crc, xfs_btree_block, bb_u.s.bb_crc);
	SIZE(btree_long_disk, xfs_btree_block);
	FIELD(btree_long_disk, magic, xfs_btree_block, bb_magic);
	FIELD(btree_long_disk, level, xfs_btree_block, bb_level);
	FIELD(btree_long_disk, numrecs, xfs_btree_block, bb_numrecs);
	FIELD(btree_long_disk, leftsib, xfs_btree_block, bb_u.l.bb_leftsib);
	FIELD(btree_long_disk, rightsib, xfs_btree_block, bb_u.l.bb_rightsib);
	FIELD(btree_long_disk, blkno, xfs_btree_block, bb_u.l.bb_blkno);
	FIELD(btree_long_disk, lsn, xfs_btree_block, bb_u.l.bb_lsn);
	FIELD(btree_long_disk, uuid, xfs_btree_block, bb_u.l.bb_uuid);
	FIELD(btree_long_disk, owner, xfs_btree_block, bb_u.l.bb_owner);
	FIELD(btree_long_disk, crc, xfs_btree_block, bb_u.l.bb_crc);
	FIELD(btree_long_disk, pad, xfs_btree_block, bb_u.l.bb_pad);
	SIZE(alloc_rec_disk, xfs_alloc_rec);
	FIELD(alloc_rec_disk, startblock, xfs_alloc_rec, ar_startblock);
	FIELD(alloc_rec_disk, blockcount, xfs_alloc_rec, ar_blockcount);
	SIZE(inobt_rec_disk, xfs_inobt_rec);
	FIELD(inobt_rec_disk, startino, xfs_inobt_rec, ir_startino);
	FIELD(inobt_rec_disk, freecount, xfs_inobt_rec, ir_u.f.ir_freecount);
	FIELD(inobt_rec_disk, sparse.holemask, xfs_inobt_rec, ir_u.sp.ir_holemask);
	FIELD(inobt_rec_disk, sparse.count, xfs_inobt_rec, ir_u.sp.ir_count);
	FIELD(inobt_rec_disk, sparse.freecount, xfs_inobt_rec, ir_u.sp.ir_freecount);
	FIELD(inobt_rec_disk, free, xfs_inobt_rec, ir_free);
	SIZE(inobt_key_disk, xfs_inobt_key);
	FIELD(inobt_key_disk, startino, xfs_inobt_key, ir_startino);
	SIZE(rmap_rec_disk, xfs_rmap_rec);
	FIELD(rmap_rec_disk, startblock, xfs_rmap_rec, rm_startblock);
	FIELD(rmap_rec_disk, blockcount, xfs_rmap_rec, rm_blockcount);
	FIELD(rmap_rec_disk, owner, xfs_rmap_rec, rm_owner);
	FIELD(rmap_rec_disk, offset, xfs_rmap_rec, rm_offset);
	SIZE(rmap_key_disk, xfs_rmap_key);
	FIELD(rmap_key_disk, startblock, xfs_rmap_key, rm_startblock);
	FIELD(rmap_key_disk, owner, xfs_rmap_key, rm_owner);
	FIELD(rmap_key_disk, offset, xfs_rmap_key, rm_offset);
	SIZE(refcount_rec_disk, xfs_refcount_rec);
	FIELD(refcount_rec_disk, startblock, xfs_refcount_rec, rc_startblock);
	FIELD(refcount_rec_disk, blockcount, xfs_refcount_rec, rc_blockcount);
	FIELD(refcount_rec_disk, refcount, xfs_refcount_rec, rc_refcount);
	SIZE(refcount_key_disk, xfs_refcount_key);
	FIELD(refcount_key_disk, startblock, xfs_refcount_key, rc_startblock);
	SIZE(bmbt_rec_disk, xfs_bmbt_rec);
	FIELD(bmbt_rec_disk, l0, xfs_bmbt_rec, l0);
	FIELD(bmbt_rec_disk, l1, xfs_bmbt_rec, l1);
	SIZE(bmbt_key_disk, xfs_bmbt_key);
	FIELD(bmbt_key_disk, startoff, xfs_bmbt_key, br_startoff);
	SIZE(bmdr_disk, xfs_bmdr_block);
	FIELD(bmdr_disk, level, xfs_bmdr_block, bb_level);
	FIELD(bmdr_disk, numrecs, xfs_bmdr_block, bb_numrecs);
}

/* ondisk 04 */
static void inodes_lie_as_in_xfsprogs(void **state)
{
	(void)state;
	SIZE(dinode_disk, xfs_dinode);
	FIELD(dinode_disk, magic, xfs_dinode, di_magic);
	FIELD(dinode_disk, mode, xfs_dinode, di_mode);
	FIELD(dinode_disk, version, xfs_dinode, di_version);
	FIELD(dinode_disk, format, xfs_dinode, di_format);
	FIELD(dinode_disk, uid, xfs_dinode, di_uid);
	FIELD(dinode_disk, gid, xfs_dinode, di_gid);
	FIELD(dinode_disk, nlink, xfs_dinode, di_nlink);
	FIELD(dinode_disk, projid_lo, xfs_dinode, di_projid_lo);
	FIELD(dinode_disk, projid_hi, xfs_dinode, di_projid_hi);
	FIELD(dinode_disk, size, xfs_dinode, di_size);
	FIELD(dinode_disk, nblocks, xfs_dinode, di_nblocks);
	FIELD(dinode_disk, extsize, xfs_dinode, di_extsize);
	FIELD(dinode_disk, nextents, xfs_dinode, di_nextents);
	FIELD(dinode_disk, forkoff, xfs_dinode, di_forkoff);
	FIELD(dinode_disk, aformat, xfs_dinode, di_aformat);
	FIELD(dinode_disk, flags, xfs_dinode, di_flags);
	FIELD(dinode_disk, gen, xfs_dinode, di_gen);
	FIELD(dinode_disk, next_unlinked, xfs_dinode, di_next_unlinked);
	FIELD(dinode_disk, crc, xfs_dinode, di_crc);
	FIELD(dinode_disk, changecount, xfs_dinode, di_changecount);
	FIELD(dinode_disk, lsn, xfs_dinode, di_lsn);
	FIELD(dinode_disk, flags2, xfs_dinode, di_flags2);
	FIELD(dinode_disk, cowextsize, xfs_dinode, di_cowextsize);
	FIELD(dinode_disk, crtime, xfs_dinode, di_crtime);
	FIELD(dinode_disk, ino, xfs_dinode, di_ino);
	FIELD(dinode_disk, uuid, xfs_dinode, di_uuid);
}

/* ondisk 06 */
static void directories_lie_as_in_xfsprogs(void **state)
{
	(void)state;
	SIZE(da_blkinfo_disk, xfs_da3_blkinfo);
	FIELD(da_blkinfo_disk, forw, xfs_da3_blkinfo, hdr.forw);
	FIELD(da_blkinfo_disk, back, xfs_da3_blkinfo, hdr.back);
	FIELD(da_blkinfo_disk, magic, xfs_da3_blkinfo, hdr.magic);
	FIELD(da_blkinfo_disk, crc, xfs_da3_blkinfo, crc);
	FIELD(da_blkinfo_disk, blkno, xfs_da3_blkinfo, blkno);
	FIELD(da_blkinfo_disk, lsn, xfs_da3_blkinfo, lsn);
	FIELD(da_blkinfo_disk, uuid, xfs_da3_blkinfo, uuid);
	FIELD(da_blkinfo_disk, owner, xfs_da3_blkinfo, owner);
	SIZE(da_node_header_disk, xfs_da3_node_hdr);
	FIELD(da_node_header_disk, info, xfs_da3_node_hdr, info);
	FIELD(da_node_header_disk, n.count, xfs_da3_node_hdr, __count);
	FIELD(da_node_header_disk, n.level, xfs_da3_node_hdr, __level);
	FIELD(da_node_header_disk, pad, xfs_da3_node_hdr, __pad32);
	SIZE(da_node_entry_disk, xfs_da_node_entry);
	FIELD(da_node_entry_disk, hashval, xfs_da_node_entry, hashval);
	FIELD(da_node_entry_disk, before, xfs_da_node_entry, before);
	SIZE(dir_blkhdr_disk, xfs_dir3_blk_hdr);
	FIELD(dir_blkhdr_disk, magic, xfs_dir3_blk_hdr, magic);
	FIELD(dir_blkhdr_disk, crc, xfs_dir3_blk_hdr, crc);
	FIELD(dir_blkhdr_disk, blkno, xfs_dir3_blk_hdr, blkno);
	FIELD(dir_blkhdr_disk, lsn, xfs_dir3_blk_hdr, lsn);
	FIELD(dir_blkhdr_disk, uuid, xfs_dir3_blk_hdr, uuid);
	FIELD(dir_blkhdr_disk, owner, xfs_dir3_blk_hdr, owner);
	SIZE(dir_bestfree_disk, xfs_dir2_data_free);
	FIELD(dir_bestfree_disk, offset, xfs_dir2_data_free, offset);
	FIELD(dir_bestfree_disk, length, xfs_dir2_data_free, length);
	SIZE(dir_data_header_disk, xfs_dir3_data_hdr);
	FIELD(dir_data_header_disk, hdr, xfs_dir3_data_hdr, hdr);
	FIELD(dir_data_header_disk, bestfree, xfs_dir3_data_hdr, best_free);
	FIELD(dir_data_header_disk, pad, xfs_dir3_data_hdr, pad);
	FIELD(dir_entry_disk, inumber, xfs_dir2_data_entry, inumber);
	FIELD(dir_entry_disk, namelen, xfs_dir2_data_entry, namelen);
	FIELD(dir_unused_disk, freetag, xfs_dir2_data_unused, freetag);
	FIELD(dir_unused_disk, length, xfs_dir2_data_unused, length);
	SIZE(dir_leaf_entry_disk, xfs_dir2_leaf_entry);
	FIELD(dir_leaf_entry_disk, hashval, xfs_dir2_leaf_entry, hashval);
	FIELD(dir_leaf_entry_disk, address, xfs_dir2_leaf_entry, address);
	SIZE(dir_block_tail_disk, xfs_dir2_block_tail);
	FIELD(dir_block_tail_disk, count, xfs_dir2_block_tail, count);
	FIELD(dir_block_tail_disk, stale, xfs_dir2_block_tail, stale);
	SIZE(dir_leaf_header_disk, xfs_dir3_leaf_hdr);
	FIELD(dir_leaf_header_disk, info, xfs_dir3_leaf_hdr, info);
	FIELD(dir_leaf_header_disk, n.count, xfs_dir3_leaf_hdr, count);
	FIELD(dir_leaf_header_disk, n.stale, xfs_dir3_leaf_hdr, stale);
	FIELD(dir_leaf_header_disk, pad, xfs_dir3_leaf_hdr, pad);
	SIZE(dir_leaf_tail_disk, xfs_dir2_leaf_tail);
	FIELD(dir_leaf_tail_disk, bestcount, xfs_dir2_leaf_tail, bestcount);
	SIZE(dir_free_header_disk, xfs_dir3_free_hdr);
	FIELD(dir_free_header_disk, hdr, xfs_dir3_free_hdr, hdr);
	FIELD(dir_free_header_disk, range.firstdb, xfs_dir3_free_hdr, firstdb);
	FIELD(dir_free_header_disk, range.nvalid, xfs_dir3_free_hdr, nvalid);
	FIELD(dir_free_header_disk, range.nused, xfs_dir3_free_hdr, nused);
	FIELD(dir_free_header_disk, pad, xfs_dir3_free_hdr, pad);
	SIZE(dir_sf_entry_disk, xfs_dir2_sf_entry);
	FIELD(dir_sf_entry_disk, namelen, xfs_dir2_sf_entry, namelen);
	FIELD(dir_sf_entry_disk, offset, xfs_dir2_sf_entry, offset);
	FIELD(dir_sf_header_disk, count, xfs_dir2_sf_hdr, count);
	FIELD(dir_sf_header_disk, i8count, xfs_dir2_sf_hdr, i8count);
}

/* ondisk 07 */
static void attributes_lie_as_in_xfsprogs(void **state)
{
	(void)state;
	FIELD(attr_sf_entry_disk, namelen, xfs_attr_sf_entry, namelen);
	FIELD(attr_sf_entry_disk, valuelen, xfs_attr_sf_entry, valuelen);
	FIELD(attr_sf_entry_disk, flags, xfs_attr_sf_entry, flags);
	SIZE(attr_leaf_freemap_disk, xfs_attr_leaf_map);
	FIELD(attr_leaf_freemap_disk, base, xfs_attr_leaf_map, base);
	FIELD(attr_leaf_freemap_disk, size, xfs_attr_leaf_map, size);
	SIZE(attr_leaf_header_disk, xfs_attr3_leaf_hdr);
	FIELD(attr_leaf_header_disk, info, xfs_attr3_leaf_hdr, info);
	FIELD(attr_leaf_header_disk, f.count, xfs_attr3_leaf_hdr, count);
	FIELD(attr_leaf_header_disk, f.usedbytes, xfs_attr3_leaf_hdr, usedbytes);
	FIELD(attr_leaf_header_disk, f.firstused, xfs_attr3_leaf_hdr, firstused);
	FIELD(attr_leaf_header_disk, f.holes, xfs_attr3_leaf_hdr, holes);
	FIELD(attr_leaf_header_disk, f.freemap, xfs_attr3_leaf_hdr, freemap);
	FIELD(attr_leaf_header_disk, pad2, xfs_attr3_leaf_hdr, pad2);
	SIZE(attr_leaf_entry_disk, xfs_attr_leaf_entry);
	FIELD(attr_leaf_entry_disk, hashval, xfs_attr_leaf_entry, hashval);
	FIELD(attr_leaf_entry_disk, nameidx, xfs_attr_leaf_entry, nameidx);
	FIELD(attr_leaf_entry_disk, flags, xfs_attr_leaf_entry, flags);
	FIELD(attr_name_local_disk, valuelen, xfs_attr_leaf_name_local, valuelen);
	FIELD(attr_name_local_disk, namelen, xfs_attr_leaf_name_local, namelen);
	FIELD(attr_name_remote_disk, valueblk, xfs_attr_leaf_name_remote, valueblk);
	FIELD(attr_name_remote_disk, valuelen, xfs_attr_leaf_name_remote, valuelen);
	FIELD(attr_name_remote_disk, namelen, xfs_attr_leaf_name_remote, namelen);
	SIZE(attr_remote_disk, xfs_attr3_rmt_hdr);
	FIELD(attr_remote_disk, magic, xfs_attr3_rmt_hdr, rm_magic);
	FIELD(attr_remote_disk, offset, xfs_attr3_rmt_hdr, rm_offset);
	FIELD(attr_remote_disk, bytes, xfs_attr3_rmt_hdr, rm_bytes);
	FIELD(attr_remote_disk, crc, xfs_attr3_rmt_hdr, rm_crc);
	FIELD(attr_remote_disk, uuid, xfs_attr3_rmt_hdr, rm_uuid);
	FIELD(attr_remote_disk, owner, xfs_attr3_rmt_hdr, rm_owner);
	FIELD(attr_remote_disk, blkno, xfs_attr3_rmt_hdr, rm_blkno);
	FIELD(attr_remote_disk, lsn, xfs_attr3_rmt_hdr, rm_lsn);
	SIZE(attr_acl_entry_disk, xfs_acl_entry);
	FIELD(attr_acl_entry_disk, tag, xfs_acl_entry, ae_tag);
	FIELD(attr_acl_entry_disk, id, xfs_acl_entry, ae_id);
	FIELD(attr_acl_entry_disk, perm, xfs_acl_entry, ae_perm);
	FIELD(attr_acl_entry_disk, pad, xfs_acl_entry, ae_pad);
}

/* ondisk 08 */
static void symlinks_lie_as_in_xfsprogs(void **state)
{
	(void)state;
	SIZE(symlink_disk, xfs_dsymlink_hdr);
	FIELD(symlink_disk, magic, xfs_dsymlink_hdr, sl_magic);
	FIELD(symlink_disk, offset, xfs_dsymlink_hdr, sl_offset);
	FIELD(symlink_disk, bytes, xfs_dsymlink_hdr, sl_bytes);
	FIELD(symlink_disk, crc, xfs_dsymlink_hdr, sl_crc);
	FIELD(symlink_disk, uuid, xfs_dsymlink_hdr, sl_uuid);
	FIELD(symlink_disk, owner, xfs_dsymlink_hdr, sl_owner);
	FIELD(symlink_disk, blkno, xfs_dsymlink_hdr, sl_blkno);
	FIELD(symlink_disk, lsn, xfs_dsymlink_hdr, sl_lsn);
}

/* ondisk 11 */
static void log_lies_as_in_xfsprogs(void **state)
{
	(void)state;
#ifdef XLOG_REC_SIZE /* xfsprogs 7 counts the rest of the sector as a part of it */
	assert_same("log_header_disk", 0, sizeof(struct log_header_disk), 0,
		    offsetof(struct xlog_rec_header, h_reserved));
#else
	SIZE(log_header_disk, xlog_rec_header);
#endif
	FIELD(log_header_disk, magic, xlog_rec_header, h_magicno);
	FIELD(log_header_disk, cycle, xlog_rec_header, h_cycle);
	FIELD(log_header_disk, version, xlog_rec_header, h_version);
	FIELD(log_header_disk, len, xlog_rec_header, h_len);
	FIELD(log_header_disk, lsn, xlog_rec_header, h_lsn);
	FIELD(log_header_disk, tail_lsn, xlog_rec_header, h_tail_lsn);
	FIELD(log_header_disk, crc, xlog_rec_header, h_crc);
	FIELD(log_header_disk, prev_block, xlog_rec_header, h_prev_block);
	FIELD(log_header_disk, num_logops, xlog_rec_header, h_num_logops);
	FIELD(log_header_disk, fmt, xlog_rec_header, h_fmt);
	FIELD(log_header_disk, fs_uuid, xlog_rec_header, h_fs_uuid);
	FIELD(log_header_disk, size, xlog_rec_header, h_size);
	FIELD(log_ext_header_disk, cycle, xlog_rec_ext_header, xh_cycle);
	SIZE(log_op_disk, xlog_op_header);
	FIELD(log_op_disk, tid, xlog_op_header, oh_tid);
	FIELD(log_op_disk, len, xlog_op_header, oh_len);
	FIELD(log_op_disk, clientid, xlog_op_header, oh_clientid);
	FIELD(log_op_disk, flags, xlog_op_header, oh_flags);
	FIELD(log_op_disk, res2, xlog_op_header, oh_res2);
}

static void magic_numbers_are_those_of_xfsprogs(void **state)
{
	(void)state;
	assert_true(SB_MAGIC == XFS_SB_MAGIC);
	assert_true(AGF_MAGIC == XFS_AGF_MAGIC);
	assert_true(AGI_MAGIC == XFS_AGI_MAGIC);
	assert_true(AGFL_MAGIC == XFS_AGFL_MAGIC);
	assert_true(BNOBT_MAGIC == XFS_ABTB_CRC_MAGIC);
	assert_true(CNTBT_MAGIC == XFS_ABTC_CRC_MAGIC);
	assert_true(INOBT_MAGIC == XFS_IBT_CRC_MAGIC);
	assert_true(FINOBT_MAGIC == XFS_FIBT_CRC_MAGIC);
	assert_true(RMAPBT_MAGIC == XFS_RMAP_CRC_MAGIC);
	assert_true(REFCOUNTBT_MAGIC == XFS_REFC_CRC_MAGIC);
	assert_true(BMBT_MAGIC == XFS_BMAP_CRC_MAGIC);
	assert_true(DINODE_MAGIC == XFS_DINODE_MAGIC);
	assert_true(DA_MAGIC_NODE == XFS_DA3_NODE_MAGIC);
	assert_true(DA_MAGIC_DIR_LEAF1 == XFS_DIR3_LEAF1_MAGIC);
	assert_true(DA_MAGIC_DIR_LEAFN == XFS_DIR3_LEAFN_MAGIC);
	assert_true(DA_MAGIC_ATTR_LEAF == XFS_ATTR3_LEAF_MAGIC);
	assert_true(DA_MAGIC_ATTR_VALUE == XFS_ATTR3_RMT_MAGIC);
	assert_true(DIR_MAGIC_BLOCK == XFS_DIR3_BLOCK_MAGIC);
	assert_true(DIR_MAGIC_DATA == XFS_DIR3_DATA_MAGIC);
	assert_true(DIR_MAGIC_FREE == XFS_DIR3_FREE_MAGIC);
	assert_true(SYMLINK_MAGIC == XFS_SYMLINK_MAGIC);
	assert_true(LOG_MAGIC == XLOG_HEADER_MAGIC_NUM);
}

static void feature_bits_are_those_of_xfsprogs(void **state)
{
	(void)state;
	assert_true(SB_RO_COMPAT_FINOBT == XFS_SB_FEAT_RO_COMPAT_FINOBT);
	assert_true(SB_RO_COMPAT_RMAPBT == XFS_SB_FEAT_RO_COMPAT_RMAPBT);
	assert_true(SB_RO_COMPAT_REFLINK == XFS_SB_FEAT_RO_COMPAT_REFLINK);
	assert_true(SB_RO_COMPAT_INOBTCNT == XFS_SB_FEAT_RO_COMPAT_INOBTCNT);
	assert_true(SB_INCOMPAT_FTYPE == XFS_SB_FEAT_INCOMPAT_FTYPE);
	assert_true(SB_INCOMPAT_SPINODES == XFS_SB_FEAT_INCOMPAT_SPINODES);
	assert_true(SB_INCOMPAT_META_UUID == XFS_SB_FEAT_INCOMPAT_META_UUID);
	assert_true(SB_INCOMPAT_BIGTIME == XFS_SB_FEAT_INCOMPAT_BIGTIME);
	assert_true(SB_INCOMPAT_NEEDSREPAIR == XFS_SB_FEAT_INCOMPAT_NEEDSREPAIR);
	assert_true(SB_INCOMPAT_NREXT64 == XFS_SB_FEAT_INCOMPAT_NREXT64);
	assert_true(SB_VERSION_NUMBER == XFS_SB_VERSION_NUMBITS);
	assert_true(SB_VERSION_ATTR == XFS_SB_VERSION_ATTRBIT);
	assert_true(SB_VERSION_NLINK == XFS_SB_VERSION_NLINKBIT);
	assert_true(SB_VERSION_QUOTA == XFS_SB_VERSION_QUOTABIT);
	assert_true(SB_VERSION_ALIGN == XFS_SB_VERSION_ALIGNBIT);
	assert_true(SB_VERSION_DALIGN == XFS_SB_VERSION_DALIGNBIT);
	assert_true(SB_VERSION_SHARED == XFS_SB_VERSION_SHAREDBIT);
	assert_true(SB_VERSION_LOGV2 == XFS_SB_VERSION_LOGV2BIT);
	assert_true(SB_VERSION_SECTOR == XFS_SB_VERSION_SECTORBIT);
	assert_true(SB_VERSION_EXTFLG == XFS_SB_VERSION_EXTFLGBIT);
	assert_true(SB_VERSION_DIRV2 == XFS_SB_VERSION_DIRV2BIT);
	assert_true(SB_VERSION_BORG == XFS_SB_VERSION_BORGBIT);
	assert_true(SB_VERSION_MOREBITS == XFS_SB_VERSION_MOREBITSBIT);
	assert_true(SB_FEATURES2_LAZYSBCOUNT == XFS_SB_VERSION2_LAZYSBCOUNTBIT);
	assert_true(SB_FEATURES2_PROJID32 == XFS_SB_VERSION2_PROJID32BIT);
	assert_true(SB_FEATURES2_CRC == XFS_SB_VERSION2_CRCBIT);
	assert_true(SB_FEATURES2_FTYPE == XFS_SB_VERSION2_FTYPE);
}

static void limits_are_those_of_xfsprogs(void **state)
{
	(void)state;
	assert_true(AGI_UNLINKED_BUCKETS == XFS_AGI_UNLINKED_BUCKETS);
	assert_true(INODES_PER_CHUNK == XFS_INODES_PER_CHUNK);
	assert_true(INODES_PER_HOLEMASKBIT == XFS_INODES_PER_HOLEMASK_BIT);
	assert_true(SB_MIN_INODE == XFS_DINODE_MIN_SIZE);
	assert_true(SB_MAX_INODE == XFS_DINODE_MAX_SIZE);
	assert_true(SB_MAX_BLOCK == XFS_MAX_BLOCKSIZE);
	assert_true(SB_MAX_SECTOR == XFS_MAX_SECTORSIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(superblock_lies_as_in_xfsprogs),
		cmocka_unit_test(ag_headers_lie_as_in_xfsprogs),
		cmocka_unit_test(btrees_lie_as_in_xfsprogs),
		cmocka_unit_test(inodes_lie_as_in_xfsprogs),
		cmocka_unit_test(directories_lie_as_in_xfsprogs),
		cmocka_unit_test(attributes_lie_as_in_xfsprogs),
		cmocka_unit_test(symlinks_lie_as_in_xfsprogs),
		cmocka_unit_test(log_lies_as_in_xfsprogs),
		cmocka_unit_test(magic_numbers_are_those_of_xfsprogs),
		cmocka_unit_test(feature_bits_are_those_of_xfsprogs),
		cmocka_unit_test(limits_are_those_of_xfsprogs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
