/**
 * Mailings: written down, changed by the rules of workflows/tickets, and listed for their workflows and the sweep. Each change is
 * one conditional write. Callers: the follower of orders, the calls of the API, the activities, the sweep.
 */
import type { Connection } from 'mongoose';
import { PENDING_STARTS_INDEX } from '../../platform/aggregate/aggregate-document.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import type { OrderId, OrderLineId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { isToPlan, releaseLines } from '../../workflows/tickets/rules/held-lines.ts';
import type { Mailing } from '../../workflows/tickets/rules/ticket-mailing.ts';
import {
  changedMembers,
  MAIL_INDEX,
  type MailCollection,
  type MailDocument,
  TICKET_MAILS,
  toMailing,
} from './mail-document.ts';

/** Its mails are planned by the workflow, which is pending then. */
export type NewMailing = Pick<
  Mailing,
  'id' | 'organisationId' | 'orderId' | 'orderVersion' | 'workflow' | 'wish' | 'paymentPageId'
> & {
  readonly correlationId: string;
  readonly address?: SealedAddress & { readonly fingerprint: string };
};

/** A mailing whose workflow must be started. */
export type WantedMailing = Pick<
  MailDocument,
  | 'organisationId'
  | 'orderId'
  | 'orderVersion'
  | 'workflow'
  | 'wish'
  | 'correlationId'
  | 'pendingSince'
  | 'revision'
  | 'state'
> & { readonly id: string };

export interface SealedAddress {
  readonly sealed: Uint8Array;
  readonly keyId: string;
}

const WANTED_MEMBERS = {
  ...({ organisationId: 1, orderId: 1, orderVersion: 1, workflow: 1 } as const),
  ...({ wish: 1, correlationId: 1, pendingSince: 1, revision: 1, state: 1 } as const),
} as const;

export class MailingStore {
  readonly now: () => Date;
  readonly #collection: MailCollection;
  readonly #mailings: Aggregates<MailDocument>;

  constructor({ connection, now = () => new Date() }: { readonly connection: Connection; readonly now?: () => Date }) {
    this.now = now;
    this.#collection = TICKET_MAILS.open(connection);
    this.#mailings = new Aggregates<MailDocument>({ collection: this.#collection, now });
  }

  /** The same for every repeat. */
  async create({ id, correlationId, address, ...members }: NewMailing): Promise<Mailing> {
    const content = {
      ...{ _id: id, ...members, correlationId, state: 'NEW', mails: [], unaddressed: 0, createdAt: this.now() },
      ...(address && {
        sealedAddress: address.sealed,
        keyId: address.keyId,
        addressFingerprint: address.fingerprint,
      }),
    };
    const work = { workId: `mailing/${id}`, correlationId };
    const { document } = await this.#mailings.create(content as never, work, { pendingStart: true });
    return toMailing(document);
  }

  /** Throws NOT_FOUND. */
  async get(organisationId: OrganisationId, id: string): Promise<Mailing> {
    const found = await this.#mailings.find(placeOf(organisationId, id));
    if (!found) throw notFound();
    return toMailing(found.document);
  }

  /** Undefined where the call has named none, and after an erasure. */
  async findAddress(organisationId: OrganisationId, id: string): Promise<SealedAddress | undefined> {
    const found = await this.#mailings.find(placeOf(organisationId, id));
    const { sealedAddress: sealed, keyId } = found?.document ?? {};
    return sealed && keyId !== undefined ? { sealed, keyId } : undefined;
  }

