/**
 * Writes the tickets of one line. The write of the first ones does not sign them: a refund that has locked the order since it was read
 * may not have found them. The next call signs them. Successors of live tickets are signed by the write that makes them, unless a
 * refund has disabled those meanwhile, or they cannot be signed: what they replace ends all the same. Caller: the issuer.
 */
import type { OrderLine } from '../../workflows/orders/rules/order.ts';
import { newGroup, type Reconciling, reconcile } from '../../workflows/tickets/rules/reconciliation.ts';
import { type SignedTickets, setSigned, unsignedOf } from '../../workflows/tickets/rules/signing.ts';
import { hasEffect, type TicketChange, unchanged } from '../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import { isLive } from '../../workflows/tickets/rules/ticket-states.ts';
import { fitsNoBarcode } from './barcode-content.ts';
import { MAX_ID_ATTEMPTS } from './ticket-ids.ts';
import { noIdLeft } from './ticket-refusals.ts';
import type { TicketSigning } from './ticket-signing.ts';
import type { TicketStore } from './ticket-store.ts';
import type { StoredGroup, TicketWork } from './ticket-types.ts';
import { UnsignedTickets } from './unsigned-tickets.ts';

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

  /**
   * Disables, replaces, or leaves as it is; then it signs what is live without a signature. `stored` was read before the order, which
   * was verified. Throws UnsignedTickets.
   */
  async reconcile(stored: StoredGroup, wanted: Wanted, work: TicketWork): Promise<StoredGroup> {
    const { group } = stored;
    const preview = this.#preview(stored, wanted);
    if (!hasEffect(group, preview)) return await this.sign(stored, work);
    const signed = group.ticketDistributions.some(isLive) ? await this.#trySigning(preview.group) : NONE;
    return await this.#write(stored, { wanted, signed }, work);
  }

  /** What is live ends where the line has changed. Nothing is signed. */
  async replace(stored: StoredGroup, wanted: Wanted, work: TicketWork): Promise<void> {
    const { group } = stored;
    const isReplaced = group.ticketDistributions.some(isLive) && hasEffect(group, this.#preview(stored, wanted));
    if (isReplaced) await this.#write(stored, { wanted, signed: NONE }, work);
  }

  #preview({ group }: StoredGroup, wanted: Wanted): TicketChange {
    const { newId } = this.#store.newIds(group.orderId, group.orderLineId, 0);
    return reconcile(group, { ...wanted, newId }, this.#store.now);
  }

  async #write(
    { group, revision }: StoredGroup,
    { wanted, signed }: { readonly wanted: Wanted; readonly signed: SignedTickets },
    work: TicketWork,
  ): Promise<StoredGroup> {
    const { now } = this.#store;
    return await this.#store.change(group.organisationId, group.id, work, (present, _now, ids) => {
      const change = reconcile(present.group, { ...wanted, newId: ids }, now);
      // Another write may have changed what the signature is over, or disabled what was live.
      return present.revision === revision ? signedChange(change, signed, now) : change;
    });
  }

  /**
   * Live tickets without a signature get one, unless the group was changed meanwhile: an erasure may have destroyed the key that seals
   * it. Throws UnsignedTickets.
   */
  async sign(stored: StoredGroup, work: TicketWork): Promise<StoredGroup> {
    const signed = await this.#signUnsigned(stored.group);
    if (signed.size === 0) return stored;
    const { group, revision } = stored;
    return await this.#store.change(group.organisationId, group.id, work, (present, now) =>
      present.revision === revision ? setSigned(present.group, signed, now) : unchanged(present.group),
    );
  }

  async #trySigning(group: TicketGroup): Promise<SignedTickets> {
    try {
      return await this.#signUnsigned(group);
    } catch {
      // The next call, which signs what this one has written, says why.
      return NONE;
    }
  }

  async #signUnsigned(group: TicketGroup): Promise<SignedTickets> {
    const unsigned = unsignedOf(group);
    if (unsigned.length === 0) return NONE;
    try {
      return await this.#signing.sign(group, unsigned);
    } catch (error) {
      throw fitsNoBarcode(error) ? error : new UnsignedTickets(group.id, error);
    }
  }
}

function signedChange({ group, ...change }: TicketChange, signed: SignedTickets, now: Date): TicketChange {
  return { ...change, group: setSigned(group, signed, now).group };
}
