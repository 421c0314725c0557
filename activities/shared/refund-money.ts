/** What refunds ask of payments. Provided by the payments area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { CreditPart, CreditStatus, NewCredit } from '../../workflows/payments/rules/credit.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import type {
  CreditId,
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  PaymentPageId,
  SettlementId,
  TransactionId,
} from '../../workflows/shared/ids.ts';

export interface RefundCredit {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  /** COMPENSATION: the money was of no use. */
  readonly reason: 'REFUND' | 'COMPENSATION';
  /** The version that the refund makes; of a compensation, the draft whose money it is. */
  readonly orderVersion: number;
  readonly distributionChannelId: DistributionChannelId;
  readonly currency: string;
  readonly settlementId?: SettlementId;
  readonly parts: NewCredit['parts'];
}

/** Who has asked for a compensation. */
export interface Asker {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly askedBy: string;
  readonly paymentPageId?: PaymentPageId;
  readonly correlationId: string;
}

export interface CreditState {
  /** CREATED: the outcome of a part is unknown. FAILED: every outcome is known, and a part was refused. */
  readonly status: CreditStatus;
  readonly creditedMinor: number;
  /** Less was left than was asked for, so no provider was asked. */
  readonly isExceeded?: true;
}

/** What became later of money that was paid back. */
export interface CreditProblem {
  /** CREDIT_FAILED: the provider had accepted it. DISPUTED: the customer claims from the provider what the transaction has captured. */
  readonly type: 'CREDIT_FAILED' | 'DISPUTED';
  readonly creditId: CreditId;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  /** Of this credit. */
  readonly amountMinor: number;
  /** Of a credit that has failed. */
  readonly failedAt?: Date;
  /** An operator has paid it in another way. */
  readonly paidOtherwiseAt?: Date;
}

/**
 * Why a part is not paid back. REFUSED_BY_ISSUER: its provider refuses. REFUND_AMOUNT_EXCEEDED: less was left of the transactions, so no
 * provider was asked. GIVEN_UP: an operator has given it up before a provider has answered. CREDIT_FAILED: it was paid, and failed later.
 */
export type PartRefusal = 'REFUSED_BY_ISSUER' | 'REFUND_AMOUNT_EXCEEDED' | 'GIVEN_UP' | 'CREDIT_FAILED';

/** What became of the money on one transaction. */
export interface CreditedPart extends CreditPart {
  /** With FAILED. */
  readonly refusal?: PartRefusal;
}

export interface CreditAccount {
  readonly parts: readonly CreditedPart[];
  readonly problems: readonly CreditProblem[];
}

export interface RefundMoney {
  /** The payments of the order, with the one of its import: as it would be entered, where it is not yet. Writes nothing. */
  listPayments(organisationId: OrganisationId, orderId: OrderId): Promise<readonly Payment[]>;
  /** Makes the payment of an order that was imported, so that it can be credited. Repeatable. */
  enterImported(organisationId: OrganisationId, orderId: OrderId, correlationId: string): Promise<void>;
  /** What became of each of these credits. */
  accountsOf(
    tenancy: OrganisationId | 'ANY',
    creditIds: readonly CreditId[],
  ): Promise<ReadonlyMap<CreditId, CreditAccount>>;
  /** Of all credits of the order. */
  listProblems(organisationId: OrganisationId, orderId: OrderId): Promise<readonly CreditProblem[]>;
  /**
   * Of a compensation, whose draft is marked: throws UNAVAILABLE while another credit of the order runs, REFUND_AMOUNT_EXCEEDED where the
   * draft has less money than the parts. Without an effect where `workId` has made its credit.
   */
  assertOwed(
    wanted: Pick<RefundCredit, 'organisationId' | 'orderId' | 'parts'>,
    work: { readonly workId: string; readonly correlationId: string },
  ): Promise<void>;
  /** Makes the credit and starts to pay it. One for each `workId`, whatever is repeated. */
  begin(credit: RefundCredit, work: { readonly workId: string; readonly correlationId: string }): Promise<CreditId>;
  /** Waits some seconds for the outcome, unless `looksOnce`. The order knows what was credited when this answers. */
  outcome(
    organisationId: OrganisationId,
    creditId: CreditId,
    look: { readonly correlationId: string; readonly looksOnce?: boolean | undefined },
  ): Promise<CreditState>;
  /** Of the draft's money, what operators have decided not to pay back, in all of its compensations. */
  sumGivenUp(organisationId: OrganisationId, orderId: OrderId, version: number): Promise<number>;
  /** Transactions on which the credit was paid. */
  listCredited(organisationId: OrganisationId, creditId: CreditId): Promise<readonly TransactionId[]>;
  /**
   * An operator has decided on the parts that are not credited. ELSEWHERE: the customer was paid in another way, so they count as
   * credited; also what had failed after a provider has credited it. GIVEN_UP: they are not paid. What a provider has credited stays so.
   * While the outcome of a part is unknown it waits for the provider: the state is CREATED until then. Repeatable. Throws what
   * `assertCountable` throws.
   */
  settle(
    organisationId: OrganisationId,
    creditId: CreditId,
    how: 'ELSEWHERE' | 'GIVEN_UP',
    correlationId: string,
  ): Promise<CreditState>;
  /**
   * An operator has paid in another way what a provider had credited and reported as failed later. What was refused, or given up, stays
   * so. Repeatable.
   */
  settleOwed(organisationId: OrganisationId, creditId: CreditId, correlationId: string): Promise<CreditState>;
  /** A capture that has asked looks now at what became of its money. Without an effect on others, which look by themselves. */
  wakeAsker(asker: Asker): Promise<void>;
  /** Throws REFUND_AMOUNT_EXCEEDED where ELSEWHERE cannot be: the money of a refused part was disputed, or credited otherwise. */
  assertCountable(organisationId: OrganisationId, creditId: CreditId): Promise<void>;
}

export const REFUND_MONEY = interfaceKey<RefundMoney>('refund-money');
