# record inside record names the library once
winnow record -o outer winnow record -o inner sh -c 'echo "$LD_PRELOAD"; basename "$WINNOW_OUT"' 2> /dev/null
#= stdout glob
#| /*/libwinnow-record.so
#| inner
