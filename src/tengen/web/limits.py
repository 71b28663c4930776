"""How much one page may ask for."""

from __future__ import annotations

MIN_SIZE, MAX_SIZE = 5, 20
MAX_MOVES = MAX_SIZE * MAX_SIZE
MAX_NODES = 5_000
"""Moves of a game with its variations."""
MAX_RECORD_BYTES = 256 << 10
"""Of a game as a file, in UTF-8: what goes out can come in, and the other way round."""
MAX_MESSAGE_BYTES = 2 << 20
"""Of a message on the WebSocket, and of a body over HTTP. The largest game fits, whatever JSON makes of its text:
some 45 bytes a move, and six bytes for a byte that JSON has to escape."""
MAX_DRAINED_BYTES = 32 << 20
"""Of a body that is too large and still read to its end: who is sending does not hear an answer."""

MAX_CONNECTIONS_A_CLIENT = 256
MAX_CONNECTIONS = 2_000
MAX_JOBS_A_PAGE = 4
"""Searches that one page may have under way, or one client over HTTP."""
MAX_JOBS = 1_000
"""Searches that all pages together may have under way."""
MAX_PENDING = 8 << 20
"""Bytes of answers that a page has not taken yet; a page that reads more slowly than this is cut off."""
REQUEST_THREADS = 4
"""That read requests and answer the short ones: a page has one at a time, so that a flood of one waits for itself."""
HANDSHAKE_SECONDS = 10.0
"""For the head of an HTTP request, the first one or the next."""
BODY_SECONDS = 30.0
FAREWELL_SECONDS = 1.0
"""For the last bytes on a WebSocket."""
SEND_SECONDS = 20.0
"""In which something that was sent must have been taken, or the connection is dead."""

MAX_ANALYSIS_PLAYOUTS = 20_000_000
MAX_ASKED_PLAYOUTS = 100_000
"""Of an analysis over HTTP, which cannot be stopped; as many are searched where none are named."""
MAX_REVIEW_PLAYOUTS = 100_000
"""Of each position of a game."""
MAX_ANALYSIS_SECONDS = 1_800.0
ANALYSIS_MEMORY = 256 << 20
"""Bytes of one tree."""
HINT_SECONDS = 1.0
SOLVE_SECONDS = 5.0
SOLVE_NODES = 20_000_000
MAX_CANDIDATES = 20
MAX_PRIORS = 60
"""Points of the map of first impressions."""
MAX_EXPLAINED_PLAYOUTS = 50
MAX_RUNS = 100
MAX_NETWORKS = 200
MAX_LISTED_GAMES = 30
MAX_LISTED_REPLIES = 12
MAX_ROOMS = 200
"""Games of two people at a time."""
MAX_GUESTS = 50
"""In one of them, players and those who look on."""
IDLE_ROOM_SECONDS = 6 * 3600.0
"""After which a game that nobody touched is forgotten."""
SECRET_BYTES = 18
MAX_MINUTES = 180
MAX_SEEN_PUZZLES = 5_000
MAX_LOG_ENTRIES = 240
"""Points of a curve of a training run."""
MAX_SHOWN_GAMES = 5
MAX_SHOWN_NODES = 100
