#!/bin/bash
# SPDX-License-Identifier: MIT
#
# try-compilers.sh DIR [BUILD] - runs the programs of tests/conformance with GCC 14, 16 and a snapshot of 17, and prints
# the part of doc/conformance.md on them. It unpacks these compilers from Debian's unstable suite into a private root below
# DIR (about 3 GB, of which 0.8 GB are downloaded), and records there with the winnow of BUILD (default: build). What is
# there already is not fetched again.
#
# Needs apt, unshare and chroot, as root or with user namespaces, and the packages' mirror: that of this system's apt, or
# WN_MIRROR. WN_JOBS is the number of programs at a time, WN_CHOICE as in tests/README.md.
# Exit status 1: a cell is wrong (DIR/root/winnow-cells/tap.txt names it), or the page has another table.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	echo "usage: try-compilers.sh DIR [BUILD]" >&2
	exit 2
fi
tree=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/root"
dir=$(cd "$1" && pwd)
build=$(cd "${2:-$tree/build}" && pwd)
root=$dir/root
keys=/usr/share/keyrings/debian-archive-keyring.gpg
packages="gcc-snapshot gcc-14 gcc-16 gfortran-14 gfortran-16 libgomp1 bash dash coreutils mawk sed grep findutils diffutils
	debianutils jq libdeflate0 libexpat1 libdw1t64 libelf1t64 libjansson4 libpfm4"

fail() {
	echo "try-compilers.sh: $1" >&2
	exit 2
}

mirror=${WN_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
	awk '$1 == "Debian" { print $2; exit }')}
[ -n "$mirror" ] || fail "apt knows no mirror of Debian: set WN_MIRROR"

# An apt of its own, for which nothing is installed.
fetch() {
	: > "$dir/apt/status"
	echo "deb [signed-by=$keys] $mirror sid main" > "$dir/apt/sources.list"
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
	# shellcheck disable=SC2086
	apt-get -q install -y --download-only $packages >&2
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
		*llvm* | *z3*) continue ;;
		esac
		# a link to a file that is left out fails
		dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink --wildcards \
			--exclude='./usr/share/*' --exclude='*/cc1plus' --exclude='*gnat1*' --exclude='*/d21' --exclude='*/cobol1' \
			--exclude='*/go1' --exclude='*adalib*' --exclude='*/algol*' --exclude='*/crab1' --exclude='*gm2*' ||
			[[ $package == *gcc-snapshot* ]]
	done
	ln -sfn mawk "$root/usr/bin/awk"
}

if [ ! -e "$root/usr/lib/gcc-snapshot/bin/gcc" ]; then
	fetch
	unpack
fi

# The tree and the build are at the same paths inside.
mkdir -p "$root$tree" "$root$build" "$root/winnow-cells"
enter=(unshare -m)
[ "$(id -u)" = 0 ] || enter=(unshare -m --map-root-user)
status=0
# shellcheck disable=SC2016
"${enter[@]}" bash -c '
	mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" && mount --bind "$2" "$1$2" && mount --bind "$3" "$1$3" &&
		exec chroot "$1" /usr/bin/env PATH=/usr/bin:/usr/sbin "$2/tests/conformance/newer.sh" "$3" /winnow-cells' \
	enter "$root" "$tree" "$build" > "$root/winnow-cells/tap.txt" || status=1
grep '^not ok' -A 2 "$root/winnow-cells/tap.txt" >&2 || true
[ -s "$root/winnow-cells/cells.tsv" ] || fail "no cell was found: $root/winnow-cells/tap.txt"
"$tree/tests/conformance/table.sh" --newer "$root/winnow-cells/cells.tsv" > "$dir/table.md"
cat "$dir/table.md"
diff -u <(sed -n '/^## Newer/,$p' "$tree/doc/conformance.md") <(sed 1d "$dir/table.md") >&2 || status=1
exit $status
