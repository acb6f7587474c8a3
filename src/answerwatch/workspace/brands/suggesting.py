"""Names in stored answers that no brand covers: looking for them, showing them, and what people decide about them.

Names are found once in each answer, whatever the lexicon is, and kept; which of them a brand covers is asked of the
newest lexicon when they are shown. A change of the lexicon needs no new search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from answerwatch.errors import UsageError
from answerwatch.store.bank import name_candidates
from answerwatch.store.database import Store, Write
from answerwatch.store.ops import shared_numbers
from answerwatch.workspace.authors import author
from answerwatch.workspace.brands.names import key
from answerwatch.workspace.brands.suggested import IgnoredName, NameExample, Suggested, SuggestedName
from answerwatch.workspace.brands.verbs import Brands
from answerwatch.workspace.brands.views import BrandChange
from answerwatch.workspace.running.stopping import NEVER, Stop

if TYPE_CHECKING:
    from answerwatch.reading import Lexicon
    from answerwatch.reading.candidates import Candidate

MARK = "name_candidates"
"""Holds the version of the rules by which names were looked for; who moves it has the turn."""
PAGE = 200
"""Answers held at once."""
AROUND = 20
"""Characters shown on either side of a name."""
MOST_LONGER = 5

Progress = Callable[[int, int], None]
"""Told how many samples are done, and of how many."""
_Found = list[tuple[name_candidates.Unread, "list[Candidate]"]]


class Suggestions:
    """Verbs on names that may be a brand's."""

    def __init__(self, store: Callable[[], Store], brands: Brands, actor: str) -> None:
        """Work on what `store` opens; `actor` is named with what is ignored."""
        self._open_store = store
        self._brands = brands
        self._actor = actor

    def find(self, *, limit: int = 50, progress: Progress | None = None, stop: Stop | None = None) -> Suggested:
        """Look for names in the valid answers that are new since the last search, then return the best names of all.

        Ends early when `stop` is set; what was looked at until then is kept, and the next search goes on behind it.
        """
        lexicon = self._brands.lexicon()
        looked = self._look(lexicon, progress, NEVER if stop is None else stop)
        with self._open_store().reading() as read:
            left = name_candidates.count_waiting(read)
            names = _best(name_candidates.ranked(read), lexicon, limit)
        with self._open_store().reading() as read:  # apart: the list before may not have been read to its end
            texts = name_candidates.texts(read, [one.sub_task_id for name, _ in names for one in name.examples])
        return Suggested(looked=looked, left=left, names=tuple(_shown(name, also, texts) for name, also in names))

    def promote(self, name: str, *, brand_name: str | None = None, force: bool = False, note: str = "") -> BrandChange:
        """Track a found name as a brand; it becomes a name of the new brand `brand_name` where that is given.

        Raises UsageError when no answer has such a name, or as `Brands.add` does.
        """
        found = self._found(name)
        if brand_name is None:
            return self._brands.add(found, force=force, note=note)
        return self._brands.add(brand_name, aliases=[found], force=force, note=note)

    def merge(self, name: str, into: str, *, force: bool = False, note: str = "") -> BrandChange:
        """Make a found name one more name of a tracked brand.

        Raises UsageError when no answer has such a name, or as `Brands.add_alias` does.
        """
        return self._brands.add_alias(into, self._found(name), force=force, note=note)

    def ignore(self, names: Sequence[str], *, note: str = "") -> int:
        """Suggest found names no more; return how many were not ignored already.

        Raises UsageError when no answer has such a name; then none is ignored.
        """
        wanted = {key(name): self._found(name) for name in names}
        with self._open_store().writing() as tx:
            return name_candidates.ignore(tx, wanted, by=self._actor, note=author(self._actor, note).note)

    def restore(self, name: str) -> None:
        """Suggest an ignored name again; raises UsageError when it is not ignored."""
        with self._open_store().writing() as tx:
            restored = name_candidates.restore(tx, key(name))
        if not restored:
            text = f"The name {name!r} is not ignored; `answerwatch brands suggest --ignored` lists those that are."
            raise UsageError("name_not_ignored", text, name=name)

    def ignored(self) -> tuple[IgnoredName, ...]:
        """Return the names that are suggested no more, the newest first."""
        with self._open_store().reading() as read:
            return tuple(
                IgnoredName(name=one.name, ignored_at=one.ignored_at, ignored_by=one.ignored_by, note=one.note)
                for one in name_candidates.ignored(read)
            )

    def _found(self, name: str) -> str:
        """Return a name as answers spell it; raises UsageError when none has it."""
        with self._open_store().reading() as read:
            found = name_candidates.of_keys(read, [key(name)])
        if found:
            return found[0].name
        text = (
            f"No answer that was looked at has the name {name!r}; `answerwatch brands suggest` lists names, "
            "`answerwatch brands add` tracks any."
        )
        raise UsageError("name_not_found", text, name=name)

    def _look(self, lexicon: Lexicon, progress: Progress | None, stop: Stop) -> int:
        """Look for names in all answers that are new, a page at a time; return how many they were."""
        store = self._open_store()
        store.transact(_take_turn)
        with store.reading() as read:
            total = name_candidates.count_waiting(read)
        looked = done = 0
        for ids in self._pages(store, stop):
            with store.reading() as read:
                answers = name_candidates.unread(read, ids)
            looked += _keep(store, _candidates(answers, lexicon))
            done += len(ids)
            if progress is not None:
                progress(done, max(total, done))
        return looked

    @staticmethod
    def _pages(store: Store, stop: Stop) -> Iterator[list[str]]:
        after = ""
        while not stop.is_set():
            with store.reading() as read:
                ids = name_candidates.waiting(read, after, PAGE)
            if not ids:
                return
            yield ids
            after = ids[-1]


