"""The object store on a local folder: written once, found again, errors that say what to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from answerwatch.errors import ConfigurationError, ServiceError, StoreFull, UsageError
from answerwatch.store.objects import (
    LocalObjects,
    ObjectDiffers,
    ObjectMissing,
    import_key,
    key_of,
    open_objects,
    raw_key,
)

NAMES = ["B1_QQ1_sim_R1", "批次_Q问题一_通义_R1", "a/b\\c:d*e?f#g%h", "..", "长" * 180, "😀"]


@pytest.fixture
def objects(tmp_path: Path) -> LocalObjects:
    return LocalObjects(tmp_path / "对象 folder")


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_part_of_a_key(objects: LocalObjects, name: str, tmp_path: Path) -> None:
    key = raw_key(f"B{name}", name, 3)
    objects.put(key, b"data")
    assert objects.exists(key)
    assert objects.get(key) == b"data"
    assert key_of(objects.url(key), objects.url("")) == key
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert file.name == "3.gz"


def test_two_long_names_with_one_beginning_have_different_keys() -> None:
    assert raw_key("B", "长" * 179 + "一", 1) != raw_key("B", "长" * 179 + "二", 1)


def test_the_same_bytes_may_be_put_twice_and_others_never_overwrite(objects: LocalObjects) -> None:
    objects.put("raw/1", b"first")
    objects.put("raw/1", b"first")
    with pytest.raises(ObjectDiffers, match="raw/1"):
        objects.put("raw/1", b"second")
    assert objects.get("raw/1") == b"first"


def test_what_is_not_there_is_missing_and_deleting_it_is_no_error(objects: LocalObjects) -> None:
    assert not objects.exists("raw/none")
    with pytest.raises(ObjectMissing, match="raw/none"):
        objects.get("raw/none")
    objects.delete("raw/none")
    objects.put("raw/some", b"x")
    objects.delete("raw/some")
    assert not objects.exists("raw/some")


def test_an_address_leads_back_to_its_store(tmp_path: Path) -> None:
    objects = open_objects((tmp_path / "对象 1").as_uri())
    objects.put("raw/问/1.gz", b"data")
    url = objects.url("raw/问/1.gz")
    assert open_objects((tmp_path / "对象 1").as_uri()).get(key_of(url + "#row=7", objects.url(""))) == b"data"
    with pytest.raises(UsageError, match="not in the store"):
        key_of("file:///elsewhere/raw/1", objects.url(""))
    with pytest.raises(ConfigurationError, match="ftp"):
        open_objects("ftp://example.test/")


def test_a_folder_that_is_a_file_is_a_service_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ServiceError, match="may be written"):
        LocalObjects(tmp_path / "file").put("raw/1", b"x")


def test_a_disk_without_space_is_told_as_such(tmp_path: Path) -> None:
    """The size of files is limited in a process of its own; the system then refuses to write as on a full disk."""
    program = (
        "import resource, signal, sys, pathlib\n"
        "from answerwatch.store.objects import LocalObjects\n"
        "from answerwatch.errors import StoreFull\n"
        "objects = LocalObjects(pathlib.Path(sys.argv[1]))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n    objects.put('raw/1', b'x' * 5000)\n"
        "except StoreFull as error:\n    sys.exit(42 if not objects.exists('raw/1') else 1)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False, env={**os.environ})
    assert done.returncode == 42
    assert issubclass(StoreFull, ServiceError)


def test_what_a_killed_writer_left_half_written_is_in_no_listing_and_can_be_removed(
    objects: LocalObjects, tmp_path: Path
) -> None:
    objects.put("raw/B/S/2.gz", b"whole")
    whole = next(tmp_path.rglob("2.gz"))
    half = whole.with_name("1.gz#1")
    half.write_bytes(b"ha")
    assert objects.below("raw/B/") == ["raw/B/S/2.gz"]
    objects.tidy("raw/B/")
    objects.tidy("raw/none/")
    assert list(whole.parent.iterdir()) == [whole]


def test_imported_files_lie_under_their_hash() -> None:
    assert import_key("ab" * 32, ".jsonl") == f"imports/{'ab' * 32}.jsonl.gz"


def test_a_file_is_kept_like_its_bytes_and_once(objects: LocalObjects, tmp_path: Path) -> None:
    key = import_key("ab" * 32, ".jsonl")
    for data, told in ((b"0123456789" * 200_000, False), (b"0123456789" * 200_000, False), (b"0123456789", True)):
        file = tmp_path / "a"
        file.write_bytes(data)
        with file.open("rb") as opened:
            if told:
                with pytest.raises(ObjectDiffers):
                    objects.put_file(key, opened)
            else:
                objects.put_file(key, opened)

    assert objects.get(key) == b"0123456789" * 200_000
    objects.put(key, b"0123456789" * 200_000)
    assert [path.name for path in objects.folder.rglob("*.gz*")] == [f"{'ab' * 32}.jsonl.gz"]
