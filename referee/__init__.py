"""The referee: hosts matches, strict about time, typed in its verdicts. It knows no tournament."""
