/**
 * Issues the tickets of the version that is sold: new lines get tickets, changed ones and those of a withdrawn key successors, and
 * what is cancelled is disabled.
 * Nothing is signed before the order was verified once more. Repeated, or run by two at once, it makes each ticket once.
 *
 * Without a signature a ticket has no barcode, so nobody can travel on it. A refund disables what it finds, and pays: a ticket that it
 * may not have found is signed only after the order was read again, and is not under refund.
 *
 * Caller: the activities of the documents worker, which alone has a signer.
 */
import type { Order, OrderLine } from '../../workflows/orders/rules/order.ts';
import { isUnderRefund } from '../../workflows/orders/rules/refunding.ts';
import type { OrderLineId, OrganisationId, TicketGroupId } from '../../workflows/shared/ids.ts';
import { runBounded } from '../../workflows/shared/run-bounded.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Sold } from '../../workflows/tickets/rules/line-tickets.ts';
import { reconcile, soldLine } from '../../workflows/tickets/rules/reconciliation.ts';
import { unsignedOf } from '../../workflows/tickets/rules/signing.ts';
import type { CatalogueReader } from '../shared/catalogue.ts';
import type { OrderAccess } from '../shared/orders.ts';
import { GroupWriter, type Wanted } from './group-writer.ts';
import { assertVerified, soldOf } from './sold-now.ts';
import type { TicketSigning } from './ticket-signing.ts';
import type { TicketStore } from './ticket-store.ts';
import type { OrderPlace, StoredGroup, TicketWork } from './ticket-types.ts';
import { UnsignedTickets } from './unsigned-tickets.ts';

export interface TicketIssuerOptions {
  readonly store: TicketStore;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly catalogue: Pick<CatalogueReader, 'current'>;
  readonly signing: TicketSigning;
  /** Called for each line whose tickets could not be signed. */
  readonly onUnsigned?: (place: OrderPlace, error: UnsignedTickets) => void;
}

export interface Issuing {
  /** The mailing that writes mails of new tickets down right after. */
  readonly sentBy?: string | undefined;
  /** Only the tickets of these lines are touched. */
  readonly orderLineIds?: readonly OrderLineId[];
}

export interface Issued {
  /** The version that the tickets are in step with. */
  readonly orderVersion: number;
  /** Of the lines that were asked for, without those that follow. All that is live in them is signed. */
  readonly groups: readonly StoredGroup[];
  /** Lines of which no ticket is made: they may be paid back. The end of the refund confirms another version, or unlocks this one. */
  readonly underRefund: readonly OrderLineId[];
  /** Lines whose tickets could not be signed: there is no key for them, or what has it is away. */
  readonly unmade: readonly OrderLineId[];
}

interface Round extends Omit<Issued, 'unmade'> {
  readonly hasWritten: boolean;
}

/** Of one call: why the tickets of a line could not be signed. They are not tried twice. */
type Unsigned = Map<OrderLineId, UnsignedTickets>;

/** Three without others: tickets are written, signed, and found to be in step. The rest is for what is confirmed meanwhile. */
const MAX_ROUNDS = 10;
/** Each waits for keys, names and its write. */
const LINES_AT_ONCE = 8;

export class TicketIssuer {
  readonly #options: TicketIssuerOptions;
  readonly #writer: GroupWriter;

  constructor(options: TicketIssuerOptions) {
    this.#options = options;
    this.#writer = new GroupWriter(options.store, options.signing);
  }

