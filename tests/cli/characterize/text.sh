# A table as text: components, loadings, clusters, the dendrogram
cat > few.csv << END
name,size,speed,cost,colour
ant,1,10,1,7
bee,2,9,1.5,7
cat,20,30,10,7
dog,30,28,12,7
cow,500,20,100,7
owl,,20,3,7
END
winnow characterize --table few.csv --clusters 3
printf 'n,a\nx,1\ny,2\nz,2\n' > column.csv
winnow characterize --table column.csv | head -n 1
# names of columns are whole on a narrow terminal
printf 'n,tasks,footprint,memory_reads,memory_writes,stack_reads\na name of some length,1,2,3,4,5\ny,2,1,5,7,9\n' > narrow.csv
COLUMNS=80 winnow characterize --table narrow.csv | sed -n 's/^  row *//p' | head -n 2
#= stdout
#| 5 rows, 3 properties that differ: 2 components hold 100.0 % of the variance (85 % are wanted); 3
#| clusters.
#|
#| The table
#|   row  cluster  size  speed  cost  colour
#|   ant        1     1     10     1       7
#|   bee        1     2      9  1.50       7
#|   cat        2    20     30    10       7
#|   dog        2    30     28    12       7
#|   cow        3   500     20   100       7
#|   owl        -     -     20     3       7
#|
#| Components
#|               variance   so far
#|   PC1 kept      67.5 %   67.5 %  up with cost, size
#|   PC2 kept      32.5 %  100.0 %  down with speed
#|   PC3            0.0 %  100.0 %
#|
#| Loadings
#|   property     PC1     PC2
#|   size      +0.696  +0.144
#|   speed     +0.160  -0.986
#|   cost      +0.700  +0.082
#|
#| Scores
#|   row  cluster    PC1    PC2
#|   ant        1  -0.90  +0.83
#|   bee        1  -0.90  +0.93
#|   cat        2  -0.36  -1.16
#|   dog        2  -0.33  -0.94
#|   cow        3  +2.50  +0.34
#|
#| Clusters (ward.D2)
#|    1  2 rows: less speed -1.0 sd, cost -0.6 sd, size -0.5 sd
#|    2  2 rows: more speed +1.0 sd
#|    3  1 row: more size +1.8 sd, cost +1.8 sd
#|
#| Dendrogram
#|    3  cow --------------------------------------------------------------------------------------+
#|    1  ant ----+---------------------------------------------------------------------------------+
#|    1  bee ----+                                                                                 |
#|    2  cat -------+------------------------------------------------------------------------------+
#|    2  dog -------+
#|   the last two meet at a height of 2.83
#|
#| Cross-validation
#|   Hidden values are told best by 2 components. Mean square error with 0, 1, ...: 1.250, 33.402,
#|   0.625
#|   2 predictions had not settled after 1000 steps; the last ones count.
#|
#| Left out
#|   colour: does not differ
#|   owl: has no size
#| 3 rows, 1 property that differs: 1 component holds 100.0 % of the variance (85 % are wanted); 3
#| cluster  tasks  footprint  memory_reads
#| cluster  memory_writes  stack_reads
