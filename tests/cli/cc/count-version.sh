# a clang for which there is no plug-in is named with its version
printf '#!/bin/sh\necho "Some clang version 99.1.0"\n' > clang-99
chmod +x clang-99
echo 'int main(void) { return 0; }' > empty.c
winnow cc --count --footprint -- ./clang-99 empty.c -o empty
#= exit 1
#= stderr
#| winnow cc: ./clang-99: no plug-in for --count here (clang 99); 'winnow count' counts what any program executes, as it is
