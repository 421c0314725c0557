/** New orders. Pure. */
import type { CustomerNumber, DistributionChannelId, OrderId, OrganisationId } from '../../shared/ids.ts';
import { formatAmount } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { balanceMinor, totalAmountMinor } from './amounts.ts';
import { assertCallsFit } from './call-limit.ts';
import { assertRoom } from './content-write.ts';
import { assertDistinctMoney } from './entered-money.ts';
import { DRAFT_LIFE_MS } from './expiry-time.ts';
import { assertFutureExpiry } from './facts.ts';
import { assertFeeSign } from './fees.ts';
import { invalidState } from './guards.ts';
import { assertLineTravellers, type NewLine, newLine, unknownLine } from './lines.ts';
import type { Fee, ImportedTransaction, Order, OrderTraveller, Reservation, SealedText } from './order.ts';
import type { OrderChange } from './order-change.ts';
import { lineRef, type OrderEvent } from './order-events.ts';
import { withSeatEffects } from './seat-effects.ts';

export interface NewOrder {
  readonly id: OrderId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly currency: string;
  readonly pos?: string;
  readonly createdBy?: CustomerNumber;
  readonly contact?: CustomerNumber;
  readonly externalReference?: string;
  readonly causeCode?: string;
  readonly causeDescription?: SealedText;
  readonly travellers?: readonly OrderTraveller[];
  /** Chosen by the caller: in the future, at most six months away. */
  readonly expireAt?: Date;
}

export interface ImportedOrder extends Omit<NewOrder, 'expireAt'> {
  readonly externalReference: string;
  readonly importedAt: Date;
  readonly lines: readonly NewLine[];
  readonly reservations?: readonly Reservation[];
  readonly fees?: readonly Omit<Fee, 'orderVersion'>[];
  readonly importedTransactions?: readonly ImportedTransaction[];
  /** The sum of its transactions. */
  readonly capturedMinor: number;
}

export function createOrder(command: NewOrder, now: Date): OrderChange {
  const { expireAt, ...facts } = command;
  if (expireAt) assertFutureExpiry(expireAt, now);
  const order: Order = {
    ...emptyOrder(facts, now),
    status: 'DRAFT',
    expireAt: expireAt ?? new Date(now.getTime() + DRAFT_LIFE_MS),
    ...(expireAt && { expireAtSet: true }),
  };
  return { order, events: [createdAs('OrderCreated', order), ...firstEvents(order)] };
}

/** An order that was sold elsewhere: confirmed and paid from its beginning. */
export function importOrder(command: ImportedOrder, now: Date): OrderChange {
  const { lines, reservations = [], fees = [], capturedMinor, importedAt, ...facts } = command;
  if (lines.length === 0 && fees.length === 0) throw new ServiceError('ORDER_EMPTY', 'An order has a line or a fee.');
  assertRoom({ lines: lines.length, travellers: facts.travellers?.length ?? 0 });
  assertOwnLines(lines, fees);
  assertDistinctMoney(facts);
  assertCallsFit(lines);
  for (const fee of fees) assertFeeSign(fee);
  const created = emptyOrder(facts, now);
  assertLineTravellers(created, lines);
  const content = {
    travellers: created.travellers,
    orderLines: lines.map((line) => ({ ...newLine(line, now), status: 'CONFIRMED' as const, confirmedAt: importedAt })),
    fees: fees.map((fee) => ({ ...fee, orderVersion: 1 })),
    reservations,
  };
  const money = { capturedMinor, creditedMinor: 0 };
  const confirmed = { version: 1, confirmedAt: importedAt, ...content };
  const order: Order = {
    ...created,
    ...content,
    money,
    paidMinor: capturedMinor,
    importedAt,
    lastConfirmedAt: importedAt,
    confirmed,
    status: 'CONFIRMED',
  };
  if (balanceMinor(order) !== 0) throw notPaid(order);
  const events = [createdAs('OrderImported', order), ...firstEvents(order), ...contentEvents(order)];
  return { order: withSeatEffects(created, order), events };
}

function notPaid(order: Order): ServiceError {
  const textOf = (amountMinor: number) => `${formatAmount(amountMinor, order.currency)} ${order.currency}`;
  const paid = textOf(order.money.capturedMinor);
  const total = textOf(totalAmountMinor(order));
  return new ServiceError('ORDER_NOT_BALANCED', `The transactions pay ${paid}, and lines and fees cost ${total}.`);
}

/** Throws INVALID_STATE for a line that is given twice, and UNKNOWN_ORDER_LINE for a fee of another line. */
function assertOwnLines(lines: readonly NewLine[], fees: readonly Pick<Fee, 'orderLineIds'>[]): void {
  const ids = new Set(lines.map(({ id }) => id));
  if (ids.size < lines.length) throw invalidState('A line is given twice.');
  const unknown = fees.flatMap(({ orderLineIds }) => orderLineIds.filter((id) => !ids.has(id)));
  if (unknown.length > 0) throw unknownLine(unknown);
}

function emptyOrder(facts: Omit<NewOrder, 'expireAt'>, now: Date): Order {
  return {
    ...facts,
    travellers: facts.travellers ?? [],
    orderLines: [],
    fees: [],
    reservations: [],
    version: 1,
    highestVersion: 1,
    status: 'DRAFT',
    createdAt: now,
    money: { capturedMinor: 0, creditedMinor: 0 },
    paymentRefs: [],
  };
}

function createdAs(type: 'OrderCreated' | 'OrderImported', order: Order): OrderEvent {
  const { distributionChannelId, currency, version } = order;
  return { type, orderVersion: version, distributionChannelId, currency };
}

function firstEvents(order: Order): readonly OrderEvent[] {
  const orderVersion = order.version;
  const { createdBy, contact, externalReference, causeCode, travellers } = order;
  return [
    ...(createdBy !== undefined || contact !== undefined
      ? [
          {
            type: 'OrderContactInformationUpdated' as const,
            orderVersion,
            ...(createdBy !== undefined && { createdBy }),
            ...(contact !== undefined && { contact }),
          },
        ]
      : []),
    ...(externalReference !== undefined ? [{ type: 'OrderExternalReferenceUpdated' as const, orderVersion }] : []),
    ...(causeCode !== undefined ? [{ type: 'SpecialOrderCauseAddedOrUpdated' as const, orderVersion, causeCode }] : []),
    ...travellers.map(({ id }) => ({ type: 'TravellerAdded' as const, orderVersion, travellerId: id })),
  ];
}

function contentEvents({ orderLines, fees, reservations }: Order): readonly OrderEvent[] {
  const orderVersion = 1;
  return [
    ...orderLines.map((line) => ({
      type: 'OrderLineAdded' as const,
      orderVersion,
      ...lineRef(line),
      status: line.status,
    })),
    ...reservations.map(({ id, orderLineId }) => ({
      type: 'ReservationAdded' as const,
      orderVersion,
      reservationId: id,
      orderLineId,
    })),
    ...fees.map(({ id, type }) => ({ type: 'FeeAdded' as const, orderVersion, feeId: id, feeType: type })),
    ...(orderLines.length > 0
      ? [{ type: 'OrderLinesAdded' as const, orderVersion, orderLines: orderLines.map(lineRef) }]
      : []),
  ];
}
