# What the command line may not say
printf 'n,a,b\nx,1,2\ny,2,1\n' > t.csv
try() {
	status=0
	winnow characterize "$@" > out || status=$?
	echo "$status $(wc -c < out)"
}
try
try --table t.csv run.winnow
try --table t.csv --cutoffs
try --table t.csv --weight work
try --table t.csv --keep 0
try --table t.csv --keep 101%
try --table t.csv --keep much
try --table t.csv --ward D3
try --table t.csv --median
try --cutoffs --clusters 3 a.winnow
try --table t.csv --color red
try --table t.csv --clusters 0
try --table t.csv --clusters -1
try --table t.csv --clusters 2x
try --table t.csv --svg ''
try --table t.csv --csv ''
