/**
 * Writes the tickets of one line. The write of the first ones does not sign them: a refund that has locked the order since it was read
 * may not have found them. The next call signs them. Successors of live tickets are signed by the write that makes them, unless a
 * refund has disabled those meanwhile. Caller: the issuer, which has verified the order.
 */
import type { OrderLine } from '../../workflows/orders/rules/order.ts';
import { newGroup, type Reconciling, reconcile } from '../../workflows/tickets/rules/reconciliation.ts';
import { type SignedTickets, setSigned, unsignedOf } from '../../workflows/tickets/rules/signing.ts';
import { hasEffect, type TicketChange } from '../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import { isLive } from '../../workflows/tickets/rules/ticket-states.ts';
import { MAX_ID_ATTEMPTS } from './ticket-ids.ts';
import { noIdLeft } from './ticket-refusals.ts';
import type { TicketSigning } from './ticket-signing.ts';
import type { TicketStore } from './ticket-store.ts';
import type { StoredGroup, TicketWork } from './ticket-types.ts';

export type Wanted = Omit<Reconciling, 'newId'>;

const NONE: SignedTickets = new Map();

export class GroupWriter {
  readonly #store: TicketStore;
  readonly #signing: TicketSigning;

  constructor(store: TicketStore, signing: TicketSigning) {
    this.#store = store;
    this.#signing = signing;
  }

  /** Not signed. Where another process has issued them first, its tickets are answered. */
  async create(line: OrderLine, wanted: Wanted, work: TicketWork): Promise<StoredGroup> {
    const { id: orderId } = wanted.sold.order;
    const { now } = this.#store;
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt += 1) {
      const { groupId, newId } = this.#store.newIds(orderId, line.id, attempt);
      const change = newGroup(groupId, line, { ...wanted, newId }, now);
      const created = await this.#store.create({ orderId, orderLineId: line.id }, work, { attempt, change });
      if (created !== 'NUMBER_TAKEN') return created;
    }
    throw noIdLeft();
  }

  /** Disables, replaces, or leaves as it is; then it signs what is live without a signature. `stored` was read before the order. */
  async reconcile(stored: StoredGroup, wanted: Wanted, work: TicketWork): Promise<StoredGroup> {
    const { now } = this.#store;
    const { group, revision } = stored;
    const { newId } = this.#store.newIds(group.orderId, group.orderLineId, 0);
    const preview = reconcile(group, { ...wanted, newId }, now);
    if (!hasEffect(group, preview)) return await this.sign(stored, work);
    const signed = group.ticketDistributions.some(isLive) ? await this.#signUnsigned(preview.group) : NONE;
    return await this.#store.change(group.organisationId, group.id, work, (present, _now, ids) => {
      const change = reconcile(present.group, { ...wanted, newId: ids }, now);
      // Another write may have changed what the signature is over, or disabled what was live.
      return present.revision === revision ? signedChange(change, signed, now) : change;
    });
  }

  /** Live tickets without a signature get one. */
  async sign(stored: StoredGroup, work: TicketWork): Promise<StoredGroup> {
    const signed = await this.#signUnsigned(stored.group);
    if (signed.size === 0) return stored;
    const { group } = stored;
    return await this.#store.change(group.organisationId, group.id, work, (present, now) =>
      setSigned(present.group, signed, now),
    );
  }

  async #signUnsigned(group: TicketGroup): Promise<SignedTickets> {
    const unsigned = unsignedOf(group);
    return unsigned.length === 0 ? NONE : await this.#signing.sign(group, unsigned);
  }
}

function signedChange({ group, ...change }: TicketChange, signed: SignedTickets, now: Date): TicketChange {
  return { ...change, group: setSigned(group, signed, now).group };
}
