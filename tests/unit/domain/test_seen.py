"""What was met in a long run, in little memory."""

import random
import sys

from answerwatch.domain.seen import Seen, content_hash


def test_it_knows_what_a_dictionary_knows() -> None:
    rng = random.Random(3)
    seen, first, counted, counts = Seen(), dict[int, int](), Seen(), dict[int, int]()
    for number in range(1, 20_001):
        key = rng.randrange(8_000)
        assert seen.put(content_hash(str(key)), number) == first.setdefault(key, number)
        counts[key] = counts.get(key, 0) + 1
        assert counted.count(content_hash(str(key))) == counts[key]

    assert (len(seen), len(counted)) == (len(first), len(counts))


def test_texts_that_belong_together_have_a_mark_of_their_own() -> None:
    texts = [("a", "b"), ("ab", ""), ("", "ab"), ("ab",), ("a", "b", ""), ("\ud83d", "b")]

    assert len({content_hash(*one) for one in texts}) == len(texts)


def test_marks_take_little_memory() -> None:
    seen = Seen()
    for number in range(1, 50_001):
        seen.put(content_hash(str(number)), number)

    held = sum(sys.getsizeof(value) for value in vars(seen).values())
    assert held / len(seen) < 30
