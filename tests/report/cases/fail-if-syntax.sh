# An expression that is none is a usage error, before the file is looked at
winnow report missing.winnow --fail-if "parallelism=4"
