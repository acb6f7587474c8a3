"""Answers as vendors and programs write them, one made-up file a format. All texts are our own."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path


def lines(path: Path, records: Iterable[object]) -> Path:
    """Write an object a line."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path


def document(path: Path, value: object) -> Path:
    """Write one JSON document."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


def archive(path: Path, members: Mapping[str, object]) -> Path:
    """Write an archive of documents."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, value in members.items():
            packed.writestr(name, json.dumps(value))
    return path


def _node(id_: str, parent: str | None, children: list[str], message: object) -> dict[str, object]:
    return {"id": id_, "parent": parent, "children": children, "message": message}


def _spoken(role: str, text: str, **metadata: object) -> dict[str, object]:
    return {
        "id": f"m-{text[:4]}",
        "author": {"role": role},
        "create_time": 1_782_865_800.5,
        "content": {"content_type": "text", "parts": [text]},
        "recipient": "all",
        "metadata": metadata,
    }


_CITE = "\ue200cite\ue202turn0search0\ue202turn0search1\ue201"
_ENTITY = '\ue200entity\ue202["company","青岚手机","手机厂商"]\ue201'

CHATGPT = [
    {
        "id": "c1",
        "title": "选手机",
        "create_time": 1_782_865_000,
        "current_node": "n6",
        "mapping": {
            "n0": _node("n0", None, ["n1"], None),
            "n1": _node("n1", "n0", ["n2"], _spoken("system", "隐藏", is_visually_hidden_from_conversation=True)),
            "n2": _node("n2", "n1", ["n3", "n5"], _spoken("user", "哪个手机拍照好？")),
            "n3": _node("n3", "n2", [], _spoken("assistant", "被重新生成掉的回答")),
            "n5": _node(
                "n5",
                "n2",
                ["n6"],
                {
                    "author": {"role": "assistant"},
                    "content": {"content_type": "thoughts", "thoughts": [{"content": "先比较镜头"}]},
                    "recipient": "all",
                    "metadata": {},
                },
            ),
            "n6": _node(
                "n6",
                "n5",
                [],
                _spoken(
                    "assistant",
                    f"首选{_ENTITY}。{_CITE} 其次是松果手机。\ue206",
                    model_slug="gpt-5",
                    content_references=[
                        {
                            "type": "grouped_webpages",
                            "matched_text": _CITE,
                            "items": [
                                {
                                    "url": "https://a.example/1?utm_source=chatgpt.com",
                                    "title": "评测一",
                                    "supporting_websites": [{"url": "https://b.example/2", "title": "评测二"}],
                                }
                            ],
                        }
                    ],
                    search_result_groups=[
                        {"domain": "c.example", "entries": [{"url": "https://c.example/3", "title": "评测三"}]}
                    ],
                ),
            ),
        },
    },
    {
        "id": "c2",
        "title": "没有问完",
        "current_node": "n1",
        "mapping": {
            "n0": _node("n0", None, ["n1"], None),
            "n1": _node("n1", "n0", [], _spoken("user", "还没有回答的问题")),
        },
    },
]

DEEPSEEK = [
    {
        "id": "d1",
        "title": "选咖啡",
        "inserted_at": "2026-07-01T08:30:00.000000+08:00",
        "mapping": {
            "root": _node("root", None, ["1"], None),
            "1": _node(
                "1",
                "root",
                ["2", "3"],
                {
                    "inserted_at": "2026-07-01T08:30:00+08:00",
                    "model": "deepseek-chat",
                    "fragments": [{"type": "REQUEST", "content": "哪家咖啡好？"}],
                },
            ),
            "2": _node("2", "1", [], {"fragments": [{"type": "RESPONSE", "content": "旧的回答"}]}),
            "3": _node(
                "3",
                "1",
                [],
                {
                    "model": "deepseek-reasoner",
                    "fragments": [
                        {
                            "type": "SEARCH",
                            "results": [{"url": "https://a.example/k", "title": "榜单", "snippet": "…"}],
                        },
                        {"type": "THINK", "content": "先看口味"},
                        {"type": "RESPONSE", "content": "推荐砚山咖啡。"},
                    ],
                },
            ),
        },
    },
    {
        "id": "d2",
        "mapping": {
            "root": _node("root", None, ["1"], None),
            "1": _node("1", "root", ["2"], {"role": "USER", "content": "哪家茶好？"}),
            "2": _node(
                "2",
                "1",
                [],
                {
                    "role": "ASSISTANT",
                    "content": "推荐云脚茶。",
                    "reasoning_content": "想一想",
                    "search_results": [{"url": "https://b.example/t", "title": "茶"}],
                },
            ),
        },
    },
]

