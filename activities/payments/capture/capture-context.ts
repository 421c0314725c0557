/** What the steps of a transaction share: its documents, its order, its provider. Callers: the steps of this folder. */
import type { Logger } from '../../../platform/log.ts';
import type { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { CaptureStep, Refusal } from '../../../workflows/payments/activities.ts';
import { type CaptureCall, captureWorkflowId } from '../../../workflows/payments/messages.ts';
import { IDLE_MS, mayIdle } from '../../../workflows/payments/rules/cancelling.ts';
import type { Payment, Transaction } from '../../../workflows/payments/rules/payment.ts';
import type { PaymentChange } from '../../../workflows/payments/rules/payment-change.ts';
import { isOpen, transactionOf } from '../../../workflows/payments/rules/transactions.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Compensations } from '../../shared/compensations.ts';
import type { LockedWork, OrderAccess, OrderMoneyAccess } from '../../shared/orders.ts';
import type { PageLinks } from '../../shared/page-links.ts';
import type { ClientCallbacks } from '../client-callbacks.ts';
import type { CreditStore } from '../credit-store.ts';
import type { NeedlessTransactions } from '../needless-transactions.ts';
import type { OrderNotes } from '../order-notes.ts';
import type { PaymentStore } from '../payment-store.ts';
import { type PaymentProvider, ProviderUnknown } from '../provider/payment-provider.ts';
import type { Providers } from '../provider/providers.ts';

export const PAYMENTS_WORKER = 'sales-payments-worker';

export interface CaptureDependencies {
  readonly payments: Pick<PaymentStore, 'get' | 'change' | 'listOfOrder'>;
  /** Of compensations that were begun before refunds carried them. */
  readonly credits: Pick<CreditStore, 'findCreated' | 'listOfOrder'>;
  readonly compensations: () => Compensations;
  readonly notes: Pick<OrderNotes, 'tell'>;
  readonly needless: Pick<NeedlessTransactions, 'wake'>;
  readonly orders: () => OrderMoneyAccess;
  readonly orderReads: () => Pick<OrderAccess, 'get'>;
  readonly providers: Providers;
  readonly callbacks: Pick<ClientCallbacks, 'note'>;
  /** Open what an app needs, and the way back. */
  readonly keys: SubjectKeys;
  readonly sessions: SessionPlaces;
  readonly pageLinks: () => PageLinks;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** Far shorter than a step lasts: Temporal begins its next attempt after 30 s, which gives back what it finds unused. */
const BEGINS_WITHIN_MS = 20_000;

/** Where customers and providers come back to. */
export interface SessionPlaces {
  /** Of the API, without a slash at its end. */
  readonly publicUrl: string;
}

export interface Standing {
  readonly payment: Payment;
  readonly transaction: Transaction;
}

export class CaptureContext {
  readonly input: CaptureCall;
  readonly work: LockedWork;
  readonly dependencies: CaptureDependencies;
  readonly #startedAt: Date;

  constructor(dependencies: CaptureDependencies, input: CaptureCall) {
    this.dependencies = dependencies;
    this.input = input;
    const { correlationId } = input;
    this.work = { correlationId, clientId: PAYMENTS_WORKER, lockOwner: captureWorkflowId(input) };
    this.#startedAt = this.now();
  }

  now(): Date {
    return this.dependencies.now?.() ?? new Date();
  }

  /** The next attempt of this step may have unlocked the order. Throws UNAVAILABLE: that attempt goes on. */
  assertMayBegin(): void {
    if (this.now().getTime() - this.#startedAt.getTime() <= BEGINS_WITHIN_MS) return;
    throw new ServiceError('UNAVAILABLE', 'The capture took too long to begin; it is tried again.');
  }

  /** The order is told again of what a crash has left. Throws NOT_FOUND. */
  async read(): Promise<Standing> {
    const { organisationId, paymentId } = this.input;
    const stored = await this.dependencies.payments.get(organisationId, paymentId);
    if (stored.isUntold) await this.dependencies.notes.tell(stored, this.work);
    return this.#standing(stored.payment);
  }

  /** One conditional write, and the order is told of it. Written under a work id it is written once. */
  async change(decide: (payment: Payment, now: Date) => PaymentChange, workId?: string): Promise<Standing> {
    const { organisationId, paymentId, correlationId } = this.input;
    const work = { correlationId, clientId: PAYMENTS_WORKER, ...(workId !== undefined && { workId }) };
    const stored = await this.dependencies.payments.change(organisationId, paymentId, work, decide);
    if (stored.isUntold) await this.dependencies.notes.tell(stored, this.work);
    return this.#standing(stored.payment);
  }

  async readOrder(): Promise<Order> {
    const { organisationId, orderId } = this.input;
    return await this.dependencies.orderReads().get(organisationId, orderId);
  }

  /** Of this capture; without an effect where it holds no lock. */
  async unlock(): Promise<void> {
    const { organisationId, orderId } = this.input;
    await this.dependencies.orders().unlock(organisationId, orderId, this.work);
  }

  providerOf({ provider }: Transaction): PaymentProvider {
    return this.dependencies.providers.get(provider);
  }

  /** How it stands when nothing is left to do now. */
  step({ payment, transaction }: Standing, refusal?: Refusal): CaptureStep {
    const { status, activeAt, capturesItself, session, intent, needsChallenge } = transaction;
    const refused = refusal && { refusal };
    if (intent) return { status, next: 'POLL', ...refused };
    if (!isOpen(transaction)) return { status, next: 'OVER', ...refused };
    // Nothing will happen by itself: the next message begins another run.
    if (!mayIdle(transaction)) return { status, next: 'OVER', ...refused };
    const watches = (capturesItself || !payment.active) && session !== undefined;
    return {
      status,
      next: 'WAIT',
      idleAtMs: activeAt.getTime() + IDLE_MS,
      ...(watches && !needsChallenge && { watches }),
      ...refused,
    };
  }

  #standing(payment: Payment): Standing {
    return { payment, transaction: transactionOf(payment, this.input.transactionId) };
  }
}

/** A refusal as a result; every other error is repeated. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ServiceError && isRefusal(error)) return { code: error.code, detail: error.message };
  throw error;
}

function isRefusal({ code, status }: ServiceError): boolean {
  return status < 500 || code === 'PSP_ERROR' || code === 'PSP_TIMEOUT';
}

/** Undefined: the provider has not answered. */
export async function unlessUnknown<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderUnknown) return undefined;
    throw error;
  }
}

export function reference({ payment, transaction }: Standing): string {
  return `${payment.id}/${transaction.id}`;
}
