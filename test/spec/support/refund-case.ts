/** A case of refunds, as written in YAML, and the order that it stands for. Callers: refunds.test.ts, the properties of refunds. */
import { z } from 'zod';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { noteDisruption } from '../../../workflows/orders/rules/disruption.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { addLines, type NewLine } from '../../../workflows/orders/rules/lines.ts';
import { noteMovedStart, type ToldStart } from '../../../workflows/orders/rules/moved-start.ts';
import type { Order, OrderLine, OrderTraveller } from '../../../workflows/orders/rules/order.ts';
import { notePayment } from '../../../workflows/orders/rules/payment-notes.ts';
import { lockForRefund, type Refunding, refundLines } from '../../../workflows/orders/rules/refunding.ts';
import type { RuleBook } from '../../../workflows/orders/rules/reserving/change-terms.ts';
import { cancelByRules } from '../../../workflows/orders/rules/reserving/rewrite-lines.ts';
import { addTravellers } from '../../../workflows/orders/rules/travellers.ts';
import type { LineUse } from '../../../workflows/refunds/rules/line-shares.ts';
import type { PlannedOperation } from '../../../workflows/refunds/rules/refund.ts';
import type { RefundFacts } from '../../../workflows/refunds/rules/refund-plan.ts';
import type { FareProduct } from '../../../workflows/shared/fares.ts';
import type { OrderLineId, ReservationId, TravellerId } from '../../../workflows/shared/ids.ts';
import { sumOf } from '../../../workflows/shared/money.ts';
import { priceWithTax } from '../../../workflows/shared/price.ts';
import { emptyOrder, NOW } from '../../rules/reserving/samples.ts';
import { sampleFee, sampleReservation, VAT } from '../../support/sample-orders.ts';
import { at, OSLO } from './offer-case.ts';

const rule = z.strictObject({
  id: z.string().optional(),
  from: z.string().optional(),
  until: z.string().default('PT0S'),
  percent: z.number().default(100),
  fee: z.number().default(0),
  unusedOnly: z.boolean().default(false),
});
const wish = z.strictObject({
  line: z.string().default('A'),
  rule: z.string().optional(),
  legs: z.array(z.number()).optional(),
  travellers: z.array(z.number()).optional(),
  expects: z.number().optional(),
});
const step = z.strictObject({
  at: z.string().optional(),
  of: z.union([wish, z.array(wish)]).default({ line: 'A' }),
  overruled: z.boolean().default(false),
  cancelled: z.boolean().default(false),
  gives: z.union([z.number(), z.array(z.number())]).optional(),
  keeps: z.union([z.number(), z.array(z.number())]).optional(),
  total: z.number().optional(),
  refused: z.string().optional(),
});
const refundCase = z.strictObject({
  about: z.string(),
  /** Of each line, in kroner. */
  price: z.union([z.number(), z.array(z.number())]),
  /** Length of each leg, in kilometres. */
  legs: z.array(z.number()).default([50]),
  travellers: z.number().default(1),
  rules: z.array(rule).default([{ until: 'PT0S', percent: 100, fee: 0, unusedOnly: false }]),
  /** The least number of travellers of its group product. */
  group: z.number().optional(),
  /** Sold as a whole compartment. */
  compartment: z.boolean().default(false),
  /** Valid for its journeys alone. */
  bound: z.boolean().default(true),
  /** How long a ticket lasts that is not. */
  hours: z.number().default(24),
  /** The first traveller has a seat on the first leg. */
  seat: z.boolean().default(false),
  at: z.string().default('2026-11-24 12:00'),
  /** When the journey of line A was withdrawn. */
  disrupted: z.string().optional(),
  /** The start that the tickets of line A were moved to. */
  moved: z.string().optional(),
  /** Legs that were used, or the ticket as a whole. */
  used: z.union([z.literal('whole'), z.array(z.number())]).optional(),
  /** Lines that a draft cancels. */
  cancels: z.array(z.string()).default([]),
  /** Who cancels them may set prices: the draft gets no fee of the rules. */
  cancelsFreely: z.boolean().default(false),
  /** Another fee of the draft, in kroner. */
  draftFee: z.number().optional(),
  options: z.array(z.string()).optional(),
  refunds: z.array(step).default([]),
});
export const refundCases = z.array(refundCase);
export type RefundCase = z.infer<typeof refundCase>;
export type RefundStep = z.infer<typeof step>;

