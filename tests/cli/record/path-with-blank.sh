# a recorder that LD_PRELOAD cannot name: says so, and the program runs
build=$(dirname "$(command -v winnow)")
mkdir 'a b'
cp "$build/winnow" "$build/libwinnow-record.so" 'a b'
'a b/winnow' record sh -c 'echo ran; exit 5'
#= exit 5
#= stdout
#| ran
#= stderr glob
#| winnow record: /*/a b/libwinnow-record.so: its path has a space or a colon in it; the program runs unrecorded
