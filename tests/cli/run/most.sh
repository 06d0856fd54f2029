# of several processes the report is on the one with the most time in parallel regions
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-busy.c.gcc" busy
winnow run -o t sh -c './omp; ./busy; ./omp; ./omp; ./omp' 2> talk > out
head -n 6 out | grep -o -e '^sum 55' -e '^\./busy:'
grep -c '^winnow run: ' talk
sed -n 's/t\.[0-9]*/t.PID/g; s/([^)]*)/(SO MUCH)/g; 2p' talk
winnow run -o u sh -c './busy; ./omp; exit 5' 2>&1 > /dev/null | sed -n 's/u\.[0-9]*/u.PID/g; s/([^)]*)/(SO MUCH)/g; 2p'
winnow record -o u sh -c './busy; ./omp' 2>&1 > /dev/null | grep -c ''
#= stdout
#| sum 55
#| sum 55
#| sum 55
#| sum 55
#| ./busy:
#| 2
#| winnow run: t.PID: the report is on this process, with the most time in parallel regions (SO MUCH); 'winnow report FILE' shows the others: t, t.PID, t.PID, ...
#| winnow run: u: the report is on this process, with the most time in parallel regions (SO MUCH); 'winnow report FILE' shows the other: u.PID
#| 1
