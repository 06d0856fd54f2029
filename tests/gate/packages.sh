#!/bin/bash
# SPDX-License-Identifier: MIT
#
# packages.sh BUILD ROOT - the packages name the version and the files of the project, its Meson is the oldest that it
# needs, and what is installed can be uninstalled. Installs BUILD into a temporary folder. Prints TAP.
set -u

if [ $# -ne 2 ]; then
	echo "usage: packages.sh BUILD ROOT" >&2
	exit 2
fi
build=$1
root=$2
export LC_ALL=C
number=0
top=$(mktemp -d)
log=$build/meson-logs/install-log.txt
[ ! -e "$log" ] || cp "$log" "$top/log-before" # of the user's own installation
trap 'if [ -e "$top/log-before" ]; then cp "$top/log-before" "$log"; else rm -f "$log"; fi; rm -rf "$top"' EXIT

# same SENTENCE WANTED FOUND: a TAP line; the lines that differ are shown
same() {
	number=$((number + 1))
	if [ -n "$3" ] && [ "$2" = "$3" ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		diff <(echo "$2") <(echo "$3") | sed 's/^/# /'
	fi
}

version=$(sed -n "s/^  version: '\(.*\)',\$/\1/p" "$root/meson.build")
same "debian/changelog has the version of meson.build" "$version" \
	"$(sed -n '1s/^winnow (\(.*\)-[^-]*) .*/\1/p' "$root/debian/changelog")"
same "packaging/winnow.spec has it" "$version" "$(sed -n 's/^Version:  *//p' "$root/packaging/winnow.spec")"
same "packaging/winnow.spec has it in its changes" "$version" \
	"$(sed -n '/^%changelog/,$s/^\* .* - \(.*\)-[0-9]*$/\1/p' "$root/packaging/winnow.spec" | head -n 1)"
same "packaging/spack/package.py has it" "$version" \
	"$(sed -n 's/^    version("\([0-9.]*\)".*/\1/p' "$root/packaging/spack/package.py" | head -n 1)"
same "Meson knows of no feature in the build files that is newer than the Meson they ask for" "none" \
	"$(grep -h 'WARNING: Project targets' "$build/meson-logs/meson-log.txt" || echo none)"

# The installed files, by the names that they have below /.
DESTDIR=$top/dest meson install -C "$build" --no-rebuild > "$top/output" 2>&1 || {
	sed 's/^/# /' "$top/output"
	echo "Bail out! meson install failed"
	exit 1
}
library=$(cd "$top/dest" && find . -name libwinnow-record.so)
prefix=$(cd "$top/dest" && find . -path '*/bin/winnow')
prefix=${prefix%/bin/winnow}
libdir=${library%/winnow/libwinnow-record.so}
libdir=${libdir#"$prefix"/}
if [ -z "$prefix" ] || [ -z "$libdir" ]; then
	echo "Bail out! the command or the recorder was not installed"
	exit 1
fi
files=$(cd "$top/dest/$prefix" && find . -type f -o -type l | sed 's,^\./,usr/,' | sort)
mkdir "$top/root"
cp -a "$top/dest/$prefix" "$top/root/usr"

# matching: the files that the patterns of the standard input stand for, each as often as it is named
matching() {
	local pattern file
	while read -r pattern; do
		# unquoted on purpose: it is a pattern
		# shellcheck disable=SC2086
		(cd "$top/root" && for file in $pattern; do
			if [ -e "$file" ]; then
				find "$file" -type f -o -type l
			else
				echo "nothing matches $file"
			fi
		done)
	done | sort
}
# Debian's patterns have its name of the folder of libraries
same "debian/*.install name each installed file once" "$files" \
	"$(cut -d ' ' -f 1 "$root"/debian/*.install | sed "s,^usr/lib/\*/,usr/$libdir/," | matching)"
same "packaging/winnow.spec names each installed file once" "$files" \
	"$(sed -n '/^%files/,/^%changelog/{/^%{_/p}' "$root/packaging/winnow.spec" |
		sed "s,%{_bindir},usr/bin,; s,%{_libdir},usr/$libdir,; s,%{_mandir},usr/share/man,
			s,%{_datadir},usr/share,; s,%{_includedir},usr/include,; s,/\$,," | matching)"

# Uninstall, with a file of another's in a folder that the installation made.
prefix=${prefix#.}
echo mine > "$top/dest$prefix/share/other"
"$root/tools/uninstall.sh" "$build" "$top/dest/no-such" > "$top/output" 2>&1
same "uninstall refuses another folder" \
	"uninstall.sh: the last 'make install' did not install below $top/dest/no-such; repeat its PREFIX and DESTDIR" \
	"$(cat "$top/output")"
"$root/tools/uninstall.sh" "$build" "$top/dest$prefix" > "$top/output" 2>&1
same "uninstall removes all but what is not Winnow's" ".$prefix/share/other" "$(cd "$top/dest" && find . ! -type d)"
same "and the folders that are empty then" ".$prefix/share" "$(cd "$top/dest" && find . -type d -links 2)"
"$root/tools/uninstall.sh" "$build" "$top/dest$prefix" > "$top/output" 2>&1
same "a second time there is nothing to uninstall" \
	"uninstall.sh: $log is missing: nothing was installed from $build" "$(cat "$top/output")"
echo "1..$number"
