# a program without OpenMP: says so, and leaves no file
gcc -o serial "$PROGRAMS/serial.c"
winnow record ./serial
ls
#= stdout
#| serial
#| serial
#= stderr glob
#| winnow record: nothing recorded: no OpenMP runtime was seen: it links none (nor do its * libraries), *
