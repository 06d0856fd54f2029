# Nothing of a hostile trace steers the terminal, and its JSON is valid
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" hostile > hostile.winnow
LC_ALL=C.UTF-8 winnow report hostile.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow dump hostile.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow report --json hostile.winnow | jq -r ".program.command | length"
#= stdout
#| 0
#| 0
#| 4
