# an installation that was moved finds its recorder
build=$(dirname "$(command -v winnow)")
mkdir -p moved/bin moved/lib/winnow
cp "$build/winnow" moved/bin
cp "$build/libwinnow-record.so" moved/lib/winnow
moved/bin/winnow record sh -c 'echo "$LD_PRELOAD"' 2> /dev/null
#= stdout glob
#| /*/moved/lib/winnow/libwinnow-record.so
