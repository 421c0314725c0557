/**
 * What other areas ask of the ledger, which the area `books` keeps. Types, and the keys of the interfaces.
 */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { interfaceKey } from '../../platform/interfaces.ts';

export type EventWithEntry = OutboxEvent & Required<Pick<OutboxEvent, 'entry'>>;

export interface LedgerWriter {
  ensureIndexes(): Promise<void>;
  /**
   * Writes the entries that the ledger does not have yet, one for each event, and answers their number. When it returns, the
   * ledger has them all. Safe to repeat, and to run at the same time as other writers.
   */
  record(events: readonly EventWithEntry[]): Promise<number>;
}

/** Asked by the relay alone. Without an area that provides it, events have no entries. */
export const LEDGER = interfaceKey<LedgerWriter>('ledger');
