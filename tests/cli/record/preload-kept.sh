# what the user preloads stays, behind the recorder
gcc -shared -fPIC -o libmine.so "$PROGRAMS/preloaded.c"
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
export LD_PRELOAD="$PWD/libmine.so"
winnow record sh -c 'echo "$LD_PRELOAD"; SAY_HELLO=1 ./serial' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so:/*/libmine.so
#| preloaded
#| serial
