/**
 * Tells the client's `callbackUrl` of every final status of a transaction, until it answers 202: after 1 s, doubling to
 * 1 h, for 48 h. The body names ids and the status alone. A callback is noted once for each status, so a repeated step notes
 * no second one; it is sent at least once. Callers: the activities of payments, which note; the role, which sends.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { GivenAddress, Payment, Transaction } from '../../workflows/payments/rules/payment.ts';
import type { OrderId, OrganisationId, TransactionId } from '../../workflows/shared/ids.ts';
import type { CallbackRequests } from './callback-requests.ts';
import { openAddress } from './sealed-addresses.ts';

interface CallbackDocument {
  /** `<transactionId>/<status>` */
  readonly _id: string;
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  /** As it is in the payment. */
  readonly url: GivenAddress;
  readonly body: string;
  readonly attempts: number;
  readonly nextAt: Date;
  readonly createdAt: Date;
  /** Of one that was taken or given up: a mark alone. */
  readonly expiresAt?: Date;
}

export const CALLBACKS_COLLECTION = new CollectionDefinition<CallbackDocument>('payment_callbacks', [
  { name: 'due_of_organisation', key: { nextAt: 1, organisationId: 1 } },
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
const GIVEN_UP_AFTER_MS = 48 * 60 * 60_000;
/** By then no step of the transaction is repeated any more. */
const MARKED_FOR_MS = 30 * 24 * 60 * 60_000;
/** Longer than an attempt takes: no other process takes it meanwhile. */
const TAKEN_FOR_MS = 30_000;
const SENT_AT_ONCE = 50;
/** Receivers that hang hold up those of their own organisation alone. */
const SENT_AT_ONCE_OF_ONE = 5;
const LOOK_AGAIN_MS = 500;
/** `given_up`: refused for two days. */
export type CallbackOutcome = 'taken' | 'refused' | 'given_up';

const FINAL: ReadonlySet<string> = new Set(['CAPTURED', 'REJECTED', 'CANCELLED']);

/** Of all callbacks that a transaction may have. */
export function callbackIds(transactionId: TransactionId): readonly string[] {
  return [...FINAL].map((status) => `${transactionId}/${status}`);
}

/** A mark stays, so that a step that is repeated late notes it no second time; the client's address goes. */
export function endOf(now: Date) {
  const expiresAt = new Date(now.getTime() + MARKED_FOR_MS);
  return { $set: { expiresAt }, $unset: { nextAt: '', organisationId: '', orderId: '', url: '', body: '' } } as const;
}

export interface ClientCallbacksOptions {
  readonly connection: Connection;
  readonly keys: SubjectKeys;
  readonly requests: Pick<CallbackRequests, 'send'>;
  readonly log: Logger;
  readonly onOutcome?: (outcome: CallbackOutcome) => void;
  readonly now?: () => Date;
}

export class ClientCallbacks {
  readonly #collection: ReturnType<typeof CALLBACKS_COLLECTION.open>;
  readonly #options: ClientCallbacksOptions;
  readonly #now: () => Date;

  constructor(options: ClientCallbacksOptions) {
    this.#collection = CALLBACKS_COLLECTION.open(options.connection);
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** Without an effect where the status is not final, or nobody wants to know. */
  async note({
    payment,
    transaction,
  }: {
    readonly payment: Payment;
    readonly transaction: Transaction;
  }): Promise<void> {
    const { id: transactionId, status, session } = transaction;
    const url = session?.callbackUrl;
    if (url === undefined || !FINAL.has(status)) return;
    const now = this.#now();
    const { id: paymentId, organisationId, orderId } = payment;
    const body = JSON.stringify({ paymentId, transactionId, orderId, status });
    const due = { organisationId, orderId, url, body, attempts: 0, nextAt: now, createdAt: now };
    try {
      await this.#collection.insertOne({ _id: `${transactionId}/${status}`, ...due });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Sends those that are due, each by one process at a time. Ends when none is due and none is being sent. */
  async sendDue(signal: AbortSignal = new AbortController().signal): Promise<void> {
    const sending = new Map<Promise<void>, OrganisationId>();
    const failures: unknown[] = [];
    for (;;) {
      const taken = signal.aborted || sending.size >= SENT_AT_ONCE ? null : await this.#take(busyOf(sending));
      if (taken) {
        const sent: Promise<void> = this.#send(taken, signal)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => sending.delete(sent));
        sending.set(sent, taken.organisationId);
      } else if (sending.size > 0) await Promise.race([...sending.keys(), delay(LOOK_AGAIN_MS)]);
      else break;
    }
    if (failures.length > 0) throw failures[0];
  }

  async #take(busy: readonly OrganisationId[]): Promise<CallbackDocument | null> {
    const now = this.#now();
    const taken = await this.#collection.findOneAndUpdate(
      { nextAt: { $lte: now }, ...(busy.length > 0 && { organisationId: { $nin: busy } }) },
      { $set: { nextAt: new Date(now.getTime() + TAKEN_FOR_MS) }, $inc: { attempts: 1 } },
      { sort: { nextAt: 1 }, returnDocument: 'after', promoteBuffers: true },
    );
    return taken as CallbackDocument | null;
  }

  async #send(taken: CallbackDocument, signal: AbortSignal): Promise<void> {
    const { _id, body, attempts, createdAt } = taken;
    const url = await openAddress(this.#options.keys, { payment: taken, use: 'callback' }, taken.url);
    // It went with an erasure.
    if (url === undefined) return await this.#end(_id);
    const outcome = await this.#options.requests.send({ url, body, signal });
    const now = this.#now();
    const isOld = now.getTime() - createdAt.getTime() > GIVEN_UP_AFTER_MS;
    if (outcome === 202 || isOld) {
      await this.#end(_id);
      if (outcome !== 202) this.#options.log.warn({ callback: _id, outcome }, 'a client took no callback for 48 hours');
      this.#options.onOutcome?.(outcome === 202 ? 'taken' : 'given_up');
      return;
    }
    this.#options.onOutcome?.('refused');
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS);
    // Another process may have ended it, where this one has stood still.
    const again = { $set: { nextAt: new Date(now.getTime() + pauseMs) } };
    await this.#collection.updateOne({ _id, expiresAt: { $exists: false } }, again);
  }

  async #end(_id: string): Promise<void> {
    await this.#collection.updateOne({ _id }, endOf(this.#now()));
  }
}

/** Organisations that have as many under way as one may. */
function busyOf(sending: ReadonlyMap<unknown, OrganisationId>): readonly OrganisationId[] {
  const counts = Map.groupBy(sending.values(), (organisationId) => organisationId);
  return [...counts].flatMap(([organisationId, all]) => (all.length >= SENT_AT_ONCE_OF_ONE ? [organisationId] : []));
}
