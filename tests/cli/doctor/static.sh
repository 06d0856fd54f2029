# a static program cannot be recorded
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow doctor ./serial
#= exit 1
#= stdout glob
#| *  because       it is statically linked: *
