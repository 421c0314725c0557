/** Pays back what refunds ask for, by the workflow `credit`. Provided by the manifest, in the API and in `sales-orders-worker`. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Credit, type CreditPart, creditStatusOf } from '../../workflows/payments/rules/credit.ts';
import { isOwed, noteCreditedElsewhere, noteCreditRefused } from '../../workflows/payments/rules/credits.ts';
import type { Payment, Transaction } from '../../workflows/payments/rules/payment.ts';
import type { CreditId, OrderId, OrganisationId, PaymentId } from '../../workflows/shared/ids.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { CreditProblem, CreditState, RefundCredit, RefundMoney } from '../shared/refund-money.ts';
import type { CreditStore } from './credit-store.ts';
import { ensureImportedPayment } from './imported-payment.ts';
import type { OrderNotes } from './order-notes.ts';
import { customerOf } from './order-payments.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';

const CLIENT = 'refunds';
const WAITS_MS = 8_000;
const LOOKS_EVERY_MS = 50;

export interface RefundMoneyOptions {
  readonly payments: Pick<PaymentStore, 'listOfOrder' | 'create' | 'change'>;
  readonly credits: Pick<CreditStore, 'create' | 'get' | 'notePart'>;
  readonly notes: Pick<OrderNotes, 'tell'>;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly workflows: Pick<PaymentWorkflows, 'startCredit'>;
}

export class RefundedMoney implements RefundMoney {
  readonly #options: RefundMoneyOptions;

  constructor(options: RefundMoneyOptions) {
    this.#options = options;
  }

  async listPayments(
    organisationId: OrganisationId,
    orderId: OrderId,
    correlationId: string,
  ): Promise<readonly Payment[]> {
    const order = await this.#options.orders().get(organisationId, orderId);
    await ensureImportedPayment(this.#options, order, { correlationId, clientId: CLIENT });
    return (await this.#options.payments.listOfOrder(organisationId, orderId)).map(({ payment }) => payment);
  }

  async listProblems(organisationId: OrganisationId, orderId: OrderId): Promise<readonly CreditProblem[]> {
    const stored = await this.#options.payments.listOfOrder(organisationId, orderId);
    return stored.flatMap(({ payment }) =>
      payment.transactions.flatMap((transaction) => problemsOf(payment.id, transaction)),
    );
  }

  async begin(
    wanted: RefundCredit,
    { workId, correlationId }: { readonly workId: string; readonly correlationId: string },
  ): Promise<CreditId> {
    const { organisationId, orderId, parts } = wanted;
    const payments = await this.listPayments(organisationId, orderId, correlationId);
    const work = { workId, correlationId, clientId: CLIENT };
    const { credit } = await this.#options.credits.create(
      organisationId,
      work,
      (id) => ({ id, ...wanted, reason: 'REFUND', ...customerOf(payments, parts) }),
      { pendingStart: true },
    );
    if (creditStatusOf(credit) === 'CREATED') {
      await this.#options.workflows.startCredit({ organisationId, orderId, creditId: credit.id, correlationId });
    }
    return credit.id;
  }

  async outcome(organisationId: OrganisationId, creditId: CreditId, correlationId: string): Promise<CreditState> {
    let { credit } = await this.#options.credits.get(organisationId, creditId);
    for (const until = Date.now() + WAITS_MS; Date.now() < until; await pause(LOOKS_EVERY_MS)) {
      if (creditStatusOf(credit) !== 'CREATED') break;
      credit = (await this.#options.credits.get(organisationId, creditId)).credit;
    }
    return await this.#stateOf(credit, correlationId);
  }

  async settle(
    organisationId: OrganisationId,
    creditId: CreditId,
    how: 'ELSEWHERE' | 'GIVEN_UP',
    correlationId: string,
  ): Promise<CreditState> {
    const { credit } = await this.#options.credits.get(organisationId, creditId);
    for (const part of credit.parts.filter(({ status }) => status !== 'CREDITED')) {
      await this.#settlePart(credit, part, how, correlationId);
    }
    return await this.#stateOf((await this.#options.credits.get(organisationId, creditId)).credit, correlationId);
  }

  /** The payment says what became of the part: a provider may have answered meanwhile. */
  async #settlePart(
    { organisationId, id: creditId, settlementId }: Credit,
    { paymentId, transactionId, amountMinor }: CreditPart,
    how: 'ELSEWHERE' | 'GIVEN_UP',
    correlationId: string,
  ): Promise<void> {
    const work = { correlationId, clientId: CLIENT };
    const part = { creditId, transactionId };
    const counted = settlementId !== undefined ? { settlementId } : {};
    const { payment } = await this.#options.payments.change(organisationId, paymentId, work, (before, now) =>
      how === 'ELSEWHERE'
        ? noteCreditedElsewhere(before, { ...part, amountMinor, ...counted }, now)
        : noteCreditRefused(before, part, now),
    );
    const transaction = payment.transactions.find(({ id }) => id === transactionId);
    const known = transaction?.credits.find((each) => each.creditId === creditId);
    const isCredited = known?.status === 'CREDITED' && !isOwed(known);
    const outcome = isCredited
      ? { status: 'CREDITED' as const, settled: true as const }
      : { status: 'FAILED' as const };
    await this.#options.credits.notePart(organisationId, creditId, { transactionId, ...outcome });
  }

  /**
   * The order is told first: what follows counts on its money. What a provider has paid counts, also where it failed right after:
   * the order keeps it as credited.
   */
  async #stateOf(credit: Credit, correlationId: string): Promise<CreditState> {
    const { organisationId, orderId, id: creditId } = credit;
    const stored = await this.#options.payments.listOfOrder(organisationId, orderId);
    for (const each of stored) {
      if (each.isUntold) await this.#options.notes.tell(each, { correlationId, clientId: CLIENT });
    }
    const credited = stored
      .flatMap(({ payment }) => payment.transactions.flatMap(({ credits }) => credits))
      .filter((each) => each.creditId === creditId && each.status === 'CREDITED');
    return { status: creditStatusOf(credit), creditedMinor: sumOf(credited.map(({ amountMinor }) => amountMinor)) };
  }
}

function problemsOf(
  paymentId: PaymentId,
  { id: transactionId, status, credits }: Transaction,
): readonly CreditProblem[] {
  return credits
    .filter((each) => each.status === 'CREDITED')
    .flatMap(({ creditId, amountMinor, failedAt, settledAt }): readonly CreditProblem[] => {
      const of = { creditId, paymentId, transactionId, amountMinor };
      return [
        ...(failedAt === undefined
          ? []
          : [
              {
                ...{ type: 'CREDIT_FAILED' as const, ...of, failedAt },
                ...(settledAt !== undefined && { paidOtherwiseAt: settledAt }),
              },
            ]),
        ...(status === 'DISPUTED' ? [{ type: 'DISPUTED' as const, ...of }] : []),
      ];
    });
}
