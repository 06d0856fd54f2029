# only the process that was launched has its exit status and run time
cp "$COMPILED/cli-ends.c.gcc" ends
status=0
winnow record -o t sh -c './ends _exit; ./ends; sleep 0.3; exit 3' 2> /dev/null || status=$?
echo "$status"
for trace in t t.*; do
	winnow dump "$trace" | grep -c -e '^wait-status' -e '^wall' || true
	winnow report "$trace" | tr -s '\n ' ' ' | grep -o 'exit status and run time are not known'
	winnow report --json "$trace" | grep -c -e '"exit_status": null' -e '"wall_ns": null'
done
#= stdout
#| 3
#| 0
#| exit status and run time are not known
#| 2
#| 0
#| exit status and run time are not known
#| 2
