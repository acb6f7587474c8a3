"""Brands and the lexicon: names and rules, how they are changed, and what changes mean.

Rules alone, no database and no file: `names` (how names are compared, what may be one), `edits` (what a change makes of
one brand), `refusals` and `warnings` (what is said of a whole lexicon), `files/plan` (what rows of a file make of it).
`versions` stores what they allow.
"""

from answerwatch.workspace.brands.finding import pick_brand
from answerwatch.workspace.brands.verbs import Brands

__all__ = ["Brands", "pick_brand"]
