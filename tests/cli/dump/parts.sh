#: events
# events have times, names, kinds, places and values
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow dump --thread 0 omp.winnow
#= stdout glob
#| format 1.8
#| state 2
#| *module 0x*/omp
#| *thread 0
#| *THREAD os_tid=*
#| *REGION_BEGIN*at=omp+0x* requested=*
#| *IMPLICIT_BEGIN region_thread=0 region_number=1 team_size=* thread_num=0
#| *SYNC_BEGIN barrier-region at=omp+0x*
#| *REGION_END*
#: limit
# --limit counts the events of each thread
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow dump --thread 0 --limit 2 omp.winnow | sed -n "/^thread 0/,\$p" | wc -l
#= stdout
#| 3
#: no-thread
# a thread that is not there
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow dump --thread 4000 omp.winnow
#= exit 2
#= stderr glob
#| winnow dump: --thread '4000': omp.winnow has * threads, numbered from 0
