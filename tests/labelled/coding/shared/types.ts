export type Brand<T, B extends string> = T & { readonly __brand: B };

export type ParcelId = Brand<string, "ParcelId">;
export type DepotId = Brand<number, "DepotId">;

export interface Repository<T, Id> {
  get(id: Id): Promise<T | undefined>;
  list(page: Page): Promise<readonly T[]>;
  put(item: T): Promise<void>;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export interface Clock {
  now(): Date;
}

export type Result<T, E extends Error = Error> = { ok: true; value: T } | { ok: false; error: E };

export abstract class DomainEvent {
  abstract readonly name: string;
  readonly occurredAt: Date;

  constructor(clock: Clock) {
    this.occurredAt = clock.now();
  }

  abstract toJSON(): Record<string, unknown>;
}
