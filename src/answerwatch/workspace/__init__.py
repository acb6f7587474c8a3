"""The public Python API: a workspace and its nouns, each with its verbs and its views.

`open_workspace()` gives a `Workspace`; everything else hangs from it: `ws.questions.add(...)`,
`ws.batches.run(BatchRequest(...))`, `ws.reports.report("华为")`.
Views are frozen records; `to_dict` turns any of them into JSON values.
"""

from answerwatch.workspace.batches.views import BatchRequest
from answerwatch.workspace.exports.views import ExportRequest
from answerwatch.workspace.open import Workspace, open_workspace
from answerwatch.workspace.plain import to_dict
from answerwatch.workspace.questions.views import QuestionRow

__all__ = ["BatchRequest", "ExportRequest", "QuestionRow", "Workspace", "open_workspace", "to_dict"]
