# SPDX-License-Identifier: GPL-2.0-or-later
#
#   make            build ./xfsck and the manual pages; configures first where that is due
#   make demo       install what is missing, build, and check a sound and a damaged file system
#   make check      install what is missing, build, and run all tests; ONLY=word runs those with word in their name, and
#                   ONLY=quick what answers within a minute; JOBS=N runs N at a time
#   make lint       both compilers with -Werror, clang-tidy, cppcheck, clang-format, and who calls whom; ONLY="layers ...": only
#                   these steps
#   make fuzz       run the fuzz targets, FUZZ_SECONDS each, and check MUTATED_COUNT damaged images
#   make bench      compare with the xfs_repair of this machine; needs root
#   make bench-billion  check a file system of BENCH_INODES (1000000000) inodes that is computed, not stored
#   make dominance  compare what both keep of damaged file systems, with SEEDS=, KINDS=, BASES=, KEEP=; needs root
#   make install    to $(DESTDIR)$(PREFIX)
#   make dist       a tarball of what is committed
#
# CC=clang, SANITIZE=1 (addresses and undefined behaviour) and SANITIZE=thread each build in a folder of their own.
# V=1 shows the commands.

# These targets bring the packages they need; the others only say what is missing.
purposes := $(filter demo check lint fuzz bench bench-billion dominance,$(MAKECMDGOALS))
ifneq ($(purposes),)
$(shell tests/setup $(purposes) >&2)
ifneq ($(.SHELLSTATUS),0)
$(error packages are missing)
endif
endif

ifeq ($(filter clean distclean,$(MAKECMDGOALS)),)
include config.mk
endif

# As many jobs as there are processors, unless the command line says how many.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
override CC := clang
override SANITIZE := fuzz
endif

sanitize_1 := -fsanitize=address,undefined
sanitize_thread := -fsanitize=thread
sanitize_fuzz := -fsanitize=fuzzer-no-link,address,undefined
sanitize := $(if $(SANITIZE),$(sanitize_$(SANITIZE)) -fno-sanitize-recover=all -fno-omit-frame-pointer)

# What a compiler and a sanitizer make goes to a folder of theirs.
out := build/$(notdir $(lastword $(CC)))$(SANITIZE:%=-sanitize-%)

Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1) $@')

# The program is optimized as a whole, where compiler and linker can: that takes objects of their own, and twice as long.
# Tests are built from ordinary objects, as is the program that they and the demo run.
try_lto = echo 'int main(void) { return 0; }' | $(CC) -Werror $(1) -x c - -o /dev/null 2>/dev/null && echo '$(1)'
whole := $(if $(SANITIZE)$(filter demo check,$(MAKECMDGOALS)),,$(shell $(call try_lto,-flto=auto)))
lto := -fno-lto

warnings := -Wall -Wextra -Werror=implicit -Wshadow -Wstrict-prototypes -Wmissing-prototypes
compile = $(CC) -std=gnu17 -pthread $(warnings) $(sanitize) $(CFLAGS) $(quickly) $(lto)
link = $(compile) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS)

