/** A case of changes, as written in YAML, and the order that it stands for. Callers: change-fees.test.ts. */
import { z } from 'zod';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { noteDisruption } from '../../../workflows/orders/rules/disruption.ts';
import { addLines, type NewLine } from '../../../workflows/orders/rules/lines.ts';
import type { Order, OrderTraveller } from '../../../workflows/orders/rules/order.ts';
import { type ChangedLines, changeLines } from '../../../workflows/orders/rules/reserving/change-lines.ts';
import type { RuleBook } from '../../../workflows/orders/rules/reserving/change-terms.ts';
import { addTravellers } from '../../../workflows/orders/rules/travellers.ts';
import type { OrderLineId, TravellerId } from '../../../workflows/shared/ids.ts';
import { sumOf } from '../../../workflows/shared/money.ts';
import { totalPrice } from '../../../workflows/shared/price.ts';
import { emptyOrder, LEG, NOW, price } from '../../rules/reserving/samples.ts';
import { at, OSLO } from './offer-case.ts';

const window = { from: z.string().optional(), until: z.string(), fee: z.number().default(0) };
const refundRules = z.array(z.strictObject({ ...window, percent: z.number() }));
const changeCase = z.strictObject({
  about: z.string(),
  price: z.union([z.number(), z.array(z.number())]),
  refund: z.union([refundRules, z.array(refundRules)]).default([]),
  change: z.array(z.strictObject(window)),
  at: z.string(),
  to: z.array(z.array(z.number())),
  refundPriceDifference: z.union([z.boolean(), z.array(z.boolean())]).default(false),
  disrupted: z.enum(['lines', 'first line']).optional(),
  /** When it was told. */
  told: z.string().default('2026-11-23 11:00'),
  /** The lines have a second ride, an hour after the first. */
  changesTrains: z.boolean().default(false),
  newTrip: z.enum(['same', 'other day', 'other stretch', 'other stop of the station']).default('same'),
  meal: z.number().optional(),
  prices: z.array(z.number()).optional(),
  fees: z.array(z.string()).optional(),
  balance: z.number().optional(),
  credits: z.boolean().optional(),
  lines: z.array(z.string()).optional(),
  refused: z.string().optional(),
  options: z.array(z.string()).optional(),
});
export const changeCases = z.array(changeCase);
export type ChangeCase = z.infer<typeof changeCase>;

const NAMES = ['A', 'B', 'C'] as const;
const TRAVELLER: OrderTraveller = { id: 't' as TravellerId, userTypeId: 'ADULT' };
const DEPARTURE = at('2026-11-25 09:00');

export function bookOf({ refund, change }: ChangeCase): RuleBook {
  const named = (rule: { readonly from?: string | undefined; readonly until: string; readonly fee: number }) => ({
    ...{ id: rule.until, untilBefore: rule.until, feeAmountMinor: rule.fee * 100 },
    ...(rule.from !== undefined && { fromBefore: rule.from }),
  });
  const lists = refundLists(refund);
  return {
    timeZone: OSLO,
    changeRuleSets: new Map([['CHANGE', { id: 'CHANGE', currency: 'NOK', rules: change.map(named) }]]),
    refundRuleSets: new Map(
      lists.map((rules, index) => {
        const id = `REFUND-${index}`;
        const of = rules.map((rule) => ({ ...named(rule), refundPercent: rule.percent, unusedOnly: true }));
        return [id, { id, currency: 'NOK', rules: of }];
      }),
    ),
  };
}

function refundLists(refund: ChangeCase['refund']): readonly z.infer<typeof refundRules>[] {
  const isNested = refund.length > 0 && refund.every((each) => Array.isArray(each));
  return isNested ? (refund as z.infer<typeof refundRules>[]) : [refund as z.infer<typeof refundRules>];
}

