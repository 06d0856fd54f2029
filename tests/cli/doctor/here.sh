# without a program doctor describes the machine
winnow doctor
ls -A
# all facts begin in one column
test -z "$(winnow doctor | grep '^  ' | grep -v '^  ............. [^ ]')"
# a compiler that is said to have a plug-in has one, for each of what it is said for
said=$(winnow doctor | sed -n "s/^  plug-ins *//p")
counting=$(echo "$said" | sed -n "s/.*--count': clang //p" | tr -d ,)
for version in $counting; do
	! command -v clang-$version > /dev/null || winnow cc --count --flags clang-$version > /dev/null
done
# and beside a recorder without any there is none
mkdir alone
cp "$(dirname "$(command -v winnow)")"/winnow "$(dirname "$(command -v winnow)")"/libwinnow-record.so alone
alone/winnow doctor | grep -q "^  plug-ins      none" || alone/winnow doctor | grep plug-ins >&2
# a kind of compiler without any is named
touch alone/winnow_gcc99.so
alone/winnow doctor | grep -q "^  plug-ins      'winnow cc': gcc 99; no clang\$" || alone/winnow doctor | grep plug-ins >&2
rm -r alone
#= stdout glob
#| this machine
#|   kernel *
#|   CPU *
#|   clock *
#|   counters *
#|   off-CPU *
#|   libc *
#|   folder *writable*
#|   recorder      /*/libwinnow-record.so, loadable
#|   calibration   none: *
#|   count         'winnow count' *
#|   plug-ins      *
#|
#| OpenMP runtimes installed here
#| *
