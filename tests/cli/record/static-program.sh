# a static program: says that nothing can be loaded into it
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow record ./serial
#= stdout
#| serial
#= stderr
#| winnow record: nothing recorded: it is statically linked: no library can be loaded into it; link it dynamically
