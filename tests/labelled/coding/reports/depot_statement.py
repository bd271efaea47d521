from datetime import date
from io import BytesIO

from openpyxl import Workbook
from openpyxl.styles import Font
from reportlab.lib.pagesizes import A4
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from reports.query import depot_totals
from reports.styles import BODY, HEADING

COLUMNS = ["Depot", "Parcels", "Late", "Late %", "Average dwell (h)"]


def rows(month: date) -> list[list[object]]:
    return [
        [t.depot, t.parcels, t.late, round(100 * t.late / max(t.parcels, 1), 1), round(t.dwell_hours, 1)]
        for t in depot_totals(month)
    ]


def as_pdf(month: date) -> bytes:
    buffer = BytesIO()
    document = SimpleDocTemplate(buffer, pagesize=A4, title=f"Depot statement {month:%B %Y}")
    document.build([Paragraph(f"Depot statement {month:%B %Y}", HEADING), Table([COLUMNS, *rows(month)]), Paragraph("Times in UTC.", BODY)])
    return buffer.getvalue()


def as_xlsx(month: date) -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.append(COLUMNS)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for row in rows(month):
        sheet.append(row)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()