PROMPTFOO = {
    "evalId": "eval-1",
    "results": {
        "version": 3,
        "prompts": [{"raw": "{{q}}", "label": "q"}],
        "results": [
            {
                "id": "p1",
                "prompt": {"raw": "哪家酒店好？", "label": "q"},
                "provider": {"id": "openai:chat:gpt-5", "label": ""},
                "vars": {"q": "哪家酒店好？"},
                "response": {"output": "推荐栖云酒店。", "finishReason": "stop"},
                "success": True,
            },
            {
                "id": "p2",
                "prompt": {"raw": '[{"role":"system","content":"简短"},{"role":"user","content":"哪家民宿好？"}]'},
                "provider": "deepseek:deepseek-chat",
                "response": {"output": {"name": "松间民宿"}},
                "success": False,
            },
            {"prompt": {"raw": "x"}, "provider": {"id": "openai:gpt-5"}, "response": {"error": "429 too many"}},
        ],
    },
}

REQUESTS = [
    {"custom_id": "r1", "method": "POST", "body": {"messages": [{"role": "user", "content": "哪辆车好？"}]}},
    {
        "custom_id": "r2",
        "params": {"messages": [{"role": "user", "content": [{"type": "text", "text": "哪辆车好？"}]}]},
    },
    {"key": "r3", "request": {"contents": [{"role": "user", "parts": [{"text": "哪辆车好？"}]}]}},
    {"custom_id": "r4", "body": {"input": "哪辆车好？"}},
]

OPENAI_BATCH = [
    {
        "id": "b1",
        "custom_id": "r1",
        "response": {
            "status_code": 200,
            "body": {
                "id": "x",
                "created": 1_782_865_800,
                "model": "gpt-5",
                "choices": [
                    {
                        "finish_reason": "stop",
                        "message": {
                            "role": "assistant",
                            "content": "推荐远山汽车。",
                            "annotations": [
                                {"type": "url_citation", "url_citation": {"url": "https://a.example/c", "title": "车"}}
                            ],
                        },
                    }
                ],
            },
        },
        "error": None,
    },
    {
        "custom_id": "r4",
        "response": {
            "status_code": 200,
            "body": {
                "model": "gpt-5",
                "output": [
                    {"type": "web_search_call"},
                    {
                        "type": "message",
                        "content": [
                            {
                                "type": "output_text",
                                "text": "也推荐远山汽车。",
                                "annotations": [{"type": "url_citation", "url": "https://b.example/c", "title": "车"}],
                            }
                        ],
                    },
                ],
            },
        },
    },
    {
        "custom_id": "r9",
        "response": {"status_code": 500, "body": {"error": {"message": "server error"}}},
        "error": None,
    },
]

ANTHROPIC_BATCH = [
    {
        "custom_id": "r2",
        "result": {
            "type": "succeeded",
            "message": {
                "id": "msg",
                "model": "claude-x",
                "stop_reason": "end_turn",
                "content": [
                    {"type": "thinking", "thinking": "想"},
                    {
                        "type": "web_search_tool_result",
                        "content": [{"type": "web_search_result", "url": "https://c.example/s", "title": "S"}],
                    },
                    {"type": "text", "text": "推荐远山", "citations": [{"url": "https://a.example/s", "title": "A"}]},
                    {"type": "text", "text": "汽车。"},
                ],
            },
        },
    },
    {"custom_id": "r8", "result": {"type": "expired"}},
]

GEMINI_BATCH = [
    {
        "key": "r3",
        "response": {
            "modelVersion": "gemini-x",
            "candidates": [
                {
                    "finishReason": "STOP",
                    "content": {"parts": [{"text": "想", "thought": True}, {"text": "推荐远山汽车。"}]},
                    "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://a.example/g", "title": "g"}}]},
                }
            ],
        },
    },
    {"key": "r7", "error": {"code": 8, "message": "quota"}},
]

