# a program without OpenMP: says so, and leaves no file
gcc -o serial "$PROGRAMS/serial.c"
winnow record ./serial
ls
