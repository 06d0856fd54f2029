# a program that winnow cc has compiled, also with the runtime inside
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -fopenmp -c "$PROGRAMS/omp.c"
winnow cc --opari -- gcc -fopenmp -o omp omp.o
winnow doctor ./omp
library=$(gcc -print-file-name=libgomp.a)
[ "$library" = libgomp.a ] && exit 0
mkdir static
ln -s "$library" static/libgomp.a
winnow cc --opari -- gcc -fopenmp -Lstatic -o inside omp.o
winnow doctor ./inside | grep source
#= stdout glob
#| *opari2        /*/opari2: 'winnow cc' can instrument programs
#| *  links         /*libgomp.so.1*
#|   links         libwinnow-pomp2.so: compiled by 'winnow cc --opari'
#|   source        its instrumentation by OPARI2
#|
#| what cannot be seen of it
#|   for, do: *  source        its instrumentation by OPARI2
