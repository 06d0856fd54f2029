#: static-program
# a static program: says that nothing can be loaded into it
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow record ./serial
#= exit 125
#= stdout
#| serial
#= stderr
#| winnow record: nothing recorded: it is statically linked: no library can be loaded into it; link it dynamically
#: static-libgomp
# libgomp linked into the program: says so, also when it is stripped
archive=$(gcc -print-file-name=libgomp.a)
[ -f "$archive" ] || { echo "no libgomp.a"; exit 77; }
gcc -fopenmp -c "$PROGRAMS/omp.c"
gcc -o omp omp.o "$archive" -lpthread -ldl
winnow record -k ./omp
strip omp
winnow record -k ./omp
#= stdout
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: nothing recorded: libgomp is linked into the program: *
#| winnow record: nothing recorded: libgomp is linked into the program: *
#: static-libomp-tool
# a tool linked to a libomp inside the program is asked in place of the recorder: says so
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp" tool
winnow record -k ./tool
cp "$COMPILED/cli-tool_inside.c.gcc-fno-openmp-DNO_TOOL" none
winnow record -k ./none
#= stderr glob
#| winnow record: nothing recorded: libomp and an OMPT tool are linked into the program: *
#| winnow record: nothing recorded: it links libomp, but *
#: static-fortran
# gfortran -static -fopenmp dies at its end by itself, for want of a function: that end is passed on
cat > p.f90 << 'END'
program p
  integer :: s
  s = 0
!$omp parallel reduction(+:s) num_threads(2)
  s = s + 1
!$omp end parallel
  print '(i0)', s
end program
END
gfortran -fopenmp -static p.f90 -o bare 2> /dev/null || { echo "no gfortran, or no static libraries"; exit 77; }
gfortran -fopenmp -static -Wl,-u,pthread_mutex_destroy p.f90 -o whole 2> /dev/null
alone=0 recorded=0
./bare > alone.txt 2> /dev/null || alone=$?
winnow record -k ./bare > recorded.txt 2> /dev/null || recorded=$?
cmp alone.txt recorded.txt
[ $alone = $recorded ] && echo "the same end"
winnow record -k ./whole
#= stdout
#| the same end
#| 2
#= stderr glob
#| winnow record: nothing recorded: it is statically linked with libgomp: *
