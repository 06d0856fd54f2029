#!/bin/bash
# SPDX-License-Identifier: MIT
#
# setup.sh [build|demo|test|bench]... - installs what is missing on Debian 12, after saying what.
# Without an argument: build. Does nothing when all is there. doc/dependencies.md says what each
# package is for.
set -euo pipefail

cd "$(dirname "$0")/.."

packages_for() {
	case $1 in
	build) echo make meson ninja-build pkg-config gcc libc6-dev libomp-14-dev libdw-dev libelf-dev libpfm4-dev \
		libxxhash-dev libjansson-dev libexpat1-dev libzydis-dev zlib1g-dev libdeflate-dev g++ gcc-12-plugin-dev \
		liblapack3 ;;
	demo) echo gcc ;;
	test) echo jq opari2 qemu-user g++ gfortran clang-14 clang-19 clang-22 llvm-14-dev llvm-19-dev llvm-22-dev \
		clang-format-14 libxml2-utils shellcheck man-db binutils gdb strace valgrind \
		lld-14 binaryen xz-utils chromium firefox-esr
		# a Node that is there, from wherever, does; Debian's would exclude it
		command -v npm > /dev/null || echo nodejs npm ;;
	bench) echo g++ gfortran clang-14 jq opari2 qemu-user ;;
	*)
		echo "setup.sh: unknown part '$1'; there are build, demo, test, bench" >&2
		return 2
		;;
	esac
}

wanted=$(packages_for build)
for part in "$@"; do
	more=$(packages_for "$part")
	wanted="$wanted $more"
done

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2> /dev/null)" = "ii " ]
}

missing=()
for package in $(tr ' ' '\n' <<< "$wanted" | sort -u); do
	is_installed "$package" || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
	echo "setup.sh: installing with apt-get: ${missing[*]}" >&2
	as_root=()
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo > /dev/null || {
			echo "setup.sh: needs root or sudo; install the packages named above" >&2
			exit 1
		}
		as_root=(sudo)
	fi
	export DEBIAN_FRONTEND=noninteractive
	"${as_root[@]}" apt-get update -q >&2
	"${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
fi

# Several versions of one runtime, side by side: packages of them exclude each other.
case " $* " in
*" test "*)
	tools/fetch-runtimes.sh build/runtimes
	tools/build-page.sh --packages
	;;
esac
