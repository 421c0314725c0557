/**
 * The events of the orders of a run, from the feed and from the history of each: they tell the order, and their numbers
 * have no gap and no repeat.
 */
import assert from 'node:assert/strict';
import type { OrderEvent } from '../../../../workflows/orders/rules/order-events.ts';
import { type ReplayedOrder, replayOrder } from '../../../support/order-checks.ts';
import type { Run } from './run.ts';
import type { World } from './world.ts';

const TOPICS = ['order-events-dev', 'order-event-collections-dev'];
const PER_PAGE = 50;

interface ReadEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the feed from where it has read before. */
export class EventReader {
  readonly #offsets = new Map(TOPICS.map((topic) => [topic, 0]));
  readonly #bySubject = new Map<string, ReadEvent[]>();

  async readOn(world: World): Promise<void> {
    for (const topic of TOPICS) {
      for (;;) {
        const { status, json, text } = await world.readEvents(topic, this.#offsets.get(topic) ?? 0);
        assert.equal(status, 200, text);
        for (const event of json.events as ReadEvent[]) {
          const earlier = this.#bySubject.get(event.subject);
          if (earlier) earlier.push(event);
          else this.#bySubject.set(event.subject, [event]);
        }
        this.#offsets.set(topic, json.nextOffset);
        if (json.events.length === 0) break;
      }
    }
  }

  /** Of both topics, by their numbers; they are forgotten. */
  take(orderId: string): readonly ReadEvent[] {
    const events = this.#bySubject.get(orderId) ?? [];
    this.#bySubject.delete(orderId);
    return events.sort((one, other) => one.sequence - other.sequence);
  }
}

export async function checkEvents(run: Run, world: World, reader: EventReader) {
  // Some events are in the log already, others wait: the history has them all.
  const histories = await Promise.all(run.orders.map(async ({ id }) => await readHistory(id, run, world)));
  await world.relay();
  await reader.readOn(world);
  let events = 0;
  for (const [at, { id }] of run.orders.entries()) {
    const fed = reader.take(id);
    const history = histories[at] as readonly ReadEvent[];
    events += fed.length;
    assert.deepEqual(
      fed.map(({ sequence }) => sequence),
      fed.map((_, position) => position + 1),
      `numbers of the events of ${id}`,
    );
    assert.deepEqual(history, fed, 'the history and the feed');
    assert.deepEqual(
      sorted(replayOrder(fed.map(toOrderEvent))),
      factsOf(run.read.get(id)),
      'the events tell another order',
    );
  }
  return { orders: run.orders.length, events };
}

async function readHistory(orderId: string, run: Run, world: World): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/v1/orders/${orderId}/history?page=${page}&perPage=${PER_PAGE}`;
    const { status, json, text } = await world.call(path, {}, run.now);
    assert.equal(status, 200, text);
    events.push(...json.items);
    if (page >= json.totalPages) return events;
  }
}

function toOrderEvent({ type, data: { meta: _meta, ...payload } }: ReadEvent): OrderEvent {
  return { type: type.split('.').at(-2), ...payload } as unknown as OrderEvent;
}

function sorted(told: ReplayedOrder): ReplayedOrder {
  const { reservations, travellers, fees } = told;
  return {
    ...told,
    reservations: [...reservations].sort(),
    travellers: [...travellers].sort(),
    fees: [...fees].sort(),
  };
}

interface Identified {
  readonly id: string;
}

/** What the events tell, of the order that the API answers. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of any form is compared.
function factsOf(json: any): ReplayedOrder {
  const ids = (list: readonly Identified[]) => list.map(({ id }) => id).sort();
  const lines: readonly (Identified & { version: number; status: string })[] = json.orderLines;
  return {
    ...{ status: json.status, version: json.version },
    lines: Object.fromEntries(lines.map(({ id, version, status }) => [id, { version, status }])),
    ...{ reservations: ids(json.reservations), travellers: ids(json.travellers), fees: ids(json.fees) },
  };
}
