"""Matches: fair, reproducible, and never ended by a player's fault."""

from __future__ import annotations

import _thread
import json
import threading
from collections import Counter
from typing import Any

import pytest
from scripted import FirstPointPlayer, SleepyPlayer

from tengen import Board, Color, Move
from tengen.arena import GameSetup, Match, MatchResult, Sprt, gauntlet, random_openings, round_robin
from tengen.arena.match import derive_seed
from tengen.arena.results import MatchGame, PairResult
from tengen.errors import SetupError
from tengen.players import Player, create

SETUP = GameSetup(size=7)


def run(concurrency: int = 1, seed: int = 1, games: int = 20) -> MatchResult:
    openings = random_openings(5, SETUP, seed)
    return Match(
        ["random", "random"], games=games, openings=openings, setup=SETUP, seed=seed, concurrency=concurrency
    ).run()


def moves_of(text: str) -> tuple[Move, ...]:
    return tuple(Board.from_moves(text).moves)


def moves(result: MatchResult) -> list[object]:
    return [(game.record.moves, game.record.result) for game in result.games]


def test_the_same_seed_gives_the_same_match_whatever_the_concurrency() -> None:
    once = run()
    assert moves(once) == moves(run())
    assert moves(once) == moves(run(concurrency=3))
    assert moves(once) != moves(run(seed=2))


def test_every_opening_is_played_twice_with_colours_swapped() -> None:
    openings = random_openings(10, SETUP)
    schedule = Match(["random", "random:"[:-1]], games=20, openings=openings, setup=SETUP).schedule()
    assert Counter(game.opening for game in schedule) == dict.fromkeys(openings, 2)
    for first, second in zip(schedule[::2], schedule[1::2], strict=True):
        assert first.pair == second.pair
        assert first.opening == second.opening
        assert (first.first_is_black, second.first_is_black) == (True, False)
    seeds = [seed for game in schedule for seed in (game.black_seed, game.white_seed)]
    assert len(set(seeds)) == len(seeds)


def test_the_records_have_the_scheduled_openings_and_colours() -> None:
    def named(spec: str) -> Player:
        player = create("random")
        player.name = spec
        return player

    openings = random_openings(3, SETUP)
    result = Match(["a", "b"], games=6, openings=openings, setup=SETUP, create=named).run()
    for game in result.games:
        assert game.record.moves[: game.record.opening_length] == game.scheduled.opening
        assert (game.record.black == "a") == game.scheduled.first_is_black
        assert {game.record.black, game.record.white} == {"a", "b"}


def test_the_result_adds_up() -> None:
    result = run(games=40)
    pair = result.pair()
    assert pair.total.games == 40
    assert pair.as_black.games == pair.as_white.games == 20
    assert sum(pair.pairs) == 20
    assert sum(count * points for count, points in zip(pair.pairs, (0, 0.5, 1, 1.5, 2), strict=True)) == (
        pair.total.points
    )
    black_wins = sum(game.record.winner == Color.BLACK for game in result.games)
    assert pair.as_black.wins + pair.as_white.losses == black_wins
    assert pair.elo.low < pair.elo.elo < pair.elo.high
    json.dumps(result.as_dict(), allow_nan=False)


def test_incomplete_pairs_count_for_the_score_only() -> None:
    games: list[MatchGame] = list(run(games=4).games)[:3]
    pair = PairResult("a", "b")
    for game in games:
        pair.add(game)
    assert pair.total.games == 3
    assert sum(pair.pairs) == 1


def test_a_player_with_illegal_moves_loses_and_the_match_goes_on() -> None:
    def make(spec: str) -> Player:
        return FirstPointPlayer(spec, illegal_as=Color.WHITE if spec == "bad" else None)

    result = Match(["good", "bad"], games=8, setup=GameSetup(size=5), create=make, concurrency=2).run()
    pair = result.pair()
    assert result.is_complete
    assert pair.as_black.wins == 4
    assert len(pair.forfeits) == 4
    assert all(game.record.detail == "a5 is occupied by black" for game in pair.forfeits)
    assert result.as_dict()["results"][0]["forfeits"] == 4


