/**
 * Reports starts to orders that were moved before orders heard of them (decision 0351), and lets the group remember such a move. Since
 * then the call and the workflow `reissue` report them, so each process looks once, and only at tickets whose time has not passed. Several
 * at once are harmless. Caller: the documents worker, again and again until it has succeeded.
 */
import type { Connection } from 'mongoose';
import { moveOf } from '../../workflows/tickets/rules/moved-start.ts';
import { unchanged } from '../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import type { OrderAccess } from '../shared/orders.ts';
import { type MovedStartOrders, reportMovedStart } from './report-moved-start.ts';
import { TICKET_GROUPS, type TicketGroupCollection } from './ticket-group-document.ts';
import { REISSUED_INDEX } from './ticket-group-indexes.ts';
import { toGroup } from './ticket-members.ts';
import type { TicketStore } from './ticket-store.ts';

export interface UnreportedMovesOptions {
  readonly connection: Connection;
  readonly store: Pick<TicketStore, 'change' | 'now'>;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly use: () => MovedStartOrders;
  /** Names the process in what it writes. */
  readonly clientId: string;
}

export class UnreportedMoves {
  readonly #options: UnreportedMovesOptions;
  readonly #groups: TicketGroupCollection;
  #isDone = false;

  constructor(options: UnreportedMovesOptions) {
    this.#options = options;
    this.#groups = TICKET_GROUPS.open(options.connection);
  }

  /** Throws the first failure, once all groups were tried. */
  async report(): Promise<void> {
    if (this.#isDone) return;
    // The ticket of the sale counts too: windows of its order are open until then.
    const current = { reissues: { $gt: 0 }, 'ticketDistributions.endOfValidity': { $gt: this.#options.store.now } };
    const found = this.#groups.find(current, { hint: REISSUED_INDEX, projection: { outbox: 0, workIds: 0 } });
    const failures: unknown[] = [];
    for await (const document of found) {
      await this.#reportOf(toGroup(document)).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    this.#isDone = true;
  }

  async #reportOf(group: TicketGroup): Promise<void> {
    const { store, orders, use, clientId } = this.#options;
    const { organisationId, orderId, orderLineId } = group;
    const { confirmed } = await orders.get(organisationId, orderId);
    const line = confirmed?.orderLines.find(({ id }) => id === orderLineId);
    if (!line || line.movedStart || !moveOf(group, line)) return;
    const work = { correlationId: `moved-start-${group.id}`, clientId };
    const { group: remembering } = await store.change(organisationId, group.id, work, ({ group: present }) => {
      const movedStart = moveOf(present, line);
      return movedStart && !present.movedStart ? { group: { ...present, movedStart }, events: [] } : unchanged(present);
    });
    await reportMovedStart(use(), remembering, work);
  }
}
