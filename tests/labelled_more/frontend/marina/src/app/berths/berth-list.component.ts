import { ChangeDetectionStrategy, Component, computed, input, output, signal } from '@angular/core';
import { DecimalPipe } from '@angular/common';
import { MatTableModule } from '@angular/material/table';
import { Berth } from '../model';

@Component({
  selector: 'mar-berth-list',
  standalone: true,
  imports: [MatTableModule, DecimalPipe],
  templateUrl: './berth-list.component.html',
  styleUrl: './berth-list.component.scss',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class BerthListComponent {
  readonly berths = input.required<Berth[]>();
  readonly picked = output<Berth>();
  readonly onlyFree = signal(false);
  readonly rows = computed(() => this.berths().filter((b) => !this.onlyFree() || !b.boat));
  readonly columns = ['no', 'length', 'boat'];

  pick(b: Berth): void {
    if (!b.boat) this.picked.emit(b);
  }
}
