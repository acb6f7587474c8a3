"""Records, identifiers, states and policies of answerwatch: pure, standard library only."""
