# a library that is not found is named
gcc -shared -fPIC -o libmine.so "$PROGRAMS/preloaded.c"
gcc -o serial "$PROGRAMS/serial.c" -Wl,--no-as-needed -L. -lmine
winnow doctor ./serial
#= stdout glob
#| *  warning       libmine.so is needed and not found*
