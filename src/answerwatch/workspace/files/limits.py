"""What a file may hold that is imported: all limits in one place, so that no file can fill the memory or the disk.

What spreadsheet programs themselves hold to stands in `workbook_limits.py`.
"""

LONGEST_ROW = 16 * 1024 * 1024
"""Characters of a row of a table that are read at all, three times those of the longest answer; an unclosed quote
would otherwise read the whole file as one cell."""

LONGEST_RECORD = 64 * 1024 * 1024
"""Characters of one record (conversation, result) of a JSON document."""

DEEPEST = 100
"""Lists and records inside each other that a JSON row may hold; what works with it calls itself for each level."""

HEADER_WITHIN = 20
"""Rows with anything in them among which the header is looked for: exports put titles above it."""

MOST_TEXTS = 10_000_000
"""Texts that the cells of a workbook share."""

DEEPEST_XML = 100
"""Elements inside each other in a part of a workbook; real ones have ten."""

LONGEST_TAG = 1024 * 1024
"""Bytes of one element's beginning in a part of a workbook: it is held in memory as a whole."""

MOST_MERGES = 100_000
"""Groups of merged cells of a sheet."""

MOST_MEMBERS = 10_000
"""Files inside a workbook or archive."""

LARGEST_UNPACKED = 4 * 1024 * 1024 * 1024
"""Bytes of all files inside a workbook or archive together, unpacked."""

LARGEST_PART = 32 * 1024 * 1024
"""Bytes of a part of a workbook that is held in memory: its list of sheets, its formats."""

HIGHEST_RATIO = 400
"""How many times larger a file may become by unpacking; texts and tables stay far below."""

RATIO_FROM = 16 * 1024 * 1024
"""Unpacked bytes from which the ratio is looked at."""
