/** Pays back what refunds ask for, by the workflow `credit`. Provided by the manifest, in the API and in `sales-orders-worker`. */
import { excessMinor } from '../../workflows/orders/rules/amounts.ts';
import { parseCaptureWorkflowId } from '../../workflows/payments/messages.ts';
import { type Credit, type CreditPart, creditStatusOf } from '../../workflows/payments/rules/credit.ts';
import { noteCreditedElsewhere } from '../../workflows/payments/rules/credits.ts';
import { givenUpOf } from '../../workflows/payments/rules/given-up.ts';
import type { Payment, Transaction } from '../../workflows/payments/rules/payment.ts';
import { creditableMinor } from '../../workflows/payments/rules/summary.ts';
import type { CreditId, OrderId, OrganisationId, TransactionId } from '../../workflows/shared/ids.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderAccess } from '../shared/orders.ts';
import { readUntil } from '../shared/read-until.ts';
import type {
  Asker,
  CreditAccount,
  CreditProblem,
  CreditState,
  RefundCredit,
  RefundMoney,
} from '../shared/refund-money.ts';
import { accountOf, creditIn, problemsOf, transactionIn } from './credit-account.ts';
import type { CreditStore } from './credit-store.ts';
import { ensureImportedPayment, importedPaymentOf } from './imported-payment.ts';
import type { OrderNotes } from './order-notes.ts';
import { customerOf } from './order-payments.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';

const CLIENT = 'refunds';
const WAITS_MS = 8_000;

export interface RefundMoneyOptions {
  readonly payments: Pick<PaymentStore, 'listOfOrder' | 'listByIds' | 'create' | 'change'>;
  readonly credits: Pick<
    CreditStore,
    'create' | 'findCreated' | 'listOfOrder' | 'listByIds' | 'get' | 'decide' | 'notePart'
  >;
  readonly notes: Pick<OrderNotes, 'tell'>;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly workflows: Pick<PaymentWorkflows, 'startCredit' | 'wake'>;
  readonly now?: () => Date;
}

export class RefundedMoney implements RefundMoney {
  readonly #options: RefundMoneyOptions;

  constructor(options: RefundMoneyOptions) {
    this.#options = options;
  }

  async listPayments(organisationId: OrganisationId, orderId: OrderId): Promise<readonly Payment[]> {
    const { payments, orders, now = () => new Date() } = this.#options;
    const order = await orders().get(organisationId, orderId);
    const entered = (await payments.listOfOrder(organisationId, orderId)).map(({ payment }) => payment);
    if (entered.some(({ cameWithOrder }) => cameWithOrder)) return entered;
    const imported = importedPaymentOf(order, now());
    return imported ? [...entered, imported] : entered;
  }

