#!/bin/sh
# SPDX-License-Identifier: MIT
#
# configure.sh BUILD [OPTION]... - configures the build with Meson (MESON), with these options of `meson setup` the first
# time; again when the compilers and headers on which it depends have changed since (toolchain.sh state).
set -eu

if [ $# -lt 1 ]; then
	echo "usage: configure.sh BUILD [OPTION]..." >&2
	exit 2
fi
build=$1
shift
cd "$(dirname "$0")/.."
MESON=${MESON:-meson}

missing=
for tool in "${MESON%% *}" ninja pkg-config "${CC:-cc}"; do
	# CC may be several words
	if ! command -v "${tool%% *}" > /dev/null; then
		echo "configure.sh: $tool is missing" >&2
		missing=yes
	fi
done
if [ -n "$missing" ]; then
	echo "configure.sh: tools/setup.sh build installs what is missing, or names its packages" >&2
	exit 1
fi

# Debian's libraries are in a folder of their architecture, which Meson knows only where dpkg-dev is installed.
libdir() {
	if [ -e /etc/debian_version ] && ! command -v dpkg-architecture > /dev/null; then
		architecture=$(${CC:-cc} -print-multiarch 2> /dev/null) && [ -n "$architecture" ] &&
			echo "-Dlibdir=lib/$architecture"
	fi
	return 0
}

if [ ! -e "$build/build.ninja" ]; then
	# shellcheck disable=SC2046 # one word or none
	$MESON setup "$build" $(libdir) "$@"
elif ! tools/toolchain.sh state | cmp -s - "$build/toolchain.txt"; then
	echo "configure.sh: what the build depends on has changed since it was configured: configuring again" >&2
	$MESON configure --clearcache "$build"
	$MESON setup --reconfigure "$build"
fi
