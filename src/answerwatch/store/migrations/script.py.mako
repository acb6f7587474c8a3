"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
% if imports:

${imports}
% endif

revision = "${up_revision}"
down_revision = ${'"%s"' % down_revision if down_revision else None}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Go back to the revision before."""
    ${downgrades if downgrades else "pass"}
