# A fault in a file of metrics has its line and column, and the recording is not read
printf '# first\nmetric a = work_ns\nmetric b = a + wrok_ns\n' > my.metrics
winnow report missing.winnow --metrics my.metrics
