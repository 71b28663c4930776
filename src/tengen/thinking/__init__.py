"""One mind behind every door: what Tengen thinks of a position, within a budget.

Web board, command line, engine, players and training ask here; nobody else loops around a search.
"""
