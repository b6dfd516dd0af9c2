timeout: failed to run command ‘h.img’: No such file or directory
