"""The database that migrations build is the one the schema describes."""

from collections.abc import Iterator

import pytest
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import event, inspect, text

from answerwatch.errors import ServiceError
from answerwatch.store import migrations
from answerwatch.store.connection import revision
from answerwatch.store.database import Store
from answerwatch.store.migrations.alone import alone
from answerwatch.store.types import Short


@pytest.fixture
def store(bare_database_url: str) -> Iterator[Store]:
    made = Store(bare_database_url)
    yield made
    made.close()


def test_a_migrated_empty_database_equals_the_schema(store: Store) -> None:
    assert migrations.upgrade(store) == (None, revision.head())

    assert migrations.differences(store) == []
    revision.check(store)


def test_upgrading_twice_changes_nothing(store: Store) -> None:
    migrations.upgrade(store)

    assert migrations.upgrade(store) == (revision.head(), revision.head())


def test_the_head_known_to_the_code_is_the_last_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations.FOLDER))

    assert ScriptDirectory.from_config(config).get_heads() == [revision.head()]


def test_a_database_that_was_never_set_up_is_refused(store: Store) -> None:
    with pytest.raises(ServiceError, match="answerwatch init"):
        revision.check(store)


@pytest.mark.parametrize(("number", "advice"), [("0000", "answerwatch db upgrade"), ("9999", "newer answerwatch")])
def test_another_revision_is_refused_with_the_next_step(store: Store, number: str, advice: str) -> None:
    migrations.upgrade(store)
    with store.writing() as tx:
        tx.run(text("UPDATE alembic_version SET version_num = :number"), {"number": number})

    with pytest.raises(ServiceError, match=advice):
        revision.check(store)


def test_a_database_of_a_newer_version_is_not_upgraded(store: Store) -> None:
    migrations.upgrade(store)
    with store.writing() as tx:
        tx.run(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(ServiceError, match="newer answerwatch"):
        migrations.upgrade(store)


def test_a_missing_column_and_a_missing_view_are_told(store: Store) -> None:
    migrations.upgrade(store)
    with store.writing() as tx:
        tx.run(text("DROP VIEW answer_metric"))
        tx.run(text("ALTER TABLE alert DROP COLUMN acknowledged_at"))

    assert migrations.differences(store) == ["column alert.acknowledged_at is missing", "view answer_metric is missing"]


def test_other_tables_indexes_and_columns_are_told_in_words(store: Store) -> None:
    migrations.upgrade(store)
    with store.writing() as tx:
        tx.run(text("DROP TABLE mark"))
        tx.run(text("CREATE TABLE guest (x INTEGER)"))
        operations = Operations(MigrationContext.configure(tx.connection))
        operations.drop_index("ix_task_batch_brand_name", table_name="task_batch")
        with operations.batch_alter_table("question_version") as versions:
            versions.alter_column("note", existing_type=Short, nullable=True)

    assert sorted(migrations.differences(store)) == [
        "column question_version.note differs: nullable",
        "index task_batch.ix_task_batch_brand_name is missing",
        "table guest is too many",
        "table mark is missing",
    ]


def test_a_missing_check_and_one_too_many_are_told(store: Store) -> None:
    migrations.upgrade(store)
    with store.writing() as tx:
        operations = Operations(MigrationContext.configure(tx.connection))
        with operations.batch_alter_table("brand_alias") as alias:
            alias.drop_constraint("ck_brand_alias_is_active", type_="check")
            alias.create_check_constraint("ck_brand_alias_other", "is_active < 2")

    assert migrations.differences(store) == [
        "check ck_brand_alias_is_active is missing",
        "check ck_brand_alias_other is too many",
    ]


def test_a_failed_upgrade_leaves_nothing_behind_where_a_database_can_take_it_back(store: Store) -> None:
    with store.writing() as tx:
        tx.run(text("CREATE TABLE task_batch (x INTEGER)"))

    with pytest.raises(ServiceError, match=r"CREATE TABLE task_batch.*answerwatch db upgrade"):
        migrations.upgrade(store)

    with store.reading() as tx:
        tables = set(inspect(tx.connection).get_table_names())
    assert tables == {"task_batch"} if store.engine.dialect.name != "mysql" else revision.JOURNAL in tables


def test_an_upgrade_that_waits_in_vain_for_another_ends_in_one_error_and_works_when_the_other_has_ended(
    store: Store,
) -> None:
    later = Store(store.url)
    # SQLite has no wait of its own for upgrades: it waits for who writes, as with every other change.
    event.listen(later.engine, "connect", lambda one, _: later.is_sqlite and one.execute("PRAGMA busy_timeout = 50"))
    with store.writing() as tx, alone(tx), pytest.raises(ServiceError) as caught:
        migrations.upgrade(later, wait_s=1)

    assert caught.value.code == ("store_busy" if later.is_sqlite else "store_upgrading")
    assert "ry again" in caught.value.text
    with later.reading() as read:
        assert revision.current(read) is None
    assert migrations.upgrade(later) == (None, revision.head())
    later.close()