  /**
   * A line that cannot be signed holds up no other. Throws NOT_FOUND, INVALID_STATE for an order that was never confirmed,
   * UNKNOWN_ORDER_LINE, UnverifiedOrder.
   */
  async issue(place: OrderPlace, issuing: Issuing, caller: TicketWork): Promise<Issued> {
    const work = withoutId(caller);
    const unsigned: Unsigned = new Map();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      // Before the order, so that a refund that locks it later finds each ticket that is signed in this round.
      const found = await this.#options.store.listOfOrder(place.organisationId, place.orderId);
      const order = await this.#read(place);
      const { hasWritten, ...issued } = await this.#round(order, found, { ...issuing, unsigned }, work);
      // What was confirmed, or cancelled, before the write has found no tickets to disable. What was written first is not signed yet.
      if (hasWritten) continue;
      for (const error of unsigned.values()) this.#options.onUnsigned?.(place, error);
      return { ...issued, unmade: [...unsigned.keys()] };
    }
    throw new Error('The order is confirmed again and again while its tickets are issued');
  }

  /**
   * Signs what a reissue has written down, or an erasure has left without a barcode. Throws NOT_FOUND, UNAVAILABLE while the line is
   * refunded, UnverifiedOrder, UnsignedTickets.
   */
  async sign(organisationId: OrganisationId, groupId: TicketGroupId, caller: TicketWork): Promise<StoredGroup> {
    const work = withoutId(caller);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const stored = await this.#options.store.get(organisationId, groupId);
      if (unsignedOf(stored.group).length === 0) return stored;
      const order = await this.#read(stored.group);
      assertNoRefund(order, stored.group.orderLineId);
      const sold = soldOf(order, []);
      // Its tickets are about to be disabled.
      if (!soldLine(sold, stored.group.orderLineId)) return stored;
      assertVerified(order, sold, this.#options.store.now);
      await this.#writer.sign(stored, work);
    }
    throw new Error('The tickets are changed again and again while they are signed');
  }

  async #read({ organisationId, orderId }: OrderPlace): Promise<Order> {
    return await this.#options.orders.get(organisationId, orderId);
  }

  async #round(
    order: Order,
    all: readonly StoredGroup[],
    { sentBy, orderLineIds, unsigned }: Issuing & { readonly unsigned: Unsigned },
    work: TicketWork,
  ): Promise<Round> {
    const { catalogue, signing } = this.#options;
    const { content } = await catalogue.current();
    const wanted = { sold: soldOf(order, content.fareProducts), sentBy, keys: signing.keys };
    const found = all.filter(
      ({ group: { orderLineId } }) =>
        (orderLineIds?.includes(orderLineId) ?? true) && !isUnderRefund(order, orderLineId),
    );
    const disabled = await this.#disableCancelled(found, wanted, work);
    const sought = linesToIssue(wanted.sold, orderLineIds, found);
    const lines = sought.filter(({ line }) => !isUnderRefund(order, line.id));
    if (lines.some(({ stored }) => !stored || isBehind(stored, wanted))) await this.#verify(order, lines, wanted, work);
    const written: (StoredGroup | undefined)[] = [];
    await runBounded(lines.length, LINES_AT_ONCE, async (at) => {
      const { line, stored } = lines[at] as Sought;
      if (unsigned.has(line.id)) return;
      try {
        const step = stored ? this.#writer.reconcile(stored, wanted, work) : this.#writer.create(line, wanted, work);
        written[at] = await step;
      } catch (error) {
        if (!(error instanceof UnsignedTickets)) throw error;
        unsigned.set(line.id, error);
      }
    });
    const groups = [...disabled, ...written.filter((group) => group !== undefined)];
    const revisions = new Map(found.map(({ group, revision }) => [group.id, revision]));
    const hasWritten = groups.some(({ group, revision }) => revisions.get(group.id) !== revision);
    const underRefund = sought.filter((each) => !lines.includes(each)).map(({ line }) => line.id);
    return { orderVersion: wanted.sold.version.version, groups, underRefund, hasWritten };
  }

  /** The ticket of a changed line says what is sold no more: it is replaced also where its successor must not be signed. */
  async #verify(order: Order, lines: readonly Sought[], wanted: Wanted, work: TicketWork): Promise<void> {
    try {
      assertVerified(order, wanted.sold, this.#options.store.now);
    } catch (error) {
      const unsent = { ...wanted, sentBy: undefined, keys: [] };
      for (const { stored } of lines) if (stored) await this.#writer.replace(stored, unsent, work);
      throw error;
    }
  }

  /** Before anything else: what follows may fail. */
  async #disableCancelled(found: readonly StoredGroup[], wanted: Wanted, work: TicketWork): Promise<StoredGroup[]> {
    const cancelled = found.filter(({ group }) => !soldLine(wanted.sold, group.orderLineId));
    const disabled: StoredGroup[] = [];
    for (const stored of cancelled) disabled.push(await this.#writer.reconcile(stored, wanted, work));
    return disabled;
  }
}

/** The end of the refund confirms another version, or unlocks this one. */
function assertNoRefund(order: Pick<Order, 'lock' | 'withdrawal'>, orderLineId: OrderLineId): void {
  if (!isUnderRefund(order, orderLineId)) return;
  throw new ServiceError('UNAVAILABLE', 'A refund of the ticket is running.', { headers: { 'Retry-After': '2' } });
}

/** Each write removes its own condition: two writes of one work on one group are both needed. */
function withoutId({ workId: _workId, ...work }: TicketWork): TicketWork {
  return work;
}

interface Sought {
  readonly line: OrderLine;
  readonly stored: StoredGroup | undefined;
}

function linesToIssue(
  sold: Sold,
  wanted: readonly OrderLineId[] | undefined,
  found: readonly StoredGroup[],
): readonly Sought[] {
  const { orderLines } = sold.version;
  const known = new Set(orderLines.map(({ id }) => id));
  const unknown = wanted?.filter((id) => !known.has(id)) ?? [];
  if (unknown.length > 0) {
    throw new ServiceError('UNKNOWN_ORDER_LINE', `The order has no such line: ${unknown.join(', ')}.`);
  }
  const sought = orderLines.filter(({ id, status }) => status === 'CONFIRMED' && (wanted?.includes(id) ?? true));
  return sought.map((line) => ({ line, stored: found.find(({ group }) => group.orderLineId === line.id) }));
}

/** Something of it is to be signed. */
function isBehind({ group }: StoredGroup, wanted: Wanted): boolean {
  const newId = () => group.id as never;
  return unsignedOf(reconcile(group, { ...wanted, newId }, group.updatedAt).group).length > 0;
}
