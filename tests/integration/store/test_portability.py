"""What databases do differently, one test for each difference: the store hides it or refuses it everywhere alike."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import Column, PrimaryKeyConstraint, Table, Text, UniqueConstraint, func, select, text, update
from sqlalchemy.exc import DBAPIError, StatementError

from answerwatch.clock import MICROSECONDS, to_micros
from answerwatch.domain.ids import KEY_LENGTH
from answerwatch.domain.texts import storable
from answerwatch.errors import StoreBusy
from answerwatch.store import migrations
from answerwatch.store.database import SERVER_TIME, Store, Write
from answerwatch.store.schema import audit_event, brand, brand_alias, mark, metadata, question_bank
from answerwatch.store.upsert import insert_new, upsert
from tests.databases import MYSQL, POSTGRES, SQLITE, Databases, administering, on_servers

INDEX_BYTES = 3072
"""What an index of MySQL holds at most."""

APART = (
    "José",
    "Jose",
    "MI",
    "mi",
    "Ａ牌",
    "A牌",
    "🎩",
    "💥",
    "🍣",
    "ß",
    "ss",
    "İ",
    "i",
    "𠮷",
    "か\u309b",
    "\u304c",
    "か\u3099",
)
"""Names of `rep-collation-alias`: every two of them are one key in some collation that servers use by default."""

IDS = ("Jose", "jose", "Mi", "𠮶", "Ss")

OTHERWISE = [
    pytest.param(SQLITE, None, id="sqlite"),
    *(
        pytest.param(POSTGRES, f"ENCODING 'UTF8' TEMPLATE template0 {how}", marks=pytest.mark.postgres, id=how)
        for how in ("LOCALE 'C'", "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
    ),
    *(
        pytest.param(MYSQL, how, marks=pytest.mark.mysql, id=how)
        for how in ("CHARACTER SET latin1", "CHARACTER SET utf8mb3", "CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
    ),
]
"""How databases are made by those who do not read our documentation."""

MOMENT = datetime(2026, 11, 30, 23, 59, 59, 999_999, tzinfo=UTC)


def insert(store: Store, table: Any, row: dict[str, object]) -> None:  # noqa: ANN401 - a table
    with store.writing() as tx:
        tx.insert(table, [row])


def question(question_id: str, query_text: str, **more: object) -> dict[str, object]:
    given = {"question_id": question_id, "query_text": query_text, "scene_type": "RISK", "target_keywords": []}
    fixed = {"intent_description": "", "is_active": 1, "version": 1, "created_at": MOMENT, "updated_at": MOMENT}
    return {**given, **fixed, **more}


def alias(name: str) -> dict[str, object]:
    return {"brand_id": "b", "alias": name, "kind": "name", "match_mode": "folded", "is_active": 1}


def audit(at: datetime, detail: object = None) -> dict[str, object]:
    return {"at": at, "actor": "a", "action": "x", "subject": "s", "detail": detail or {}}


def indexes(table: Table) -> Iterator[tuple[list[Column[Any]], bool]]:
    """The columns of each index of a table, and whether it is unique; those of its keys too."""
    for index in table.indexes:
        if not index.kwargs["mysql_length"]:
            yield list(index.columns), index.unique
    for key in table.constraints:
        if isinstance(key, UniqueConstraint | PrimaryKeyConstraint):
            yield list(key.columns), True


@pytest.mark.parametrize("hours", [0, 8, -5])
def test_time_zone_and_microseconds_of_a_moment_come_back(store: Store, hours: int) -> None:
    insert(store, audit_event, audit(MOMENT.astimezone(timezone(timedelta(hours=hours)))))

    with store.reading() as tx:
        found = tx.scalar(select(audit_event.c.at))
        assert (found, found.utcoffset()) == (MOMENT, timedelta())
        assert tx.scalar(select(func.count()).where(audit_event.c.at == MOMENT)) == 1


def test_a_moment_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises((ValueError, StatementError), match="give it a time zone"):
        insert(store, audit_event, audit(MOMENT.replace(tzinfo=None)))


def test_hours_that_a_daylight_saving_zone_has_twice_stay_apart(database_kind: str, databases: Databases) -> None:
    url = databases.empty(database_kind)
    store = Store(url)
    if database_kind == POSTGRES:
        with administering(POSTGRES) as run:
            run(f"ALTER DATABASE {store.engine.url.database} SET timezone = 'Europe/Berlin'")
    migrations.upgrade(store)
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    for moment in (first, first + timedelta(hours=1)):
        insert(store, audit_event, audit(moment))

    with store.reading() as tx:
        moments = [row.at for row in tx.all(select(audit_event.c.at).order_by(audit_event.c.audit_id))]
        apart = abs(tx.now_us() - to_micros(datetime.now(UTC)))
    store.close()
    assert moments == [first, first + timedelta(hours=1)]
    assert apart < 60 * MICROSECONDS


@on_servers
def test_the_session_has_utc_whatever_the_server_has(store: Store, database_kind: str) -> None:
    zone = {POSTGRES: "SELECT current_setting('timezone')", MYSQL: "SELECT @@session.time_zone"}[database_kind]
    with store.reading() as tx:
        assert tx.scalar(text(zone)) in ("UTC", "+00:00")
        assert int(tx.scalar(SERVER_TIME[tx.dialect])) > 0


@pytest.mark.parametrize(("database_kind", "made_with"), OTHERWISE, indirect=["database_kind"])
def test_rep_collation_alias_keys_are_compared_by_code_whatever_the_default_collation(
    database_kind: str, databases: Databases, made_with: str | None
) -> None:
    store = Store(databases.empty(database_kind, made_with))
    migrations.upgrade(store)

    with store.writing() as tx:
        assert insert_new(tx, brand_alias, [alias(name) for name in APART]) == len(APART)
        assert insert_new(tx, brand_alias, [alias(name) for name in APART]) == 0
        insert_new(tx, question_bank, [question(one, f"{one} 🚀𠮷") for one in IDS])
    with store.reading() as tx:
        names = [row.alias for row in tx.all(select(brand_alias.c.alias).order_by(brand_alias.c.alias))]
        each = [tx.all(select(brand_alias.c.alias).where(brand_alias.c.alias == name)) for name in APART]
        joined = brand_alias.join(question_bank, brand_alias.c.alias == question_bank.c.question_id)
        pairs = [(row.alias, row.question_id) for row in tx.all(select(joined))]
        texts = {row.question_id: row.query_text for row in tx.all(select(question_bank))}
    assert names == sorted(APART), "the order is that of the code points on every database"
    assert [[row.alias for row in rows] for rows in each] == [[name] for name in APART]
    assert pairs == [("Jose", "Jose")]
    assert texts == {one: f"{one} 🚀𠮷" for one in IDS}
    assert migrations.differences(store) == []
    store.close()


@pytest.mark.parametrize("long", ["🚀" * 20_000, "汉" * 30_000, "x" * 200_000], ids=["4-byte", "90 KB", "200 KB"])
def test_long_text_and_4_byte_text_come_back_whole(store: Store, long: str) -> None:
    insert(store, question_bank, question("Q1", long))

    with store.reading() as tx:
        assert tx.scalar(select(question_bank.c.query_text)) == long


def test_a_key_of_full_length_in_4_byte_letters_fits_everywhere(store: Store) -> None:
    key = "𠮷" * KEY_LENGTH
    insert(store, brand_alias, alias(key))

    with store.reading() as tx:
        assert tx.scalar(select(brand_alias.c.alias).where(brand_alias.c.alias == key)) == key


@on_servers
def test_a_server_refuses_what_does_not_fit_and_never_shortens_it(store: Store) -> None:
    with pytest.raises(DBAPIError):
        insert(store, brand_alias, alias("x" * (KEY_LENGTH + 1)))


@pytest.mark.parametrize("received", ["推\x00荐A牌", "A牌\ud83d很好", "A牌\ude00\ud83d", "A\ufffe牌", "😀A牌"])
def test_rep_nul_surrogate_what_no_database_may_hold_is_replaced_one_for_one(store: Store, received: str) -> None:
    kept = storable(received)
    insert(store, question_bank, question("Q1", kept.text, target_keywords=[kept.text]))

    with store.reading() as tx:
        row = tx.first(select(question_bank))
    assert row is not None
    assert (row.query_text, row.target_keywords) == (kept.text, [kept.text])
    assert len(kept.text) == len(received)
    assert kept.text.find("A") == received.find("A")


def test_null_is_in_no_unique_key_but_where_many_rows_may_have_none() -> None:
    every = [one for table in metadata.sorted_tables for one in indexes(table)]
    found = {str(column) for columns, unique in every if unique for column in columns if column.nullable}

    assert found == {"similarity_job.idempotency_key", "task_batch.idempotency_key"}


def test_index_length_every_index_fits_into_that_of_mysql() -> None:
    begun = {"ix_question_bank_query_text": {"query_text": KEY_LENGTH}}
    every = {index.name: index.kwargs["mysql_length"] for table in metadata.sorted_tables for index in table.indexes}
    assert {name: length for name, length in every.items() if length} == begun, "texts of which the beginning is taken"

    for table in metadata.sorted_tables:
        for columns, _ in indexes(table):
            assert not [column for column in columns if isinstance(column.type, Text)]
            sizes: list[int] = [4 * (getattr(column.type, "length", None) or 2) for column in columns]
            assert sum(sizes) <= INDEX_BYTES, columns


@pytest.mark.parametrize("value", [{"名": ["🚀", None, 1.5, True, 2**53], "é": {"": "\\u0041 \\ \" '"}}, [], {}, "x"])
def test_json_comes_back_as_it_was(store: Store, value: object) -> None:
    insert(store, audit_event, {**audit(MOMENT), "detail": value})

    with store.reading() as tx:
        assert tx.scalar(select(audit_event.c.detail)) == value


def test_a_flag_takes_0_and_1_alone(store: Store) -> None:
    insert(store, brand_alias, alias("a"))

    with pytest.raises(DBAPIError), store.writing() as tx:
        tx.run(update(brand_alias).values(is_active=2))


def test_insert_new_counts_the_new_rows_and_leaves_the_others_alone(store: Store) -> None:
    rows = [{"name": name, "value_us": 1} for name in "abc"]
    with store.writing() as tx:
        assert insert_new(tx, mark, rows[:2]) == 2
        assert insert_new(tx, mark, [{**row, "value_us": 9} for row in rows]) == 1
        assert insert_new(tx, mark, rows) == 0
    with store.reading() as tx:
        assert {row.name: row.value_us for row in tx.all(select(mark))} == {"a": 1, "b": 1, "c": 9}


def test_insert_new_refuses_a_row_that_does_not_fit_instead_of_leaving_it_out(store: Store) -> None:
    row = {"brand_id": "b", "standard_name": "b", "name_key": "b", "role": "own", "is_active": 7, "domains": []}
    with pytest.raises(DBAPIError), store.writing() as tx:
        insert_new(tx, brand, [row])


def test_upsert_inserts_and_sets_what_it_is_told_to(store: Store) -> None:
    first, second = question("Q1", "old"), question("Q1", "new", intent_description="other")
    with store.writing() as tx:
        for new in ([first], [second, question("Q2", "two")]):
            upsert(tx, question_bank, new, key=["question_id"], update=["query_text"])

    with store.reading() as tx:
        rows = tx.all(select(question_bank).order_by(question_bank.c.question_id))
    assert [(row.question_id, row.query_text, row.intent_description) for row in rows] == [
        ("Q1", "new", ""),
        ("Q2", "two", ""),
    ]


@on_servers
def test_skip_locked_rows_that_another_transaction_holds_are_left_out_without_waiting(store: Store) -> None:
    with store.writing() as tx:
        insert_new(tx, mark, [{"name": name, "value_us": 1} for name in "abc"])
    free = select(mark.c.name).order_by(mark.c.name).with_for_update(skip_locked=True)

    with store.writing() as one, store.writing() as other:
        assert [row.name for row in one.all(free.where(mark.c.name == "b"))] == ["b"]
        assert [row.name for row in other.all(free.where(mark.c.name.in_(list("abc"))))] == ["a", "c"]


def test_skip_locked_is_left_out_where_nobody_knows_it(store: Store) -> None:
    with store.reading() as tx:
        assert tx.all(select(mark.c.name).with_for_update(skip_locked=True)) == []


@on_servers
def test_a_lock_that_is_not_given_in_time_is_told_as_a_busy_database(store: Store) -> None:
    with store.writing() as tx:
        insert_new(tx, mark, [{"name": "a", "value_us": 1}])
    own = select(mark.c.name).with_for_update()
    soon = {"postgresql": "SET LOCAL lock_timeout = '50ms'", "mysql": "SET innodb_lock_wait_timeout = 1"}

    def wait(tx: Write) -> None:
        tx.run(text(soon[tx.dialect]))
        tx.all(own)

    with store.writing() as one:
        one.all(own)
        with pytest.raises(StoreBusy):
            store.transact(wait)
    store.engine.dispose()  # MySQL's wait was set for a whole connection
