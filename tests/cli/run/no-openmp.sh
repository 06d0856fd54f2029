# what cannot be recorded gives no report, and keeps its exit status
winnow run sh -c 'echo ran; exit 4'
