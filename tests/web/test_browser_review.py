"""The page of a review in a real browser. `make test-browser` runs these."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("selenium")

from browser import Page

from tengen import Board, core
from tengen.records import Game
from tengen.review import Reviewer
from tengen.web import review_page

pytestmark = pytest.mark.browser


def test_the_page_of_a_review_is_the_web_boards(page: Page, tmp_path: Path) -> None:
    """`tengen review --html`: opened from a file, with nobody to load anything from."""
    game = Game.of_moves(Board.from_moves("h8 h4 i8 i4 j8 j4 o15 a15 g8 a13 k8").moves)
    reviews = list(Reviewer(core.ExpertEvaluator(), 20).review(game))
    (tmp_path / "review.html").write_text(review_page.page(game, "freestyle", 20, reviews), encoding="utf-8")
    page.driver.get((tmp_path / "review.html").as_uri())
    page.wait(lambda: len(page.all(".stone")) == 11)
    assert page.text("#place") == "11 / 11"
    assert page.all(".chart .curve")
    page.click("#rows tr:nth-child(7) button")
    page.wait(lambda: len(page.all(".stone")) == 7)
    assert "A forced win (VCF) was missed." in page.text("#text")
    assert page.all(".hint")
    page.click("#next")
    page.wait(lambda: len(page.all(".stone")) == 8)
    page.click("#language")
    assert page.text("#rows tr:nth-child(7) td:nth-child(5)").startswith("败着")
