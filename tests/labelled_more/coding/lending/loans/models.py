from django.db import models
from django.utils import timezone


class Copy(models.Model):
    GOOD, WORN, LOST = "g", "w", "l"

    title = models.ForeignKey("catalogue.Title", on_delete=models.PROTECT, related_name="copies")
    barcode = models.CharField(max_length=14, unique=True)
    state = models.CharField(max_length=1, choices=[(GOOD, "good"), (WORN, "worn"), (LOST, "lost")], default=GOOD)
    branch = models.ForeignKey("branches.Branch", null=True, on_delete=models.SET_NULL)

    def __str__(self):
        return self.barcode


class LoanQuerySet(models.QuerySet):
    def open(self):
        return self.filter(returned_at__isnull=True)

    def overdue(self, on=None):
        return self.open().filter(due__lt=on or timezone.localdate())


class Loan(models.Model):
    copy = models.ForeignKey(Copy, on_delete=models.PROTECT)
    reader = models.ForeignKey("readers.Reader", on_delete=models.CASCADE)
    taken_at = models.DateTimeField(auto_now_add=True)
    due = models.DateField(db_index=True)
    returned_at = models.DateTimeField(null=True, blank=True)
    renewals = models.PositiveSmallIntegerField(default=0)

    objects = LoanQuerySet.as_manager()

    class Meta:
        ordering = ["-taken_at"]
        constraints = [
            models.UniqueConstraint(fields=["copy"], condition=models.Q(returned_at=None), name="one_open_loan"),
        ]
