# a source that nothing is shown to: the program runs, and the line at the end says so
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
winnow record --source ompt ./serial
#= stdout
#| serial
#= stderr
#| winnow record: nothing recorded: no process reported anything by ompt, which --source asks for
