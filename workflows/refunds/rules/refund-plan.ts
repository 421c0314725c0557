/**
 * What a refund gives back, worked out from the order, its use and the rules in force. Options, dry runs and refunds ask here, so
 * that they never differ. Pure.
 */
import { assertConfirmable } from '../../orders/rules/confirmation.ts';
import type { Order, OrderLine } from '../../orders/rules/order.ts';
import { assertSettled } from '../../orders/rules/refunding.ts';
import { soldLine } from '../../orders/rules/reserving/change-groups.ts';
import type { RuleBook, SoldLine } from '../../orders/rules/reserving/change-terms.ts';
import type { FareProduct } from '../../shared/fares.ts';
import type { OrderLineId, TravellerId } from '../../shared/ids.ts';
import { formatAmount } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { type LineUse, leftMinor, shareOf, unusedLegIds } from './line-shares.ts';
import type { PlannedOperation } from './refund.ts';
import { namedRule, refundMinor, withUse } from './refund-terms.ts';

export interface WantedOperation {
  readonly orderLineId: OrderLineId;
  readonly orderLineVersion: number;
  readonly refundRuleId: string;
  /** What the caller expects. */
  readonly refundMinor?: number;
  readonly legIds?: readonly string[];
  readonly travellerIds?: readonly TravellerId[];
}

export interface RefundFacts {
  readonly order: Order;
  readonly book: RuleBook;
  readonly products: ReadonlyMap<string, FareProduct>;
  /** By line. */
  readonly uses: ReadonlyMap<OrderLineId, LineUse>;
}

export interface PlanRequest {
  readonly operations: readonly WantedOperation[];
  /** The lines that the open draft has cancelled are refunded, and the draft is confirmed. */
  readonly includesCancelled: boolean;
  readonly isOverruled: boolean;
  /** Of the request's body; names the operations in refusals. */
  readonly member: 'refundOperations' | 'refundEntries';
}

/** One for each wanted operation, in their order. Throws the refusals that the contract names. */
export function planOperations(facts: RefundFacts, request: PlanRequest, now: Date): readonly PlannedOperation[] {
  assertRefundable(facts.order, request, now);
  const planned = planEach(facts, request, now);
  assertSettled(facts.order, planned);
  return planned;
}

/** The same, whatever the order owes. Options ask it of the order as it was last confirmed. */
export function planEach(facts: RefundFacts, request: PlanRequest, now: Date): readonly PlannedOperation[] {
  const { operations } = request;
  const ids = operations.map(({ orderLineId }) => orderLineId);
  for (const [at, id] of ids.entries()) {
    if (ids.indexOf(id) < at) throw wrong({ at, request }, 'orderLineRef', 'UNIQUE', 'names a line twice');
  }
  return operations.map((wanted, at) => naming({ at, request }, () => planOne(facts, wanted, { at, request }, now)));
}

/** A refusal of what was asked for points to the operation, where it points to none of its members. */
function naming(position: Position, plan: () => PlannedOperation): PlannedOperation {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 422 || error.errors) throw error;
    const { code, message: detail } = error;
    throw new ServiceError(code, detail, { errors: [{ pointer: pointerOf(position), code, detail }] });
  }
}

function assertRefundable(order: Order, { operations, includesCancelled }: PlanRequest, now: Date): void {
  if (order.status === 'EXPIRED') throw new ServiceError('ORDER_EXPIRED', 'The order has expired.');
  if (order.status === 'CANCELLED' || !order.confirmed) {
    throw new ServiceError('INVALID_STATE', 'Only a confirmed order is refunded.');
  }
  if (order.status === 'CONFIRMED') {
    if (!includesCancelled) return;
    throw new ServiceError(
      'INVALID_STATE',
      'The order has no draft that cancels lines: leave `includesCancelledOrderLines` out.',
    );
  }
  if (!includesCancelled) {
    throw new ServiceError(
      'INVALID_STATE',
      'The order has an open draft: confirm or reset it. To refund the lines that it cancels, set `includesCancelledOrderLines`.',
    );
  }
  const named = new Set(operations.map(({ orderLineId }) => orderLineId));
  const missing = order.orderLines.filter(
    (line) => line.status === 'CANCELLATION_DRAFT' && leftMinor(line) > 0 && !named.has(line.id),
  );
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id).join(', ');
    throw new ServiceError(
      'INVALID_STATE',
      `The draft is confirmed with the refund, so name all its cancelled lines: ${ids}.`,
    );
  }
  assertConfirmable(order, { orderVersion: order.version }, now);
}

