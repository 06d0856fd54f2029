#: damaged
# a damaged ELF file is looked at without harm
cp "$COMPILED/cli-omp.c.gcc" omp
size=$(stat -c %s omp)
for cut in 0 1 16 20 63 64 65 200 1000 "$((size / 2))" "$((size - 1))"; do
	head -c "$cut" omp > cut
	chmod +x cut
	status=0
	winnow doctor ./cut > out || status=$?
	test "$status" -le 1
done
#: instrumented
# a program that winnow cc has compiled, also with the runtime inside
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -fopenmp -c "$PROGRAMS/omp.c"
winnow cc --opari -- gcc -fopenmp -o omp omp.o
winnow doctor ./omp
library=$(gcc -print-file-name=libgomp.a)
[ "$library" = libgomp.a ] && exit 0
mkdir static
ln -s "$library" static/libgomp.a
winnow cc --opari -- gcc -fopenmp -Lstatic -o inside omp.o
winnow doctor ./inside | grep source
#= stdout glob
#| *opari2        /*/opari2: 'winnow cc' can instrument programs
#| *  links         /*libgomp.so.1*
#|   links         libwinnow-pomp2.so: compiled by 'winnow cc --opari'
#|   source        its instrumentation by OPARI2
#|
#| what is not recorded of it
#|   for, do: *  source        its instrumentation by OPARI2
#: libgomp
# a gcc program: its source and what cannot be seen
cp "$COMPILED/cli-omp.c.gcc" omp
winnow doctor ./omp
#= stdout glob
#| *this program
#|   file          ./omp
#|   links         /*libgomp.so.1*
#|   source        libgomp by wrapping
#|
#| what is not recorded of it
#|   schedule(static): *
#: libomp
# a clang program: its source and what cannot be seen
$CLANG -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow doctor ./omp
#= stdout glob
#| *  source        libomp by OMPT
#|
#| what is not recorded of it
#|   schedule(static,c): *
#: missing-library
# a library that is not found is named
gcc -shared -fPIC -o libmine.so "$PROGRAMS/preloaded.c"
gcc -o serial "$PROGRAMS/serial.c" -Wl,--no-as-needed -L. -lmine
winnow doctor ./serial
#= stdout glob
#| *  warning       libmine.so is needed but not found*
#: missing-program
# doctor for a missing program is a usage error
winnow doctor ./nothing > /dev/null
#= exit 2
#= stderr
#| winnow doctor: ./nothing: no such program
#: qemu-without-plugins
# an emulator that is built without plug-ins does not count
[ "$(uname -m)" = x86_64 ] || { echo "other names"; exit 77; }
mkdir bin
printf '#!/bin/sh\necho "-cpu model"\n' > bin/qemu-x86_64
chmod +x bin/qemu-x86_64
PATH=$PWD/bin:$PATH winnow doctor | sed -n "s#$PWD/##; /^  count /p"
#= stdout
#|   count         'winnow count' follows programs in their own process; not in an emulator: bin/qemu-x86_64 is built without support for plug-ins, which counting needs; install a QEMU that has it (Debian 12's does, Debian 13's does not)
#: static
# a static program cannot be recorded
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow doctor ./serial
#= exit 1
#= stdout glob
#| *  because       it is statically linked: *
#: thirty-two-bit
# a 32-bit program cannot be recorded
# the header of an ELF file of class 32 for the 386, and nothing else
printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000\001\000\000\000' > old
head -c 28 /dev/zero >> old
chmod +x old
winnow doctor ./old
#= exit 1
#= stdout glob
#| *  because       it is a 32-bit program, *
#: tool-inside
# a libomp inside the program asks the tool that is linked to it
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp" tool
winnow doctor ./tool | grep -c "libomp and an OMPT tool are linked into the program"
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp-DNO_TOOL" none
winnow doctor ./none | grep -c "an OMPT tool" || true
#= stdout
#| 1
#| 0
#: here
# without a program doctor describes the machine
winnow doctor
ls -A
# all facts begin in one column
test -z "$(winnow doctor | grep '^  ' | grep -v '^  ............. [^ ]')"
# a compiler that is said to have a plug-in has one, for each of what it is said for
said=$(winnow doctor | sed -n "s/^  plug-ins *//p")
counting=$(echo "$said" | sed -n "s/.*--count': clang //p" | tr -d ,)
for version in $counting; do
	! command -v clang-$version > /dev/null || winnow cc --count --flags clang-$version > /dev/null
done
# and beside a recorder without any there is none
mkdir alone
cp "$(dirname "$(command -v winnow)")"/winnow "$(dirname "$(command -v winnow)")"/libwinnow-record.so alone
alone/winnow doctor | grep -q "^  plug-ins      none" || alone/winnow doctor | grep plug-ins >&2
# a kind of compiler without any is named
touch alone/winnow_gcc99.so
alone/winnow doctor | grep -q "^  plug-ins      'winnow cc': gcc 99; no clang\$" || alone/winnow doctor | grep plug-ins >&2
rm -r alone
#= stdout glob
#| this machine
#|   kernel *
#|   CPU *
#|   clock *
#|   counters *
#|   off-CPU *
#|   libc *
#|   folder *writable*
#|   recorder      /*/libwinnow-record.so, loadable
#|   calibration   none: *
#|   count         'winnow count' *
#|   plug-ins      *
#|
#| OpenMP runtimes installed here
#| *
