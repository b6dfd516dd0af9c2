xfs_repair: cannot open h.img: No such file or directory
