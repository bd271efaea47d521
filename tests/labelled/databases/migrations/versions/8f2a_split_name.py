"""split full_name into given and family name

Revision ID: 8f2a1c0d
Revises: 71bb09ee
Create Date: 2024-02-11 10:12:41
"""

import sqlalchemy as sa
from alembic import op

revision = "8f2a1c0d"
down_revision = "71bb09ee"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("patients", sa.Column("given_name", sa.Text()))
    op.add_column("patients", sa.Column("family_name", sa.Text()))
    op.execute("update patients set given_name = split_part(full_name, ' ', 1), family_name = split_part(full_name, ' ', 2)")
    op.alter_column("patients", "family_name", nullable=False)
    op.drop_column("patients", "full_name")


def downgrade() -> None:
    op.add_column("patients", sa.Column("full_name", sa.Text()))
    op.execute("update patients set full_name = concat_ws(' ', given_name, family_name)")
    op.drop_column("patients", "family_name")
    op.drop_column("patients", "given_name")
