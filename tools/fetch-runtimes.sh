#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fetch-runtimes.sh DIR - unpack Debian's libomp 14, 16 and 19 side by side.
#
# The packages exclude each other, so they cannot be installed together; a test puts the folder of
# the one it wants first on LD_LIBRARY_PATH. Result: DIR/14/libomp.so.5, DIR/16/..., DIR/19/...
# A version that is already there is left alone, so running this twice costs nothing.
set -eu

if [ $# -ne 1 ]; then
	echo "usage: fetch-runtimes.sh DIR" >&2
	exit 2
fi
mkdir -p "$1"
dir=$(cd "$1" && pwd)

fetch() {
	version=$1
	target=$dir/$version
	if [ -e "$target/libomp.so.5" ]; then
		return 0
	fi
	work=$(mktemp -d "$dir/.fetch.XXXXXX")
	# apt drops privileges for the download; let its user write here
	chmod 755 "$work"
	if ! (cd "$work" && apt-get -q -o APT::Sandbox::User=root download "libomp5-$version" >&2); then
		rm -rf "$work"
		echo "fetch-runtimes.sh: libomp5-$version: download failed" >&2
		return 1
	fi
	dpkg -x "$work"/libomp5-"$version"_*.deb "$work/root"
	mkdir -p "$target"
	part=$(mktemp "$target/libomp.so.5.XXXXXX")
	cp "$work/root/usr/lib/llvm-$version/lib/libomp.so.5" "$part"
	chmod 644 "$part"
	mv "$part" "$target/libomp.so.5"
	rm -rf "$work"
}

status=0
for version in 14 16 19; do
	fetch "$version" || status=1
done
exit "$status"
