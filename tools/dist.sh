#!/bin/sh
# SPDX-License-Identifier: MIT
#
# dist.sh FOLDER [COMMIT] - writes winnow-VERSION.tar.xz of a commit (default: HEAD) and its SHA-256 into FOLDER. The same
# commit gives the same bytes, with the same versions of git and xz.
set -eu

if [ $# -lt 1 ]; then
	echo "usage: dist.sh FOLDER [COMMIT]" >&2
	exit 2
fi
mkdir -p "$1"
folder=$(realpath "$1")
commit=${2:-HEAD}
cd "$(dirname "$0")/.."
for tool in git xz sha256sum; do
	command -v "$tool" > /dev/null || {
		echo "dist.sh: $tool is missing" >&2
		exit 1
	}
done
version=$(git show "$commit:meson.build" | sed -n "s/^  version: '\(.*\)',\$/\1/p")
if [ "$commit" = HEAD ] && [ -n "$(git status --porcelain)" ]; then
	echo "dist.sh: changes that are not committed are not in the archive" >&2
fi
archive=winnow-$version.tar.xz
# not a pipe, which would hide a failure of git
git -c tar.umask=0022 archive --format=tar --prefix="winnow-$version/" -o "$folder/winnow-$version.tar" "$commit"
xz -9 -T1 -f "$folder/winnow-$version.tar"
cd "$folder"
sha256sum "$archive" > "$archive.sha256"
echo "$folder/$archive"
