"""Learning from zero: self-play, training and evaluation in one command."""
