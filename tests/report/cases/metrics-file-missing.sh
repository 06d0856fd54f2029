# A file of metrics that is not there is a failure
winnow report missing.winnow --metrics my.metrics
