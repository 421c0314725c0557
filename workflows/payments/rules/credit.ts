/** What is paid back to a customer at once: parts of one or several transactions of an order. Pure. */
import type {
  CreditId,
  CustomerNumber,
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  SettlementId,
  TransactionId,
} from '../../shared/ids.ts';
import { sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';

/**
 * COMPENSATION: money was taken that the order cannot use. BALANCE: a draft is confirmed whose balance is negative. REFUND: a
 * refund was asked for. DRAFT: a draft ended, in credits of before 2026-11-27; such money is a COMPENSATION since.
 */
export type CreditReason = 'COMPENSATION' | 'BALANCE' | 'DRAFT' | 'REFUND';

/** CREATED until every part has its outcome. FAILED: a provider has refused a part, or reported later that it failed. */
export type CreditStatus = 'CREATED' | 'CREDITED' | 'FAILED';

export interface CreditPart {
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  readonly amountMinor: number;
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  readonly status: CreditStatus;
  readonly rrn?: string;
  /** Of CREDITED: an operator has paid it, and not the provider. */
  readonly paidOtherwise?: true;
  readonly at: Date;
}

/**
 * An operator has decided on the parts without an outcome: no provider is asked to pay them any more. ELSEWHERE: the customer was
 * paid in another way. GIVEN_UP: they are not paid.
 */
export interface CreditDecision {
  readonly how: 'ELSEWHERE' | 'GIVEN_UP';
  readonly at: Date;
  /** Of a BALANCE: an operator's own code. */
  readonly reason?: string;
  /** Of a BALANCE. Other credits have a refund, which carries the decision out. */
  readonly state?: DecisionState;
}

/**
 * HELD: the draft is locked, and owes exactly what was refused. DONE: the money counts, or is given up. REFUSED: the draft does not owe
 * it, so another decision may follow.
 */
export type DecisionState = 'ASKED' | 'HELD' | 'DONE' | 'REFUSED';

/**
 * Of the money of all parts, decided once. MADE: it is set aside on every transaction. REFUSED: less was left of one, so no provider
 * is asked to pay any part.
 */
export type CreditReservation = 'MADE' | 'REFUSED';

export interface Credit {
  readonly id: CreditId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  readonly currency: string;
  readonly reason: CreditReason;
  readonly customerNumber?: CustomerNumber;
  readonly settlementId?: SettlementId;
  readonly parts: readonly CreditPart[];
  readonly reservation?: CreditReservation;
  readonly decision?: CreditDecision;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewCredit extends Omit<Credit, 'parts' | 'reservation' | 'decision' | 'createdAt' | 'updatedAt'> {
  readonly parts: readonly Omit<CreditPart, 'status' | 'rrn' | 'paidOtherwise' | 'at'>[];
}

export function createCredit({ parts, ...content }: NewCredit, now: Date): Credit {
  if (parts.length === 0 || parts.some(({ amountMinor }) => amountMinor <= 0)) {
    throw new RangeError('A credit has parts, each with an amount above 0');
  }
  const created = parts.map((part): CreditPart => ({ ...part, status: 'CREATED', at: now }));
  return { ...content, parts: created, createdAt: now, updatedAt: now };
}

export function totalCreditMinor({ parts }: Pick<Credit, 'parts'>): number {
  return sumOf(parts.map(({ amountMinor }) => amountMinor));
}

export function creditStatusOf({ parts }: Pick<Credit, 'parts'>): CreditStatus {
  if (parts.some(({ status }) => status === 'CREATED')) return 'CREATED';
  return parts.every(({ status }) => status === 'CREDITED') ? 'CREDITED' : 'FAILED';
}

export interface PartOutcome {
  readonly transactionId: TransactionId;
  readonly status: 'CREDITED' | 'FAILED';
  readonly rrn?: string;
  /** Of CREDITED: an operator has paid in another way what may have failed before. */
  readonly settled?: true;
  readonly paidOtherwise?: true;
}

/** Repeated it answers the same credit. What is credited may fail later; what has failed stays so, unless an operator pays it. */
export function notePart(credit: Credit, outcome: PartOutcome, now: Date): Credit {
  const { transactionId, status, rrn, settled, paidOtherwise } = outcome;
  const part = credit.parts.find((each) => each.transactionId === transactionId);
  if (!part || part.status === status || (part.status === 'FAILED' && !settled)) return credit;
  const how = { ...(rrn !== undefined && { rrn }), ...(paidOtherwise && { paidOtherwise }) };
  const noted: CreditPart = { ...part, status, at: now, ...how };
  return { ...credit, parts: credit.parts.map((each) => (each === part ? noted : each)), updatedAt: now };
}

/** The first outcome stays: attempts of one time may differ. */
export function noteReservation(credit: Credit, reservation: CreditReservation, now: Date): Credit {
  return credit.reservation === undefined ? { ...credit, reservation, updatedAt: now } : credit;
}

/** Repeated it answers the same credit. */
export function decideCredit(credit: Credit, how: CreditDecision['how'], now: Date): Credit {
  if (credit.decision?.how === how) return credit;
  return { ...credit, decision: { how, at: now }, updatedAt: now };
}

function assertBalance({ reason }: Credit): void {
  if (reason === 'BALANCE') return;
  throw new ServiceError('INVALID_STATE', 'Only a credit with the reason BALANCE is decided on here: see its refund.');
}

export type BalanceDecision = Pick<CreditDecision, 'how'> & { readonly reason: string };

/**
 * Of money that a draft owes. Repeated it answers the same credit. Throws INVALID_STATE where no decision is asked for, or another was
 * taken.
 */
export function decideBalance(credit: Credit, { how, reason }: BalanceDecision, now: Date): Credit {
  assertBalance(credit);
  const { decision } = credit;
  if (decision && decision.state !== 'REFUSED') {
    if (decision.how === how) return credit;
    throw new ServiceError('INVALID_STATE', 'Another decision on the credit was taken.');
  }
  const status = creditStatusOf(credit);
  if (status !== 'FAILED')
    throw new ServiceError('INVALID_STATE', `The credit is ${status}: no decision is asked for.`);
  return { ...credit, decision: { how, reason, state: 'ASKED', at: now }, updatedAt: now };
}

/**
 * A BALANCE that the provider has paid, and reported as failed later: an operator has paid it in another way. It is money of no draft any
 * more, so nothing is to be carried out. The first decision stays. Throws INVALID_STATE for another reason of the credit.
 */
export function notePaidOtherwise(credit: Credit, { reason }: Pick<BalanceDecision, 'reason'>, now: Date): Credit {
  assertBalance(credit);
  if (credit.decision && credit.decision.state !== 'REFUSED') return credit;
  return { ...credit, decision: { how: 'ELSEWHERE', reason, state: 'DONE', at: now }, updatedAt: now };
}

/** Its decision is not carried out yet. */
export function isDeciding({ decision }: Pick<Credit, 'decision'>): boolean {
  return decision?.state === 'ASKED' || decision?.state === 'HELD';
}

export interface DecisionStep {
  readonly from: DecisionState;
  readonly to: DecisionState;
}

/** Without an effect where another attempt has gone on. */
export function noteDecisionStep(credit: Credit, { from, to }: DecisionStep, now: Date): Credit {
  const { decision } = credit;
  return decision?.state === from ? { ...credit, decision: { ...decision, state: to }, updatedAt: now } : credit;
}

/**
 * Of the lock under which a decision is carried out. Each decision has its own, so that a late attempt of one frees no lock of the next.
 */
export function creditDecisionOwner({ orderId, id, decision }: Pick<Credit, 'orderId' | 'id' | 'decision'>): string {
  return `credit-decision/${orderId}/${id}/${decision?.at.getTime() ?? 0}`;
}

/** Calls of the provider that began before the decision have ended by then: each gives up within seconds. */
const CALLS_END_MS = 2 * 60_000;

/** A key that the provider has never seen stays so: nobody calls with it any more. */
export function isCallable({ decision }: Pick<Credit, 'decision'>, now: Date): boolean {
  return decision === undefined || now.getTime() < decision.at.getTime() + CALLS_END_MS;
}