  /** `decide` is pure, and answers the mailing itself for no change. Pending is what is to be planned. Throws NOT_FOUND. */
  async change(
    organisationId: OrganisationId,
    id: string,
    decide: (mailing: Mailing, now: Date) => Mailing,
  ): Promise<Mailing> {
    const changed = await this.#mailings.change(placeOf(organisationId, id), {}, ({ document }) => {
      const mailing = toMailing(document);
      const after = decide(mailing, this.now());
      return after === mailing ? undefined : { set: changedMembers(after), ...pendingOf(mailing, after) };
    });
    if (!changed) throw notFound();
    return toMailing(changed.document);
  }

  /** A refund of these lines has ended: mailings that hold one are to be planned. Repeatable. Call after the order is unlocked. */
  async release(organisationId: OrganisationId, orderId: OrderId, orderLineIds: readonly OrderLineId[]): Promise<void> {
    for (const { id, held } of await this.listOfOrder(organisationId, orderId)) {
      if (held) await this.change(organisationId, id, (mailing, now) => releaseLines(mailing, orderLineIds, now));
    }
  }

  async listOfOrder(organisationId: OrganisationId, orderId: OrderId): Promise<readonly Mailing[]> {
    return await this.#list({ organisationId, orderId }, MAIL_INDEX.order);
  }

  async listOfWorkflow(organisationId: OrganisationId, workflow: string): Promise<readonly Mailing[]> {
    return await this.#list({ organisationId, workflow }, MAIL_INDEX.workflow);
  }

  /** Without the mailing itself, which a repeat finds. At most `limit`. */
  async countOthers(
    { id, organisationId, workflow }: Pick<Mailing, 'id' | 'organisationId' | 'workflow'>,
    limit: number,
  ): Promise<number> {
    const others = { organisationId, workflow, _id: { $ne: id } };
    return await this.#collection.countDocuments(others, { limit, hint: MAIL_INDEX.workflow });
  }

  /** Mailings whose workflow is to be started now: new ones first, however many others cannot be planned. */
  async listWanted(limit: number): Promise<readonly WantedMailing[]> {
    const wanted = { pendingStart: true, startAt: { $not: { $gt: this.now() } } } as object;
    const options = { projection: WANTED_MEMBERS, hint: MAIL_INDEX.wanted };
    const found = this.#collection.find(wanted, options).sort({ startAt: 1, pendingSince: 1 }).limit(limit);
    return (await found.toArray()).map((document) => toWanted(document as MailDocument));
  }

  /** Those that are still pending are listed again from then on. */
  async postpone(ids: readonly string[], startAt: Date): Promise<void> {
    await this.#collection.updateMany({ _id: { $in: ids }, pendingStart: true }, { $set: { startAt } });
  }

  /** Mailings that are to be planned since before `before`, the oldest first. Not those that wait for the end of a refund alone. */
  async listUnplanned(before: Date, limit: number): Promise<readonly WantedMailing[]> {
    const isLate = [{ state: 'NEW' }, { unmade: { $exists: true } }, { startAt: { $lt: before } }];
    const unplanned = { pendingStart: true, pendingSince: { $lt: before }, $or: isLate } as object;
    const options = { projection: WANTED_MEMBERS, hint: PENDING_STARTS_INDEX };
    const found = this.#collection.find(unplanned, options).sort({ pendingSince: 1 }).limit(limit);
    return (await found.toArray()).map((document) => toWanted(document as MailDocument));
  }

  /** Mails that were due before `before` and have not been tried, the oldest first. */
  async listLate(before: Date, limit: number): Promise<readonly WantedMailing[]> {
    const options = { projection: WANTED_MEMBERS, hint: MAIL_INDEX.due };
    const found = this.#collection
      .find({ dueAt: { $lt: before } }, options)
      .sort({ dueAt: 1 })
      .limit(limit);
    return (await found.toArray()).map((document) => toWanted(document as MailDocument));
  }

  async #list(filter: object, hint: string): Promise<readonly Mailing[]> {
    const found = await this.#collection.find(filter, { promoteBuffers: true, hint }).sort({ createdAt: 1 }).toArray();
    return found.map((document) => toMailing(document as MailDocument));
  }
}

/** It stays pending since it was first. */
function pendingOf(before: Mailing, after: Mailing): { readonly pendingStart?: boolean } {
  if (!isToPlan(after)) return { pendingStart: false };
  return isToPlan(before) ? {} : { pendingStart: true };
}

function placeOf(organisationId: OrganisationId, id: string) {
  return { filter: () => ({ _id: id, organisationId }), hint: '_id_' };
}

function toWanted({ _id: id, ...members }: MailDocument): WantedMailing {
  const { organisationId, orderId, orderVersion, workflow, wish, correlationId, pendingSince, revision, state } =
    members;
  const pending = pendingSince && { pendingSince };
  return { id, organisationId, orderId, orderVersion, workflow, wish, correlationId, revision, state, ...pending };
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such mailing.');
}