/** The order as it was confirmed and paid. */
export function soldOrder(one: ChangeCase): Order {
  const prices = [one.price].flat();
  const { changesTrains } = one;
  const lists = refundLists(one.refund);
  const lines = prices.map((kroner, index) =>
    lineOf(NAMES[index] ?? 'Z', kroner, `REFUND-${lists.length > 1 ? index : 0}`, { changesTrains }),
  );
  const withTraveller = addTravellers(emptyOrder(), { travellers: [TRAVELLER] }, NOW).order;
  const draft = addLines(withTraveller, { lines }, NOW).order;
  const paid = { ...draft, money: { capturedMinor: sumOf(prices) * 100, creditedMinor: 0 } };
  const sold = confirmOrder(paid, { orderVersion: 1 }, NOW).order;
  const { disrupted, told } = one;
  const isDisrupted = (id: string) => disrupted === 'lines' || (disrupted === 'first line' && id === 'A');
  return noteDisruption(sold, { causeOf: ({ id }) => (isDisrupted(id) ? 'WITHDRAWN' : undefined) }, at(told)).order;
}

/** The order after every change of the case, at its time. */
export function changedOrder(one: ChangeCase): Order {
  const sold = soldOrder(one);
  const now = at(one.at);
  const { newTrip, meal, changesTrains } = one;
  return one.to.reduce((order, prices, change) => {
    const open = order.orderLines.filter(({ status }) => status === 'CONFIRMED' || status === 'DRAFT');
    const replacedLineIds = open.map(({ id }) => id);
    const lines = prices.map((kroner, index) =>
      withMeal(lineOf(index === 0 ? 'A' : 'new', kroner, 'REFUND-0', { newTrip, changesTrains }), meal),
    );
    const command: ChangedLines = {
      travellers: [TRAVELLER],
      exchanges: [{ replacedLineIds, lines, chosenProductIds: meal === undefined ? [] : ['MEAL'] }],
      reservations: [],
      refundPriceDifference: asksBack(one, change),
      book: bookOf(one),
      feeId: (lineId, type) => `${lineId}/${type}/${order.orderLines[0]?.version}`,
    };
    return changeLines(order, command, now).order;
  }, sold);
}

function asksBack({ refundPriceDifference: asked }: ChangeCase, change: number): boolean {
  return typeof asked === 'boolean' ? asked : (asked[change] ?? false);
}

/** A supplement that the caller has chosen. */
function withMeal(line: NewLine, kroner: number | undefined): NewLine {
  if (kroner === undefined) return line;
  const meal = { id: 'MEAL', version: 1, kind: 'SUPPLEMENT', selectableId: 'MEAL', price: price(kroner) } as const;
  return { ...line, fareProducts: [...line.fareProducts, meal], price: totalPrice([line.price, meal.price]) };
}

function lineOf(
  id: string,
  kroner: number,
  refundRuleSetId: string,
  { newTrip = 'same', changesTrains = false }: Partial<Pick<ChangeCase, 'newTrip' | 'changesTrains'>>,
): NewLine {
  const serviceDay = newTrip === 'other day' ? '2026-11-26' : '2026-11-25';
  const leg = {
    ...LEG,
    ...{ serviceDay, fromParentStopPlaceId: 'STATION' },
    ...(newTrip === 'other stretch' && { toStopPlaceId: 'C' }),
    ...(newTrip === 'other stop of the station' && { fromStopPlaceId: 'BUS STOP' }),
  };
  const [change, endOfValidity] = [at('2026-11-25 10:00'), at('2026-11-25 11:00')];
  const legs = changesTrains
    ? [
        { ...leg, toStopPlaceId: 'X', expectedEndTime: change },
        { ...leg, legId: 'leg-2', fromStopPlaceId: 'X', expectedStartTime: change, expectedEndTime: endOfValidity },
      ]
    : [{ ...leg, expectedEndTime: endOfValidity }];
  return {
    id: id as OrderLineId,
    description: [],
    price: price(kroner),
    fareProducts: [{ id: 'SINGLE', version: 1, kind: 'PREASSIGNED', price: price(kroner) }],
    travellers: [{ travellerId: TRAVELLER.id }],
    travelSpecification: {
      legs,
      startOfValidity: DEPARTURE,
      endOfValidity,
    },
    reservationIds: [],
    refundRuleSetId,
    changeRuleSetId: 'CHANGE',
  };
}
