# --group reports on what is inside one group
"$MAKE_TRACE" tasks > tasks.winnow
id=$(winnow tree tasks.winnow --depth 2 --json | sed -n "s/^      \"id\": \"\(.*F0\)\",/\1/p" | tail -n 1)
winnow report tasks.winnow --group "$id"
