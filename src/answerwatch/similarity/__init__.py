"""How alike texts are: scorers, plans, blocks of scores, calibration. Pure; what reaches outside is in `scorers`."""

from answerwatch.similarity.lexical import Lexical
from answerwatch.similarity.matrix import score_matrix
from answerwatch.similarity.scorer import (
    Encoded,
    PairScorer,
    Refusal,
    Role,
    Scored,
    Scorer,
    ScorerFacts,
    ScorerKind,
    ScorerTrouble,
    VectorScorer,
)

__all__ = [
    "Encoded",
    "Lexical",
    "PairScorer",
    "Refusal",
    "Role",
    "Scored",
    "Scorer",
    "ScorerFacts",
    "ScorerKind",
    "ScorerTrouble",
    "VectorScorer",
    "score_matrix",
]
