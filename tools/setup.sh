#!/bin/bash
# SPDX-License-Identifier: MIT
#
# setup.sh [build|demo|test|bench]... - installs what is missing with apt-get, after saying what; on a system without
# apt-get, prints what is missing. Without an argument: build. Does nothing when all is there.
#
# tools/packages.txt lists what is looked for and what its packages are called; doc/dependencies.md says what each is
# for. What has a version in its name is what the system has: the plug-in headers of its gcc, its clangs and runtimes.
set -euo pipefail

cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
tools=$PWD/tools
export LC_ALL=C

for part in "$@"; do
	case $part in
	build | demo | test | bench) ;;
	*)
		echo "setup.sh: unknown part '$part'; there are build, demo, test, bench" >&2
		exit 2
		;;
	esac
done
parts=" build $* "

# --- is it there? ------------------------------------------------------------------------------

# Is that header there for the C compiler, which may be several words?
has_header() {
	echo "#include <$1>" | ${CC:-gcc} -D_GNU_SOURCE -E -x c -o /dev/null - 2> /dev/null
}

gcc_version() {
	if command -v gcc > /dev/null; then
		gcc -dumpversion
	else
		apt-cache depends gcc | sed -n 's/.*Depends: gcc-\([0-9]*\)$/\1/p'
	fi | sed 's/[^0-9].*//'
}

has_gcc_plugin_headers() {
	local folder
	folder=$(gcc -print-file-name=plugin 2> /dev/null) && [ -e "$folder/include/gcc-plugin.h" ]
}

is_there() {
	case $1 in
	command:*) command -v "${1#command:}" ;;
	header:*) has_header "${1#header:}" ;;
	library:*) [[ $(ldconfig -p) == *"${1#library:} "* ]] ;;
	omp-tools) "$tools/toolchain.sh" headers ;;
	gcc-plugin) has_gcc_plugin_headers ;;
	# with apt-get, @WORD names each package
	clangs) ! has_apt && [ -n "$("$tools/toolchain.sh" clangs)" ] ;;
	llvms) ! has_apt && command -v llvm-config ;;
	libomp) ! has_apt && [ -n "$("$tools/toolchain.sh" runtimes build/runtimes)" ] ;;
	clang-format) command -v clang-format-14 ;;
	page-tools) command -v wasm-opt && [ -n "$(compgen -c wasm-ld)" ] ;;
	*)
		echo "setup.sh: tools/packages.txt: unknown word '$1'" >&2
		exit 1
		;;
	esac > /dev/null 2>&1
}

# --- the system's packages ---------------------------------------------------------------------

has_apt() {
	command -v apt-get > /dev/null
}

# Versions N, in order, for which the system has a package PREFIX-N.
versions_of() { # PREFIX
	apt-cache pkgnames "$1-" | sed -nE "s/^$1-([0-9]+)(t64)?\$/\1/p" | sort -nu
}

# Names of the packages of an entry of packages.txt.
apt_names() { # ENTRY
	local version
	case $1 in
	@gcc-plugin-dev) echo "gcc-$(gcc_version)-plugin-dev" ;;
	@clangs) versions_of clang | "$tools/toolchain.sh" choose-clangs | sed 's/^/clang-/' ;;
	@llvms)
		for version in $(versions_of clang | "$tools/toolchain.sh" choose-clangs); do
			echo "llvm-$version-dev"
		done
		;;
	# unpacked by tools/fetch-runtimes.sh, as its packages exclude each other
	@libomp) ;;
	@clang-format) echo clang-format-14 ;;
	@page-tools)
		version=$(versions_of clang | "$tools/toolchain.sh" choose-clangs | head -n 1)
		echo "lld-$version" binaryen
		;;
	*) echo "$1" ;;
	esac
}

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2> /dev/null)" = "ii " ]
}

# Can apt-get install that?
has_candidate() {
	[ -n "$(apt-cache policy "$1" | sed -n '/^  Candidate: [^(]/p')" ]
}

as_root=()
become_root() {
	[ "$(id -u)" -ne 0 ] || return 0
	command -v sudo > /dev/null || {
		echo "setup.sh: needs root or sudo; install the packages named above" >&2
		exit 1
	}
	as_root=(sudo)
}

# Which column of tools/packages.txt lists this system's packages, and how they are installed.
other_system() {
	if command -v dnf > /dev/null; then
		echo 4 dnf install
	elif command -v zypper > /dev/null; then
		echo 5 zypper install
	elif command -v pacman > /dev/null; then
		echo 6 pacman -S
	else
		echo 3 names on Debian:
	fi
}

# Lines "THERE NAME" of what is not there, NAME from that column.
list_missing() { # COLUMN
	local line there name
	local -A checked=()
	while read -r line; do
		read -r there name <<< "$line"
		if [ -z "${checked[$there]:-}" ]; then
			checked[$there]=missing
			is_there "$there" && checked[$there]=there
		fi
		[ "${checked[$there]}" = there ] || echo "$there $name"
	done < <(awk -v parts="$parts" -v column="$1" \
		'/^#/ || NF == 0 { next } index(parts, " " $1 " ") { print $2, $column }' "$tools/packages.txt")
}

install_with_apt() {
	local missing=() absent=() entry name
	[ -n "$(list_missing 3)" ] || return 0
	# The names of some depend on what there is, which a fresh system does not know yet.
	if [ -z "$(apt-cache pkgnames meson 2> /dev/null)" ]; then
		become_root
		"${as_root[@]}" apt-get update -q >&2
	fi
	while read -r entry; do
		for name in $(apt_names "$entry"); do
			if is_installed "$name"; then
				continue
			elif has_candidate "$name"; then
				missing+=("$name")
			else
				absent+=("$name")
			fi
		done
	done < <(list_missing 3 | cut -d ' ' -f 2 | sort -u)
	if [ ${#absent[@]} -gt 0 ]; then
		echo "setup.sh: not packaged here: ${absent[*]}; tests that need them are skipped" >&2
	fi
	[ ${#missing[@]} -gt 0 ] || return 0
	echo "setup.sh: installing with apt-get: ${missing[*]}" >&2
	become_root
	export DEBIAN_FRONTEND=noninteractive
	"${as_root[@]}" apt-get update -q >&2
	"${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

# Without apt-get: one line for each thing, then the command. The build names what it cannot do without.
print_missing() {
	local column installer names there name
	read -r column installer <<< "$(other_system)"
	names=
	while read -r there name; do
		if [ "$name" = - ]; then
			echo "setup.sh: ${there#*:} is missing, and not packaged here: tests that need it are skipped" >&2
		else
			echo "setup.sh: ${there#*:} is missing: package $name" >&2
			names="$names $name"
		fi
	done < <(list_missing "$column")
	[ -z "$names" ] || echo "setup.sh: to install them: $installer$(tr ' ' '\n' <<< "$names" | sort -u | tr '\n' ' ')" >&2
}

if has_apt; then
	install_with_apt
else
	print_missing
fi

# Several versions of one runtime, side by side: packages of them exclude each other.
case $parts in
*" test "*)
	tools/fetch-runtimes.sh build/runtimes
	tools/build-page.sh --packages ||
		echo "setup.sh: the page cannot be built or tested here; its tests are skipped" >&2
	;;
esac
