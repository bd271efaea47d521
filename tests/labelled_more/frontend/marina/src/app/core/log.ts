import { HttpClient, HttpErrorResponse, HttpParams } from '@angular/common/http';
import { Injectable, inject } from '@angular/core';
import { Observable, catchError, map, retry, throwError } from 'rxjs';

import { Arrival, Berth } from '../model';
import { environment } from '../../environments/environment';

@Injectable({ providedIn: 'root' })
export class Log {
  private readonly http = inject(HttpClient);
  private readonly base = `${environment.api}/harbours`;

  arrivals(harbour: string, day: string): Observable<Arrival[]> {
    const params = new HttpParams().set('day', day);
    return this.http.get<{ items: Arrival[] }>(`${this.base}/${harbour}/arrivals`, { params }).pipe(
      retry({ count: 2, delay: 800 }),
      map((r) => r.items),
    );
  }

  assign(harbour: string, berth: Berth, boat: string): Observable<void> {
    return this.http
      .put<void>(`${this.base}/${harbour}/berths/${berth.no}`, { boat })
      .pipe(catchError((e: HttpErrorResponse) => throwError(() => (e.status === 409 ? new Error('taken') : e))));
  }
}