const NAMES = ['A', 'B', 'C', 'D'];
const DEPARTURE = at('2026-11-25 09:00');
const HOUR_MS = 3600_000;
const OWNER = 'refund/K7QW2MXP/1';

const legId = (number: number) => `leg-${number}`;
const travellerId = (number: number) => `t${number}` as TravellerId;

/** The order as it was confirmed and paid; a draft where the case cancels lines. */
export function soldOrder(one: RefundCase): Order {
  const { price: prices, legs, travellers: count, cancels, bound, hours, seat, disrupted, moved } = one;
  const travellers = Array.from(
    { length: count },
    (_, n): OrderTraveller => ({ id: travellerId(n + 1), userTypeId: 'ADULT' }),
  );
  const lines = [prices]
    .flat()
    .map((kroner, n) => lineOf(NAMES[n] ?? 'Z', kroner, legs, { travellers, bound, hours, seat }));
  const content = { lines, reservations: seat ? lines.map(seatOf) : [] };
  const unpaid = addLines(addTravellers(emptyOrder(), { travellers }, NOW).order, content, NOW).order;
  const capturedMinor = sumOf([prices].flat().map(minor));
  const sold = confirmOrder(noted(unpaid, { capturedMinor, creditedMinor: 0 }), { orderVersion: 1 }, NOW).order;
  const causeOf = ({ id }: { readonly id: string }) => (id === 'A' ? 'WITHDRAWN' : undefined);
  const told = moved === undefined ? sold : noteMovedStart(sold, startOf(sold, at(moved)), NOW).order;
  const confirmed = disrupted === undefined ? told : noteDisruption(told, { causeOf }, at(disrupted)).order;
  if (cancels.length === 0) return confirmed;
  const terms = { book: bookOf(one), feeId: (line: string, type: string) => `${type}-${line}` };
  const cancelled = { orderLineIds: cancels as OrderLineId[], ...(!one.cancelsFreely && { terms }) };
  const draft = cancelByRules(confirmed, cancelled, at(one.at)).order;
  if (one.draftFee === undefined) return draft;
  return addFee(draft, { fee: sampleFee('MANUAL', minor(one.draftFee)) }, NOW).order;
}

function startOf({ orderLines: [line] }: Order, to: Date): ToldStart {
  const { id, travelSpecification } = line as OrderLine;
  const { startOfValidity, endOfValidity } = travelSpecification;
  return { orderLineId: id, movedStart: { to, of: { startOfValidity, endOfValidity }, reissue: 1 } };
}

export function factsOf(one: RefundCase, order: Order): RefundFacts {
  const product = {
    ...{ id: 'SINGLE', kind: 'PREASSIGNED', ...(!one.bound && { validityDuration: 'P1D' }) },
    ...(one.group !== undefined && { group: { minTravellers: one.group, maxTravellers: 9 } }),
    ...(one.compartment && { compartment: { minTravellers: 1, maxTravellers: 4 } }),
  };
  const products = new Map([['SINGLE', product as FareProduct]]);
  return { order, book: bookOf(one), products, uses: usesOf(one) };
}

function bookOf(one: RefundCase): RuleBook {
  const rules = one.rules.map((each, n) => ({
    ...{
      id: each.id ?? `R${n + 1}`,
      untilBefore: each.until,
      refundPercent: each.percent,
      unusedOnly: each.unusedOnly,
    },
    ...{ feeAmountMinor: minor(each.fee), ...(each.from !== undefined && { fromBefore: each.from }) },
  }));
  return {
    timeZone: OSLO,
    changeRuleSets: new Map(),
    refundRuleSets: new Map([['REFUND', { id: 'REFUND', currency: 'NOK', rules }]]),
  };
}

function usesOf({ used }: RefundCase): ReadonlyMap<OrderLineId, LineUse> {
  if (used === undefined) return new Map();
  const usedLegIds = used === 'whole' ? [] : used.map(legId);
  return new Map([['A' as OrderLineId, { usedAt: DEPARTURE, usedLegIds }]]);
}

