# a process that becomes another program: the last one has the exit status
cp "$COMPILED/cli-ends.c.gcc" ends
cp "$COMPILED/cli-binary.c.gcc" binary
winnow record -o one sh -c 'exec ./ends _exit' 2> /dev/null || echo "$?"
winnow dump one | grep '^wait-status'
winnow record -o two ./ends exec ./binary > /dev/null 2>&1 || echo "$?"
for trace in two two.*; do
	winnow dump "$trace" | grep -e '^argv' -e '^wait-status'
done
#= stdout
#| 4
#| wait-status 1024
#| 3
#| argv ./ends exec ./binary
#| wait-status 768
#| argv ./binary
