#!/bin/bash
# SPDX-License-Identifier: MIT
#
# try-systems.sh [--suites SUITE,...] [--packages] WORK [RELEASE]... - the two commands on fresh minimal systems: a chroot
# made by debootstrap for each release (bookworm, trixie; sid, too), in it a clone of the last commit here, `make demo` and
# `make test`, timed. Needs root, debootstrap and a network; a run takes an hour or more for each release.
#
# WORK      a folder for the systems, WORK/RELEASE; what is there already of a release is removed first. WORK/RELEASE.tar
#           is the system before anything is installed in it: made if it is not there, and used by later runs
# --suites  these suites of tests alone: unit,cli,gate; "none" for make demo alone
# --packages  the packages of debian/ instead: built twice, in two folders and environments, and compared; lintian; the
#           packages' own tests after `apt install ./winnow_*.deb` on another fresh system, and what is left when they are removed
#           there. They are left in WORK/RELEASE.debs
# MIRROR    where packages come from; apt's settings of this machine are taken over when they are for a mirror
#
# It runs in namespaces of processes and mounts, so that nothing runs on or stays mounted when it is interrupted or killed.
#
# Prints for each release what set-up installed, what the build left out, the seconds of each command, and the last lines
# of the tests. All that the commands printed is in WORK/RELEASE.log. Status 1 if a command failed.
set -euo pipefail

usage() {
	sed -n 's/^# \{0,1\}//; 4,19p' "$0" >&2
	exit 2
}

arguments=("$@") suites=all packages=no
while true; do
	case ${1:-} in
	--suites)
		[ $# -ge 2 ] || usage
		suites=$2
		shift 2
		;;
	--packages)
		packages=yes
		shift
		;;
	*) break ;;
	esac
done
[ $# -ge 1 ] || usage
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- bookworm trixie
root=$(cd "$(dirname "$0")/.." && pwd)
# MIRROR, or where this machine's packages come from
# shellcheck disable=SC2016 # apt-get's own variable
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 2> /dev/null | sed -n 1p)}
mirror=${mirror%/}
[ -n "$mirror" ] || { echo "try-systems.sh: no source of packages is configured; set MIRROR" >&2; exit 1; }

if [ "$(id -u)" -ne 0 ]; then
	echo "try-systems.sh: needs root, to make chroots" >&2
	exit 1
fi
for tool in debootstrap chroot mount unshare setpriv; do
	command -v $tool > /dev/null || {
		echo "try-systems.sh: $tool is missing" >&2
		exit 1
	}
done

# A shell handles a signal only after the command that it waits for, here a chroot's that takes an hour: so this process only
# waits for the one that works, process 1 of its namespaces. When that ends, the kernel ends all others in them.
if [ $$ -ne 1 ]; then
	setpriv --pdeathsig KILL unshare --mount --pid --mount-proc --fork --kill-child=KILL "$0" "${arguments[@]}" &
	trap 'kill -KILL $!' INT TERM HUP
	wait $!
	exit
fi

mounted=()
# Ends what still runs in a system, and takes its mounts away.
release_system() {
	local i
	kill -KILL -1 2> /dev/null || true # all but process 1
	for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do
		umount "${mounted[i]}" || umount -l "${mounted[i]}"
	done
	mounted=()
}

mount_into() { # SYSTEM
	mount -t proc proc "$1/proc"
	mounted+=("$1/proc")
	mount -t sysfs sysfs "$1/sys"
	mounted+=("$1/sys")
	mount -t tmpfs tmpfs "$1/dev"
	mounted+=("$1/dev")
	local node
	for node in null zero full random urandom tty; do
		touch "$1/dev/$node"
		mount --bind "/dev/$node" "$1/dev/$node"
		mounted+=("$1/dev/$node")
	done
	mkdir "$1/dev/pts" "$1/dev/shm"
	mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
	mounted+=("$1/dev/pts")
	ln -s pts/ptmx "$1/dev/ptmx"
	ln -s /proc/self/fd "$1/dev/fd"
	mount -t tmpfs tmpfs "$1/dev/shm"
	mounted+=("$1/dev/shm")
}

# A command in the system, in an environment of its own: the caller's TMPDIR is no folder there.
inside() { # SYSTEM COMMAND...
	local system=$1
	shift
	chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb "$@"
}

