#: environment
# the recorder is told an absolute path and a way back
winnow record -k -o here sh -c 'echo "$WINNOW_OUT"; test -w "$WINNOW_BACK" && echo writable' 2> /dev/null > out
test "$(cat out)" = "$PWD/here
writable"
#: installed
# an installation that was moved finds its recorder
build=$(dirname "$(command -v winnow)")
mkdir -p moved/bin moved/lib/winnow
cp "$build/winnow" moved/bin
cp "$build/libwinnow-record.so" moved/lib/winnow
moved/bin/winnow record -k sh -c 'echo "$LD_PRELOAD"' 2> /dev/null
#= stdout glob
#| /*/moved/lib/winnow/libwinnow-record.so
#: nested
# record inside record names the library once
winnow record -k -o outer winnow record -k -o inner sh -c 'echo "$LD_PRELOAD"; basename "$WINNOW_OUT"' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so
#| inner
#: path-with-blank
# a recorder that LD_PRELOAD cannot name: says so, and the program runs
build=$(dirname "$(command -v winnow)")
mkdir 'a b'
cp "$build/winnow" "$build/libwinnow-record.so" 'a b'
'a b/winnow' record -k sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr glob
#| winnow record: /*/a b/libwinnow-record.so: its path has a space or a colon in it; the program runs unrecorded
#: preload-kept
# what the user preloads stays, behind the recorder
gcc -shared -fPIC -o libmine.so "$PROGRAMS/preloaded.c"
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
export LD_PRELOAD="$PWD/libmine.so"
winnow record -k sh -c 'echo "$LD_PRELOAD"; SAY_HELLO=1 ./serial' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so:/*/libmine.so
#| preloaded
#| serial
#: preload-sanitizer
# a sanitizer's runtime that the user preloads stays first
library=$(gcc -print-file-name=libasan.so)
library=$(realpath "$library" 2> /dev/null) || { echo "no libasan"; exit 77; }
[ -f "$library" ] || { echo "no libasan"; exit 77; }
gcc -fsanitize=address -fopenmp -o omp "$PROGRAMS/omp.c"
unset ASAN_OPTIONS
# linked, and not preloaded: it would refuse to start behind the recorder
winnow record ./omp 2> /dev/null
#= stdout
#| sum 55
#: tool-disabled
# OMP_TOOL=disabled stays as the user set it, and is named as the reason
$CLANG -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
OMP_TOOL=disabled winnow record ./omp
#= exit 125
#= stdout
#| sum 55
#= stderr glob
#| winnow record: nothing recorded: OMP_TOOL=disabled is set, *
#: tools-kept
# OMP_TOOL_LIBRARIES and OMP_TOOL of the user stay
OMP_TOOL=enabled OMP_TOOL_LIBRARIES=/a/tool.so:/b/tool.so winnow record -k \
	sh -c 'echo "$OMP_TOOL_LIBRARIES $OMP_TOOL"' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so:/a/tool.so:/b/tool.so enabled
#: script-resets-preload
# a script that resets LD_PRELOAD is found out, with the line
printf '#!/bin/sh\n# LD_PRELOAD= in a remark\nLD_PRELOAD= ; export LD_PRELOAD\necho ran\n' > script
chmod +x script
winnow record ./script
#= exit 125
#= stdout
#| ran
#= stderr glob
#| winnow record: nothing recorded: line 3 of the script sets LD_PRELOAD itself, *
#: set-user-id
# a program that changes its user: says that the loader keeps the recorder out
[ "$(id -u)" -eq 0 ] || { echo "needs root"; exit 77; }
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
chown 65534 serial
chmod 4755 serial
chmod 755 .
winnow record -k ./serial > /dev/null
#= stderr glob
#| winnow record: nothing recorded: it runs with another user's rights *
#: signals-inherited
# the program inherits the signal dispositions winnow was started with
grep '^Sig[IB]' /proc/self/status > without
winnow record -k grep '^Sig[IB]' /proc/self/status > with 2> /dev/null
cmp without with
trap '' INT HUP CHLD
grep '^Sig[IB]' /proc/self/status > without
winnow record -k grep '^Sig[IB]' /proc/self/status > with 2> /dev/null
cmp without with
#: back-channel
# what recorders report through the back channel is believed for this recording only
winnow record -o here sh -c 'echo "start 12 ompt /etc/passwd" >> "$WINNOW_BACK"
echo "fail 13 28 create" >> "$WINNOW_BACK"; echo "nonsense" >> "$WINNOW_BACK"'
#= exit 125
#= stderr
#| winnow record: nothing recorded: the recorder could not start in process 13: create: No space left on device
