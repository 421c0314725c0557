/**
 * Wakes workflows that a crash has lost: of transactions that nobody has touched for half an hour, of calls whose outcome is
 * unknown, of orders that a capture has locked, of credits without an outcome. Goes on for imports whose process was lost.
 * Every process may sweep at any time: a workflow in progress only looks again. Caller: the role, every few seconds.
 */
import { randomUUID } from 'node:crypto';
import { startEach } from '../../platform/aggregate/start-each.ts';
import type { Logger } from '../../platform/log.ts';
import { parseCaptureWorkflowId } from '../../workflows/payments/messages.ts';
import { IDLE_MS, mayIdle } from '../../workflows/payments/rules/cancelling.ts';
import { isOpen } from '../../workflows/payments/rules/transactions.ts';
import type { OrderAccess, OrderMoneyAccess } from '../shared/orders.ts';
import { PAYMENTS_WORKER } from './capture/capture-context.ts';
import type { TransactionPlace } from './capture-calls.ts';
import type { CreditStore } from './credit-store.ts';
import { finishImport } from './importing.ts';
import type { OrderNotes } from './order-notes.ts';
import type { PaymentStore } from './payment-store.ts';
import type { StoredPayment } from './payment-types.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';
import { placesOf } from './transaction-places.ts';

/** A workflow in progress asks more often than this. */
const LOST_AFTER_MS = 6 * 60_000;
/** By then the workflow has cancelled it. */
const GRACE_MS = 60_000;
/** Within this time the process that made a credit starts its workflow. */
const PENDING_MS = 5_000;

export interface PaymentSweepsOptions {
  readonly payments: Pick<PaymentStore, 'pagesOfIdle' | 'pagesOfCalling' | 'listOfOrder' | 'findByTransaction'>;
  readonly credits: Pick<CreditStore, 'pending'>;
  readonly workflows: Pick<PaymentWorkflows, 'wake' | 'startCredit'>;
  readonly notes: Pick<OrderNotes, 'tell'>;
  readonly orders: () => Pick<OrderMoneyAccess, 'pagesOfLocked' | 'unlock' | 'confirm'>;
  readonly orderReads: () => Pick<OrderAccess, 'get'>;
  readonly log: Logger;
  readonly now?: () => Date;
}

export class PaymentSweeps {
  readonly #options: PaymentSweepsOptions;

  constructor(options: PaymentSweepsOptions) {
    this.#options = options;
  }

  async startCredits(): Promise<void> {
    const { credits, workflows, log } = this.#options;
    // The workflow clears the mark with the outcome: until then it may be lost. A start joins one in progress.
    for await (const pending of credits.pending.pages(this.#before(PENDING_MS))) {
      await startEach(pending, { log, describe: ({ creditId }) => ({ creditId }) }, async (credit) => {
        await workflows.startCredit({ ...credit, correlationId: randomUUID() });
      });
    }
  }

  /** All of them, in pages: those that wait rightly hide no other. */
  async wakeCaptures(): Promise<void> {
    const { log, workflows } = this.#options;
    const describe = ({ transactionId }: TransactionPlace) => ({ transactionId });
    const woken = new Set<TransactionPlace['transactionId']>();
    for (const pages of [this.#idle(), this.#calling(), this.#locking()]) {
      for await (const places of pages) {
        const lost = places.filter(({ transactionId }) => !woken.has(transactionId));
        for (const { transactionId } of lost) woken.add(transactionId);
        await startEach(lost, { log, describe }, async (place) => await workflows.wake(place, randomUUID()));
      }
    }
  }

  /** Their requests have ended long ago: the order is locked until its draft expires, which may be never. */
  async finishImports(): Promise<void> {
    const { payments, notes, log, orders, orderReads } = this.#options;
    const parts = { payments, notes, orders: orderReads(), orderMoney: orders() };
    for await (const held of orders().pagesOfLocked('payment-import', this.#before(LOST_AFTER_MS))) {
      await startEach(held, { log, describe: ({ orderId }) => ({ orderId }) }, async (each) => {
        await finishImport(parts, each, { correlationId: randomUUID(), clientId: PAYMENTS_WORKER });
      });
    }
  }

  /** Also of transactions whose workflow was never started. */
  async *#idle(): AsyncIterable<readonly TransactionPlace[]> {
    const before = this.#before(IDLE_MS + GRACE_MS);
    const isIdle = (each: Transactions[number]) => isOpen(each) && mayIdle(each) && each.activeAt <= before;
    for await (const found of this.#options.payments.pagesOfIdle(before)) {
      yield found.flatMap((stored) => placesOf(stored, isIdle));
    }
  }

  async *#calling(): AsyncIterable<readonly TransactionPlace[]> {
    const before = this.#before(LOST_AFTER_MS);
    const isCalling = ({ intent }: Transactions[number]) => intent !== undefined && intent.since <= before;
    for await (const found of this.#options.payments.pagesOfCalling(before)) {
      yield found.flatMap((stored) => placesOf(stored, isCalling));
    }
  }

  async *#locking(): AsyncIterable<readonly TransactionPlace[]> {
    for await (const locked of this.#options.orders().pagesOfLocked('capture', this.#before(LOST_AFTER_MS))) {
      yield (await Promise.all(locked.map(({ owner }) => this.#placeOf(owner)))).flat();
    }
  }

  /** From the payment: a page that began the transaction is told of its outcome. */
  async #placeOf(owner: string): Promise<readonly TransactionPlace[]> {
    const transactionId = parseCaptureWorkflowId(owner)?.transactionId;
    const stored = transactionId && (await this.#options.payments.findByTransaction(transactionId));
    return stored ? placesOf(stored, ({ id }) => id === transactionId) : [];
  }

  #before(ms: number): Date {
    return new Date((this.#options.now?.() ?? new Date()).getTime() - ms);
  }
}

type Transactions = StoredPayment['payment']['transactions'];
