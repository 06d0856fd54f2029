#!/bin/bash
# SPDX-License-Identifier: MIT
#
# try-compilers.sh [--gcc | --clang] DIR [BUILD] - runs the programs of tests/conformance with GCC 14, 16 and a snapshot of
# 17, with clang 21, 22, 23 and a snapshot of 24, and with flang 22 and 23, on the versions of libomp there, and prints the
# parts of doc/conformance.md on them. It unpacks these compilers from Debian's testing, unstable and experimental suites
# into a private root below DIR (GCC: about 3 GB, of which 0.8 GB are downloaded; clang and flang: 3 GB and 0.4 GB), and
# records there with the winnow of BUILD (default: build). What is there already is not fetched again.
#
# --gcc, --clang  only these compilers; flang comes with clang
#
# Needs apt, unshare and chroot, as root or with user namespaces, and the packages' mirror: that of this system's apt, or
# WN_MIRROR. WN_JOBS is the number of programs at a time, WN_CHOICE as in tests/README.md.
# Exit status 1: a cell is wrong (DIR/root/winnow-cells/tap.txt names it), or the page has another table.
set -euo pipefail

families='gcc clang'
case ${1:-} in
--gcc | --clang)
	families=${1#--}
	shift
	;;
esac
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: try-compilers.sh [--gcc | --clang] DIR [BUILD]" >&2
	exit 2
fi
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/root"
dir=$(cd "$1" && pwd)
build=$(cd "${2:-$tree/build}" && pwd)
root=$dir/root
keys=/usr/share/keyrings/debian-archive-keyring.gpg
gcc_packages='gcc-snapshot gcc-14 gcc-16 gfortran-14 gfortran-16 libgomp1'
clang_packages='clang-21 clang-22 clang-23 clang-24 flang-22 flang-23 libc6-dev'
packages='bash dash coreutils mawk sed grep findutils diffutils debianutils jq libdeflate0 libexpat1 libdw1t64 libelf1t64
	libjansson4 libpfm4'

fail() {
	echo "try-compilers.sh: $1" >&2
	exit 2
}

mirror=${WN_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
	awk '$1 == "Debian" { print $2; exit }')}
[ -n "$mirror" ] || fail "apt knows no mirror of Debian: set WN_MIRROR"

# An apt of its own, for which nothing is installed.
fetch() { # PACKAGE...
	local suite
	: > "$dir/apt/status"
	for suite in sid testing experimental; do
		echo "deb [signed-by=$keys] $mirror $suite main"
	done > "$dir/apt/sources.list"
	cat > "$dir/apt/apt.conf" <<- EOF
		Dir::State "$dir/apt";
		Dir::State::lists "$dir/apt/lists";
		Dir::State::status "$dir/apt/status";
		Dir::Cache "$dir/apt/cache";
		Dir::Etc::sourcelist "$dir/apt/sources.list";
		Dir::Etc::sourceparts "-";
		APT::Install-Recommends "false";
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Debug::NoLocking "true";
	EOF
	export APT_CONFIG=$dir/apt/apt.conf
	apt-get -q update >&2
	apt-get -q install -y --download-only "$@" >&2
}

# Only what compiles C and Fortran.
unpack() {
	local package
	mkdir -p "$root"/{dev,proc,tmp,etc} "$root"/usr/{bin,sbin,lib,lib64}
	for package in bin sbin lib lib64; do
		ln -sfn "usr/$package" "$root/$package"
	done
	for package in "$dir"/apt/cache/archives/*.deb; do
		case ${package##*/} in
		llvm-* | libclang1-*) continue ;;
		esac
		[ ! -e "$dir/unpacked/${package##*/}" ] || continue
		# a link to a file that is left out fails
		dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink --wildcards \
			--exclude='./usr/share/*' --exclude='*/cc1plus' --exclude='*gnat1*' --exclude='*/d21' --exclude='*/cobol1' \
			--exclude='*/go1' --exclude='*adalib*' --exclude='*/algol*' --exclude='*/crab1' --exclude='*gm2*' \
			--exclude='*/llvm-*/lib/lib[A-Z]*.a' --exclude='*/bin/fir-*' --exclude='*/bin/bbc' --exclude='*/bin/tco' ||
			[[ $package == *gcc-snapshot* ]]
		mkdir -p "$dir/unpacked"
		touch "$dir/unpacked/${package##*/}"
	done
	ln -sfn mawk "$root/usr/bin/awk"
}

# All versions of libomp that the suites have, side by side, where newer.sh looks for them; their packages exclude each
# other. And the header of each clang's own version.
unpack_runtimes() {
	local version major clang to=$root/winnow-cells/build/runtimes
	mkdir -p "$dir/runtimes"
	cd "$dir/runtimes"
	for version in $(apt-cache madison libomp5 | cut -d '|' -f 2); do
		major=${version#*:}
		major=${major%%[!0-9]*}
		mkdir -p "$to/$major"
		apt-get -q download "libomp5=$version" >&2
		dpkg-deb --fsys-tarfile libomp5_*.deb | tar -xO --wildcards '*/libomp.so.5' > "$to/$major/libomp.so.5"
		ln -sf libomp.so.5 "$to/$major/libomp.so"
		rm libomp5_*.deb
	done
	for clang in $clang_packages; do
		[[ $clang == clang-* ]] || continue
		apt-get -q download "libomp-${clang#clang-}-dev" >&2
		dpkg-deb --fsys-tarfile libomp-*-dev_*.deb | tar -x -C "$root" --wildcards '*/include/omp*.h'
		rm libomp-*-dev_*.deb
	done
	cd - > /dev/null
}

for family in $families; do
	[ ! -e "$dir/$family.complete" ] || continue
	if [ "$family" = gcc ]; then packages+=" $gcc_packages"; else packages+=" $clang_packages"; fi
	# shellcheck disable=SC2086
	fetch $packages
	unpack
	[ "$family" = gcc ] || unpack_runtimes
	touch "$dir/$family.complete"
done

# The tree and the build are at the same paths inside.
mkdir -p "$root$tree" "$root$build" "$root/winnow-cells"
enter=(unshare -m)
[ "$(id -u)" = 0 ] || enter=(unshare -m --map-root-user)
status=0
# shellcheck disable=SC2016
"${enter[@]}" bash -c '
	mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" && mount --bind "$2" "$1$2" && mount --bind "$3" "$1$3" &&
		exec chroot "$1" /usr/bin/env TMPDIR=/tmp PATH=/usr/bin:/usr/sbin "$2/tests/conformance/newer.sh" "$4" "$3" /winnow-cells' \
	enter "$root" "$tree" "$build" "--${families// /,}" > "$root/winnow-cells/tap.txt" || status=1
grep '^not ok' -A 2 "$root/winnow-cells/tap.txt" >&2 || true
[ -s "$root/winnow-cells/cells.tsv" ] || fail "no cell was found: $root/winnow-cells/tap.txt"
for family in $families; do
	"$tree/tests/conformance/table.sh" "--newer-$family" "$root/winnow-cells/cells.tsv" > "$dir/table.$family.md"
	cat "$dir/table.$family.md"
	diff -uB <(awk -v word="$family" '/^## / { is_it = tolower($0) ~ word } is_it' "$tree/doc/conformance.md") \
		"$dir/table.$family.md" >&2 || status=1
done
exit $status
