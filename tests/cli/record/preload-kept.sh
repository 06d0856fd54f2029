# what the user preloads stays, behind the recorder
gcc -shared -fPIC -o libmine.so "$PROGRAMS/preloaded.c"
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
# for a winnow that is itself built with a sanitizer
export ASAN_OPTIONS=verify_asan_link_order=0
export LD_PRELOAD="$PWD/libmine.so"
winnow record sh -c 'echo "$LD_PRELOAD"; SAY_HELLO=1 ./serial' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so:/*/libmine.so
#| preloaded
#| serial
