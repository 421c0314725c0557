/** Changing a line for an offer, and adding supplements to one. */

import { WITH_CHANNEL } from '../journeys.ts';
import { addMeals, assertOpenLine, exchangeLine, MEAL_MINOR, presetCredit } from './model-changes.ts';
import { linesNamed } from './model-content.ts';
import { type ModelLine, type ModelOrder, pick, refuse } from './model-order.ts';
import * as rules from './model-rules.ts';
import { NOWHERE } from './requests-of-lines.ts';
import { assertOffered, OFFER_MINOR, seatsOf } from './requests-of-reserving.ts';
import type { Learned, Move, Run } from './run.ts';
import type { StepOf } from './steps.ts';
import type { World } from './world.ts';

export function changeLine(step: StepOf<'change'>, order: ModelOrder, run: Run, world: World): Move {
  const { offer, index, products, refundPriceDifference } = step;
  const id = pick(order.lines, index)?.id ?? NOWHERE;
  const offerId = offer === 'UNKNOWN' ? NOWHERE : world.offers[offer];
  const changed = [{ offerId, selectedOrderLineIds: [id], selectableProductIds: products }];
  const body = { orderId: order.id, changeOfferConfigurations: changed, refundPriceDifference };
  const rule =
    ({ json, read }: Learned) =>
    (draft: ModelOrder, now: number) => {
      rules.assertOpen(draft);
      rules.assertInTime(draft, now);
      const [line] = linesNamed(draft, [id]) as [ModelLine];
      assertOpenLine(line);
      assertOffered(offer, now, world);
      assertSameTraveller(draft, line);
      // The new seat is held beside the old one.
      run.assertSeats(seatsOf(offer));
      // The last one: that of an earlier version stays.
      const fee = read?.fees.findLast((each: { type: string; orderLineIds?: readonly string[] }) =>
        isOfChange(each, id),
      );
      const seats: readonly string[] = json?.reservationIds ?? [];
      const meals = products?.length ?? line.meals ?? 0;
      const minor = OFFER_MINOR + meals * MEAL_MINOR;
      const given = { id, minor, meals, seats: [...seats], isSeated: seatsOf(offer) > 0 };
      return presetCredit(exchangeLine(given, fee?.id ?? NOWHERE), refundPriceDifference === true)(draft, now);
    };
  return { order, rule, status: 200, sent: { path: '/v1/update-order', method: 'POST', headers: WITH_CHANNEL, body } };
}

export function addSupplement({ index, products }: StepOf<'supplement'>, order: ModelOrder): Move {
  const orderLineId = pick(order.lines, index)?.id ?? NOWHERE;
  const body = { orderId: order.id, supplementProducts: [{ orderLineId, selectableProductIds: products }] };
  const rule = () => (draft: ModelOrder, now: number) => {
    rules.assertOpen(draft);
    rules.assertInTime(draft, now);
    linesNamed(draft, [orderLineId]);
    for (const product of products) {
      if (product === 'WINDOW') refuse('422 SUPPLEMENT_MODIFIES_SEATING');
      if (product !== 'MEAL') refuse('422 VALIDATION_FAILED');
    }
    return addMeals(orderLineId, products.length)(draft, now);
  };
  const path = '/v1/update-order/supplement-products';
  return { order, rule, status: 200, sent: { path, method: 'POST', headers: WITH_CHANNEL, body } };
}

/** The traveller of the search who is somebody else on the order gets no line of another. */
function assertSameTraveller({ searched, travellers }: ModelOrder, line: ModelLine): void {
  const named = searched.t1;
  const isOnOrder = travellers.some(({ id }) => id === named);
  if (isOnOrder && named !== line.travellers[0]) refuse('422 TRAVELLER_NOT_IN_OFFER');
}

function isOfChange({ type, orderLineIds }: { type: string; orderLineIds?: readonly string[] }, id: string): boolean {
  return type === 'CHANGE' && orderLineIds?.includes(id) === true;
}
