# a static program is not started where --source asks for what it cannot give
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow record --source pomp2 ./serial
#= exit 2
#= stderr
#| winnow record: ./serial: cannot be recorded by pomp2: it is statically linked: no library can be loaded into it; link it dynamically