interface Position {
  readonly at: number;
  readonly request: PlanRequest;
}

function planOne(facts: RefundFacts, wanted: WantedOperation, { at, request }: Position, now: Date): PlannedOperation {
  const { order, book } = facts;
  const line = refundedLine(order, wanted, { at, request });
  const use = facts.uses.get(line.id);
  const sold = withUse(soldLine(order, line.id) as SoldLine, use);
  const rule = namedRule(sold, wanted.refundRuleId, { book, isOverruled: request.isOverruled }, now);
  const free = unusedLegIds(line, { use, isJourneyBound: isJourneyBound(line, facts.products) }, now);
  const part = partOf(line, wanted, { at, request, free, isWhole: order.status === 'DRAFT', products: facts.products });
  const shareMinor = shareOf(line, part);
  if (shareMinor <= 0) throw nothingLeft(line);
  const planned = refundMinor(shareMinor, rule);
  if (wanted.refundMinor !== undefined && wanted.refundMinor !== planned)
    throw otherAmount(order, { at, request }, planned);
  return {
    orderLineId: line.id,
    orderLineVersion: line.version,
    refundRuleId: rule.id,
    shareMinor,
    refundMinor: planned,
    unusedOnly: rule.unusedOnly,
    ...(isSome(part.legIds, line.travelSpecification.legs) && { legIds: part.legIds }),
    ...(isSome(part.travellerIds, line.travellers) && { travellerIds: part.travellerIds }),
  };
}

function refundedLine(order: Order, { orderLineId, orderLineVersion }: WantedOperation, position: Position): OrderLine {
  const line = order.orderLines.find(({ id }) => id === orderLineId);
  if (!line) throw new ServiceError('UNKNOWN_ORDER_LINE', `The order has no such line: ${orderLineId}.`);
  if (line.status === 'CANCELLED') throw nothingLeft(line);
  const expected = order.status === 'DRAFT' ? 'CANCELLATION_DRAFT' : 'CONFIRMED';
  if (line.status !== expected)
    throw new ServiceError('INVALID_STATE', `The line ${line.id} is not cancelled by the draft.`);
  if (line.version !== orderLineVersion) {
    const detail = `${pointerOf(position)}: the version of the line ${line.id} is ${line.version}. Ask for its options again.`;
    throw new ServiceError('ORDER_VERSION_MISMATCH', detail);
  }
  return line;
}

/** A line that is valid for its journeys alone: its product has no duration. Of an unknown product, one with legs and seats. */
export function isJourneyBound(line: OrderLine, products: ReadonlyMap<string, FareProduct>): boolean {
  const mains = line.fareProducts.filter(({ kind }) => kind === 'PREASSIGNED');
  const known = mains.flatMap(({ id }) => products.get(id) ?? []);
  if (known.length === 0) return line.reservationIds.length > 0;
  return known.some((product) => product.kind === 'PREASSIGNED' && product.validityDuration === undefined);
}

/** Not all: the line goes on with the others, also where these cost nothing. */
function isSome<Id>(ids: readonly Id[] | undefined, of: readonly unknown[]): ids is readonly Id[] {
  return ids !== undefined && ids.length < of.length;
}

interface Free extends Position {
  /** As `unusedLegIds` answers. */
  readonly free: readonly string[] | undefined;
  /** A cancelled line is given back whole. */
  readonly isWhole: boolean;
  readonly products: ReadonlyMap<string, FareProduct>;
}

