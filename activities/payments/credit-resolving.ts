/**
 * An operator's decision on money that a draft owes back, and that its provider has refused. Written on the credit, whose workflow
 * carries it out. Also on money that the provider has paid, and reported as failed later: the order has counted it, so that it is
 * settled at once. Repeatable. Caller: the operation of the API.
 */
import { isSpent } from '../../workflows/orders/rules/confirmation.ts';
import { assertOwes } from '../../workflows/orders/rules/owed-draft.ts';
import {
  type BalanceDecision,
  type Credit,
  creditDecisionOwner,
  decideBalance,
  isDeciding,
} from '../../workflows/payments/rules/credit.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderAccess, OrderMoneyAccess } from '../shared/orders.ts';
import { readUntil } from '../shared/read-until.ts';
import type { CreditStore } from './credit-store.ts';
import type { PaymentWorkflows } from './payment-workflows.ts';
import type { RefundedMoney } from './refund-money.ts';

const CLIENT = 'payments';
const WAITS_MS = 8_000;

export interface CreditResolving {
  readonly credits: Pick<CreditStore, 'get' | 'decideBalance' | 'notePaidOtherwise'>;
  readonly money: Pick<RefundedMoney, 'sumRefused' | 'assertCountable' | 'listProblems' | 'settleOwed'>;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly orderMoney: () => Pick<OrderMoneyAccess, 'unlock'>;
  readonly workflows: Pick<PaymentWorkflows, 'startCredit'>;
  readonly now: () => Date;
}

/**
 * Waits some seconds until it is carried out. Throws INVALID_STATE where no decision is asked for, another one was taken, or the draft
 * does not owe the money; REFUND_AMOUNT_EXCEEDED where it cannot count as paid elsewhere; ORDER_LOCKED, and what a confirmation throws.
 */
export async function resolveCredit(
  { credits, money, orders, orderMoney, workflows, now }: CreditResolving,
  found: Credit,
  wanted: BalanceDecision,
  correlationId: string,
): Promise<Credit> {
  const { organisationId, orderId, orderVersion, id: creditId } = found;
  const owedMinor = await money.sumRefused(organisationId, creditId, correlationId);
  const order = await orders().get(organisationId, orderId);
  // What a draft owes besides is decided on with it, unless it was travelled on: then it is never confirmed, and owes nothing.
  const isOfDraft = owedMinor > 0 && order.status === 'DRAFT' && order.version === orderVersion && !isSpent(order);
  if (!isOfDraft && !isDeciding(found) && (await failedLater(money, found))) {
    if (wanted.how === 'GIVEN_UP') throw notGivenUp();
    await freeRefused(orderMoney, found, correlationId);
    // The decision first: a repeat settles what an attempt has left.
    await credits.notePaidOtherwise(organisationId, creditId, wanted);
    await money.settleOwed(organisationId, creditId, correlationId);
    return (await credits.get(organisationId, creditId)).credit;
  }
  const isRepeated = decideBalance(found, wanted, now()) === found;
  if (!isRepeated) {
    assertOwes(order, { orderVersion, owedMinor, lockOwner: creditDecisionOwner(found) }, now());
    if (wanted.how === 'ELSEWHERE') await money.assertCountable(organisationId, creditId);
    await freeRefused(orderMoney, found, correlationId);
  }
  const { credit } = await credits.decideBalance(organisationId, creditId, wanted);
  if (isDeciding(credit)) await workflows.startCredit({ organisationId, orderId, creditId, correlationId });
  const read = async () => (await credits.get(organisationId, creditId)).credit;
  const carriedOut = await readUntil(read, (each) => !isDeciding(each), WAITS_MS);
  if (carriedOut.decision?.state !== 'REFUSED') return carriedOut;
  throw new ServiceError(
    'INVALID_STATE',
    'The decision could not be carried out: the draft owes another sum, or it cannot be confirmed any more. Read order and credit.',
  );
}

/** An attempt that died may have left the lock of a decision that was refused. Once another one is written, nobody knows its owner. */
async function freeRefused(
  orderMoney: CreditResolving['orderMoney'],
  credit: Credit,
  correlationId: string,
): Promise<void> {
  if (credit.decision?.state !== 'REFUSED') return;
  const work = { correlationId, clientId: CLIENT, lockOwner: creditDecisionOwner(credit) };
  await orderMoney().unlock(credit.organisationId, credit.orderId, work);
}

/** The provider has paid a part, and reported later that it failed; nobody has paid it in another way. */
async function failedLater(money: Pick<RefundedMoney, 'listProblems'>, credit: Credit): Promise<boolean> {
  const problems = await money.listProblems(credit.organisationId, credit.orderId);
  return problems.some(
    ({ type, creditId, paidOtherwiseAt }) =>
      type === 'CREDIT_FAILED' && creditId === credit.id && paidOtherwiseAt === undefined,
  );
}

function notGivenUp(): ServiceError {
  return new ServiceError(
    'INVALID_STATE',
    'The money was paid back, and the payment failed later: the order counts it, so it cannot be given up. Pay it in another way.',
  );
}
