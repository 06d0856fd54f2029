# what the user preloads stays, behind the recorder
gcc -shared -fPIC -o libmine.so "$PROGRAMS/preloaded.c"
gcc -o serial "$PROGRAMS/serial.c"
export LD_PRELOAD="$PWD/libmine.so"
winnow record sh -c 'echo "$LD_PRELOAD"; SAY_HELLO=1 ./serial' 2> /dev/null
