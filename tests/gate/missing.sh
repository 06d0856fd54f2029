#!/bin/bash
# SPDX-License-Identifier: MIT
#
# missing.sh ROOT - what set-up, tools/configure.sh and the build say where something is missing: one line for each, with
# its package. Nothing is installed: apt-get is one of this test. And that tools/try-systems.sh, which tries this on fresh
# systems, leaves nothing running when it is killed. Prints TAP.
set -u

if [ $# -ne 1 ]; then
	echo "usage: missing.sh ROOT" >&2
	exit 2
fi
root=$(realpath "$1")
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-missing.XXXXXX")
trap 'rm -rf "$work"' EXIT
meson=$(command -v "${MESON:-meson}")
unset CC CXX MESON PKG_CONFIG_PATH PKG_CONFIG_LIBDIR
n=0

result() { # sentence, what speaks against it
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		printf 'not ok %s - %s\n%s\n' "$n" "$1" "${2//$'\n'/$'\n'# }" | sed '2s/^/# /'
	fi
}

# Prints each LINE that is not in FILE exactly once.
expect_once() { # FILE LINE...
	local file=$1 line count
	shift
	for line; do
		count=$(grep -cxF -- "$line" "$file")
		[ "$count" -eq 1 ] || echo "$count times: $line"
	done
}

# A folder with the commands that the scripts themselves call, and no other.
bare=$work/bare
mkdir "$bare"
for command in awk bash cat cut dirname env gcc grep head id paste sed sh sort tail tr; do
	file=$(command -v $command) && ln -s "$file" "$bare/$command"
done
# a compiler that does not see one header
cat > "$bare/blind-gcc" << 'EOF'
#!/bin/sh
text=$(cat)
case $text in *libelf.h*) exit 1 ;; esac
echo "$text" | exec gcc "$@"
EOF
chmod +x "$bare/blind-gcc"

set_up() { # NAME FOLDERS PART...
	local name=$1 folders=$2
	shift 2
	env PATH="$folders" CC=blind-gcc bash "$root/tools/setup.sh" "$@" > "$work/$name.out" 2> "$work/$name.err"
	echo $? > "$work/$name.status"
}

# --- systems without apt-get ---
# Where /usr/sbin and /usr/bin are one folder, set-up finds what this hides.
if PATH=$bare:/usr/sbin:/sbin command -v apt-get dnf zypper pacman ninja pkg-config opari2 > /dev/null; then
	n=$((n + 1))
	echo "ok $n - set-up where it cannot install # SKIP commands are in /usr/sbin"
else
	set_up plain "$bare" build
	result "set-up names the command and the header that are missing, each in one line, with its package" \
		"$(expect_once "$work/plain.err" \
			'setup.sh: ninja is missing: package ninja-build' \
			'setup.sh: pkg-config is missing: package pkg-config' \
			'setup.sh: libelf.h is missing: package libelf-dev')"
	result "no line is of another kind, and the last one names all packages" "$(
		grep -vxE 'setup.sh: [^ ]+ is missing: package [^ ]+' "$work/plain.err" | sed '$d'
		tail -n 1 "$work/plain.err" | grep -qE '^setup.sh: to install them: names on Debian: .*libelf-dev.* ninja-build ' ||
			tail -n 1 "$work/plain.err"
	)"
	result "it prints nothing else" "$(cat "$work/plain.out")"

	printf '#!/bin/sh\necho called >> %s\n' "$work/dnf.calls" > "$bare/dnf"
	chmod +x "$bare/dnf"
	set_up dnf "$bare" bench
	rm "$bare/dnf"
	result "with dnf, it names the packages of that system, what is not packaged there, and calls nothing" "$(
		expect_once "$work/dnf.err" \
			'setup.sh: libelf.h is missing: package elfutils-libelf-devel' \
			'setup.sh: opari2 is missing, and not packaged here: tests that need it are skipped'
		tail -n 1 "$work/dnf.err" | grep -qE '^setup.sh: to install them: dnf install .*elfutils-libelf-devel ' ||
			tail -n 1 "$work/dnf.err"
		[ ! -e "$work/dnf.calls" ] || echo "dnf was called"
	)"
fi

