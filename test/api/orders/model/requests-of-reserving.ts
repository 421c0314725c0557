/** Reserving offers, with the seats of a train that has four. */

import { WITH_CHANNEL } from '../journeys.ts';
import * as contents from './model-content.ts';
import { type ModelOrder, refuse } from './model-order.ts';
import * as rules from './model-rules.ts';
import { NOWHERE } from './requests-of-lines.ts';
import type { Learned, Move, Run } from './run.ts';
import type { StepOf } from './steps.ts';
import { EXPIRED_FOR_MS, OFFER_LIFE_MS, type World } from './world.ts';

export const OFFER_MINOR = 30_000;
type Offer = StepOf<'reserve'>['offer'];

export function reserve(step: StepOf<'reserve'>, present: ModelOrder | undefined, run: Run, world: World): Move {
  const { offer } = step;
  const order = step.isNew ? undefined : present;
  const offerId = offer === 'UNKNOWN' ? NOWHERE : world.offers[offer];
  const body = { ...(order && { orderId: order.id }), offerConfigurations: [{ offerId }] };
  const common = { sent: { path: '/v1/reserve-offers', method: 'POST', headers: WITH_CHANNEL, body }, status: 200 };
  if (order) {
    const rule = (learned: Learned) => (draft: ModelOrder, now: number) => {
      rules.assertOpen(draft);
      rules.assertInTime(draft, now);
      assertOffered(offer, now, world);
      run.assertSeats(seatsOf(offer));
      return addReserved(draft, now, offer, learned);
    };
    return { ...common, order, rule };
  }
  return {
    ...common,
    make: (learned) => {
      assertOffered(offer, run.now, world);
      run.assertSeats(seatsOf(offer));
      const made = rules.newOrder(learned.json?.orderId, run.now);
      addReserved(made, run.now, offer, learned);
      return made;
    },
  };
}

export function assertOffered(offer: Offer, now: number, { beginning }: World): void {
  if (offer === 'UNKNOWN') refuse('422 UNKNOWN_OFFER');
  // The service forgets an expired offer after a while.
  if (now >= beginning + OFFER_LIFE_MS + EXPIRED_FOR_MS) refuse('422 UNKNOWN_OFFER');
  if (now >= beginning + OFFER_LIFE_MS) refuse('409 OFFER_EXPIRED');
}

export function seatsOf(offer: Offer): number {
  return { FREE: 0, FREE_PAIR: 0, SEATED: 1, SEATED_PAIR: 2, UNKNOWN: 0 }[offer];
}

/** One line for each traveller; the traveller of a search becomes the same one of the order each time. */
function addReserved(order: ModelOrder, now: number, offer: Offer, { json, read }: Learned): boolean {
  const searched = offer.endsWith('PAIR') ? ['t1', 't2'] : ['t1'];
  const ids: readonly string[] = json?.orderLineIds ?? [];
  const lines = searched.map((name, at) => {
    const line = read?.orderLines.find((each: { id: string }) => each.id === ids[at]);
    order.searched[name] ??= line?.travellers[0]?.travellerId;
    return {
      ...{ id: ids[at] ?? NOWHERE, minor: OFFER_MINOR, travellers: [order.searched[name] ?? NOWHERE] },
      ...(seatsOf(offer) > 0 && { isSeated: true, seats: [json?.reservationIds?.[at] ?? NOWHERE] }),
    };
  });
  const known = new Set(order.travellers.map(({ id }) => id));
  const added = lines.flatMap(({ travellers }) => travellers).filter((id) => !known.has(id));
  if (added.length > 0) contents.addTravellers(added.map((id) => ({ id })))(order, now);
  return contents.addLines(lines)(order, now);
}