# A system as debootstrap makes it, with lists of packages that are up to date.
make_fresh() { # RELEASE SYSTEM
	local file
	env -u TMPDIR debootstrap --variant=minbase "$1" "$2" "$mirror" || return
	cp /etc/resolv.conf /etc/hosts "$2/etc/" || return
	for file in /etc/apt/apt.conf.d/*; do
		if [[ $mirror == http* ]] && grep -qE 'Acquire::(http|https|Check)' "$file"; then
			cp "$file" "$2/etc/apt/apt.conf.d/" || return
		fi
	done
	echo "deb $mirror $1 main" > "$2/etc/apt/sources.list"
	echo force-unsafe-io > "$2/etc/dpkg/dpkg.cfg.d/unsafe-io" # the system is not kept
	[ "$1" = sid ] || printf 'deb %s main\n' "$mirror $1-updates" "${mirror%/debian}/debian-security $1-security" \
		>> "$2/etc/apt/sources.list"
}

make_system() { # RELEASE SYSTEM
	rm -rf --one-file-system "$2" || return
	if [ -e "$2.tar" ]; then
		mkdir "$2" && tar -xpf "$2.tar" -C "$2" --numeric-owner || return
	else
		make_fresh "$1" "$2" || return
		tar -cf "$2.tar.part" -C "$2" --numeric-owner . && mv "$2.tar.part" "$2.tar" || return
	fi
	inside "$2" apt-get update -q || return
	# what a clone and the two commands need themselves
	inside "$2" apt-get install -q -y --no-install-recommends make git ca-certificates || return
	# certificates of this machine's own, for npm
	if [ -d /usr/local/share/ca-certificates ]; then
		cp -r /usr/local/share/ca-certificates "$2/usr/local/share/" && inside "$2" update-ca-certificates || return
	fi
	git clone -q "$root" "$2/winnow"
}

# Runs a command in the system; prints its seconds and status.
timed() { # SYSTEM LOG COMMAND...
	local system=$1 log=$2 start=$SECONDS status=0
	shift 2
	inside "$system" sh -c "cd /winnow && $*" >> "$log" 2>&1 || status=$?
	echo "$*: $((SECONDS - start)) s, status $status"
	return "$status"
}

# Files of the packages that are left when they are removed; but not what they have recorded, and the user's calibration.
find_rest() { # SYSTEM
	local rest
	rest=$(inside "$1" find / -xdev \( -path /winnow -o -path /debs -o -path /root -o -path /tmp -o -path /proc -o -path /sys \) -prune \
		-o -name '*winnow*' -print)
	echo "left after they were removed: ${rest:-nothing}"
	[ -z "$rest" ]
}

# Two builds may differ in their folder, the clock, and what the environment says.
try_packages() { # RELEASE SYSTEM LOG
	local release=$1 system=$2 log=$3 debs=$work/$1.debs deb failed=0
	timed "$system" "$log" "apt-get install -q -y --no-install-recommends build-essential fakeroot lintian && \
		apt-get build-dep -q -y ." || return
	timed "$system" "$log" "git clone -q . /first/winnow && cd /first/winnow && umask 022 && \
		dpkg-buildpackage -us -uc -b" || return
	timed "$system" "$log" "git clone -q . /the/second/folder && cd /the/second/folder && umask 002 && \
		TZ=Pacific/Auckland LC_ALL=C.UTF-8 HOME=/tmp USER=other dpkg-buildpackage -us -uc -b" || return
	rm -rf "$debs"
	mkdir "$debs"
	cp "$system"/first/*.deb "$debs/"
	for deb in "$debs"/*.deb; do
		if cmp "$deb" "$system/the/second/${deb##*/}"; then
			echo "${deb##*/}: $(stat -c %s "$deb") bytes, twice the same"
		else
			failed=1
		fi
	done
	timed "$system" "$log" "lintian --allow-root --fail-on error,warning /first/*.changes" || failed=1
	release_system
	make_system "$release" "$system" >> "$log" 2>&1 || return
	mkdir "$system/debs"
	cp "$debs"/winnow_*.deb "$debs"/winnow-dev_*.deb "$system/debs/"
	mount_into "$system"
	timed "$system" "$log" "apt-get install -q -y --no-install-recommends /debs/winnow_*.deb" || return
	timed "$system" "$log" "apt-get install -q -y --no-install-recommends gcc libc6-dev pkg-config /debs/winnow-dev_*.deb" || return
	timed "$system" "$log" "sh debian/tests/record && sh debian/tests/mark" || failed=1
	timed "$system" "$log" "apt-get remove -q -y winnow winnow-dev" || return
	find_rest "$system" || failed=1
	return "$failed"
}

failed=0
for release; do
	system=$work/$release log=$work/$release.log
	echo "== $release"
	if ! make_system "$release" "$system" > "$log" 2>&1; then
		echo "no system; the end of $log:"
		tail -n 3 "$log"
		failed=1
		continue
	fi
	echo "$(chroot "$system" dpkg-query -W -f '.' | wc -c) packages, make and git among them"
	mount_into "$system"
	if [ $packages = yes ]; then
		try_packages "$release" "$system" "$log" || failed=1
		grep -E '^[EW]: winnow' "$log" | cut -c 1-1000 || true
		release_system
		continue
	fi
	timed "$system" "$log" make demo || failed=1
	if [ "$suites" != none ]; then
		command="make test"
		[ "$suites" = all ] || command+=" SUITE='${suites//,/ }'"
		timed "$system" "$log" "$command" || failed=1
	fi
	grep -E '^setup.sh: |left out: |warning: |^[0-9]+ (passed|skipped)' "$log" | cut -c 1-1000 || true
	release_system
done
exit "$failed"
