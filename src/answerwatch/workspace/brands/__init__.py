"""Brands and the lexicon: names and rules, how they are changed, and what changes mean."""

from answerwatch.workspace.brands.names import pick_brand
from answerwatch.workspace.brands.verbs import Brands

__all__ = ["Brands", "pick_brand"]
