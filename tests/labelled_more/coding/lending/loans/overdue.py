"""Monthly sheet for the branches: what is out, and for how long."""
import io

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

HEAD = ("Barcode", "Title", "Due", "Days", "Branch")


def sheet_for(branch, loans, today):
    wb = Workbook()
    ws = wb.active
    ws.title = branch.short_name[:31]
    ws.append(HEAD)
    for cell in ws[1]:
        cell.font = Font(bold=True)
    n = 0
    for n, loan in enumerate(loans, start=1):
        days = (today - loan.due).days
        ws.append((loan.copy.barcode, loan.copy.title.name, loan.due.isoformat(), days, branch.short_name))
    ws.append(())
    ws.append(("total", n))
    for i, width in enumerate((16, 48, 12, 6, 20), start=1):
        ws.column_dimensions[get_column_letter(i)].width = width
    ws.freeze_panes = "A2"
    out = io.BytesIO()
    wb.save(out)
    return out.getvalue()
