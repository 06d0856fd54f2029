# the version of a gcc for which there is no plug-in is found in what each system's prints
echo 'int main(void) { return 0; }' > empty.c
named() {
	printf '#!/bin/sh\necho "%s"\necho "Copyright (C) 2099 Free Software Foundation, Inc."\n' "$1" > gcc-99
	chmod +x gcc-99
	winnow cc -- ./gcc-99 -fopenmp empty.c -o empty || :
}
named "gcc-99 (Debian 12.2.0-14+deb12u1) 99.2.0"
named "gcc (GCC) 98.1.1 20990425"
named "gcc (GCC) 97.2.1 20990912 (Red Hat 97.2.1-3)"
named "gcc-96 (SUSE Linux) 96.2.1 20990206 [revision 67ac78caf31f7cb3202177e6]"
named "GNU Fortran (Ubuntu 13.3.0-6ubuntu2~24.04 (x)) 95.3.0"
#= stderr
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 99); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 98); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 97); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 96); --opari works with any compiler
#| winnow cc: ./gcc-99: no plug-in for it here (gcc 95); --opari works with any compiler
