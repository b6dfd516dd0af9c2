# SPDX-License-Identifier: GPL-2.0-or-later
# Packages of what is committed: make dist, make deb, make rpm. They come to the top, build/deb and build/rpm.

.PHONY: dist deb rpm

tarball := xfsck-$(VERSION).tar.gz

# The date of the commit, so that a package of it is the same whenever it is made.
committed = $(shell git log -1 $(1))

# Where packages of another kind are installed, as on Debian, rpm knows of none, and can't tell what is missing.
RPMFLAGS ?= $(shell rpm -q --quiet rpm 2>/dev/null || echo --nodeps)

dist: configure
	git archive --prefix=xfsck-$(VERSION)/ --add-file=configure -o $(tarball) HEAD
	sha256sum $(tarball) >$(tarball).sha256

deb: dist
	rm -rf build/deb && mkdir -p build/deb
	cp $(tarball) build/deb/xfsck_$(VERSION).orig.tar.gz
	tar xf $(tarball) -C build/deb
	cd build/deb/xfsck-$(VERSION) && cp -r packaging/debian debian && \
		sed 's/@VERSION@/$(VERSION)/; s/@DATE@/$(call committed,--format=%aD)/' debian/changelog.in >debian/changelog && \
		rm debian/changelog.in && env -u MAKEFLAGS dpkg-buildpackage -us -uc
	if command -v lintian >/dev/null; then lintian --fail-on error,warning build/deb/*.changes; fi

rpm: dist
	rm -rf build/rpm && mkdir -p build/rpm/SOURCES build/rpm/SPECS
	cp $(tarball) build/rpm/SOURCES
	sed 's/@VERSION@/$(VERSION)/; s/@DATE@/$(call committed,--format=%ad --date='format:%a %b %d %Y')/' packaging/rpm/xfsck.spec.in >build/rpm/SPECS/xfsck.spec
	env -u MAKEFLAGS rpmbuild -ba --define '_topdir $(CURDIR)/build/rpm' $(RPMFLAGS) build/rpm/SPECS/xfsck.spec
	if command -v rpmlint >/dev/null; then rpmlint -c packaging/rpm/rpmlint.toml build/rpm/SPECS/xfsck.spec build/rpm/RPMS/*/*.rpm; fi
