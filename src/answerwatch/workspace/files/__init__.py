"""Files that people hand in and are given: rows, what their columns mean, what is said of single rows.

Reading begins in `tables`: `look_through` finds what a file is (`kinds`, `encodings`), `read_table` gives its rows by
`csv_rows`, `json_rows` or `sheets`. A sheet is read by `sheet_cells` out of `workbooks`, and those by `xml_pieces`.
What must not be taken is known by `archives`, `open_quotes` and `cut_cells`; how much is, stands in `limits`, and
what workbooks hold at all in `workbook_limits`. `columns` knows what names of columns mean, `word_lists` how a cell
holds several words, `cell_faults` what no cell may hold; `told` keeps the first errors and notes. For writing there are
`fresh_file`, `guard`, `as_json` and `workbook_writing`.
"""
