/** Which transactions and credits belong to a version of an order. Provided by the manifest. */
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { Credit } from '../../workflows/payments/rules/credit.ts';
import { isPaidOtherwise } from '../../workflows/payments/rules/credits.ts';
import type { Payment, Transaction, TransactionCredit } from '../../workflows/payments/rules/payment.ts';
import { isTaken } from '../../workflows/payments/rules/transactions.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import type { MoneyOfVersions, MovedPart, VersionMoney } from '../shared/version-money.ts';
import type { CreditStore } from './credit-store.ts';
import type { PaymentStore } from './payment-store.ts';

/** Money that came with an imported order has paid its first version. */
const IMPORTED_VERSION = 1;

export interface VersionMoneyOptions {
  readonly payments: Pick<PaymentStore, 'listOfOrder'>;
  readonly credits: Pick<CreditStore, 'listOfOrder'>;
}

export class PaidVersions implements MoneyOfVersions {
  readonly #options: VersionMoneyOptions;

  constructor(options: VersionMoneyOptions) {
    this.#options = options;
  }

  async find(
    { organisationId, id, importedTransactions = [] }: Pick<Order, 'organisationId' | 'id' | 'importedTransactions'>,
    orderVersion: number,
    before = orderVersion - 1,
  ): Promise<VersionMoney> {
    const [stored, storedCredits] = await Promise.all([
      this.#options.payments.listOfOrder(organisationId, id),
      this.#options.credits.listOfOrder(organisationId, id),
    ]);
    const payments = stored.map(({ payment }) => payment);
    // Once it has a payment, the money of an import is its transactions.
    const isWithoutPayment = orderVersion === IMPORTED_VERSION && !payments.some((payment) => payment.cameWithOrder);
    const imported = isWithoutPayment ? importedTransactions : [];
    const moved = { payments, credits: storedCredits.map(({ credit }) => credit) };
    const own = movedIn(moved, (version) => version === orderVersion);
    const dropped = movedIn(moved, (version) => version > before && version < orderVersion);
    const isKept = amountOf(dropped.captured) > amountOf(dropped.credited);
    const { captured, credited } = isKept ? dropped : NOTHING;
    const paidElsewhere = imported.map(({ confirmedAt: at, rrn: _rrn, ...part }) => ({ ...part, at }));
    return {
      captured: byTime([...captured, ...own.captured, ...paidElsewhere]),
      credited: byTime([...credited, ...own.credited]),
    };
  }
}

const NOTHING: VersionMoney = { captured: [], credited: [] };

interface Moved {
  readonly payments: readonly Payment[];
  readonly credits: readonly Credit[];
}

function movedIn({ payments, credits }: Moved, isOf: (version: number) => boolean): VersionMoney {
  const paid = payments.filter(({ orderVersion }) => isOf(orderVersion));
  return {
    captured: paid.flatMap(({ transactions }) => transactions.filter(isTaken).map(capturedPart)),
    credited: creditedParts(
      payments,
      credits.filter(({ orderVersion }) => isOf(orderVersion)),
    ),
  };
}

function amountOf(moved: readonly MovedPart[]): number {
  return sumOf(moved.map(({ amountMinor }) => amountMinor));
}

function capturedPart(transaction: Transaction): MovedPart {
  const { amountMinor, capturedAt, createdAt } = transaction;
  return { ...methodOf(transaction), amountMinor, at: capturedAt ?? createdAt };
}

/** The payments say what was paid back: they are written before their credit. */
function creditedParts(payments: readonly Payment[], credits: readonly Credit[]): readonly MovedPart[] {
  const wanted = new Set(credits.map(({ id }) => id));
  return payments.flatMap(({ transactions }) =>
    transactions.flatMap((transaction) =>
      transaction.credits
        .filter(({ creditId, status }) => wanted.has(creditId) && status === 'CREDITED')
        .map((credit) => creditedPart(transaction, credit)),
    ),
  );
}

/** What another has paid went to no card of the customer. */
function creditedPart(transaction: Transaction, credit: TransactionCredit): MovedPart {
  const { amountMinor, at } = credit;
  const { paymentTypeGroup, paymentType } = transaction;
  if (!isPaidOtherwise(credit)) return { ...methodOf(transaction), amountMinor, at };
  return { paymentTypeGroup, paymentType, paidOtherwise: true, amountMinor, at: credit.settledAt ?? at };
}

function methodOf({ paymentTypeGroup, paymentType, last4 }: Transaction) {
  return { paymentTypeGroup, paymentType, ...(last4 !== undefined && { last4 }) };
}

function byTime(parts: readonly MovedPart[]): readonly MovedPart[] {
  return parts.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}
