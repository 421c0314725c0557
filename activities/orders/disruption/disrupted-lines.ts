/** Marks the lines of a disrupted journey. Repeated, it changes nothing. Provided by the manifest. */
import { createHash } from 'node:crypto';
import { batchesOf } from '../../../platform/batches.ts';
import type { SoldLeg } from '../../../workflows/offers/rules/offer.ts';
import { noteDisruption } from '../../../workflows/orders/rules/disruption.ts';
import type { DisruptionCause, Order, OrderLine } from '../../../workflows/orders/rules/order.ts';
import type { OrderDisruptionAccess, ProcessWork, SoldJourney, SoldRide } from '../../shared/orders.ts';
import type { OrderStore } from '../order-store.ts';
import type { JourneyOrder, SoldJourneys } from './sold-journeys.ts';
import { soldDeparture } from './sold-ride.ts';

export interface DisruptedLinesOptions {
  readonly orders: Pick<OrderStore, 'change'>;
  readonly journeys: Pick<SoldJourneys, 'eachOrder'>;
  readonly now?: () => Date;
}

type CauseOf = Parameters<OrderDisruptionAccess['disrupt']>[1];

const ORDERS_AT_ONCE = 10;

export class DisruptedLines implements OrderDisruptionAccess {
  readonly #options: DisruptedLinesOptions;

  constructor(options: DisruptedLinesOptions) {
    this.#options = options;
  }

  async disrupt(journey: SoldJourney, causeOf: CauseOf, work: ProcessWork): Promise<number> {
    const { journeys, now = () => new Date() } = this.#options;
    const causes = new RideCauses(journey, causeOf, now());
    let marked = 0;
    for await (const batch of batchesOf(journeys.eachOrder(journey), { count: ORDERS_AT_ONCE })) {
      const counts = await Promise.all(batch.map((order) => this.#mark(order, causes, work)));
      marked += counts.reduce((sum, count) => sum + count, 0);
    }
    return marked;
  }

  async #mark(found: JourneyOrder, causes: RideCauses, work: ProcessWork): Promise<number> {
    const lines = [...(found.orderLines ?? []), ...(found.confirmed?.orderLines ?? [])];
    for (const line of lines) await causes.ask(line);
    if (!lines.some((line) => causes.of(line) !== undefined)) return 0;
    const { correlationId, clientId, causationId } = work;
    const own = { correlationId, clientId, ...(causationId !== undefined && { causationId }) };
    let count = 0;
    const decide = (order: Order, now: Date) => {
      const change = noteDisruption(order, { causeOf: (line) => causes.of(line) }, now);
      count = change.events.length;
      return change;
    };
    await this.#options.orders.change(found.organisationId, found._id, own, decide);
    return count;
  }
}

/** What was asked of each different ride on the journey: an order may change before it is written. */
class RideCauses {
  readonly #journey: SoldJourney;
  readonly #causeOf: CauseOf;
  readonly #now: Date;
  readonly #known = new Map<string, DisruptionCause | undefined>();

  constructor(journey: SoldJourney, causeOf: CauseOf, now: Date) {
    this.#journey = journey;
    this.#causeOf = causeOf;
    this.#now = now;
  }

  async ask(line: OrderLine): Promise<void> {
    for (const ride of this.#ridesOf(line)) {
      const key = keyOf(ride);
      if (!this.#known.has(key)) this.#known.set(key, await this.#causeOf(ride));
    }
  }

  /** The worst of its rides. */
  of(line: OrderLine): DisruptionCause | undefined {
    const causes = this.#ridesOf(line).map((ride) => this.#known.get(keyOf(ride)));
    if (causes.includes('WITHDRAWN')) return 'WITHDRAWN';
    return causes.includes('RESCHEDULED') ? 'RESCHEDULED' : undefined;
  }

  /** Those that have yet to depart. */
  #ridesOf({ status, travelSpecification: { legs } }: OrderLine): readonly SoldRide[] {
    if (status === 'CANCELLED') return [];
    return legs.flatMap((leg, at): SoldRide[] => {
      const isOn =
        leg.serviceDay === this.#journey.serviceDay &&
        leg.datedServiceJourneyId === this.#journey.datedServiceJourneyId;
      if (!isOn || soldDeparture(leg) <= this.#now) return [];
      const next = legs[at + 1];
      return [{ leg, ...(next && { next }) }];
    });
  }
}

function keyOf({ leg, next }: SoldRide): string {
  const told = ({ fromStopPlaceId, toStopPlaceId, expectedStartTime, expectedEndTime, calls }: SoldLeg) => [
    ...[fromStopPlaceId, toStopPlaceId, expectedStartTime, expectedEndTime, calls[0]?.departure, calls.at(-1)?.arrival],
  ];
  const ride = [leg.serviceJourneyId, leg.authorityId, leg.mode, told(leg), next && soldDeparture(next)];
  return createHash('sha256').update(JSON.stringify(ride)).digest('base64url');
}
