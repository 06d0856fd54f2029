# --no-command leaves the arguments out of the trace, whoever started the program
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record --no-command -o t sh -c './omp --password=geheim; ./omp "
geheim"; :' > /dev/null 2>&1
winnow run --no-command -o r ./omp --password=geheim > out 2>&1
ls t t.* r | wc -l
! grep -a geheim t t.* r out
winnow report --json r | tr -d ' \n' | grep -o '"command":\["omp(argumentsnotrecorded)"\]'
winnow dump r | grep -c ^argv || true
winnow record -o p ./omp --password=geheim > /dev/null 2>&1
grep -a -q geheim p && echo kept
#= stdout
#| 3
#| "command":["omp(argumentsnotrecorded)"]
#| 0
#| kept
