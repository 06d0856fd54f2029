# cc alone does not know how to instrument
winnow cc -- gcc -fopenmp x.c
