# what recorders report through the back channel is believed for this recording only
winnow record -o here sh -c 'echo "start 12 ompt /etc/passwd" >> "$WINNOW_BACK"
echo "fail 13 28 create" >> "$WINNOW_BACK"; echo "nonsense" >> "$WINNOW_BACK"'
#= stderr
#| winnow record: nothing recorded: the recorder could not start in process 13: create: No space left on device
