# an import goes to no file whose name can be guessed, and several at once do not meet
printf 'task,parent,joins_at,work_cycles\n1,0,0,10\n2,1,0,20\n' > in.csv
echo mine > victim
ln -s "$PWD/victim" out.part
umask 077
winnow import -q in.csv -o out
cat victim
stat -c %a out
rm out.part
echo mine > in.winnow.part
winnow import -q in.csv
cat in.winnow.part
for i in 1 2 3 4 5 6 7 8; do
	winnow import -q in.csv -o together &
	pids="${pids:-} $!"
done
for pid in $pids; do
	wait "$pid" || echo failed
done
winnow check together > /dev/null
printf 'task,parent\n' > bad.csv
winnow import -q bad.csv -o none 2> /dev/null || true
ls -A
#= stdout
#| mine
#| 600
#| mine
#| bad.csv
#| in.csv
#| in.winnow
#| in.winnow.part
#| out
#| together
#| victim
