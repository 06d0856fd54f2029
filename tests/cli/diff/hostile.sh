# Nothing of a hostile trace steers the terminal, and its JSON is valid
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" hostile > hostile.winnow
"$MAKE_TRACE" loop > loop.winnow
LC_ALL=C.UTF-8 winnow diff hostile.winnow loop.winnow | LC_ALL=C grep -c "[[:cntrl:]]" || true
winnow diff --json loop.winnow hostile.winnow | jq -r .schema
#= stdout
#| 0
#| winnow.diff/1