def _take_turn(tx: Write) -> None:
    """Keep others from storing names until this transaction ends; what other rules found is forgotten."""
    from answerwatch.reading.candidates import CANDIDATES_VERSION  # noqa: PLC0415 - the reader is slow to load

    if shared_numbers.move(tx, MARK, CANDIDATES_VERSION) != CANDIDATES_VERSION:
        name_candidates.forget(tx)


def _candidates(answers: Sequence[name_candidates.Unread], lexicon: Lexicon) -> _Found:
    from answerwatch.reading.candidates import find_candidates  # noqa: PLC0415 - as above
    from answerwatch.reading.matching import Text  # noqa: PLC0415 - as above

    return [(one, find_candidates(Text.of(one.raw_response, one.query_text), lexicon)) for one in answers]


def _keep(store: Store, found: _Found) -> int:
    """Store the names of answers in which nobody looked meanwhile; return how many answers these are."""
    if not found:
        return 0

    def work(tx: Write) -> int:
        _take_turn(tx)
        fresh = name_candidates.mark_looked(tx, [answer.sub_task_id for answer, _ in found])
        name_candidates.add(tx, _summed([pair for pair in found if pair[0].sub_task_id in fresh]))
        return len(fresh)

    return store.transact(work)


def _summed(found: _Found) -> list[name_candidates.StoredName]:
    """Return what several answers say for each name."""
    sums: dict[str, name_candidates.StoredName] = {}
    for answer, candidates in found:
        for one in candidates:
            new = _stored(answer, one)
            sums[one.key] = name_candidates.joined(sums.get(one.key), new)
    return list(sums.values())


def _stored(answer: name_candidates.Unread, one: Candidate) -> name_candidates.StoredName:
    return name_candidates.StoredName(
        name_key=one.key,
        name=answer.raw_response[one.start : one.start + one.length],
        answers=1,
        weight=one.weight,
        platforms={answer.platform: 1},
        examples=(name_candidates.Example(sub_task_id=answer.sub_task_id, position=one.start, length=one.length),),
    )


def _best(
    ranked: Iterator[name_candidates.StoredName], lexicon: Lexicon, limit: int
) -> list[tuple[name_candidates.StoredName, tuple[str, ...]]]:
    """Return the first names that the lexicon does not cover, each with the longer ones that begin with it."""
    from answerwatch.reading.candidates import covers  # noqa: PLC0415 - as above

    best: dict[str, tuple[name_candidates.StoredName, list[str]]] = {}
    for one in ranked:
        if covers(one.name, lexicon):
            continue
        shorter = next((best[start] for start in _beginnings(one.name) if start in best), None)
        if shorter is None:
            if len(best) == limit:
                break
            best[one.name_key] = one, []
        elif len(shorter[1]) < MOST_LONGER:
            shorter[1].append(one.name)
    return [(one, tuple(also)) for one, also in best.values()]


def _beginnings(name: str) -> Iterator[str]:
    """Yield the keys of all beginnings of a name that end where a name may end, the shortest first."""
    for end in range(2, len(name)):
        before, after = name[end - 1], name[end]
        letters = before.isascii() and after.isascii() and before.isalpha() and after.isalpha()
        if not letters and not (before.isdigit() and after.isdigit()):
            yield key(name[:end])


def _shown(name: name_candidates.StoredName, also: tuple[str, ...], texts: dict[str, str]) -> SuggestedName:
    return SuggestedName(
        name=name.name,
        answers=name.answers,
        platforms=name.platforms,
        weight=name.weight,
        also=also,
        examples=tuple(
            NameExample(
                sub_task_id=one.sub_task_id,
                position=one.position,
                length=one.length,
                excerpt=_excerpt(texts[one.sub_task_id], one.position, one.length),
            )
            for one in name.examples
            if one.sub_task_id in texts
        ),
    )


def _excerpt(text: str, position: int, length: int) -> str:
    return " ".join(text[max(0, position - AROUND) : position + length + AROUND].split())
