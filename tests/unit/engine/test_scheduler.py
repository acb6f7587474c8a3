"""Who may claim next."""

import pytest

from answerwatch.domain.work import Pile
from answerwatch.engine.scheduler import Slots, lots, slots_of, turns


def pile(lane: str, *, group: str = "G", brand: str = "", queue: str = "collect", oldest_us: int = 0) -> Pile:
    return Pile(
        pile_id=1, queue=queue, group=group, lane=lane, brand_name=brand, priority=0, order=0, oldest_us=oldest_us
    )


def test_a_lane_alone_may_take_all_slots() -> None:
    assert Slots(total=64, working={}).allowance("a", {"a": True}) == 64


def test_a_lane_leaves_the_share_of_others_that_wait() -> None:
    assert Slots(total=64, working={"a": 10}).allowance("a", {"a": True, "b": True}) == 22
    assert Slots(total=64, working={"a": 32}).allowance("a", {"a": True, "b": True}) == 0


def test_what_the_others_use_already_is_not_kept_twice() -> None:
    assert Slots(total=64, working={"a": 20, "b": 32}).allowance("a", {"a": True, "b": True}) == 12


def test_work_that_comes_due_later_keeps_one_slot() -> None:
    assert Slots(total=64, working={}).allowance("a", {"a": True, "b": False}) == 63


def test_a_lane_gets_its_share_even_when_others_took_too_much() -> None:
    assert Slots(total=10, working={"a": 0, "b": 7}).allowance("a", {"a": True, "b": True}) == 3


def test_slots_are_counted_by_queue() -> None:
    working = {("collect", "a"): 3, ("clean", "a"): 4}
    assert slots_of("collect", 10, working).free == 7


def test_only_due_piles_are_served_and_lanes_keep_their_order() -> None:
    piles = [pile("b"), pile("a", oldest_us=50), pile("a", group="H"), pile("c", oldest_us=50)]
    found = lots(piles, now_us=10, slots={"collect": Slots(total=30, working={})})
    assert [(lot.lane, [each.group for each in lot.piles]) for lot in found] == [("b", ["G"]), ("a", ["H"])]


def test_a_queue_without_free_slots_is_left_out() -> None:
    assert lots([pile("a")], now_us=0, slots={"collect": Slots(total=5, working={"a": 5})}) == []


def test_brands_go_one_after_another() -> None:
    """docs/decisions/0006: the first brand takes what it can, the next one the rest."""
    piles = [pile("a", group="1", brand="x"), pile("a", group="2", brand="y")]
    assert [(each.group, quota) for each, quota in turns(piles, 10, 1)] == [("1", 10), ("2", 10)]


@pytest.mark.parametrize(("together", "quota"), [(2, 5), (3, 4)])
def test_several_brands_share_a_lane_where_that_is_wanted(together: int, quota: int) -> None:
    piles = [pile("a", group="1", brand="x"), pile("a", group="2", brand="y"), pile("a", group="3", brand="z")]
    first = list(turns(piles, 10, together))[:together]
    assert [share for _, share in first] == [quota] * together
    assert [each.group for each, _ in turns(piles, 10, together)][together:] == ["1", "2", "3"]
