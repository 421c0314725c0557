/** A refund in each state that the table of states names, and every command on it. */
import type { Refund, Resolution } from '../../../workflows/refunds/rules/refund.ts';
import {
  completeRefund,
  failRefund,
  noteAttention,
  noteCrediting,
  noteDisabled,
  noteLocked,
  notePaidOtherwise,
  type RefundChange,
  requestRefund,
  resolveRefund,
  withdrawResolution,
} from '../../../workflows/refunds/rules/refund-life.ts';
import type {
  CreditId,
  DistributionChannelId,
  OrderId,
  OrderLineId,
  RefundId,
  TicketDistributionId,
} from '../../../workflows/shared/ids.ts';
import { NOW, OURS } from '../../support/sample-orders.ts';

type Command = (refund: Refund) => RefundChange;

const operation = {
  ...{ orderLineId: 'A' as OrderLineId, orderLineVersion: 1, refundRuleId: 'R1', unusedOnly: false },
  ...{ shareMinor: 10_000, refundMinor: 7_000 },
};
const resolve =
  (resolution: Resolution): Command =>
  (refund) =>
    resolveRefund(refund, { resolution, reason: 'BANK_TRANSFER' }, NOW);

export const COMMANDS: Readonly<Record<string, Command>> = {
  noteLocked: (refund) =>
    noteLocked(refund, { refundedVersion: 2, disabledTicketIds: [8812 as TicketDistributionId] }, NOW),
  noteDisabled: (refund) => noteDisabled(refund, [8813 as TicketDistributionId], NOW),
  noteCrediting: (refund) => noteCrediting(refund, { creditId: 4711 as CreditId }, NOW),
  noteAttention: (refund) => noteAttention(refund, NOW),
  withdrawResolution: (refund) => withdrawResolution(refund, NOW),
  resolveGivenUp: resolve('GIVEN_UP'),
  resolveElsewhere: resolve('CREDITED_ELSEWHERE'),
  completeRefund: (refund) => completeRefund(refund, { operations: refund.operations }, NOW),
  failRefund: (refund) => failRefund(refund, { code: 'REFUSED_BY_ISSUER', detail: 'Refused.' }, NOW),
  notePaidOtherwise: (refund) => notePaidOtherwise(refund, { reason: 'CASH' }, NOW),
};

function requested(): Refund {
  const content = {
    ...{ id: '9a4c1f6e-2b7d-8c35-9e40-1d2c3b4a5f60' as RefundId, organisationId: OURS, orderVersion: 1 },
    ...{ orderId: 'K7QW2MXP' as OrderId, currency: 'NOK', operations: [operation], parts: [] },
    distributionChannelId: 'SVC:DistributionChannel:Web' as DistributionChannelId,
  };
  return requestRefund(content, NOW).refund;
}

function then(...names: readonly string[]): Refund {
  return names.reduce((before, name) => {
    const command = COMMANDS[name];
    if (!command) throw new Error(`${name} is no command`);
    return command(before).refund;
  }, requested());
}

const ATTENTION = ['noteLocked', 'noteCrediting', 'noteAttention'];
const COMPLETED = ['noteLocked', 'noteCrediting', 'completeRefund'];

export const STATES: Readonly<Record<string, () => Refund>> = {
  REQUESTED: requested,
  LOCKED: () => then('noteLocked'),
  CREDITING: () => then('noteLocked', 'noteCrediting'),
  NEEDS_ATTENTION: () => then(...ATTENTION),
  GIVEN_UP: () => then(...ATTENTION, 'resolveGivenUp'),
  PAID_ELSEWHERE: () => then(...ATTENTION, 'resolveElsewhere'),
  COMPLETED: () => then(...COMPLETED),
  PAID_LATER: () => then(...COMPLETED, 'notePaidOtherwise'),
  FAILED: () => then('noteLocked', 'failRefund'),
};

/** In the words of the table. */
export function stateOf({ status, refundedVersion, resolution, paidOtherwiseReason }: Refund): string {
  if (status === 'REQUESTED' && refundedVersion !== undefined) return 'LOCKED';
  if (status === 'COMPLETED' && paidOtherwiseReason !== undefined) return 'PAID_LATER';
  if (status !== 'NEEDS_ATTENTION' || !resolution) return status;
  return resolution === 'GIVEN_UP' ? 'GIVEN_UP' : 'PAID_ELSEWHERE';
}
