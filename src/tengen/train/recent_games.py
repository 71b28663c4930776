"""The latest games of a run, and everything that looks at them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from tengen import core
from tengen.train.opposition import AdaptiveOpposition
from tengen.train.params import RunParams
from tengen.train.probe import Probe


class RecentGames:
    """What the run learns from now. Key method: `add`.

    Attributes:
        buffer: The positions to learn from.
        opposition: p-opposition, which follows the games.
        probe: Positions on which two networks are compared.
        latest: The newest game.
    """

    def __init__(self, params: RunParams) -> None:
        self._learn = params.learn
        self._capacity = params.learn.buffer_least
        self._positions_in: dict[int, int] = {}  # by shard
        self.buffer = core.SampleBuffer(self._capacity)
        self.opposition = AdaptiveOpposition(params.selfplay.opposition_games, params.selfplay.opposition_most)
        self.probe = Probe(params.probe_positions, params.seed)
        self.latest: core.GameRecord | None = None
        self._follows_opposition = params.selfplay.opposition_adaptive  # looking at every sample takes time
        self._lengths: deque[int] = deque(maxlen=10)

    @property
    def mean_length(self) -> float:
        """Moves a game in the latest ten."""
        return sum(self._lengths) / max(1, len(self._lengths))

    def capacity(self, positions: int) -> int:
        """How many positions are kept when the run has had so many."""
        learn = self._learn
        return min(learn.buffer, max(learn.buffer_least, int(positions * learn.buffer_share)))

    def grow(self, positions: int) -> None:
        """Keeps as many as a run should that has had so many."""
        self._capacity = self.capacity(positions)
        self.buffer.set_capacity(self._capacity)

    def add(self, shard: int, data: bytes, games: Sequence[core.GameRecord]) -> None:
        """Takes games in their order.

        Args:
            shard: Where they are on disk.
            data: The games as bytes.
            games: The same, as records.
        """
        self._positions_in[shard] = self._positions_in.get(shard, 0) + positions_of(games)
        self.buffer.add(data)
        if self._follows_opposition:
            self.opposition.add(games)
        self.probe.add(games)
        self._lengths.extend(len(game.moves) for game in games)
        if games:
            self.latest = games[-1]

    def oldest_shard(self) -> int:
        """The first shard that the buffer needs; 0 while it is not full."""
        positions = 0
        for shard in sorted(self._positions_in, reverse=True):
            positions += self._positions_in[shard]
            if positions >= self._capacity:
                return shard
        return 0


def positions_of(games: Sequence[core.GameRecord]) -> int:
    """How many positions there are to learn from."""
    return sum(game.positions for game in games)
