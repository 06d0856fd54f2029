# a program without OpenMP: says so, and leaves no file
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
winnow record ./serial
ls
#= stdout
#| serial
#| serial
#= stderr glob
#| winnow record: nothing recorded: no OpenMP runtime was seen: it links none (nor do its * libraries), *
