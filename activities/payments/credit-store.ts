/**
 * Credits: created, read, and told what became of their parts. The money is set aside on the transactions first
 * (workflows/payments/rules/credits.ts). Missing and foreign credits are indistinguishable. Callers: the handlers of the API,
 * the activities of this folder.
 */
import type { Change, Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { PendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import {
  type BalanceDecision,
  type Credit,
  type CreditDecision,
  type CreditReservation,
  createCredit,
  creditStatusOf,
  type DecisionStep,
  decideBalance,
  decideCredit,
  type NewCredit,
  noteDecisionStep,
  notePaidOtherwise,
  notePart,
  noteReservation,
  type PartOutcome,
  totalCreditMinor,
} from '../../workflows/payments/rules/credit.ts';
import type { CreditId, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { CREDIT_ID_INDEX, CREDITS_COLLECTION, type CreditCollection, type CreditDocument } from './credit-document.ts';
import { creditIdOf, MAX_ID_ATTEMPTS } from './number-id.ts';
import { busy, noIdLeft, notFound } from './payment-refusals.ts';
import type { PaymentStoreOptions, PaymentWork, Tenancy } from './payment-types.ts';

export interface StoredCredit {
  readonly credit: Credit;
  readonly revision: number;
}

type CreditChange = Change<CreditDocument, never>;
type DecisionRule = (before: Credit, now: Date) => Credit;

export class CreditStore {
  /** Of workflows that a write has asked for. */
  readonly pending: PendingStarts<CreditDocument>;
  readonly #collection: CreditCollection;
  readonly #credits: Aggregates<CreditDocument>;
  readonly #now: () => Date;

  constructor({ connection, now = () => new Date() }: Pick<PaymentStoreOptions, 'connection' | 'now'>) {
    const collection = CREDITS_COLLECTION.open(connection);
    this.#collection = collection;
    this.#credits = new Aggregates({ collection, busy, now });
    this.#now = now;
    this.pending = new PendingStarts(collection, { creditId: 1, organisationId: 1, orderId: 1 });
  }

  /**
   * Repeated with the same work id it answers the credit of the first attempt, as it is now. `pendingStart`: its workflow must
   * be started.
   */
  async create(
    organisationId: OrganisationId,
    work: PaymentWork,
    make: (id: CreditId) => NewCredit,
    { pendingStart }: { readonly pendingStart?: boolean } = {},
  ): Promise<StoredCredit> {
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt += 1) {
      const now = this.#now();
      const credit = createCredit(make(creditIdOf(work.workId, attempt)), now);
      try {
        const content = newMembers(credit) as never;
        const first = pendingStart === undefined ? {} : { pendingStart };
        const { document } = await this.#credits.create(content, work, first);
        if (document.organisationId !== organisationId) throw notFound('credit');
        return toStored(document);
      } catch (error) {
        // Another credit has the id.
        if (!isDuplicateKey(error)) throw error;
      }
    }
    throw noIdLeft();
  }

  /** The credit that this work has created. */
  async findCreated(
    organisationId: OrganisationId,
    { workId }: Pick<PaymentWork, 'workId'>,
  ): Promise<StoredCredit | undefined> {
    const filter = () => ({ creationId: workId, organisationId });
    const found = await this.#credits.find({ filter, hint: 'creations' });
    return found && toStored(found.document);
  }

  /** Repeatable. Throws NOT_FOUND. */
  async decide(tenancy: Tenancy, creditId: CreditId, how: CreditDecision['how']): Promise<StoredCredit> {
    return await this.#noteDecision(tenancy, creditId, (before, now) => decideCredit(before, how, now));
  }

  /** Of a BALANCE: asks its workflow to carry the decision out. Repeatable. Throws NOT_FOUND, INVALID_STATE. */
  async decideBalance(tenancy: Tenancy, creditId: CreditId, wanted: BalanceDecision): Promise<StoredCredit> {
    const rule: DecisionRule = (before, now) => decideBalance(before, wanted, now);
    return await this.#noteDecision(tenancy, creditId, rule, { pendingStart: true });
  }

  /** Of a BALANCE that failed after it was paid. Repeatable. Throws NOT_FOUND, INVALID_STATE. */
  async notePaidOtherwise(
    tenancy: Tenancy,
    creditId: CreditId,
    wanted: Pick<BalanceDecision, 'reason'>,
  ): Promise<StoredCredit> {
    return await this.#noteDecision(tenancy, creditId, (before, now) => notePaidOtherwise(before, wanted, now));
  }

  /** Answers the credit as it is then. Throws NOT_FOUND. */
  async noteDecisionStep(tenancy: Tenancy, creditId: CreditId, step: DecisionStep): Promise<StoredCredit> {
    return await this.#noteDecision(tenancy, creditId, (before, now) => noteDecisionStep(before, step, now));
  }

  /** Answers the credit with the outcome that was noted first. Throws NOT_FOUND. */
  async noteReservation(tenancy: Tenancy, creditId: CreditId, outcome: CreditReservation): Promise<StoredCredit> {
    return await this.#change(tenancy, creditId, (before) => {
      const { reservation, updatedAt } = noteReservation(before, outcome, this.#now());
      return reservation === before.reservation || !reservation ? undefined : { set: { reservation, updatedAt } };
    });
  }

  /** Repeatable. Throws NOT_FOUND. */
  async notePart(tenancy: Tenancy, creditId: CreditId, outcome: PartOutcome): Promise<StoredCredit> {
    return await this.#change(tenancy, creditId, (before) => {
      const after = notePart(before, outcome, this.#now());
      if (after === before) return undefined;
      const { parts, updatedAt } = after;
      return { set: { parts, updatedAt, status: creditStatusOf(after) } };
    });
  }

  async find(tenancy: Tenancy, creditId: CreditId): Promise<StoredCredit | undefined> {
    const found = await this.#credits.find(placeOf(tenancy, creditId));
    return found && toStored(found.document);
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, creditId: CreditId): Promise<StoredCredit> {
    const found = await this.find(tenancy, creditId);
    if (!found) throw notFound('credit');
    return found;
  }

  async listByIds(tenancy: Tenancy, creditIds: readonly CreditId[]): Promise<readonly StoredCredit[]> {
    const owner = tenancy === 'ANY' ? {} : { organisationId: tenancy };
    const found = this.#collection.find({ _id: { $in: creditIds.map(String) }, ...owner }, { promoteBuffers: true });
    return (await found.toArray()).map((document) => toStored(document as unknown as CreditDocument));
  }

  /** By their creation. */
  async listOfOrder(organisationId: OrganisationId, orderId: OrderId): Promise<readonly StoredCredit[]> {
    const found = this.#collection.find({ organisationId, orderId }, { sort: { createdAt: 1 } });
    return (await found.toArray()).map((document) => toStored(document as unknown as CreditDocument));
  }

  async #noteDecision(
    tenancy: Tenancy,
    creditId: CreditId,
    rule: DecisionRule,
    also: Pick<CreditChange, 'pendingStart'> = {},
  ): Promise<StoredCredit> {
    return await this.#change(tenancy, creditId, (before) => {
      const { decision, updatedAt } = rule(before, this.#now());
      return decision === before.decision || !decision ? undefined : { set: { decision, updatedAt }, ...also };
    });
  }

  async #change(
    tenancy: Tenancy,
    creditId: CreditId,
    decide: (before: Credit) => CreditChange | undefined,
  ): Promise<StoredCredit> {
    const changed = await this.#credits.change(placeOf(tenancy, creditId), {}, ({ document }) =>
      decide(toCredit(document)),
    );
    if (!changed) throw notFound('credit');
    return toStored(changed.document);
  }
}

export function toCredit({ creditId, ...document }: CreditDocument): Credit {
  const { _id, revision, sequence, outbox, creationId, workIds, pendingStart, pendingSince, ...rest } = document;
  const { status, totalMinor, ...content } = rest;
  return { id: creditId, ...content };
}

function toStored(document: CreditDocument): StoredCredit {
  return { credit: toCredit(document), revision: document.revision };
}

function newMembers({ id, ...content }: Credit) {
  return {
    _id: String(id),
    creditId: id,
    ...content,
    totalMinor: totalCreditMinor(content),
    status: creditStatusOf(content),
  };
}

/** With the index of the organisation a foreign credit costs what an absent one costs. */
function placeOf(tenancy: Tenancy, creditId: CreditId): Place<CreditDocument> {
  const _id = String(creditId);
  return tenancy === 'ANY'
    ? { filter: () => ({ _id }), hint: '_id_' }
    : { filter: () => ({ _id, organisationId: tenancy }), hint: CREDIT_ID_INDEX };
}
