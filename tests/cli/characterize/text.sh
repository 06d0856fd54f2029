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
