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
winnow record ./bare > recorded.txt 2> /dev/null || recorded=$?
cmp alone.txt recorded.txt
[ $alone = $recorded ] && echo "the same end"
winnow record ./whole
#= stdout
#| the same end
#| 2
#= stderr glob
#| winnow record: nothing recorded: it is statically linked with libgomp: *
