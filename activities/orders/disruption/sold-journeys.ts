/**
 * The journeys that orders have rides on, one after the other by day, and the orders of each. Reads keys of two indexes, so past
 * journeys cost nothing. Callers: the comparison with a new timetable, the marks of lines.
 */
import type { Connection } from 'mongoose';
import type { OrderLine } from '../../../workflows/orders/rules/order.ts';
import type { SoldJourney } from '../../shared/orders.ts';
import { ORDERS_COLLECTION, type OrderCollection, type OrderDocument } from '../order-document.ts';
import { CONFIRMED_JOURNEY_INDEX, JOURNEY_INDEX } from '../order-indexes.ts';

/** The lines of an order, in its draft and as they were sold. */
export type JourneyOrder = Pick<OrderDocument, '_id' | 'organisationId'> & {
  readonly orderLines?: readonly OrderLine[];
  readonly confirmed?: { readonly orderLines: readonly OrderLine[] };
};

/** Ends the least text above another: the scan begins at its key, and includes it. */
const NEXT_TEXT = '\u0000';

interface Place {
  readonly path: 'orderLines' | 'confirmed.orderLines';
  readonly hint: string;
  /** As the partial index demands. */
  readonly filter: object;
}

const PLACES: readonly Place[] = [
  { path: 'orderLines', hint: JOURNEY_INDEX, filter: {} },
  {
    path: 'confirmed.orderLines',
    hint: CONFIRMED_JOURNEY_INDEX,
    filter: { status: 'DRAFT', confirmed: { $exists: true } },
  },
];

/** By day, then by id. */
export function isBefore(one: SoldJourney, other: SoldJourney): boolean {
  if (one.serviceDay !== other.serviceDay) return one.serviceDay < other.serviceDay;
  return one.datedServiceJourneyId < other.datedServiceJourneyId;
}

export class SoldJourneys {
  readonly #collection: OrderCollection;

  constructor(connection: Connection) {
    this.#collection = ORDERS_COLLECTION.open(connection);
  }

  /** The next ones, in their order; fewer than `limit` where there are no more. */
  async listAfter(after: SoldJourney, limit: number): Promise<readonly SoldJourney[]> {
    const found: SoldJourney[] = [];
    for (let next = await this.#findAfter(after); next; next = await this.#findAfter(next)) {
      found.push(next);
      if (found.length === limit) break;
    }
    return found;
  }

  /**
   * Orders with a line on the journey; one may come twice. By keys: the bounds of a filter on members of lists would hold all orders of
   * the day.
   */
  async *eachOrder(journey: SoldJourney): AsyncGenerator<JourneyOrder> {
    for (const place of PLACES) {
      const { hint, filter } = place;
      const projection = { organisationId: 1, orderLines: 1, 'confirmed.orderLines': 1 };
      const bounds = { min: keyOf(place, journey), max: keyAfter(place, journey) };
      const found = this.#collection.find(filter, { hint, projection, ...bounds });
      for await (const order of found) yield order as unknown as JourneyOrder;
    }
  }

  async #findAfter(after: SoldJourney): Promise<SoldJourney | undefined> {
    const firsts = await Promise.all(PLACES.map((place) => this.#firstAt(place, after)));
    return least(firsts.flatMap((each) => each ?? []));
  }

  /**
   * A scan of the index from a key answers in the order of keys, so the first order has the least. A filter would not do: an order that
   * fits by one of its rides may be found by another, which has an earlier key.
   */
  async #firstAt(place: Place, after: SoldJourney): Promise<SoldJourney | undefined> {
    const { path, hint, filter } = place;
    const projection = Object.fromEntries(Object.keys(keyOf(place, after)).map((member) => [member, 1]));
    const min = keyAfter(place, after);
    const [found] = await this.#collection.find(filter, { hint, min, projection, limit: 1 }).toArray();
    if (!found) return undefined;
    const order = found as unknown as JourneyOrder;
    const lines = path === 'orderLines' ? order.orderLines : order.confirmed?.orderLines;
    const journeys = (lines ?? []).flatMap(({ travelSpecification }) => travelSpecification.legs);
    return least(journeys.filter((journey) => isBefore(after, journey)));
  }
}

function keyOf({ path }: Place, { serviceDay, datedServiceJourneyId }: SoldJourney): Record<string, string> {
  const legs = `${path}.travelSpecification.legs`;
  return { [`${legs}.serviceDay`]: serviceDay, [`${legs}.datedServiceJourneyId`]: datedServiceJourneyId };
}

/** The least key above. */
function keyAfter(place: Place, { serviceDay, datedServiceJourneyId }: SoldJourney): Record<string, string> {
  return keyOf(place, { serviceDay, datedServiceJourneyId: `${datedServiceJourneyId}${NEXT_TEXT}` });
}

function least(journeys: readonly SoldJourney[]): SoldJourney | undefined {
  const [first, ...others] = journeys;
  if (!first) return undefined;
  const found = others.reduce((best, each) => (isBefore(each, best) ? each : best), first);
  return { serviceDay: found.serviceDay, datedServiceJourneyId: found.datedServiceJourneyId };
}