PERPLEXITY_LOG = [
    {
        "id": "q1",
        "messages": [{"role": "user", "content": "哪款耳机好？"}],
        "response": {
            "model": "sonar-pro",
            "created": 1_782_865_800,
            "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "推荐鸣野耳机[1]。"}}],
            "citations": ["https://a.example/e"],
            "search_results": [
                {"url": "https://a.example/e", "title": "耳机"},
                {"url": "https://b.example/e", "title": "二"},
            ],
        },
    }
]

BRIGHTDATA = [
    {
        "url": "https://chatgpt.com/?q=x",
        "prompt": "哪款灯好？",
        "answer_text": "推荐朗星灯",
        "answer_text_markdown": "推荐**朗星灯**。",
        "answer_html": "<p>推荐<b>朗星灯</b></p>",
        "model": "gpt-5",
        "country": "CN",
        "citations": [{"url": "https://a.example/l", "title": "灯", "position": 1}],
        "search_sources": [{"url": "https://b.example/l", "title": "灯二"}],
        "web_search_triggered": True,
        "timestamp": "2026-07-01T00:30:00.000Z",
    },
    {"url": "https://chatgpt.com/", "prompt": "x", "answer_text": None, "error": "timeout"},
]

CLORO = {
    "success": True,
    "prompt": "哪款表好？",
    "country": "CN",
    "result": {
        "text": "推荐晷影表。",
        "markdown": "推荐**晷影表**。",
        "model": "gpt-5",
        "sources": [{"position": 1, "url": "https://a.example/w", "label": "W"}],
        "searchQueries": ["好表"],
    },
}

CLORO_TASKS = [
    {
        "task": {
            "id": "t1",
            "taskType": "PERPLEXITY",
            "status": "COMPLETED",
            "createdAt": "2026-07-01T00:30:00.000Z",
            "idempotencyKey": "k1",
        },
        "credits": {"creditsCharged": 3},
        "response": CLORO,
    },
    {"task": {"id": "t2", "taskType": "CHATGPT", "status": "FAILED"}, "response": {"success": False}},
]

CLORO_REQUESTS = [
    {"taskType": "PERPLEXITY", "idempotencyKey": "k1", "payload": {"prompt": "哪款表准？", "country": "CN"}}
]

APIFY = [
    {
        "query": "哪款杯好？",
        "answer": "推荐云瓷杯。",
        "sources": [{"title": "杯", "domain": "a.example", "url": "https://a.example/b"}],
        "followUpQuestions": ["多少钱？"],
    }
]

DATAFORSEO = {
    "version": "0.1",
    "status_code": 20000,
    "tasks": [
        {
            "id": "t1",
            "path": ["v3", "ai_optimization", "chat_gpt", "llm_scraper", "task_get"],
            "data": {"keyword": "哪款伞好？"},
            "result": [
                {
                    "keyword": "哪款伞好？",
                    "language_code": "zh",
                    "model": "gpt-5",
                    "datetime": "2026-07-01 00:30:00 +00:00",
                    "markdown": "推荐檐下伞。",
                    "sources": [{"url": "https://a.example/u", "title": "伞"}],
                    "search_results": [{"url": "https://b.example/u", "title": "伞二"}],
                }
            ],
        },
        {
            "id": "t2",
            "path": ["v3", "ai_optimization", "claude", "llm_responses", "live"],
            "data": {"user_prompt": "哪款鞋好？"},
            "result": [
                {
                    "model_name": "claude-x",
                    "items": [
                        {"type": "reasoning", "sections": [{"type": "summary_text", "text": "比较踏野和行迹"}]},
                        {
                            "type": "message",
                            "sections": [
                                {"text": "推荐踏野鞋。", "annotations": [{"url": "https://a.example/s", "title": "鞋"}]}
                            ],
                        },
                    ],
                }
            ],
        },
        {"id": "t3", "data": {"keyword": "x"}, "result": None, "status_message": "Task Handed."},
    ],
}
