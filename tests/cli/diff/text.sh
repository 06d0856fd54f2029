# Two runs as text
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff a.winnow b.winnow
#= stdout
#| A  ./fake --size 10: 2 threads, 6 grains, libomp
#| B  ./fake 10: 2 threads, 200 grains, libomp
#| Other input: the command lines differ. Compare the structure before the times. A is the reference:
#| ratios are B / A.
#| Grains work 391 us in all after 3.85 ms, 0.10 times as long; but they are not the same grains.
#|
#| The runs
#|                                       A       B  B / A
#|   time of the process           4.00 ms  600 us   0.15
#|   time OpenMP was in use        3.15 ms  416 us   0.13
#|   work                          3.85 ms  391 us   0.10
#|   span                          1.05 ms  250 us   0.24
#|   work / span                      3.67    1.56   0.43
#|   cores used                       1.22    1.43   1.17
#|   idle, of all thread time       35.7 %  27.9 %   0.78
#|   overhead, of all thread time    3.2 %  25.1 %   7.91
#|   B is 6.67 times as fast as A.
#|
#| Structure
#|   0 grains in both, 6 only in A, 200 only in B.
#|   what      group     kind    members A  members B  grains A  grains B
#|   vanished  P0.L0     loop            6                    6
#|   created   P0.t0/F0  thread                   200                 200
#|
#| Places in the source, largest difference of work first
#|   place   grains A  grains B   work A   work B  B / A  median  note
#|   0x2000         6         0  3.75 ms     0 ns   0.00       -  only in A
#|   0x1000         2         2  98.2 us   251 us   2.56    2.56  may be chance
#|   0x5000         0         1     0 ns   100 us      -       -  only in B
#|   0x3000         0       199     0 ns  39.8 us      -       -  only in B
#|
#| Groups by their members' own work, largest difference first
#|   group  members A  members B   work A  work B  B / A  note
#|   P0             2          1  98.2 us  251 us   2.56  may be chance
#|
#| Work deviation of single grains
#|   0 of 0 grains that can be compared work more than 2 times as long in B (work_deviation > 2), 0 of
#|   them on B's critical path.
#|
#| Limitations of this comparison
#|   How much of a difference is the machine's (clock rates, neighbours): one run of each shows only
#|   the chance between grains of a place.
#|   Whether the code is the same: the files of code have no build ids that both runs tell.
#|   Work deviations of grains that one run has alone. Loops that are cut for another number of threads
#|   have other chunks, and what chunks make has other names then.
