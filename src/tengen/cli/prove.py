"""`tengen prove`: prove that one side wins, and check such proofs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import cyclopts
from rich.console import Console
from rich.table import Table

from tengen.board import Board, Color, ColorName
from tengen.cluster import spread_over
from tengen.disk import check_output
from tengen.errors import SetupError
from tengen.parameters import Number, Side, Threads
from tengen.proof import Effort, Proof, ProofFolder
from tengen.proof import check as check_certificate
from tengen.proof.check import confirmed, measured, mended
from tengen.proof.hands import Hands, Helper, Helpers, OwnThreads
from tengen.proof.joined import join
from tengen.proof.parts import CERTIFICATE, DOUBTFUL, Part, parts_of
from tengen.theory import Certificate, Claim
from tengen.theory.claim import RuleName

app = cyclopts.App(name="prove", help="Prove that one side wins, and check such proofs.")

#: Seconds between two lines of progress, and at most so much work is lost in a crash.
STEP = 10.0
_FAULT = 1


@app.default
def prove(
    *moves: str,
    folder: Path,
    rule: RuleName = "freestyle",
    size: Side = 15,
    winner: ColorName = "black",
    seconds: float = 0.0,
    threads: Threads | None = None,
    position_nodes: int = Effort.position_nodes,
    pass_nodes: int = Effort.pass_nodes,
    reply_nodes: int = Effort.reply_nodes,
    playouts: Number = Effort.playouts,
    guided: bool = Effort.guided,
    cluster: str | None = None,
) -> None:
    """Prove that one side wins. It can be stopped at any moment and goes on where it was when it is called again.

    Args:
        moves: The moves so far, like h8 i9 i7; all replies of the other side are covered.
        folder: Where the proof is kept.
        rule: The rule of the game.
        size: Points on each side.
        winner: The side that is to win.
        seconds: Processor time to take, at most, of all machines together; 0 for as much as it needs.
        threads: Number of threads; all cores if not given. Not with --cluster.
        position_nodes: Nodes of the solver for a position before its moves are tried.
        pass_nodes: Nodes of the solver for what the winner threatens after a move.
        reply_nodes: Nodes of the solver for one reply.
        playouts: Playouts of the tree search that says which moves of a position to try.
        guided: Whether the network tells the solver where to look.
        cluster: Prove it on all cores of a ray cluster: HOST:PORT of its head, or auto for the cluster of this machine.
    """
    claim = Claim(" ".join(moves), Color[winner.upper()], rule, size)
    effort = Effort(position_nodes, pass_nodes, reply_nodes, playouts, guided)
    console = Console(highlight=False, soft_wrap=True)
    with ProofFolder(folder, claim) as opened, _hands(claim, effort, threads, cluster) as (hands, threads):
        proof = Proof.resume(opened, effort, threads)
        _work(console, opened, proof, hands, seconds, 0)
        if proof.done:
            _certify(console, proof.certificate(), folder)
        elif proof.cost == float("inf"):
            console.print("every move that was looked at is refuted; there may be no win")


@app.command
def each(
    *moves: str,
    folder: Path,
    rule: RuleName = "freestyle",
    size: Side = 15,
    winner: ColorName = "black",
    seconds: float = 600.0,
    positions: int = 12_000_000,
    rounds: int = 0,
    threads: Threads | None = None,
    cluster: str | None = None,
) -> None:
    """Prove the positions after each reply of the loser, one after the other, each in a folder of its own.

    Replies that are the same by symmetry count once; the far ones come first, and what won after one is tried first
    after the next. When all are proven, one certificate is made of theirs. It can be stopped at any moment and goes on
    where it was.

    Args:
        moves: The moves so far, the last one by the winner, like h8.
        folder: Where the proofs are kept: FOLDER/REPLY, and the certificate of all together.
        rule: The rule of the game.
        size: Points on each side.
        winner: The side that is to win.
        seconds: Processor time for a reply in the first round, of all machines together; twice as much in each round
            after it.
        positions: Positions that one proof may know, at about 400 bytes each.
        rounds: How often to go through what is open; 0 until all is proven.
        threads: Number of threads; all cores if not given. Not with --cluster.
        cluster: Work on each reply with all cores of a ray cluster: HOST:PORT of its head, or auto for the cluster of
            this machine.
    """
    console = Console(highlight=False, soft_wrap=True)
    claim = Claim(" ".join(moves), Color[winner.upper()], rule, size)
    parts = parts_of(claim, folder)
    done = 0
    with _hands(claim, Effort(), threads, cluster) as (hands, threads):
        while (left := [part for part in parts if part.is_open]) and (done < rounds or not rounds):
            for part in left:
                _prove_part(console, part, parts, hands, seconds * 2**done, positions, threads)
            done += 1
    for part in parts:
        console.print(f"{part.path.name}: {'proven' if part.is_proven else 'open'}")
    proven = [Certificate.read(part.certificate) for part in parts if part.is_proven]
    console.print(f"{len(proven)} of {len(parts)} replies are proven")
    if len(proven) == len(parts):
        _certify(console, join(claim, proven), folder)


@contextmanager
def _hands(claim: Claim, effort: Effort, threads: int | None, cluster: str | None) -> Iterator[tuple[Hands, int]]:
    """Who works on proofs, and with how many threads here."""
    if cluster is None:
        yield OwnThreads(), threads or os.cpu_count() or 1
    elif threads is not None:
        raise SetupError(
            "--threads is for this machine alone; on a cluster every node helps with the cores it has there"
        )
    else:
        complain = Console(stderr=True, highlight=False).print
        with closing(Helpers(spread_over(cluster, complain), Helper(claim, effort))) as helpers:
            yield helpers, 1


def _prove_part(
    console: Console, part: Part, parts: list[Part], hands: Hands, seconds: float, positions: int, threads: int
) -> None:
    console.print(f"{part.claim.moves}:")
    with ProofFolder(part.path, part.claim) as opened:
        proof = Proof.resume(opened, threads=threads, advice=part.advice(parts))
        _work(console, opened, proof, hands, seconds, positions)
        if proof.done:
            _certify(console, proof.certificate(), part.path)


def _certify(console: Console, found: Certificate, folder: Path) -> None:
    """Writes what was found, once the checker agrees."""
    console.print("found; checking it ...")
    certificate, report = mended(found)
    if report.fault is not None:
        certificate, report = confirmed(found)
    path = folder / (CERTIFICATE if report.fault is None else DOUBTFUL)
    certificate.write(path)
    if report.fault is None:
        console.print(
            f"proven: {certificate.claim.winner} wins; the certificate is {path}, {report.positions:,} positions"
        )
    else:
        console.print(f"the checker does not agree: {report.fault}; what was found is {path}")


def _work(console: Console, folder: ProofFolder, proof: Proof, hands: Hands, seconds: float, positions: int) -> None:
    """Goes on until the proof is done or stuck, or at one of the limits; 0 for none."""
    start = hands.seconds
    _print_progress(console, proof, 0)
    while not proof.done and proof.cost < float("inf") and not 0 < positions <= proof.positions:
        left = seconds - (hands.seconds - start) if seconds else STEP
        if left <= 0:
            return
        try:
            events = hands.work(proof, min(STEP, left))
        except BaseException:  # Ctrl-C, or a cluster that cannot help
            folder.add(proof.take_events())
            raise
        folder.add(events)
        _print_progress(console, proof, hands.seconds - start)


def _print_progress(console: Console, proof: Proof, seconds: float) -> None:
    console.print(
        f"{seconds:7.0f} s  {proof.positions:,} positions, {proof.proven:,} proven, "
        f"about {proof.cost:,.0f} to go, {proof.solver_nodes:,} solver nodes"
    )


@app.command
def status(folder: Path, /, *moves: str) -> None:
    """Show what is proven and what is open after the winner's last move.

    Args:
        folder: Of the proof.
        moves: The position, with the loser to move; the claim's if not given.
    """
    opened = ProofFolder(folder)
    proof = Proof.resume(opened)
    board = Board.from_moves(moves, size=opened.claim.size, rule=opened.claim.rule) if moves else opened.claim.board
    if board.turn == opened.claim.winner:
        raise SetupError(f"{opened.claim.winner} is to move there; add its move")
    console = Console(highlight=False, soft_wrap=True)
    replies = proof.replies(board)
    if not replies:
        console.print("the proof knows no reply here: it has not come here yet, or threats answer every reply at once")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("reply", "proven", "about to go"):
        table.add_column(title, no_wrap=True)
    for reply in replies:
        table.add_row(reply.move, "yes" if reply.proven else "", f"{reply.cost:,.0f}")
    console.print(table)
    proven = sum(reply.proven for reply in replies)
    console.print(
        f"{proven} of {len(replies)} replies are proven; {proof.positions:,} positions, {proof.proven:,} proven"
    )


@app.command
def certificate(folder: Path, /, *moves: str, to: Path, nodes: Number = Effort.position_nodes) -> None:
    """Write the certificate of what a folder has proven.

    Args:
        folder: Of the proof.
        moves: A position on the way that is proven already; the whole claim if not given.
        to: The file.
        nodes: Within which the solver wins where the certificate says nothing more; to be raised where the checker
            misses an answer that the search found with the help of what it had seen before.
    """
    opened = ProofFolder(folder)
    claim = opened.claim
    part = Claim(" ".join(moves), claim.winner, claim.rule, claim.size) if moves else claim
    found = replace(Proof.resume(opened).certificate(part), nodes=nodes)
    found.write(to)
    print(f"{to}: {len(found.positions):,} positions, {to.stat().st_size:,} bytes")


@app.command
def measure(file: Path, /, *, to: Path) -> None:
    """Add to each position of a certificate how many moves the win takes at most, as the web board shows it.

    Args:
        file: The certificate.
        to: The file to write.
    """
    certificate = Certificate.read(file)
    check_output(to)
    found = measured(certificate)
    found.write(to)
    print(f"{to}: {max(found.lengths.values(), default=0)} moves at most, {to.stat().st_size:,} bytes")
    if added := len(found.positions) - len(certificate.positions):
        print(f"the solver missed answers here; {added} positions were added: tengen prove check {to}")


@app.command
def check(file: Path, /) -> None:
    """Check a certificate from the rules alone: every reply of the loser at every position.

    Args:
        file: The certificate.
    """
    certificate = Certificate.read(file)
    report = check_certificate(certificate)
    claim = certificate.claim
    print(f"{claim.winner} wins after {claim.moves or 'no move'} ({claim.rule}, {claim.size}x{claim.size})")
    print(f"{report.positions:,} positions, {report.replies:,} replies, {report.by_threats:,} of them lose to threats")
    print(f"{report.trees:,} trees of threats: {report.tree_positions:,} positions, {report.tree_replies:,} replies")
    if report.fault is None:
        print(f"all of it holds ({report.seconds:.1f} s)")
    else:
        print(f"it does not hold: {report.fault} ({report.seconds:.1f} s)")
        sys.exit(_FAULT)
