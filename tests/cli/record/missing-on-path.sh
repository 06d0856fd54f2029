# a program that is not on the PATH is a usage error
winnow record winnow-has-no-such-program