  async enterImported(organisationId: OrganisationId, orderId: OrderId, correlationId: string): Promise<void> {
    const order = await this.#options.orders().get(organisationId, orderId);
    await ensureImportedPayment(this.#options, order, { correlationId, clientId: CLIENT });
  }

  async accountsOf(
    tenancy: OrganisationId | 'ANY',
    creditIds: readonly CreditId[],
  ): Promise<ReadonlyMap<CreditId, CreditAccount>> {
    if (creditIds.length === 0) return new Map();
    const credits = (await this.#options.credits.listByIds(tenancy, creditIds)).map(({ credit }) => credit);
    const paymentIds = new Set(credits.flatMap(({ parts }) => parts.map(({ paymentId }) => paymentId)));
    const payments = (await this.#options.payments.listByIds([...paymentIds])).map(({ payment }) => payment);
    return new Map(credits.map((credit) => [credit.id, accountOf(credit, payments)]));
  }

  async listProblems(organisationId: OrganisationId, orderId: OrderId): Promise<readonly CreditProblem[]> {
    const stored = await this.#options.payments.listOfOrder(organisationId, orderId);
    return stored.flatMap(({ payment }) =>
      payment.transactions.flatMap((transaction) => problemsOf(payment.id, transaction)),
    );
  }

  async assertOwed(
    { organisationId, orderId, parts }: Pick<RefundCredit, 'organisationId' | 'orderId' | 'parts'>,
    { workId, correlationId }: { readonly workId: string; readonly correlationId: string },
  ): Promise<void> {
    const { credits, orders } = this.#options;
    if (await credits.findCreated(organisationId, { workId })) return;
    const others = await credits.listOfOrder(organisationId, orderId);
    if (others.some(({ credit }) => creditStatusOf(credit) === 'CREATED')) {
      throw new ServiceError('UNAVAILABLE', 'Another credit of the order is running.');
    }
    await this.#tell({ organisationId, orderId, correlationId });
    const order = await orders().get(organisationId, orderId);
    if (excessMinor(order) < sumOf(parts.map(({ amountMinor }) => amountMinor))) {
      throw new ServiceError('REFUND_AMOUNT_EXCEEDED', 'The draft has less money than is to be paid back.');
    }
  }

  async begin(
    wanted: RefundCredit,
    { workId, correlationId }: { readonly workId: string; readonly correlationId: string },
  ): Promise<CreditId> {
    const { organisationId, orderId, parts } = wanted;
    await this.enterImported(organisationId, orderId, correlationId);
    const payments = await this.listPayments(organisationId, orderId);
    const work = { workId, correlationId, clientId: CLIENT };
    const { credit } = await this.#options.credits.create(
      organisationId,
      work,
      (id) => ({ id, ...wanted, ...customerOf(payments, parts) }),
      { pendingStart: true },
    );
    if (creditStatusOf(credit) === 'CREATED') {
      await this.#options.workflows.startCredit({ organisationId, orderId, creditId: credit.id, correlationId });
    }
    return credit.id;
  }

  async outcome(
    organisationId: OrganisationId,
    creditId: CreditId,
    { correlationId, looksOnce }: { readonly correlationId: string; readonly looksOnce?: boolean | undefined },
  ): Promise<CreditState> {
    const isFinal = (credit: Credit) => creditStatusOf(credit) !== 'CREATED';
    const read = async () => (await this.#options.credits.get(organisationId, creditId)).credit;
    const credit = looksOnce ? await read() : await readUntil(read, isFinal, WAITS_MS);
    return await this.#stateOf(credit, correlationId);
  }

  async sumGivenUp(organisationId: OrganisationId, orderId: OrderId, version: number): Promise<number> {
    const payments = (await this.#options.payments.listOfOrder(organisationId, orderId)).map(({ payment }) => payment);
    const credits = (await this.#options.credits.listOfOrder(organisationId, orderId)).map(({ credit }) => credit);
    return sumOf([...givenUpOf(payments, credits, version).values()]);
  }

  async listCredited(organisationId: OrganisationId, creditId: CreditId): Promise<readonly TransactionId[]> {
    const { credit } = await this.#options.credits.get(organisationId, creditId);
    const stored = await this.#options.payments.listOfOrder(organisationId, credit.orderId);
    const payments = stored.map(({ payment }) => payment);
    const paid = credit.parts.filter((part) => isPaid(transactionIn(payments, part), credit));
    return paid.map(({ transactionId }) => transactionId);
  }

  async settle(
    organisationId: OrganisationId,
    creditId: CreditId,
    how: 'ELSEWHERE' | 'GIVEN_UP',
    correlationId: string,
  ): Promise<CreditState> {
    if (how === 'ELSEWHERE') await this.assertCountable(organisationId, creditId);
    const { credit } = await this.#options.credits.decide(organisationId, creditId, how);
    const failed = how === 'ELSEWHERE' ? credit.parts.filter(({ status }) => status === 'FAILED') : [];
    for (const part of failed) await this.#countElsewhere(credit, part, correlationId);
    // Its workflow asks the provider what became of the others, and ends them.
    if (creditStatusOf(credit) === 'CREATED') {
      await this.#options.workflows.startCredit({ organisationId, orderId: credit.orderId, creditId, correlationId });
    }
    return await this.#stateOf((await this.#options.credits.get(organisationId, creditId)).credit, correlationId);
  }

  async settleOwed(organisationId: OrganisationId, creditId: CreditId, correlationId: string): Promise<CreditState> {
    const { credit } = await this.#options.credits.get(organisationId, creditId);
    const stored = await this.#options.payments.listOfOrder(organisationId, credit.orderId);
    const payments = stored.map(({ payment }) => payment);
    // Also one that is settled: an attempt before may have died before it told the credit.
    const failedLater = credit.parts.filter(
      (part) => creditIn(transactionIn(payments, part), credit)?.failedAt !== undefined,
    );
    for (const part of failedLater) await this.#countElsewhere(credit, part, correlationId);
    return await this.#stateOf((await this.#options.credits.get(organisationId, creditId)).credit, correlationId);
  }

  async wakeAsker({ askedBy, correlationId, ...order }: Asker): Promise<void> {
    const transaction = parseCaptureWorkflowId(askedBy);
    if (transaction) await this.#options.workflows.wake({ ...order, ...transaction }, correlationId);
  }

  /** Of the credit, what was refused, and is paid by nobody. The order knows its payments then. */
  async sumRefused(organisationId: OrganisationId, creditId: CreditId, correlationId: string): Promise<number> {
    const { credit } = await this.#options.credits.get(organisationId, creditId);
    await this.#tell({ organisationId, orderId: credit.orderId, correlationId });
    return sumOf((await this.#refusedParts(credit)).map(({ part }) => part.amountMinor));
  }

  async assertCountable(organisationId: OrganisationId, creditId: CreditId): Promise<void> {
    const { credit } = await this.#options.credits.get(organisationId, creditId);
    for (const { part, transaction } of await this.#refusedParts(credit)) {
      if (part.amountMinor <= creditableMinor(transaction)) continue;
      throw new ServiceError(
        'REFUND_AMOUNT_EXCEEDED',
        `The money of the transaction ${part.transactionId} was disputed, or credited otherwise: it cannot count as paid by you.`,
      );
    }
  }

  /** The payments say so: a part that was paid and failed later is not refused. */
  async #refusedParts(credit: Credit): Promise<readonly { part: CreditPart; transaction: Transaction }[]> {
    const stored = await this.#options.payments.listOfOrder(credit.organisationId, credit.orderId);
    const payments = stored.map(({ payment }) => payment);
    return credit.parts.flatMap((part) => {
      const transaction = transactionIn(payments, part);
      if (part.status !== 'FAILED' || !transaction || isPaid(transaction, credit)) return [];
      return [{ part, transaction }];
    });
  }

  /** Refused, or paid and failed later. */
  async #countElsewhere(credit: Credit, part: CreditPart, correlationId: string): Promise<void> {
    const { organisationId, id: creditId, settlementId } = credit;
    const { paymentId, transactionId, amountMinor } = part;
    const counted = settlementId !== undefined ? { settlementId } : {};
    await this.#options.payments.change(organisationId, paymentId, { correlationId, clientId: CLIENT }, (before, now) =>
      noteCreditedElsewhere(before, { transactionId, creditId, amountMinor, ...counted }, now),
    );
    await this.#options.credits.notePart(organisationId, creditId, {
      transactionId,
      status: 'CREDITED',
      settled: true,
      paidOtherwise: true,
    });
  }

  /**
   * The order is told first: what follows counts on its money. What a provider has paid counts, also where it failed right after:
   * the order keeps it as credited.
   */
  async #stateOf(credit: Credit, correlationId: string): Promise<CreditState> {
    const { organisationId, orderId, parts, reservation } = credit;
    const payments = await this.#tell({ organisationId, orderId, correlationId });
    const paid = parts.filter((part) => isPaid(transactionIn(payments, part), credit));
    const creditedMinor = sumOf(paid.map(({ amountMinor }) => amountMinor));
    const status = creditStatusOf(credit);
    return { status, creditedMinor, ...(reservation === 'REFUSED' && { isExceeded: true }) };
  }

  /** The order knows its payments then. */
  async #tell({ organisationId, orderId, correlationId }: ToldOrder): Promise<readonly Payment[]> {
    const stored = await this.#options.payments.listOfOrder(organisationId, orderId);
    for (const each of stored) {
      if (each.isUntold) await this.#options.notes.tell(each, { correlationId, clientId: CLIENT });
    }
    return stored.map(({ payment }) => payment);
  }
}

interface ToldOrder {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly correlationId: string;
}

function isPaid(transaction: Transaction | undefined, credit: Credit): boolean {
  return creditIn(transaction, credit)?.status === 'CREDITED';
}
