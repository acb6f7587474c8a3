"""Options of exports, the same wherever rows are exported."""

from __future__ import annotations

from typing import Annotated

import typer

Many = list[str] | None
Optional = str | None

Target = Annotated[str, typer.Argument(metavar="FILE|-", help="option.export_file")]
Format = Annotated[Optional, typer.Option("--format", metavar="csv|jsonl|xlsx", help="option.export_format")]
Columns = Annotated[Optional, typer.Option("--columns", metavar="A,B,...", help="option.export_columns")]
Headers = Annotated[Optional, typer.Option("--headers", metavar="words|names", help="option.export_headers")]
Bom = Annotated[bool | None, typer.Option("--bom/--no-bom", help="option.export_bom")]
Force = Annotated[bool, typer.Option("--force", help="option.export_force")]
Batches = Annotated[Many, typer.Option("--batch", help="option.batch_id")]
Brands = Annotated[Many, typer.Option("--brand", help="option.export_brand")]
SomePlatforms = Annotated[Many, typer.Option("--platform", help="option.platform")]
Questions = Annotated[Many, typer.Option("--question", metavar="ID", help="option.question_id")]
Valid = Annotated[bool | None, typer.Option("--valid/--invalid", help="option.export_valid")]
Active = Annotated[bool | None, typer.Option("--active/--retired", help="option.export_active")]
