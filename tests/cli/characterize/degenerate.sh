# What cannot be analysed is said, and what can is
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
short() {
	winnow characterize --table "$1" --json | jq -c '[.analysis, .kept, (.components | length), [.properties[].left_out], [.cases[] | [.left_out, .lacks, .cluster]], (.cross_validation.errors | length?)]'
}
printf 'n,a,b\nx,1,2\n' > one.csv
short one.csv
printf 'n,a,b\nx,1,2\ny,1,2\nz,1,2\n' > same.csv
short same.csv
printf 'n,a,b,c\nx,1,2,NA\ny,3,NA,NA\nz,4,1,\nu,7,8,NA\n' > missing.csv
short missing.csv
printf 'n,a,b,c,d,e\nx,1,2,3,4,1\ny,3,1,9,4,2\nz,4,1,1,0,7\n' > wide.csv
short wide.csv
winnow characterize --table wide.csv --keep 1 | grep -c "clusters are chance"
printf 'n,a,b\nx,1,2\ny,2,1\n' > two.csv
short two.csv
COLUMNS=120 winnow characterize --table two.csv --clusters 1 | grep -o "1 clusters*\.$"
printf 'n,a\nx,1\ny,2\nz,2\n' > column.csv
short column.csv
printf 'n,a,b\nx,1e300,2\ny,-1e300,1\nz,1e308,5\n' > huge.csv
short huge.csv
printf 'n,a,b\nx,0,0\ny,0,0\nz,0,1\nu,1,0\n' > tied.csv
short tied.csv
winnow characterize --table one.csv --svg x > /dev/null || echo $?
#= stdout
#| ["too few cases",null,0,[null,null],[[null,null,null]],0]
#| ["nothing differs",null,0,["constant","constant"],[[null,null,null],[null,null,null],[null,null,null]],0]
#| ["done",1,2,[null,null,"missing"],[[null,null,1],["missing","b",null],[null,null,2],[null,null,3]],2]
#| ["done",2,2,[null,null,null,null,null],[[null,null,1],[null,null,2],[null,null,3]],2]
#| 1
#| ["done",1,1,[null,null],[[null,null,1],[null,null,2]],1]
#| 1 cluster.
#| ["done",1,1,[null],[[null,null,1],[null,null,2],[null,null,3]],1]
#| ["done",1,2,[null,null],[[null,null,1],[null,null,2],[null,null,3]],2]
#| ["done",2,2,[null,null],[[null,null,1],[null,null,2],[null,null,3],[null,null,4]],2]
#| 1
#= stderr
#| winnow characterize: --svg: nothing was analysed; no picture written
