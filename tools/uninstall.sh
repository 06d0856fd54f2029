#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uninstall.sh BUILD FOLDER - removes what the last installation from BUILD put below FOLDER (DESTDIR and prefix), as
# Meson logged it: the files, and the folders that it made or that are Winnow's own, if nothing else is in them.
set -eu

if [ $# -ne 2 ]; then
	echo "usage: uninstall.sh BUILD FOLDER" >&2
	exit 2
fi
log=$1/meson-logs/install-log.txt
folder=${2%/}
if [ ! -e "$log" ]; then
	echo "uninstall.sh: $log is missing: nothing was installed from $1" >&2
	exit 1
fi
if grep -v '^#' "$log" | awk -v folder="$folder/" 'index($0, folder) != 1 && index(folder, $0 "/") != 1 { exit 1 }'; then
	:
else
	echo "uninstall.sh: the last 'make install' did not install below $folder; repeat its PREFIX and DESTDIR" >&2
	exit 1
fi
n=0
while IFS= read -r path; do
	case $path in
	'#'*) ;;
	*)
		if [ -L "$path" ] || [ -f "$path" ]; then
			rm -f "$path"
			n=$((n + 1))
			case ${path%/*} in
			*/winnow) rmdir "${path%/*}" 2> /dev/null || : ;;
			esac
		elif [ -d "$path" ]; then
			rmdir "$path" 2> /dev/null || : # something else is in it
		fi
		;;
	esac
done < "$log"
rm -f "$log"
echo "uninstall.sh: removed $n files below $folder"
