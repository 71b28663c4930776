"""Tengen as an engine of the Gomocup (Piskvork) protocol, with the extensions that Yixin brought into use.

`Engine` is the protocol without input and output: lines in, lines out, and questions to be thought about. `Thinker`
answers the questions with the tree search; `host.run` connects both with the standard streams.
"""
