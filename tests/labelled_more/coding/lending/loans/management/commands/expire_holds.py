from datetime import timedelta

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from loans.models import Hold


class Command(BaseCommand):
    help = "Runs every night from cron; frees copies nobody picked up."

    def add_arguments(self, parser):
        parser.add_argument("--days", type=int, default=5)

    def handle(self, *args, days, **options):
        limit = timezone.now() - timedelta(days=days)
        freed = 0
        for hold in Hold.objects.filter(ready_at__lt=limit, picked_up=False).iterator(chunk_size=200):
            with transaction.atomic():
                hold.release()
                nxt = hold.copy.title.queue.first()
                if nxt:
                    nxt.offer(hold.copy)
            freed += 1
        self.stdout.write(f"{freed} freed")
