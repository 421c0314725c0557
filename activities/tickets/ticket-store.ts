/**
 * Tickets: issued, read and changed. The rules of workflows/tickets decide; each change is one conditional write that carries
 * its events, and repeated it changes nothing. Missing and foreign tickets are indistinguishable.
 *
 * Callers: the handlers of the API, the activities and sweeps of this folder.
 */
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { hasWorkId } from '../../platform/aggregate/work-ids.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type {
  OrderId,
  OrderLineId,
  OrganisationId,
  TicketDistributionId,
  TicketGroupId,
} from '../../workflows/shared/ids.ts';
import { type Beginning, beginMailing, type MailingNote, noteMailing } from '../../workflows/tickets/rules/mailing.ts';
import type { NewTicketId } from '../../workflows/tickets/rules/reconciliation.ts';
import { hasEffect, type TicketChange } from '../../workflows/tickets/rules/ticket-change.ts';
import type { TicketEvent } from '../../workflows/tickets/rules/ticket-events.ts';
import { TICKET_EVENTS } from './ticket-family.ts';
import { TICKET_GROUPS, type TicketGroupCollection, type TicketGroupDocument } from './ticket-group-document.ts';
import { ID_INDEX, LINE_INDEX, TICKET_INDEX } from './ticket-group-indexes.ts';
import { MAX_ID_ATTEMPTS, ticketGroupIdOf, ticketIdOf } from './ticket-ids.ts';
import { changedMembers, newMembers, toStored } from './ticket-members.ts';
import { busy, noIdLeft, notFound } from './ticket-refusals.ts';
import type { Decide, StoredGroup, StoredTicket, Tenancy, TicketStoreOptions, TicketWork } from './ticket-types.ts';

/** Pure. `attempt` counts the numbers that something else has. */
export type MakeGroup = (id: TicketGroupId, newId: NewTicketId, now: Date) => TicketChange;

export class TicketStore {
  readonly #collection: TicketGroupCollection;
  readonly #tickets: Aggregates<TicketGroupDocument, TicketEvent>;
  readonly #now: () => Date;

  constructor({ connection, environment, now = () => new Date() }: TicketStoreOptions) {
    const collection = TICKET_GROUPS.open(connection);
    this.#collection = collection;
    this.#tickets = new Aggregates({ collection, family: TICKET_EVENTS, environment, busy, now });
    this.#now = now;
  }

  get now(): Date {
    return this.#now();
  }

  /**
   * One insert. Where the line has tickets already, it answers those as they are now, with `created`
   * false.
   */
  async create(
    { orderId, orderLineId }: { readonly orderId: OrderId; readonly orderLineId: OrderLineId },
    work: Pick<TicketWork, 'correlationId' | 'clientId' | 'causationId'>,
    { attempt, change }: { readonly attempt: number; readonly change: TicketChange },
  ): Promise<(StoredGroup & { readonly created: boolean }) | 'NUMBER_TAKEN'> {
    const workId = `tickets/${orderId}/${orderLineId}`;
    try {
      const { events, group } = change;
      const made = await this.#tickets.create(newMembers(group) as never, { ...work, workId }, { events });
      return { ...toStored(made.document), created: made.outcome === 'WRITTEN' };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (attempt + 1 >= MAX_ID_ATTEMPTS) throw noIdLeft();
      return 'NUMBER_TAKEN';
    }
  }

  /** The numbers of the given attempt, for a line that has no tickets yet. */
  newIds(orderId: OrderId, orderLineId: OrderLineId, attempt: number) {
    const newId: NewTicketId = (position) => ticketIdOf(orderId, orderLineId, position, attempt);
    return { groupId: ticketGroupIdOf(orderId, orderLineId, attempt), newId };
  }

