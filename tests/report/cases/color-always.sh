# --color=always colours a pipe too, and auto does not
"$MAKE_TRACE" loop > loop.winnow
winnow report --color=always loop.winnow | grep -c "$(printf "\\033")" > always || true
winnow report loop.winnow | grep -c "$(printf "\\033")" > auto || true
test "$(cat always)" -gt 5
cat auto
#= stdout
#| 0
