#!/bin/bash
# SPDX-License-Identifier: MIT
#
# try-processors.sh DIR [STEP...] - builds Winnow for other processors and tries it under QEMU's user mode, in DIR. Each
# step prints lines "PROCESSOR, STEP: RESULT"; the status is 1 if one failed. Steps (without any: first light of all):
#
#     aarch64 riscv64 ppc64le    first light: cross build; a program of gcc on libgomp and, on AArch64, one of clang 19 on
#                                libomp 19, recorded; the recording checked and reported by that processor's command where
#                                it is built, and by this machine's
#     conformance random crash   these tests of AArch64; programs compiled by gcc 12, clang 14, 19 and 22
#     mpi                        a program with MPI and OpenMP, on AArch64's MPICH: its calls of MPI are recorded
#     tls                        the recorder opened late, with static thread-local storage, on AArch64
#     native                     a build by AArch64's own gcc, which QEMU runs
#
# It needs the cross compilers (gcc-aarch64-linux-gnu and the like), tools/setup.sh test, and a network for apt-get download.
# Nothing is installed: packages of the other processors are unpacked below DIR. QEMU runs programs through binfmt_misc of
# a user namespace of its own (Linux 6.7 and later), so the machine's settings stay as they are.
set -u

here=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -eq 0 ]; then
	echo "usage: try-processors.sh DIR [STEP...]" >&2
	exit 2
fi
mkdir -p "$1"
dir=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- aarch64 riscv64 ppc64le
build=${WN_BUILD:-$here/build} # of this machine
jobs=${WN_JOBS:-$(nproc)}
clang_versions='14 19 22' libomp_versions='14 16 19'
n_failed=0

# libraries of the command and of the programs; compilers come from this machine
libraries='libc6-dev libgomp1 libstdc++6 libelf-dev libdw-dev libxxhash-dev libjansson-dev libexpat1-dev zlib1g-dev
	libdeflate-dev libpfm4-dev linux-libc-dev'
# shellcheck disable=SC2034 # used by name
more_aarch64='libgcc-12-dev libstdc++-12-dev libgfortran5 libzydis-dev libpython3-stdlib python3-minimal libffi8'

debian_of() {
	case $1 in aarch64) echo arm64 ;; ppc64le) echo ppc64el ;; *) echo "$1" ;; esac
}

triplet_of() {
	case $1 in ppc64le) echo powerpc64le-linux-gnu ;; *) echo "$1-linux-gnu" ;; esac
}