  /** Throws NOT_FOUND and what `decide` throws. Answers the group as it is after the change. */
  async change(tenancy: Tenancy, groupId: TicketGroupId, work: TicketWork, decide: Decide): Promise<StoredGroup> {
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt += 1) {
      try {
        const place = placeOf(tenancy, groupId);
        const changed = await this.#tickets.change(place, work, ({ document }) =>
          this.#step(document, decide, attempt),
        );
        if (!changed) throw notFound();
        return toStored(changed.document);
      } catch (error) {
        if (!isDuplicateKey(error, TICKET_INDEX)) throw error;
      }
    }
    throw noIdLeft();
  }

  /** The mails of these tickets are about to be written down. The answer says which mailing has each. Repeatable without a work id. */
  async beginMailing(
    organisationId: OrganisationId,
    groupId: TicketGroupId,
    beginning: Beginning,
    work: TicketWork,
  ): Promise<StoredGroup> {
    return await this.change(organisationId, groupId, work, ({ group }, now) => beginMailing(group, beginning, now));
  }

  /** One attempt to send these tickets. The work id names the attempt: each counts once. */
  async noteMailing(
    organisationId: OrganisationId,
    groupId: TicketGroupId,
    note: MailingNote,
    work: TicketWork & { readonly workId: string },
  ): Promise<StoredGroup> {
    return await this.change(organisationId, groupId, work, ({ group }, now) => noteMailing(group, note, now));
  }

  async find(tenancy: Tenancy, groupId: TicketGroupId): Promise<StoredGroup | undefined> {
    const found = await this.#tickets.find(placeOf(tenancy, groupId));
    return found && toStored(found.document);
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, groupId: TicketGroupId): Promise<StoredGroup> {
    const found = await this.find(tenancy, groupId);
    if (!found) throw notFound();
    return found;
  }

  /** Whether this work has changed the tickets already. Throws NOT_FOUND. */
  async isDone(tenancy: Tenancy, groupId: TicketGroupId, { workId }: { readonly workId: string }): Promise<boolean> {
    const found = await this.#tickets.find({ ...placeOf(tenancy, groupId), projection: { workIds: 1 } });
    if (!found) throw notFound();
    return hasWorkId(found.document.workIds, workId, this.now);
  }

  async findTicket(tenancy: Tenancy, ticketId: TicketDistributionId): Promise<StoredTicket | undefined> {
    const found = await this.#tickets.find(placeOfTicket(tenancy, ticketId));
    const stored = found && toStored(found.document);
    const ticket = stored?.group.ticketDistributions.find(({ id }) => id === ticketId);
    return stored && ticket && { ...stored, ticket };
  }

  /** Throws NOT_FOUND. */
  async getTicket(tenancy: Tenancy, ticketId: TicketDistributionId): Promise<StoredTicket> {
    const found = await this.findTicket(tenancy, ticketId);
    if (!found) throw notFound('ticket distribution');
    return found;
  }

  /** In the order of their creation. */
  async listOfOrder(tenancy: Tenancy, orderId: OrderId): Promise<readonly StoredGroup[]> {
    return await this.#list(tenancy, { orderId });
  }

  /** Those of the order's lines that are named, in the order of their creation. */
  async listOfLines(
    tenancy: Tenancy,
    orderId: OrderId,
    orderLineIds: readonly OrderLineId[],
  ): Promise<readonly StoredGroup[]> {
    return await this.#list(tenancy, { orderId, orderLineId: { $in: orderLineIds } });
  }

  async #list(tenancy: Tenancy, which: object): Promise<readonly StoredGroup[]> {
    const owned = tenancy === 'ANY' ? {} : { organisationId: tenancy };
    const options = { promoteBuffers: true, projection: { outbox: 0, workIds: 0 }, hint: LINE_INDEX } as const;
    const found = await this.#collection.find({ ...which, ...owned }, options).toArray();
    const stored = found.map((document) => toStored(document as unknown as TicketGroupDocument));
    return stored.toSorted((one, other) => one.group.createdAt.getTime() - other.group.createdAt.getTime());
  }

  #step(document: TicketGroupDocument, decide: Decide, attempt: number) {
    const stored = toStored(document);
    const { group: before } = stored;
    const newId: NewTicketId = (position) => ticketIdOf(before.orderId, before.orderLineId, position, attempt);
    // Rules answer the very group that they got where nothing changes.
    const decided = decide(stored, this.#now(), newId);
    if (!hasEffect(before, decided)) return undefined;
    const { group, events, pendingStart } = decided;
    return { set: changedMembers(before, group), events, ...(pendingStart !== undefined && { pendingStart }) };
  }
}

/** With the index of the organisation a foreign group costs what an absent one costs. */
function placeOf(tenancy: Tenancy, groupId: TicketGroupId): Place<TicketGroupDocument> {
  const _id = String(groupId);
  return tenancy === 'ANY'
    ? { filter: () => ({ _id }), hint: '_id_' }
    : { filter: () => ({ _id, organisationId: tenancy }), hint: ID_INDEX };
}

function placeOfTicket(tenancy: Tenancy, ticketId: TicketDistributionId): Place<TicketGroupDocument> {
  const named = { 'ticketDistributions.id': ticketId };
  return tenancy === 'ANY'
    ? { filter: () => named as object, hint: TICKET_INDEX }
    : { filter: () => ({ ...named, organisationId: tenancy }) as object, hint: 'ticket_of_organisation' };
}
