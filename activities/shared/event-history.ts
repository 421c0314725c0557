/**
 * All events of one aggregate, as an area shows them in the history of its document: those of topics that the manifest names
 * with `keptByAggregate`. Provided by the events area. Types, and the key of the interface.
 */

import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrganisationId } from '../../workflows/shared/ids.ts';

export interface HistoryRequest {
  /** Events of other organisations are absent. */
  readonly organisationId: OrganisationId | 'ANY';
  /** What the events' ids begin with, as `order/K7QW2MXP`. */
  readonly aggregate: string;
  /**
   * The aggregate's `outbox`, read before: the answer then has events that have yet to be moved, and is as new as the
   * document.
   */
  readonly pending: readonly OutboxEvent[];
  /** Sequences after this one; 0: from the first. Sequences have no gap, so page n begins after (n - 1) × `limit`. */
  readonly after: number;
  /** At most MAX_HISTORY_EVENTS. */
  readonly limit: number;
}

export interface EventHistory {
  /**
   * In order of sequence, of all topics together. The document's `sequence` is the number of all. The answer to a caller
   * shows each as `cloudEvent` makes it (platform/events/cloud-event.ts).
   */
  list(request: HistoryRequest): Promise<readonly OutboxEvent[]>;
}

export const MAX_HISTORY_EVENTS = 1_000;

export const EVENT_HISTORY = interfaceKey<EventHistory>('event-history');
