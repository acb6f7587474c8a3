"""The score stage: texts are encoded, blocks scored, candidates reranked."""