sources := $(wildcard libxfs/*.c cache/*.c prefetch/*.c repair/*.c repair/*/*.c repair/*/*/*.c repair/*/*/*/*.c)
objects := $(sources:%.c=$(out)/%.o)
library := $(out)/xfsck.a
whole_objects := $(sources:%.c=$(out)/whole/%.o)
program := $(out)/$(if $(whole),whole/)xfsck
unit_tests := $(patsubst %.c,$(out)/%,$(wildcard tests/unit/test_*.c))
tools := $(patsubst %.c,$(out)/%,$(wildcard tests/tools/*.c))
property_test := $(out)/tests/property/damage
mutator := $(out)/tests/mutate/mutate
dirty := $(out)/tests/dirty/dirty
account := $(out)/tests/account/account
log_tools := $(addprefix $(out)/tests/log/,rewrite journal cut intend put)
failing := $(out)/tests/media/failing
starved := $(out)/tests/starved/starved
computed := $(addprefix $(out)/tests/computed/,write xfsck)
forbidden := $(out)/tests/sandbox/forbidden
fuzz_targets := $(patsubst %.c,$(out)/%,$(wildcard tests/fuzz/fuzz_*.c))

.PHONY: all demo check lint fuzz bench bench-billion dominance install dist clean distclean FORCE
.DELETE_ON_ERROR:

all: xfsck man/xfsck.8 man/xfsck-findings.7

config.mk: configure config.mk.in
	@if [ -x config.status ]; then ./config.status -q --recheck && ./config.status -q; else ./configure -q; fi
	@touch $@

configure: configure.ac
	@command -v autoconf >/dev/null || { echo 'autoconf is missing; "tests/setup build" installs it' >&2; exit 1; }
	autoconf

# The program at the top is the one built last.
xfsck: $(program) FORCE
	@[ $@ -ef $< ] || ln -f $< $@

$(whole_objects) $(out)/whole/xfsck: lto := $(whole)

$(out)/whole/xfsck: $(whole_objects)
	$(call say,LINK)
	$(Q)$(link)

$(out)/xfsck: $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link)

$(library): $(filter-out %/repair/main.o,$(objects))
	$(call say,AR  )
	$(Q)rm -f $@ && $(AR) rcs $@ $^

define compile_object
	$(call say,CC  )
	@mkdir -p $(@D)
	$(Q)$(compile) -Iinclude -iquote repair $(LIBS_CFLAGS) -DXFSCK_VERSION='"$(VERSION)"' $(CPPFLAGS) -MMD -MP -c -o $@ $<
endef

$(out)/%.o: %.c Makefile config.mk
	$(compile_object)

# What a unit test does itself takes no time, but there are many to compile.
$(out)/tests/unit/%.o: quickly := -O0

$(out)/whole/%.o: %.c Makefile config.mk
	$(compile_object)

$(unit_tests): %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link) -lcmocka

$(property_test): $(patsubst %.c,$(out)/%.o,$(wildcard tests/property/*.c)) $(library)
	$(call say,LINK)
	$(Q)$(link)

# The image in memory and the running of a checker are those of the property test.
$(mutator): $(patsubst %.c,$(out)/%.o,$(wildcard tests/mutate/*.c)) \
		$(addprefix $(out)/tests/property/,checker.o checksum.o image.o) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(dirty): $(patsubst %.c,$(out)/%.o,$(wildcard tests/dirty/*.c))
	$(call say,LINK)
	$(Q)$(link)

$(account): $(patsubst %.c,$(out)/%.o,$(wildcard tests/account/*.c)) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(log_tools): %: %.o $(addprefix $(out)/tests/log/,records.o items.o writer.o changes.o) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(out)/tests/fuzz/seeds: %: %.o $(out)/tests/fuzz/seeds_log.o $(out)/tests/log/records.o \
		$(out)/tests/mutate/objects.o $(addprefix $(out)/tests/property/,checksum.o image.o) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(tools): %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link) -lm

# The program, on devices that tests make unreadable.
$(failing): $(out)/tests/media/failing.o $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link) -Wl,--wrap=device_open,--wrap=device_open_write,--wrap=fault_result,--wrap=fault_write,--wrap=sandbox_enter

# File systems that are computed.
computed_objects := $(filter-out %/write.o %/source.o,$(patsubst %.c,$(out)/%.o,$(wildcard tests/computed/*.c)))
$(out)/tests/computed/write: %: %.o $(computed_objects) $(library)
	$(call say,LINK)
	$(Q)$(link)

# The program, on such file systems.
$(out)/tests/computed/xfsck: $(out)/tests/computed/source.o $(computed_objects) $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link) -Wl,--wrap=source_file_open

# The same, optimized as the program that is installed, but for the object whose call is wrapped.
computed_program := $(out)/$(if $(whole),whole/)tests/computed/xfsck
$(out)/whole/tests/computed/xfsck: private lto := $(whole)
$(out)/whole/tests/computed/xfsck: $(out)/tests/computed/source.o $(computed_objects) $(out)/cache/device.o \
		$(filter-out %/cache/device.o,$(whole_objects))
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(link) -Wl,--wrap=source_file_open

# The program, in want of memory.
$(starved): $(out)/tests/starved/starved.o $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link) -Wl,--wrap=sandbox_calls

$(forbidden): %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link)

$(fuzz_targets): %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link) -fsanitize=fuzzer

-include $(wildcard $(out)/*/*.d $(out)/*/*/*.d $(out)/*/*/*/*.d $(out)/*/*/*/*/*.d $(out)/*/*/*/*/*/*.d)

# The table of findings, one a line: for the manual page, and for the tests to hold against their folders.
$(out)/findings.tsv: $(out)/man/findings
	$(Q)$< >$@

$(out)/man/findings: $(out)/man/findings.o
	$(call say,LINK)
	$(Q)$(link)

man/xfsck.8: man/xfsck.8.in man/findings.awk $(out)/findings.tsv config.mk
	$(call say,MAN )
	$(Q)awk -v version=$(VERSION) -f man/findings.awk $(out)/findings.tsv $< >$@

$(out)/explained: $(program)
	$(Q)$< --explain=all >$@

man/xfsck-findings.7: man/xfsck-findings.7.in man/explain.awk $(out)/explained config.mk
	$(call say,MAN )
	$(Q)awk -v version=$(VERSION) -v FS='\n' -f man/explain.awk RS= $(out)/explained RS='\n' $< >$@

demo: xfsck $(tools)
	tests/demo $(out)

check: $(out)/xfsck man/xfsck.8 man/xfsck-findings.7 $(unit_tests) $(property_test) $(mutator) $(failing) $(starved) $(computed) $(forbidden) $(dirty) $(account) $(log_tools) $(tools) $(out)/findings.tsv
	SANITIZE=$(SANITIZE) tests/run $(out) $(ONLY)

lint: config.mk
	ONLY="$(ONLY)" tests/lint $(LIBS_CFLAGS)

fuzz: $(fuzz_targets) $(out)/xfsck $(mutator)
	tests/fuzz/run $(out)

bench: xfsck $(tools)
	XFSCK=$(program) tests/bench/run $(out)

bench-billion: $(computed) $(computed_program) $(tools)
	XFSCK=$(computed_program) tests/bench/billion $(out)

dominance: xfsck $(tools)
	XFSCK=$(program) SEEDS='$(SEEDS)' KINDS='$(KINDS)' BASES='$(BASES)' KEEP='$(KEEP)' tests/dominance/run $(out)

install: all
	install -D -m 755 xfsck $(DESTDIR)$(PREFIX)/sbin/xfsck
	install -D -m 644 man/xfsck.8 $(DESTDIR)$(PREFIX)/share/man/man8/xfsck.8
	install -D -m 644 man/xfsck-findings.7 $(DESTDIR)$(PREFIX)/share/man/man7/xfsck-findings.7

dist: configure
	git archive --prefix=xfsck-$(VERSION)/ --add-file=configure -o xfsck-$(VERSION).tar.gz HEAD

clean:
	rm -rf build xfsck man/xfsck.8 man/xfsck-findings.7

distclean: clean
	rm -rf config.mk config.status config.log configure configure~ autom4te.cache