# --- with apt-get ---
# A system that has packages of everything but opari2, several clangs, and installs nothing.
debian=$work/debian
mkdir "$debian"
cat > "$debian/apt-get" << EOF
#!/bin/sh
echo "\$*" >> "$work/apt.calls"
EOF
cat > "$debian/apt-cache" << 'EOF'
#!/bin/sh
case "$1 $2" in
'pkgnames clang-') printf 'clang-%s\n' 13 15 tools-19 16 18 19 ;;
'pkgnames '*) echo "$2" ;;
'policy opari2') printf 'opari2:\n  Candidate: (none)\n' ;;
'policy '*) printf '%s:\n  Candidate: 1.0\n' "$2" ;;
esac
EOF
printf '#!/bin/sh\nexit 1\n' > "$debian/dpkg-query"
printf '#!/bin/sh\nexec "$@"\n' > "$debian/sudo"
chmod +x "$debian"/*
set_up apt "$debian:$bare" bench
installed=$(sed -n 's/^install //p' "$work/apt.calls")
result "with apt-get, one line says what is installed before it is, and that is what is installed" "$(
	said=$(sed -n 's/^setup.sh: installing with apt-get: //p' "$work/apt.err")
	[ -n "$said" ] && [ "$installed" = "-q -y --no-install-recommends $said" ] || printf '%s\n' "said: $said" "done: $installed"
)"
result "of several clangs the oldest from 14 on and the two newest" "$(
	for name in libelf-dev ninja-build clang-15 clang-18 clang-19; do
		[[ " $installed " == *" $name "* ]] || echo "$name is not installed"
	done
	for name in clang-13 clang-16 clang-tools-19 opari2; do
		[[ " $installed " != *" $name "* ]] || echo "$name is installed"
	done
)"
result "what is not packaged is named" \
	"$(expect_once "$work/apt.err" 'setup.sh: not packaged here: opari2; tests that need them are skipped')"
result "set-up ends well" "$(cat "$work"/*.status | grep -vx 0)"

# --- the build ---
status=0
env PATH="$bare" MESON=no-such-meson bash "$root/tools/configure.sh" "$work/build" > "$work/configure.out" 2> "$work/configure.err" ||
	status=$?
result "without Meson, Ninja, pkg-config and a compiler, each is named before the build is configured" "$(
	printf 'configure.sh: %s is missing\n' no-such-meson ninja pkg-config cc > "$work/wanted"
	echo 'configure.sh: tools/setup.sh build installs what is missing, or names its packages' >> "$work/wanted"
	diff "$work/wanted" "$work/configure.err"
	[ "$status" -eq 1 ] || echo "status $status"
)"

if [ -z "$meson" ] || ! command -v pkg-config > /dev/null; then
	n=$((n + 1))
	echo "ok $n - the build names the library that is missing # SKIP no meson or pkg-config"
	n=$((n + 1))
	echo "ok $n - what only records is built without these libraries # SKIP no meson or pkg-config"
else
	mkdir "$work/libraries"
	pkg-config --variable pc_path pkg-config | tr : '\n' | while read -r folder; do
		for file in "$folder"/*.pc; do
			[ "${file##*/}" = jansson.pc ] || [ ! -e "$file" ] || ln -s "$file" "$work/libraries/" 2> /dev/null
		done
	done
	PKG_CONFIG_LIBDIR=$work/libraries "$meson" setup "$work/build" "$root" > "$work/meson.out" 2>&1
	result "the build names the library that is missing, and no other, with its packages" "$(
		grep -o 'WARNING: missing: .*' "$work/meson.out" | diff <(echo 'WARNING: missing: jansson: no jansson.h (libjansson-dev, jansson-devel)') -
		grep -q 'ERROR: .*install what is missing: tools/setup.sh build does' "$work/meson.out" || tail -n 3 "$work/meson.out"
	)"
	PKG_CONFIG_LIBDIR=$work "$meson" setup -Danalysis=disabled -Dplugins=disabled "$work/recorder" "$root" > "$work/meson.out" 2>&1
	result "what only records is built without these libraries" "$(
		[ -e "$work/recorder/build.ninja" ] || tail -n 3 "$work/meson.out")"
fi

# --- fresh systems ---
# With a debootstrap that starts a process which leaves its session, and then waits.
is_running() { # PROCESS
	[ -e "/proc/$1/stat" ] && ! grep -q ') [ZX] ' "/proc/$1/stat"
}
end_early() { # SIGNAL; what is left then
	local i script sleeper
	rm -f "$work/sleeper"
	PATH=$fresh:$PATH MIRROR=file:/nowhere "$root/tools/try-systems.sh" "$work/systems" bookworm > "$work/systems.out" 2>&1 &
	script=$!
	for ((i = 0; i < 600; i++)); do
		[ ! -s "$work/sleeper" ] || break
		sleep 0.1
	done
	[ -s "$work/sleeper" ] || { echo "nothing was started"; cat "$work/systems.out"; }
	# its number in the namespace of this test
	sleeper=$(grep -lxz "[w]innow-$$" /proc/[0-9]*/cmdline 2> /dev/null | sed 's/[^0-9]//g')
	[ -n "$sleeper" ] || echo "no process is found"
	kill "-$1" "$script"
	wait "$script" 2> /dev/null
	for ((i = 0; i < 600; i++)); do
		is_running "$sleeper" || return
		sleep 0.1
	done
	echo "process $sleeper runs"
	kill -KILL "$sleeper"
}
if [ "$(id -u)" -ne 0 ] || ! unshare --mount --pid --mount-proc --fork true 2> /dev/null || ! command -v setpriv > /dev/null; then
	n=$((n + 1))
	echo "ok $n - try-systems.sh ends all that it started # SKIP no namespaces of processes here"
else
	fresh=$work/fresh
	mkdir "$fresh"
	cat > "$fresh/debootstrap" <<- EOF
		#!/bin/bash
		setsid bash -c 'echo started > "$work/sleeper"; sleep 3600; :' winnow-$$ &
		wait
	EOF
	chmod +x "$fresh/debootstrap"
	for signal in TERM KILL; do
		result "try-systems.sh ends all that it started on SIG$signal" "$(end_early $signal 2> /dev/null)"
	done
fi
echo "1..$n"
