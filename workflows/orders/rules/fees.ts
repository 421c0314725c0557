/** The fees of an order. Pure. */
import { ServiceError } from '../../shared/service-error.ts';
import { writeContent } from './content-write.ts';
import { invalid, invalidState } from './guards.ts';
import { unknownLine } from './lines.ts';
import type { Fee } from './order.ts';
import type { OrderCommand } from './order-change.ts';

/** `orderVersion`: the version that is written, so that a fee comes into no other draft than its caller has seen. */
export type NewFee = Omit<Fee, 'orderVersion'> & Partial<Pick<Fee, 'orderVersion'>>;

/** Throws VALIDATION_FAILED, UNKNOWN_ORDER_LINE, ORDER_VERSION_MISMATCH. */
export const addFee: OrderCommand<{ readonly fee: NewFee }> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const { fee } = command;
    assertFeeSign(fee);
    const lines = new Set(draft.orderLines.map(({ id }) => id));
    const unknown = fee.orderLineIds.filter((id) => !lines.has(id));
    if (unknown.length > 0) throw unknownLine(unknown);
    if (draft.fees.some(({ id }) => id === fee.id)) throw invalidState(`The order has a fee ${fee.id} already.`);
    const orderVersion = fee.orderVersion ?? draft.version;
    if (orderVersion !== draft.version) {
      throw new ServiceError('ORDER_VERSION_MISMATCH', `The draft is version ${draft.version} of the order.`);
    }
    return {
      content: { fees: [...draft.fees, { ...fee, orderVersion }] },
      events: [{ type: 'FeeAdded', orderVersion: draft.version, feeId: fee.id, feeType: fee.type }],
    };
  });

/** `byRule`: the rule that has set an automatic fee replaces it. Throws NOT_FOUND, and INVALID_STATE for a fee of a rule. */
export const removeFee: OrderCommand<{ readonly feeId: string; readonly byRule?: true }> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const fee = draft.fees.find(({ id }) => id === command.feeId);
    if (!fee) throw new ServiceError('NOT_FOUND', 'The order has no such fee.');
    if (isOfRule(fee) && !command.byRule) throw invalidState('This fee follows from a change or a refund.');
    return {
      content: { fees: draft.fees.filter((each) => each !== fee) },
      events: [{ type: 'FeeRemoved', orderVersion: draft.version, feeId: fee.id, feeType: fee.type }],
    };
  });

/** A caller does not undo it: goodwill is a fee of its own. Callers give reasons for their fees, and refunds give none. */
function isOfRule({ type, isAutomatic, reason }: Fee): boolean {
  return isAutomatic === true || (type === 'REFUNDING' && reason === undefined);
}

/** Throws VALIDATION_FAILED: only a reduction is negative. */
export function assertFeeSign({ type, price }: Pick<Fee, 'type' | 'price'>): void {
  const { amountMinor } = price;
  if (type === 'REDUCTION' && amountMinor >= 0)
    throw invalid('/price/amount', 'NEGATIVE', 'must be negative for a REDUCTION');
  if (type !== 'REDUCTION' && amountMinor <= 0)
    throw invalid('/price/amount', 'POSITIVE', `must be more than 0 for a fee of type ${type}`);
}
