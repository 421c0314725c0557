/**
 * What orders ask of payments: to end what may still capture, and to pay money back. Provided by the manifest, in the API
 * and in `sales-orders-worker`. What is paid back derives from the order as it stands, so repeats and several callers pay once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { balanceMinor, excessMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { planCompensation } from '../../workflows/payments/rules/compensation-plan.ts';
import { type Credit, creditStatusOf, type NewCredit } from '../../workflows/payments/rules/credit.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import { planRefundCredit } from '../../workflows/payments/rules/refund-credit.ts';
import { isOpen } from '../../workflows/payments/rules/transactions.ts';
import type { OrderId, OrganisationId, SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CatalogueReader } from '../shared/catalogue.ts';
import type { Compensations } from '../shared/compensations.ts';
import type { DraftOfOrder, LockedDraft, OrderPayments } from '../shared/order-payments.ts';
import type { OrderAccess, OrderWork } from '../shared/orders.ts';
import type { CaptureCalls } from './capture-calls.ts';
import type { CreditStore } from './credit-store.ts';
import { ensureImportedPayment } from './imported-payment.ts';
import type { NeedlessTransactions } from './needless-transactions.ts';
import type { OrderNotes } from './order-notes.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';
import { placesOf } from './transaction-places.ts';

const CLIENT = 'payments';
const WAITS_MS = 8_000;
const LOOKS_EVERY_MS = 50;

export interface OrderPaymentsOptions {
  readonly payments: Pick<PaymentStore, 'listOfOrder' | 'create'>;
  readonly credits: Pick<CreditStore, 'create' | 'findCreated' | 'find' | 'listOfOrder'>;
  readonly notes: Pick<OrderNotes, 'tell'>;
  readonly needless: Pick<NeedlessTransactions, 'tryToWake'>;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly calls: Pick<CaptureCalls, 'cancel'>;
  readonly workflows: Pick<PaymentWorkflows, 'startCredit'>;
  readonly channels: () => Pick<CatalogueReader, 'findChannel'>;
  readonly compensations: () => Compensations;
}

interface Owed {
  readonly order: Order;
  readonly amountMinor: number;
  readonly settlementId?: SettlementId | undefined;
}

export class PaymentsOfOrders implements OrderPayments {
  readonly #options: OrderPaymentsOptions;

  constructor(options: OrderPaymentsOptions) {
    this.#options = options;
  }

  async endOpenTransactions({ organisationId, orderId, version }: DraftOfOrder): Promise<number> {
    const work = workOf(`end/${orderId}/v${version}`);
    const stored = await this.#options.payments.listOfOrder(organisationId, orderId);
    const open = stored.flatMap((each) => placesOf(each, isOpen));
    const ended = await Promise.allSettled(open.map((place) => this.#options.calls.cancel(place, work)));
    for (const each of ended) if (each.status === 'rejected' && !isRefusal(each.reason)) throw each.reason;
    const after = await this.#tellAll({ organisationId, orderId });
    return after.flatMap(({ transactions }) => transactions.filter(isOpen)).length;
  }

  async endNeedless(order: Order, correlationId: string): Promise<void> {
    await this.#options.needless.tryToWake(order, correlationId);
  }

  async creditDraft({ organisationId, orderId, version, lockOwner }: LockedDraft): Promise<void> {
    const compensations = this.#options.compensations();
    if (await compensations.join(organisationId, orderId)) return;
    // Before the order is read: what ends meanwhile makes this one a repeat.
    const ended = await compensations.countEnded(organisationId, orderId);
    const order = await this.#read({ organisationId, orderId });
    const isHeld = order.status === 'DRAFT' && order.version === version && order.lock?.owner === lockOwner;
    const amountMinor = excessMinor(order);
    if (!isHeld || amountMinor <= 0) return;
    const credits = (await this.#options.credits.listOfOrder(organisationId, orderId)).map(({ credit }) => credit);
    // Whatever its reason: what it pays back counts before anything else is planned.
    if (credits.some(isRunning)) return;
    const work = workOf(`compensation/${orderId}/v${version}/${ended + 1}`);
    const payments = await this.#payments(order, work);
    // Such money goes back whatever the channel refunds.
    const { parts, pages } = planCompensation(payments, amountMinor, version, credits);
    if (parts.length === 0) throw new RangeError(`The order ${orderId} has money that no transaction has captured`);
    const { distributionChannelId, currency } = order;
    const draft = { organisationId, orderId, orderVersion: version, distributionChannelId, currency };
    await compensations.begin({ ...draft, parts, pages, askedBy: lockOwner }, work);
  }

  async isCrediting({ organisationId, orderId }: Pick<DraftOfOrder, 'organisationId' | 'orderId'>): Promise<boolean> {
    return (await this.#findRunning(organisationId, orderId)) !== undefined;
  }

  async creditBalance(draft: DraftOfOrder, { correlationId }: OrderWork): Promise<void> {
    const { organisationId, orderId, version, settlementId } = draft;
    // Before the order is read: one part of it may be on the order already, and another one still unknown.
    const running = await this.#findRunning(organisationId, orderId);
    const order = await this.#read({ organisationId, orderId });
    const amountMinor = -balanceMinor(order);
    if (order.status !== 'DRAFT' || order.version !== version) return;
    if (amountMinor <= 0 && !running) return;
    const begun = running
      ? await this.#start(running, correlationId)
      : await this.#begin({ order, amountMinor, settlementId }, correlationId);
    const credit = await this.#outcome(begun);
    const after = await this.#read({ organisationId, orderId });
    if (balanceMinor(after) >= 0) return;
    const isNothingPaid = credit.parts.every(({ status }) => status === 'FAILED');
    if (isNothingPaid)
      throw new ServiceError('INVALID_STATE', 'The payment provider has refused to pay the money back.');
    throw stillRunning();
  }

  async #begin({ order, amountMinor, settlementId }: Owed, correlationId?: string): Promise<Credit> {
    const { organisationId, id: orderId, version: orderVersion, distributionChannelId, currency } = order;
    const work = workOf(await this.#workIdOf(order), correlationId);
    const begun = await this.#options.credits.findCreated(organisationId, work);
    if (begun) return await this.#start(begun.credit, work.correlationId);
    const payments = await this.#payments(order, work);
    const parts = await this.#partsOf(payments, { order, amountMinor });
    const { credit } = await this.#options.credits.create(
      organisationId,
      work,
      (id) => ({
        ...{ id, organisationId, distributionChannelId, orderId, orderVersion, currency, reason: 'BALANCE', parts },
        ...(settlementId !== undefined && { settlementId }),
        ...customerOf(payments, parts),
      }),
      { pendingStart: true },
    );
    return await this.#start(credit, work.correlationId);
  }

  async #findRunning(organisationId: OrganisationId, orderId: OrderId): Promise<Credit | undefined> {
    const credits = await this.#options.credits.listOfOrder(organisationId, orderId);
    return credits.map(({ credit }) => credit).find(isRunning);
  }

  /** With the one of its import. */
  async #payments(order: Order, work: ReturnType<typeof workOf>): Promise<readonly Payment[]> {
    await ensureImportedPayment(this.#options, order, work);
    const stored = await this.#options.payments.listOfOrder(order.organisationId, order.id);
    return stored.map(({ payment }) => payment);
  }

  /** By the groups that the channel refunds. */
  async #partsOf(payments: readonly Payment[], { order, amountMinor }: Owed): Promise<NewCredit['parts']> {
    const { distributionChannelId: id } = order;
    const { refundPaymentTypeGroups = [] } = (await this.#options.channels().findChannel(id)) ?? {};
    return planRefundCredit(payments, amountMinor, { id, refundPaymentTypeGroups });
  }

  /** The same for the same money: what was credited since makes another one. So does a refusal. */
  async #workIdOf({ organisationId, id: orderId, version, money }: Order): Promise<string> {
    const base = `balance/${orderId}/v${version}/${money.capturedMinor}-${money.creditedMinor}`;
    for (let attempt = 1; ; attempt += 1) {
      const workId = `${base}/${attempt}`;
      const tried = await this.#options.credits.findCreated(organisationId, { workId });
      if (!tried || creditStatusOf(tried.credit) !== 'FAILED') return workId;
    }
  }

  /** What fails here is left to the sweep. */
  async #start(credit: Credit, correlationId: string): Promise<Credit> {
    if (creditStatusOf(credit) !== 'CREATED') return credit;
    const { organisationId, orderId, id: creditId } = credit;
    await this.#options.workflows.startCredit({ organisationId, orderId, creditId, correlationId });
    return credit;
  }

  async #outcome(begun: Credit): Promise<Credit> {
    for (const until = Date.now() + WAITS_MS; Date.now() < until; await pause(LOOKS_EVERY_MS)) {
      const { credit } = (await this.#options.credits.find(begun.organisationId, begun.id)) ?? { credit: begun };
      if (creditStatusOf(credit) !== 'CREATED') return credit;
    }
    throw stillRunning();
  }

  /** The order, once it knows all of its payments. */
  async #read(place: Pick<DraftOfOrder, 'organisationId' | 'orderId'>): Promise<Order> {
    await this.#tellAll(place);
    return await this.#options.orders().get(place.organisationId, place.orderId);
  }

  async #tellAll({ organisationId, orderId }: Pick<DraftOfOrder, 'organisationId' | 'orderId'>) {
    const stored = await this.#options.payments.listOfOrder(organisationId, orderId);
    const { workId: _workId, ...work } = workOf('');
    for (const each of stored) if (each.isUntold) await this.#options.notes.tell(each, work);
    return stored.map(({ payment }) => payment);
  }
}

/** The one who has paid, where all parts are of one. */
export function customerOf(payments: readonly Payment[], parts: NewCredit['parts']): Pick<NewCredit, 'customerNumber'> {
  const paid = new Set(parts.map(({ paymentId }) => paymentId));
  const [customerNumber, ...others] = new Set(
    payments.filter(({ id }) => paid.has(id)).map((payment) => payment.customerNumber),
  );
  return customerNumber !== undefined && others.length === 0 ? { customerNumber } : {};
}

function isRunning(credit: Credit): boolean {
  return creditStatusOf(credit) === 'CREATED';
}

function workOf(workId: string, correlationId: string = crypto.randomUUID()) {
  return { workId, correlationId, clientId: CLIENT };
}

/** Captured or refused meanwhile, or the outcome is unknown: it is counted as it is. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.status < 500;
}

function stillRunning(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The money is being credited. Send the request again.', {
    headers: { 'Retry-After': '2' },
  });
}