/** The request of a step. `ruleNow`: of each line, for wishes that name none. */
export function requestOf(step: RefundStep, order: Order, ruleNow: (line: string) => string) {
  const operations = [step.of].flat().map(({ line, rule: named, legs, travellers, expects }) => ({
    orderLineId: line as OrderLineId,
    orderLineVersion: order.orderLines.find(({ id }) => id === line)?.version ?? 1,
    refundRuleId: named ?? ruleNow(line),
    ...(expects !== undefined && { refundMinor: minor(expects) }),
    ...(legs && { legIds: legs.map(legId) }),
    ...(travellers && { travellerIds: travellers.map(travellerId) }),
  }));
  const { cancelled: includesCancelled, overruled: isOverruled } = step;
  return { operations, includesCancelled, isOverruled, member: 'refundOperations' as const };
}

/** The order after the refund: locked, its money credited, and confirmed. */
export function refunded(order: Order, operations: readonly PlannedOperation[], now: Date): Order {
  const refunding: Refunding = {
    orderVersion: order.version,
    lines: operations.map(({ orderLineId, shareMinor, refundMinor, legIds, travellerIds }, n) => ({
      ...{ orderLineId, shareMinor, refundMinor, feeId: `fee-${order.version}-${n}` },
      ...(legIds && { legIds }),
      ...(travellerIds && { travellerIds }),
    })),
  };
  const locked = lockForRefund(order, { ...refunding, owner: OWNER }, now).order;
  const { capturedMinor, creditedMinor } = locked.money;
  const paidMinor = sumOf(operations.map(({ refundMinor }) => refundMinor));
  const paid = noted(locked, { capturedMinor, creditedMinor: creditedMinor + paidMinor });
  return refundLines(paid, { ...refunding, lockOwner: OWNER }, now).order;
}

export function minor(kroner: number): number {
  return Math.round(kroner * 100);
}

export function noted(order: Order, money: { readonly capturedMinor: number; readonly creditedMinor: number }): Order {
  const payment = { paymentId: 1, orderVersion: order.version, openTransactions: 0, ...money };
  return notePayment(order, { payment }, NOW).order;
}

function lineOf(
  id: string,
  kroner: number,
  legs: readonly number[],
  {
    travellers,
    bound,
    hours,
    seat,
  }: Pick<RefundCase, 'bound' | 'hours' | 'seat'> & { readonly travellers: readonly OrderTraveller[] },
): NewLine {
  return {
    id: id as OrderLineId,
    description: [],
    price: priceWithTax(minor(kroner), VAT),
    fareProducts: [{ id: 'SINGLE', version: 1, kind: 'PREASSIGNED', price: priceWithTax(minor(kroner), VAT) }],
    travellers: travellers.map((each) => ({ travellerId: each.id })),
    travelSpecification: {
      legs: legs.map((kilometres, n) => ({
        ...{ legId: legId(n + 1), mode: 'rail', fromStopPlaceId: `S${n}`, toStopPlaceId: `S${n + 1}` },
        expectedStartTime: new Date(DEPARTURE.getTime() + n * HOUR_MS),
        expectedEndTime: new Date(DEPARTURE.getTime() + (n + 1) * HOUR_MS),
        ...{ lineId: '1', authorityId: '1', serviceJourneyId: '1', datedServiceJourneyId: '1@2026-11-25' },
        ...{
          serviceDay: '2026-11-25',
          distanceMetres: kilometres * 1_000,
          fromPosition: n,
          toPosition: n + 1,
          calls: [],
        },
      })),
      startOfValidity: DEPARTURE,
      endOfValidity: new Date(DEPARTURE.getTime() + (bound ? legs.length : hours) * HOUR_MS),
    },
    reservationIds: seat ? [`seat-${id}` as ReservationId] : [],
    refundRuleSetId: 'REFUND',
  };
}

function seatOf({ id: orderLineId, reservationIds: [id] }: NewLine) {
  return sampleReservation({
    ...{ orderLineId, travellerId: travellerId(1), legId: legId(1), departure: DEPARTURE },
    ...(id !== undefined && { id }),
  });
}
