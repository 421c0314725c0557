/**
 * What a partner's back end calls to sell: offers, a reservation with seats, writes of the order. Counts what was
 * acknowledged, and remembers refusals that must not be. Used by order-stories.ts.
 */
import { CHANNEL, legOf, TRAINS } from '../support/sold-trains.ts';
import type { FinalAnswer, PatientClient } from './patient-client.ts';

const HEADERS = { 'service-distribution-channel': CHANNEL };
const PRODUCT = 'FLEX';
const RESERVE = '/v1/reserve-offers';
/** Of so many callers one does not repeat a reservation that was not answered. */
const FORGETFUL = 2;
const STRETCHES = [
  [0, 2],
  [0, 1],
  [1, 2],
] as const;

const WRITE = { method: 'POST', headers: HEADERS };

interface FoundOffer {
  readonly id: string;
  readonly seating: { readonly availableSeats?: number };
  readonly preassignedProducts: readonly { readonly id: string }[];
  readonly travellerMapping: readonly { readonly travellerIds: readonly string[] }[];
}

export interface Reserved {
  readonly orderId: string;
  readonly orderLineIds: readonly string[];
  readonly reservationIds: readonly string[];
}

export class OrderCalls {
  readonly #client: PatientClient;
  readonly faults: string[] = [];
  /** That were found or given. */
  readonly ids = { offers: new Set<string>(), reservations: new Set<string>() };
  acknowledged = 0;
  soldOut = 0;
  /** Callers who did not wait for the answer of their reservation: they may have an order. */
  forgotten = 0;

  constructor(client: PatientClient) {
    this.#client = client;
  }

  /** The offer for all travellers; undefined when the train is full. */
  async findOffer(index: number, travellers: readonly object[], later = 0): Promise<string | undefined> {
    // Each kind of story comes to each train and stretch.
    const mixed = index + Math.floor(index / TRAINS);
    const [from, to] = STRETCHES[mixed % STRETCHES.length] ?? STRETCHES[0];
    const leg = legOf({ from, to, train: (mixed + later) % TRAINS });
    const body = { travellers, tripPattern: { legs: [leg] } };
    const answer = await this.#client.send('/offers/v2/search/trip-pattern', { ...WRITE, body });
    if (answer.status !== 200) throw new Error(`a search answered ${tell(answer)}`);
    const offers: readonly FoundOffer[] = answer.json.offers;
    const found = offers.find(
      ({ preassignedProducts, travellerMapping }) =>
        preassignedProducts[0]?.id === PRODUCT &&
        travellerMapping.flatMap(({ travellerIds }) => travellerIds).length === travellers.length,
    );
    if (!found) throw new Error(`a search found no ${PRODUCT}: ${JSON.stringify(answer.json).slice(0, 500)}`);
    this.ids.offers.add(found.id);
    return (found.seating.availableSeats ?? 0) >= travellers.length ? found.id : undefined;
  }

  async reserve(index: number, travellers: readonly object[]): Promise<Reserved | undefined> {
    const offerId = await this.findOffer(index, travellers);
    const body = { offerConfigurations: [{ offerId }] };
    if (index % FORGETFUL === 0 && offerId !== undefined) return await this.#reserveOnce(body, travellers);
    const answer = offerId && (await this.write(RESERVE, body, ['SEAT_UNAVAILABLE']));
    if (answer) return this.#reserved(answer, travellers);
    this.soldOut++;
    return undefined;
  }

  /** What is not answered is left to the sweep of holds. */
  async #reserveOnce(body: object, travellers: readonly object[]): Promise<Reserved | undefined> {
    const answer = await this.#client.sendOnce(RESERVE, { ...WRITE, body });
    if (answer?.status === 200) {
      this.acknowledged++;
      return this.#reserved(answer, travellers);
    }
    if (!answer) this.forgotten++;
    else if (answer.json?.code === 'SEAT_UNAVAILABLE') this.soldOut++;
    else this.faults.push(`a reservation answered ${tell(answer)}`);
    return undefined;
  }

  #reserved({ json }: FinalAnswer, travellers: readonly object[]): Reserved {
    const { orderId, reservationIds } = json as Reserved;
    for (const id of reservationIds) this.ids.reservations.add(id);
    if (reservationIds.length !== travellers.length) this.faults.push(`${orderId} has seats ${reservationIds}`);
    return json;
  }

  async read(orderId: string) {
    return (await this.#client.send(`/v1/orders/${orderId}`)).json;
  }

  /** Undefined when it was refused; a refusal other than those allowed is a fault. */
  async write(path: string, body: object | undefined, refusals: readonly string[] = [], method = 'POST') {
    const answer = await this.#client.send(path, { method, headers: HEADERS, ...(body && { body }) });
    if (answer.status < 300) {
      this.acknowledged++;
      return answer;
    }
    if (!refusals.includes(answer.json?.code)) this.faults.push(`${method} ${path} answered ${tell(answer)}`);
    return undefined;
  }
}

function tell({ status, json }: FinalAnswer): string {
  return `${status} ${JSON.stringify(json)}`;
}