function partOf(
  line: OrderLine,
  { legIds, travellerIds }: WantedOperation,
  { free, isWhole, products, ...position }: Free,
) {
  const { legs } = line.travelSpecification;
  const isPartUsed = free !== undefined && free.length < Math.max(legs.length, 1);
  if (isWhole && (isPartUsed || legIds || travellerIds)) {
    throw new ServiceError('REFUND_NOT_ALLOWED', `The cancelled line ${line.id} is refunded whole, and unused.`);
  }
  if (legIds && travellerIds) throw wrong(position, 'legIds', 'EXCLUSIVE', 'and travellerIds exclude each other');
  if (travellerIds) {
    if (new Set(travellerIds).size < travellerIds.length) {
      throw wrong(position, 'travellerIds', 'UNIQUE', 'names a traveller twice');
    }
    const known = line.travellers.map(({ travellerId }) => travellerId);
    const unknown = travellerIds.find((id) => !known.includes(id));
    if (unknown !== undefined) {
      throw new ServiceError('UNKNOWN_TRAVELLER', `The line ${line.id} has no such traveller: ${unknown}.`);
    }
    if (isPartUsed) throw used(line);
    assertParty(line, travellerIds, products);
    return { travellerIds };
  }
  if (legIds) {
    if (legIds.some((id) => legs.every(({ legId }) => legId !== id)))
      throw wrong(position, 'legIds', 'UNKNOWN', 'names no leg of the line');
    if (legIds.some((id) => !free?.includes(id))) throw used(line);
    return { legIds };
  }
  if (free?.length === 0) throw used(line);
  return isPartUsed && free ? { legIds: free } : {};
}

/** A group that stays is still one, and a compartment is sold whole. Throws REFUND_NOT_ALLOWED. */
function assertParty(
  { id, fareProducts, travellers }: OrderLine,
  travellerIds: readonly TravellerId[],
  products: ReadonlyMap<string, FareProduct>,
): void {
  const left = travellers.length - travellerIds.length;
  if (left === 0) return;
  for (const product of fareProducts.flatMap((each) => products.get(each.id) ?? [])) {
    if (product.kind !== 'PREASSIGNED') continue;
    if (product.compartment) {
      throw new ServiceError(
        'REFUND_NOT_ALLOWED',
        `The compartment of the line ${id} is refunded for all its travellers.`,
      );
    }
    const { minTravellers = 0 } = product.group ?? {};
    if (left < minTravellers) {
      throw new ServiceError(
        'REFUND_NOT_ALLOWED',
        `The product ${product.id} of the line ${id} is for ${minTravellers} travellers at least: refund more of it, or all.`,
      );
    }
  }
}

function pointerOf({ at, request }: Position): string {
  return `/${request.member}/${at}`;
}

function used({ id }: OrderLine): ServiceError {
  return new ServiceError(
    'REFUND_NOT_ALLOWED',
    `The line ${id}, or a leg that is named, has been used or has departed.`,
  );
}

function nothingLeft({ id }: OrderLine): ServiceError {
  return new ServiceError('REFUND_AMOUNT_EXCEEDED', `Nothing is left of the line ${id}.`);
}

function otherAmount({ currency }: Order, position: Position, plannedMinor: number): ServiceError {
  const amount = `${formatAmount(plannedMinor, currency)} ${currency}`;
  const pointer = `${pointerOf(position)}/refundAmount`;
  return new ServiceError('AMOUNT_MISMATCH', `The refund of this operation is ${amount}.`, {
    errors: [{ pointer, code: 'AMOUNT_MISMATCH', detail: `must be ${amount}` }],
  });
}

function wrong(position: Position, member: string, code: string, detail: string): ServiceError {
  const pointer = `${pointerOf(position)}/${member}`;
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, {
    status: 422,
    errors: [{ pointer, code, detail }],
  });
}
