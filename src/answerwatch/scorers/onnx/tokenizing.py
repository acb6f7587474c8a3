"""Tokenizers of local folders: `tokenizer.json` as it is, or the one of BERT made from `vocab.txt`."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from answerwatch.scorers.onnx.config import damaged, missing, read_json

READY, VOCABULARY, SETTINGS = "tokenizer.json", "vocab.txt", "tokenizer_config.json"
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_LONGEST_WORD = 100
"""Characters of a word beyond which BERT does not cut it into pieces."""


def tokenizer_file(folder: Path) -> Path:
    """Return the file that the tokenizer of a folder is made of; raises ConfigurationError where there is none."""
    for name in (READY, VOCABULARY):
        if (folder / name).is_file():
            return folder / name
    raise missing(folder, f"{READY} / {VOCABULARY}")


def read_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of a folder; raises ConfigurationError for files that are missing or damaged.

    A text that spells a special token gets the tokens of its letters: nobody ends a text early by writing `[SEP]`.
    """
    path = tokenizer_file(folder)
    if path.name == VOCABULARY:
        tokenizer = bert_tokenizer(path, lowercase=_lowercases(folder))
    else:
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises a bare Exception
            raise damaged(path, str(error)) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer


def _lowercases(folder: Path) -> bool:
    """Tell whether a BERT tokenizer makes letters small; it does where nothing else is said."""
    path = folder / SETTINGS
    return not path.is_file() or read_json(path).get("do_lower_case", True) is not False


def bert_tokenizer(path: Path, *, lowercase: bool) -> Tokenizer:
    """Return the tokenizer of a `vocab.txt`; raises ConfigurationError where it cannot be read or is no such file."""
    try:
        with path.open(encoding="utf-8") as file:  # lines end where BERT ends them: some words hold other line ends
            numbers = {line.rstrip("\n"): number for number, line in enumerate(file) if line != "\n"}
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(path, str(error)) from error
    if lacking := [word for word in _SPECIAL[:4] if word not in numbers]:
        raise damaged(path, f"it has no line {', '.join(lacking)}")
    model = WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=_LONGEST_WORD)  # noqa: S106 - a token of text
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(word, numbers[word]) for word in ("[CLS]", "[SEP]")],
    )
    tokenizer.add_special_tokens([word for word in _SPECIAL if word in numbers])
    return tokenizer
