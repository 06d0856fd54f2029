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
#= stdout
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#= stderr
#| winnow characterize: which runs? RUN..., or --table FILE
#| winnow characterize: --table FILE is instead of runs
#| winnow characterize: --table FILE is instead of --cutoffs
#| winnow characterize: --weight is of runs, and --table has its own columns
#| winnow characterize: --keep '0': not a share above 0 and up to 1, as 0.85
#| winnow characterize: --keep '101%': not a share above 0 and up to 1, as 0.85
#| winnow characterize: --keep 'much': not a share above 0 and up to 1, as 0.85
#| winnow characterize: --ward 'D3': there are D2 and D
#| winnow characterize: --median is of --cutoffs
#| winnow characterize: --clusters has no meaning with --cutoffs
#| winnow characterize: --color 'red': not one of auto, always, never
#| winnow characterize: --clusters '0': not a whole number from 1 on
#| winnow characterize: --clusters '-1': not a whole number from 1 on
#| winnow characterize: --clusters '2x': not a whole number from 1 on
#| winnow characterize: --svg names no file
#| winnow characterize: --csv names no file