say() { # PROCESSOR, STEP: RESULT [a failure]
	echo "$1, $2: $3"
	[ $# -lt 4 ] || n_failed=$((n_failed + 1))
}

# step PROCESSOR NAME COMMAND...: what it prints goes to a log
step() {
	local processor=$1 name=$2 log=$dir/$1/log.$2
	shift 2
	if "$@" > "$log" 2>&1; then
		say "$processor" "$name" ok
	else
		say "$processor" "$name" "failed: $log" failed
		return 1
	fi
}

# apt for another processor, without root and without a trace on this machine: packages of the release that runs here
foreign_apt() { # PROCESSOR COMMAND...
	local state=$dir/$1/apt debian uri codename
	debian=$(debian_of "$1")
	shift
	if [ ! -e "$state/apt.conf" ]; then
		# shellcheck disable=SC2016
		IFS='|' read -r uri codename < <(apt-get indextargets --format '$(REPO_URI)|$(CODENAME)' \
			'Created-By: Packages' 'Component: main' 'Origin: Debian' | head -n 1)
		mkdir -p "$state/lists/partial" "$state/archives/partial"
		: > "$state/status"
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $codename main" > "$state/sources.list"
		cat > "$state/apt.conf" <<- END
			APT::Architecture "$debian"; APT::Architectures {"$debian";}; APT::Sandbox::User ""; APT::Install-Recommends "false";
			Dir::State "$state"; Dir::State::status "$state/status"; Dir::Cache "$state"; Dir::Etc::SourceList "$state/sources.list";
			Dir::Etc::SourceParts "/dev/null"; Dir::Etc::Main "/dev/null"; Dir::Etc::Parts "/dev/null";
		END
	fi
	APT_CONFIG=$state/apt.conf "$@"
}

# Links with absolute targets, which the cross linker would follow on this machine
relative_links() { # ROOT
	find "$1" -type l -lname '/*' | while read -r link; do
		target=$1$(readlink "$link")
		[ ! -e "$target" ] || ln -sfnr "$target" "$link"
	done
}

unpack_root() { # PROCESSOR
	local processor=$1 root=$dir/$1/root more=more_$1 version
	[ ! -e "$root/complete" ] || return 0
	foreign_apt "$processor" apt-get -q update || return
	# shellcheck disable=SC2086
	foreign_apt "$processor" apt-get -q -y -d install $libraries ${!more-} || return
	mkdir -p "$root"
	for package in "$dir/$processor/apt/archives"/*.deb; do
		dpkg -x "$package" "$root" || return
	done
	relative_links "$root"
	if [ "$processor" = aarch64 ]; then
		for version in $libomp_versions; do
			(cd "$dir/$processor/apt" && foreign_apt "$processor" apt-get -q download "libomp5-$version") || return
			dpkg -x "$dir/$processor/apt"/"libomp5-$version"_*.deb "$dir/$processor/libomp-$version" || return
		done
	fi
	touch "$root/complete"
}

# Where its release has no such processor: the C library and libgomp of the cross compiler's packages
root_of() { # PROCESSOR
	if [ -e "$dir/$1/root/complete" ]; then echo "$dir/$1/root"; else echo "/usr/$(triplet_of "$1")"; fi
}

unpack_qemu() {
	[ ! -e "$dir/qemu/complete" ] || return 0
	mkdir -p "$dir/qemu"
	(cd "$dir/qemu" && apt-get -q -o APT::Sandbox::User= download qemu-user-static && dpkg -x ./*.deb . && touch complete)
}

# Compilers under the names by which tests call them
make_compilers() { # PROCESSOR
	local bin=$dir/$1/bin root triplet name version own=''
	root=$(root_of "$1")
	[ "$root" != "$dir/$1/root" ] || own=--sysroot=$root # the cross compiler's own is known to it
	triplet=$(triplet_of "$1")
	mkdir -p "$bin"
	for name in gcc g++ gfortran; do
		! command -v "$triplet-$name" > /dev/null ||
			printf '#!/bin/sh\nexec %s-%s %s "$@"\n' "$triplet" $name "$own" > "$bin/$name"
	done
	for version in $clang_versions; do
		for name in clang-$version clang++-$version; do
			! command -v "$name" > /dev/null || printf '#!/bin/sh\nexec %s --target=%s --sysroot=%s "$@"\n' \
				"$(command -v "$name")" "$triplet" "$root" > "$bin/$name"
		done
	done
	chmod +x "$bin"/*
	[ ! -e "$root/usr/bin/python3.11" ] || ln -sfn "$root/usr/bin/python3.11" "$bin/python3"
}

# in_namespace PROCESSOR COMMAND...: with that processor's programs run by QEMU
in_namespace() {
	local processor=$1 machine
	case $1 in aarch64) machine='\xb7' ;; riscv64) machine='\xf3' ;; ppc64le) machine='\x15' ;; esac
	shift
	# shellcheck disable=SC2016
	MACHINE=$machine QEMU=$dir/qemu/usr/bin/qemu-$processor-static QEMU_LD_PREFIX=$(root_of "$processor") \
		PATH=$dir/$processor/bin:$PATH unshare --user --map-root-user --mount bash -c '
		set -e
		mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
		head="\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\$MACHINE\\x00"
		mask="\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff"
		printf "%s" ":winnow:M::${head//\\\\/\\}:${mask//\\\\/\\}:$QEMU:OCPF" > /proc/sys/fs/binfmt_misc/register
		unset MACHINE QEMU
		"$@"' in_namespace "$@"
}

cross_build() { # PROCESSOR
	local processor=$1 at=$dir/$1 root triplet version targets=()
	root=$(root_of "$processor")
	triplet=$(triplet_of "$processor")
	mkdir -p "$at/include"
	cp /usr/include/xxhash.h "$at/include/" # the same for all processors
	if [ "$root" = "$at/root" ]; then
		cat > "$at/root.ini" <<- END
			[binaries]
			exe_wrapper = ['$dir/qemu/usr/bin/qemu-$processor-static', '-L', '$root']
			[properties]
			sys_root = '$root'
			pkg_config_libdir = ['$root/usr/lib/$triplet/pkgconfig', '$root/usr/share/pkgconfig']
			[built-in options]
			c_args = ['--sysroot=$root']
			c_link_args = ['--sysroot=$root']
			cpp_args = ['--sysroot=$root']
			cpp_link_args = ['--sysroot=$root']
		END
		targets=(winnow libwinnow-record.so libwinnow-mpi.so libwinnow-ompt.so libwinnow-pomp2.so)
		set -- -Danalysis=enabled
	else
		printf "[built-in options]\nc_args = ['-isystem', '%s']\n" "$at/include" > "$at/root.ini"
		set -- -Danalysis=disabled
	fi
	[ -e "$at/build/build.ninja" ] || meson setup "$@" -Dplugins=disabled --cross-file "$here/tools/cross/$processor.ini" \
		--cross-file "$at/root.ini" "$at/build" "$here" || return
	ninja -C "$at/build" "${targets[@]}" || return
	for version in $libomp_versions; do
		[ ! -e "$at/libomp-$version" ] || { mkdir -p "$at/build/runtimes/$version" &&
			cp "$at/libomp-$version/usr/lib/llvm-$version/lib/libomp.so.5" "$at/build/runtimes/$version/"; } || return
	done
}

first_program() {
	cat <<- 'END'
		#include <stdio.h>
		static int fib(int n)
		{
			int a, b;
			if (n < 2)
				return n;
		#pragma omp task shared(a)
			a = fib(n - 1);
		#pragma omp task shared(b)
			b = fib(n - 2);
		#pragma omp taskwait
			return a + b;
		}
		int main(void)
		{
			int result;
			double sum = 0;
		#pragma omp parallel
		#pragma omp single
			result = fib(12);
		#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
			for (int i = 0; i < 100; i++)
				sum += i;
			printf("%d %g\n", result, sum);
			return 0;
		}
	END
}

# Records a program and compares what is known of it: 464 tasks, 34 chunks.
first_light() { # PROCESSOR COMPILER [LIBOMP]
	local processor=$1 at=$dir/$1 flags=-fopenmp runtime=''
	local program=$dir/$1/first.$2 trace=$dir/$1/first.$2.winnow
	first_program > "$at/first.c"
	if [ $# -gt 2 ]; then
		runtime=$at/build/runtimes/$3
		ln -sf "$runtime/libomp.so.5" "$runtime/libomp.so"
		flags="-fopenmp=libomp -L$runtime"
	fi
	# shellcheck disable=SC2086
	"$at/bin/$2" -O1 -g $flags "$at/first.c" -o "$program" || return
	rm -f "$trace"
	if [ -e "$at/build/winnow" ]; then
		OMP_NUM_THREADS=2 LD_LIBRARY_PATH=$runtime in_namespace "$processor" \
			"$at/build/winnow" record -o "$trace" "$program" > "$at/first.out" || return
		in_namespace "$processor" "$at/build/winnow" check "$trace" || return
	else
		OMP_NUM_THREADS=2 "$dir/qemu/usr/bin/qemu-$processor-static" -L "$(root_of "$processor")" \
			-E "LD_PRELOAD=$at/build/libwinnow-record.so" -E "WINNOW_OUT=$trace" "$program" > "$at/first.out" || return
	fi
	[ "$(cat "$at/first.out")" = "144 4950" ] || return
	"$build/winnow" check "$trace" || return
	if [ -e "$at/build/winnow" ]; then # the page's file is the same, whatever processor writes it
		in_namespace "$processor" "$at/build/winnow" view --budget none -o "$at/there.grains" "$trace" &&
			"$build/winnow" view --budget none -o "$at/here.grains" "$trace" && cmp "$at/there.grains" "$at/here.grains" || return
	fi
	"$build/winnow" report --json "$trace" | jq -e '.recording.complete and .graph.explicit_tasks == 464 and
		.graph.chunks == 34 and any(.sites[]; .function == "fib")'
}

prepare() { # PROCESSOR
	mkdir -p "$dir/$1"
	if ! command -v "$(triplet_of "$1")-gcc" > /dev/null; then
		say "$1" build "skipped: $(triplet_of "$1")-gcc is not installed"
		return 1
	fi
	step "$1" qemu unpack_qemu || return
	unpack_root "$1" > "$dir/$1/log.root" 2>&1 || say "$1" root 'no packages of this release: only what records is built'
	make_compilers "$1"
	step "$1" build cross_build "$1" || return
	in_namespace "$1" true 2> "$dir/$1/log.namespace" && return
	say "$1" namespace "skipped: no binfmt_misc in user namespaces here: $dir/$1/log.namespace"
	return 1
}

light() { # PROCESSOR
	prepare "$1" || return
	step "$1" libgomp first_light "$1" gcc
	[ "$1" != aarch64 ] || step "$1" libomp first_light "$1" clang-19 19
}

# Programs of a set, and what they are compared with
compile_set() { # SET...
	local at=$dir/aarch64/build set targets=()
	for set; do
		mapfile -t -O ${#targets[@]} targets < <(ninja -C "$at" -t targets all |
			sed -n "s,^\(tests/programs/$set-[^ :]*\): .*,\1,p" | grep -v '\.so$')
	done
	in_namespace aarch64 ninja -C "$at" "${targets[@]}"
}

tested() { # NAME SCRIPT ARGUMENT...: of TAP, the number of good and bad lines
	local name=$1 script=$here/tests/$2 tap=$dir/aarch64/$1.tap good bad
	shift 2
	mkdir -p "$dir/tmp"
	WN_JOBS=$jobs WN_RANDOM_JOBS=$jobs WN_RANDOM_TOOLS=$build/tests/random TMPDIR=$dir/tmp \
		in_namespace aarch64 "$script" "$@" > "$tap" 2>&1
	good=$(grep -c '^ok ' "$tap") bad=$(grep -c '^not ok ' "$tap")
	if [ "$bad" -eq 0 ] && [ "$good" -gt 0 ] && grep -q "^1\.\." "$tap"; then
		say aarch64 "$name" "$good ok"
	else
		say aarch64 "$name" "$good ok, $bad failed: $tap" failed
	fi
}

# The recorder opened late, by Python, after three libraries that need 800 bytes of static thread-local storage each
late_tls() {
	local at=$dir/aarch64 i
	for i in 1 2 3; do
		echo '__thread char block[800] __attribute__((tls_model("initial-exec"))); char *where(void) { return block; }' |
			"$at/bin/gcc" -x c -fPIC -shared - -o "$at/libtls$i.so" || return
	done
	in_namespace aarch64 "$at/bin/python3" - "$at"/libtls[123].so "$at/build/runtimes/19/libomp.so.5" \
		"$(root_of aarch64)/usr/lib/aarch64-linux-gnu/libgomp.so.1" "$at/build/libwinnow-record.so" <<- 'END'
		import ctypes, sys
		opened = [ctypes.CDLL(name, ctypes.RTLD_GLOBAL) for name in sys.argv[1:]]
		print(len(opened), "opened")
	END
}

# Alone, without a launcher.
mpi_light() {
	local at=$dir/aarch64 root=$dir/aarch64/root package
	local mpi=$root/usr/lib/aarch64-linux-gnu
	foreign_apt aarch64 apt-get -q -y -d install libmpich-dev || return
	for package in "$at/apt/archives"/*.deb; do
		dpkg -x "$package" "$root" || return
	done
	relative_links "$root"
	cat > "$at/mpi.c" <<- 'END'
		#include <mpi.h>
		#include <stdio.h>
		int main(int argc, char **argv)
		{
			int sum = 0, all = 0;
			MPI_Init(&argc, &argv);
			for (int i = 0; i < 3; i++)
				MPI_Barrier(MPI_COMM_WORLD);
		#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 5)
			for (int i = 0; i < 100; i++)
				sum += i;
			MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
			printf("%d\n", all);
			return MPI_Finalize();
		}
	END
	"$at/bin/gcc" -O1 -g -fopenmp "-I$mpi/mpich/include" "-I$root/usr/include/aarch64-linux-gnu/mpich" "$at/mpi.c" \
		-o "$at/mpi" "-L$mpi" -lmpich "-Wl,-rpath-link,$mpi" || return
	rm -f "$at/mpi.winnow"
	[ "$(OMP_NUM_THREADS=2 in_namespace aarch64 "$at/build/winnow" record -o "$at/mpi.winnow" "$at/mpi")" = 4950 ] || return
	in_namespace aarch64 "$at/build/winnow" report --json "$at/mpi.winnow" |
		jq -e 'def calls(name): [.mpi.calls[] | select(.name == name) | .calls] | add;
			calls("MPI_Barrier") == 3 and calls("MPI_Allreduce") == 1 and .graph.chunks == 20 and .recording.complete'
}

native_build() {
	local root=$dir/aarch64/root
	foreign_apt aarch64 apt-get -q -y -d install gcc-12 binutils libc6-dev || return
	for package in "$dir/aarch64/apt/archives"/*.deb; do
		dpkg -x "$package" "$root" || return
	done
	relative_links "$root"
	mkdir -p "$dir/aarch64/native"
	ln -sfn gcc-12 "$root/usr/bin/gcc"
	ln -sfn gcc-12 "$root/usr/bin/cc" # else it is this machine's
	# the recorder alone: under an emulator a compiler takes long
	in_namespace aarch64 env "PATH=$root/usr/bin:$PATH" meson setup -Danalysis=disabled -Dplugins=disabled \
		"-Dc_args=-isystem $dir/aarch64/include" "$dir/aarch64/native/build" "$here" || return
	in_namespace aarch64 env "PATH=$root/usr/bin:$PATH" ninja -C "$dir/aarch64/native/build"
}

# Other steps than first light, which prepares by itself
ready() {
	[ -e "$dir/aarch64/ready" ] || { prepare aarch64 && touch "$dir/aarch64/ready"; }
}

for what; do
	case $what in
	aarch64 | riscv64 | ppc64le) light "$what" ;;
	conformance)
		ready && step aarch64 programs compile_set conformance && tested conformance conformance/run.sh "$dir/aarch64/build" "$dir/conformance"
		;;
	random)
		ready && WN_RANDOM_CLOCK=coarse WN_RANDOM_KINDS='gcc:0 clang-14:14 gfortran:0 clang-19:19 g++:0 clang-22:19 clang-14:16' \
			tested random random/run.sh "$dir/aarch64/build" "${WN_PROGRAMS:-42}" "${WN_SEED:-5000}"
		;;
	crash)
		if ready && step aarch64 programs compile_set crash host library &&
			step aarch64 look in_namespace aarch64 ninja -C "$dir/aarch64/build" tests/crash/crash-look; then
			tested crash-kill crash/kill.sh "$dir/aarch64/build" 3
			for name in ways disk file hosts; do
				tested "crash-$name" "crash/$name.sh" "$dir/aarch64/build"
			done
		fi
		;;
	mpi) ready && step aarch64 mpi mpi_light ;;
	tls) ready && step aarch64 tls late_tls ;;
	native) ready && step aarch64 native native_build ;;
	*)
		echo "try-processors.sh: no step '$what'" >&2
		exit 2
		;;
	esac
done
[ $n_failed -eq 0 ]
