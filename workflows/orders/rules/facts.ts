/** Facts about an order that belong to no version: contact, references, cause, and when its draft ends. Pure. */
import type { CustomerNumber } from '../../shared/ids.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { holdsOnlyPenalties, withRaisedExpiry } from './expiry-time.ts';
import { assertNotDue, assertWritable, invalid } from './guards.ts';
import type { SealedText } from './order.ts';
import { type OrderCommand, unchanged } from './order-change.ts';

export interface ContactInfo {
  readonly createdBy?: CustomerNumber;
  readonly contact?: CustomerNumber;
}

const LONGEST_DRAFT_MONTHS = 6;

/** Replaces both members: what is absent is removed. */
export const setContactInfo: OrderCommand<ContactInfo> = (order, command, _now) => {
  assertWritable(order, command);
  const { createdBy, contact } = command;
  if (createdBy === order.createdBy && contact === order.contact) return unchanged(order);
  const { createdBy: _createdBy, contact: _contact, ...rest } = order;
  const given = { ...(createdBy !== undefined && { createdBy }), ...(contact !== undefined && { contact }) };
  const event = { type: 'OrderContactInformationUpdated' as const, orderVersion: order.version, ...given };
  return { order: { ...rest, ...given }, events: [event] };
};

/** Absent: removed. */
export const setExternalReference: OrderCommand<{ readonly externalReference?: string }> = (order, command, _now) => {
  assertWritable(order, command);
  const { externalReference } = command;
  if (externalReference === order.externalReference) return unchanged(order);
  const { externalReference: _earlier, ...rest } = order;
  return {
    order: { ...rest, ...(externalReference !== undefined && { externalReference }) },
    events: [{ type: 'OrderExternalReferenceUpdated', orderVersion: order.version }],
  };
};

export interface SpecialOrderCause {
  readonly causeCode: string;
  readonly description?: SealedText;
}

export const setSpecialOrderCause: OrderCommand<SpecialOrderCause> = (order, command, _now) => {
  assertWritable(order, command);
  const { causeCode, description } = command;
  const { causeDescription: _earlier, ...rest } = order;
  return {
    order: { ...rest, causeCode, ...(description && { causeDescription: description }) },
    events: [{ type: 'SpecialOrderCauseAddedOrUpdated', orderVersion: order.version, causeCode }],
  };
};

export const removeSpecialOrderCause: OrderCommand<object> = (order, command, _now) => {
  assertWritable(order, command);
  if (order.causeCode === undefined) return unchanged(order);
  const { causeCode: _code, causeDescription: _description, ...rest } = order;
  return { order: rest, events: [{ type: 'SpecialOrderCauseRemoved', orderVersion: order.version }] };
};

/** The caller chooses when the draft ends, also earlier than before. */
export const setExpireAt: OrderCommand<{ readonly expireAt: Date }> = (order, command, now) => {
  assertWritable(order, command);
  if (order.status !== 'DRAFT') throw new ServiceError('ORDER_NOT_DRAFT', 'Only a draft expires.');
  assertNotDue(order, now);
  const { expireAt } = command;
  assertFutureExpiry(expireAt, now);
  if (holdsOnlyPenalties(order)) return unchanged(order);
  return {
    order: { ...order, expireAt, expireAtSet: true },
    events: [{ type: 'OrderExpiredAtSet', orderVersion: order.version, timestamp: expireAt }],
  };
};

/** Gives a payment the time that it needs: raises the draft's time, and never lowers it. */
export const raiseExpireAt: OrderCommand<{ readonly lifeMs: number }> = (order, command, now) => {
  assertWritable(order, command);
  if (order.status !== 'DRAFT') throw new ServiceError('ORDER_NOT_DRAFT', 'Only a draft expires.');
  assertNotDue(order, now);
  const raised = withRaisedExpiry(order, now, command.lifeMs);
  if (raised.expireAt?.getTime() === order.expireAt?.getTime()) return unchanged(order);
  if (!raised.expireAt) return { order: raised, events: [] };
  const event = { type: 'OrderExpiredAtSet' as const, orderVersion: order.version, timestamp: raised.expireAt };
  return { order: raised, events: [event] };
};

export function assertFutureExpiry(expireAt: Date, now: Date): void {
  if (expireAt.getTime() <= now.getTime()) throw invalid('/expireAt', 'FUTURE', 'is not in the future');
  const latest = new Date(now);
  latest.setUTCMonth(latest.getUTCMonth() + LONGEST_DRAFT_MONTHS);
  if (expireAt.getTime() > latest.getTime()) {
    throw invalid('/expireAt', 'MAXIMUM', `is more than ${LONGEST_DRAFT_MONTHS} months away`);
  }
}
