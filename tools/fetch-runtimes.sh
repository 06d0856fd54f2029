#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fetch-runtimes.sh DIR - unpack several versions of libomp side by side: of those that the system's packages have, the
# oldest from 14 on, the newest, and one between (Debian 12: 14, 16, 19; Debian 13: 17, 18, 19).
#
# The packages exclude each other, so they cannot be installed together; a test puts the folder of
# the one it wants first on LD_LIBRARY_PATH. Result: DIR/14/libomp.so.5, to link with
# DIR/14/libomp.so; DIR/16/..., DIR/19/...
# A version that is already there is left alone, so running this twice costs nothing. Without apt-get there is one
# version: that of the clang that is installed.
set -eu

if [ $# -ne 1 ]; then
	echo "usage: fetch-runtimes.sh DIR" >&2
	exit 2
fi
toolchain=$(cd "$(dirname "$0")" && pwd)/toolchain.sh
mkdir -p "$1"
dir=$(cd "$1" && pwd)

put() { # FILE VERSION
	mkdir -p "$dir/$2"
	part=$(mktemp "$dir/$2/libomp.so.5.XXXXXX")
	cp "$1" "$part"
	chmod 644 "$part"
	mv "$part" "$dir/$2/libomp.so.5"
	ln -sf libomp.so.5 "$dir/$2/libomp.so"
}

fetch() { # VERSION PACKAGE
	if [ -e "$dir/$1/libomp.so.5" ]; then
		[ -e "$dir/$1/libomp.so" ] || ln -sf libomp.so.5 "$dir/$1/libomp.so"
		return 0
	fi
	work=$(mktemp -d "$dir/.fetch.XXXXXX")
	# apt drops privileges for the download; let its user write here
	chmod 755 "$work"
	if ! (cd "$work" && apt-get -q -o APT::Sandbox::User=root download "$2" >&2); then
		rm -rf "$work"
		echo "fetch-runtimes.sh: $2: download failed" >&2
		return 1
	fi
	dpkg -x "$work"/*.deb "$work/root"
	for file in "$work/root/usr/lib/llvm-$1/lib/libomp.so.5" "$work"/root/usr/lib/*/libomp.so.5; do
		if [ -e "$file" ]; then
			put "$file" "$1"
			break
		fi
	done
	rm -rf "$work"
}

if ! command -v apt-get > /dev/null; then
	for clang in $("$toolchain" clangs); do
		for name in libomp.so.5 libomp.so; do
			file=$("$clang" "-print-file-name=$name")
			if [ -e "$file" ]; then
				put "$file" "$("$clang" -dumpversion | sed 's/[^0-9].*//')"
				break
			fi
		done
	done
	exit 0
fi

# "VERSION PACKAGE"; some have a suffix for the size of times. Debian's testing and unstable
# have one version, in a package without a number.
packages=$(apt-cache pkgnames libomp5- | sed -nE 's/^libomp5-([0-9]+)(t64)?$/\1 &/p')
if [ -z "$packages" ]; then
	packages=$(apt-cache policy libomp5 | sed -nE 's/^  Candidate: ([0-9]+:)?([0-9]+).*/\2 libomp5/p')
fi
status=0
for version in $(echo "$packages" | cut -d ' ' -f 1 | "$toolchain" choose-runtimes); do
	fetch "$version" "$(echo "$packages" | sed -n "s/^$version //p" | head -n 1)" || status=1
done
exit "$status"