def test_round_robin_and_gauntlet_are_only_schedules() -> None:
    assert round_robin(3) == [(0, 1), (0, 2), (1, 2)]
    assert gauntlet(3) == [(0, 1), (0, 2)]
    result = Match(["random"] * 3, games=4, setup=SETUP, schedule=gauntlet).run()
    assert [result.pair(pairing).total.games for pairing in result.pairings] == [4, 4]
    assert len(result.games) == 8


def test_an_interrupt_stops_the_searches_and_keeps_the_finished_games() -> None:
    thinking = threading.Event()
    made: list[Player] = []

    def make(spec: str) -> Player:
        # The first thread's players finish their games once those of the second have begun to think for ever.
        player = FirstPointPlayer(spec, wait_for=thinking) if len(made) < 2 else SleepyPlayer(spec, thinking)
        made.append(player)
        return player

    def on_game(game: MatchGame, result: MatchResult) -> None:
        if len(result.games) == 3:
            _thread.interrupt_main()

    result = Match(["a", "b"], games=4, setup=SETUP, create=make, concurrency=2).run(on_game)
    assert len(result.games) == 3
    assert not result.is_complete
    assert all(player.closed for player in made if isinstance(player, SleepyPlayer))


def test_the_sequential_test_ends_a_match_the_same_whatever_the_concurrency() -> None:
    def make(spec: str) -> Player:
        return create("random") if spec == "bad" else FirstPointPlayer(spec)

    def play(concurrency: int) -> MatchResult:
        openings = random_openings(50, SETUP)
        match = Match(
            ["good", "bad"],
            games=100,
            openings=openings,
            setup=SETUP,
            concurrency=concurrency,
            sprt=Sprt(0, 100),
            create=make,
        )
        return match.run()

    once, twice = play(1), play(3)
    assert once.decision == "elo1"
    assert once.is_complete
    assert len(once.games) < 100
    assert [game.record.moves for game in once.games] == [game.record.moves for game in twice.games]
    assert once.as_dict()["sprt"]["decision"] == "elo1"
    with pytest.raises(SetupError, match="compares two players, not 3"):
        Match(["random"] * 3, sprt=Sprt(0, 10))


def test_players_are_made_before_any_game_so_that_mistakes_show_at_once() -> None:
    with pytest.raises(SetupError, match="there is no player"):
        Match(["random", "nobody"], games=2).run()


def test_bad_matches_are_refused() -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"games": 3}, "the number of games must be even, not 3"),
        ({"games": 0}, "not 0"),
        ({"games": -2}, "not -2"),
        ({"concurrency": 0}, "concurrency must be at least 1, not 0"),
        ({"openings": []}, "at least one opening"),
        (
            {"setup": GameSetup(move_limit=3), "openings": [(), moves_of("h8 i9 h10")], "games": 4},
            "the move limit must be above 3, the stones of the longest opening, not 3; raise it",
        ),
    )
    for keywords, sentence in cases:
        with pytest.raises(SetupError, match=sentence):
            Match(["random", "random"], **keywords)
    with pytest.raises(SetupError, match="at least two players"):
        Match(["random"])


def test_a_move_limit_that_leaves_a_move_is_accepted() -> None:
    openings = [moves_of("h8 i9 h10"), moves_of("h8 i9 h10 a1")]
    # The second opening is not played.
    result = Match(["random"] * 2, games=2, openings=openings, setup=GameSetup(move_limit=4)).run()
    assert [len(game.record.moves) for game in result.games] == [4, 4]


def test_derived_seeds_do_not_collide() -> None:
    seeds = [derive_seed(seed, index, color) for seed in range(20) for index in range(20) for color in Color]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)
