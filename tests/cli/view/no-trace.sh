# Other files are no recordings
echo hello > hello
winnow view hello
