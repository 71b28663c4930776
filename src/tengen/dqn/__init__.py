"""Deep Q-learning (S2): games on many boards at once, a replay memory, and a network of move values."""
