"""Same seed, question and turn: same bytes, in whatever order calls arrive."""

import httpx2

from answerwatch.simulator import SimulatorThread, parse_script
from tests.integration.simulator.conftest import Ask

MIXED = parse_script("faults: {e500: 0.2, e429_retry_after: 0.2, empty: 0.1, ok_sources_chat: 0.2}")
BY_QUESTION = parse_script("answers: by_question")
BY_KEY = parse_script("answers: by_key")


def test_a_reset_server_repeats_every_byte(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(MIXED)
    questions = [f"best coffee {number}?" for number in range(8)] * 3
    first = [(reply.status_code, reply.content) for reply in map(ask, questions)]
    simulator.reset()
    assert [(reply.status_code, reply.content) for reply in map(ask, questions)] == first
    assert {status for status, _ in first} == {200, 429, 500}


def test_another_seed_answers_otherwise(ask: Ask, simulator: SimulatorThread) -> None:
    first = ask().content
    simulator.reset()
    simulator.use(parse_script("seed: 8"))
    assert ask().content == first, "the seed of the constructor goes before the script's"
    with SimulatorThread(parse_script("seed: 8")) as other:
        body = {"model": "sim-answer", "messages": [{"role": "user", "content": "哪家咖啡好"}]}
        reply = httpx2.post(f"{other.base_url}/v1/chat/completions", json=body, trust_env=False)
    assert reply.content != first


def test_rounds_of_one_question_differ(ask: Ask) -> None:
    replies = [ask().json()["choices"][0]["message"]["content"] for _ in range(6)]
    assert len(set(replies)) == 6


def test_the_api_key_does_not_change_the_answer_but_is_counted_apart(ask: Ask, simulator: SimulatorThread) -> None:
    assert ask(key="sk-one").content == ask(key="sk-two").content
    assert [record["attempt"] for record in simulator.calls()] == [1, 1]


def test_with_a_key_of_the_caller_the_order_does_not_matter(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(MIXED)
    keys = [f"task-{number}" for number in range(12)]

    def run(order: list[str]) -> dict[str, list[tuple[int, bytes]]]:
        simulator.reset()
        seen: dict[str, list[tuple[int, bytes]]] = {}
        for key in order:
            reply = ask(headers={"X-Sim-Key": key})
            seen.setdefault(key, []).append((reply.status_code, reply.content))
        return seen

    assert run(keys + keys) == run([*reversed(keys), *keys])


def test_other_headers_of_the_caller_are_ignored(ask: Ask, simulator: SimulatorThread) -> None:
    first = ask(headers={"X-Request-Id": "a"}).content
    simulator.reset()
    assert ask(headers={"X-Request-Id": "b"}).content == first


def test_by_question_all_rounds_and_keys_get_one_answer(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(BY_QUESTION)
    replies = [ask(), ask(), ask(headers={"X-Sim-Key": "t"}), ask(fault="e500,ok"), ask(fault="e500,ok")]
    texts = {reply.json()["choices"][0]["message"]["content"] for reply in replies if reply.status_code == 200}
    assert len(texts) == 1
    assert ask("another?").json()["choices"][0]["message"]["content"] not in texts


def test_by_key_retries_repeat_the_answer_and_rounds_do_not(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(BY_KEY)

    def text(key: str) -> str:
        content: str = ask(headers={"X-Sim-Key": key}).json()["choices"][0]["message"]["content"]
        return content

    assert text("round-1") == text("round-1") != text("round-2")


def test_throttling_does_not_use_up_turns(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(parse_script("sequence: [e500, ok]\nbucket: {rate: 0.001, capacity: 1}"))
    assert [ask().status_code for _ in range(3)] == [500, 429, 429]
    simulator.use(parse_script("sequence: [e500, ok]"))
    assert ask().status_code == 200
    assert [record["turn"] for record in simulator.calls()] == [1, None, None, 2]
    assert [record["attempt"] for record in simulator.calls()] == [1, 2, 3, 4]


def test_an_answer_takes_the_latency_of_its_profile(ask: Ask, simulator: SimulatorThread) -> None:
    simulator.use(parse_script("latency: 150"))
    ask()
    (answered,) = simulator.calls()
    assert float(str(answered["ended"])) - float(str(answered["arrived"])) >= 0.15
