/** The activities of the reconciliation: types only, implemented in `activities/books`. Each may run twice, and two at once. */
import type { Findings } from './rules/reconciled-day.ts';

export interface EventRange {
  /** Offsets of the topic: exclusive, inclusive. */
  readonly after: number;
  readonly upTo: number;
}

export interface Reconciling {
  /** Compares what providers have moved within an hour with payments, and has what was not noted asked for. */
  compareMovements(input: { readonly day: string; readonly hour: number }): Promise<Findings>;
  /** The events of payments of that day, as the log has them. */
  rangeOfDay(input: { readonly day: string }): Promise<EventRange>;
  /**
   * Compares the payments of the next events with the ledger, the orders and the providers, and writes missing entries. `next`: where to go
   * on; absent at the end.
   */
  compareEvents(input: EventRange & { readonly day: string }): Promise<Findings & { readonly next?: number }>;
  /**
   * Finds what was confirmed or imported, told within that hour, and has no entry in the ledger; writes the entry. Compares what the
   * orders of that hour cost with what was paid for them.
   */
  compareOrders(input: { readonly day: string; readonly hour: number }): Promise<Findings>;
  /** Tells each organisation its differences: a report and an event. */
  report(input: { readonly day: string; readonly findings: Findings }): Promise<void>;
}
