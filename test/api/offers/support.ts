/**
 * Offers over HTTP with the real parts: the demo region's planner and published rows, a catalogue, seats, a database of
 * its own. The time is Monday 2026-11-23, seven o'clock.
 */
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { CatalogueFares } from '../../../activities/catalogue/catalogue-fares.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { OFFERS_COLLECTION } from '../../../activities/offers/offer-document.ts';
import { OfferSearches } from '../../../activities/offers/offer-search.ts';
import { OfferStore } from '../../../activities/offers/offer-store.ts';
import { CarriageSeatKeeper } from '../../../activities/seating/seat-keeper.ts';
import type { CatalogueContent } from '../../../activities/shared/catalogue.ts';
import type { Schemas } from '../../../api/offers/contract.gen.ts';
import { createOffersArea } from '../../../api/offers/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import type { Timetable } from '../../../planner/index.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { PublishedRows } from '../../activities/timetable/reader/support.ts';
import { useMongo } from '../../support/stack.ts';
import { SEVEN_TEXT } from '../journey-planner/demo-planner.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

export const PARTNER = 'Bearer partner/1/offers:search';
export const OTHER_PARTNER = 'Bearer other/2/offers:search';
export const OPERATOR = 'Bearer operator/1000/offers:search,organisation:any';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Schemas['OfferAnswer'] &
    Schemas['Offer'] & {
      readonly code: string;
      readonly detail: string;
      readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
    };
}

/** Only sweeps of held seats ask for orders. */
const noOrders = () => {
  throw new Error('Nothing is held here');
};

export interface Clock {
  ms: number;
}

export class OffersServer {
  readonly clock: Clock;
  readonly connection: Connection;
  readonly #server: RunningServer;

  private constructor(server: RunningServer, connection: Connection, clock: Clock) {
    this.#server = server;
    this.connection = connection;
    this.clock = clock;
  }

  static async start(timetable: Timetable, content: CatalogueContent): Promise<OffersServer> {
    const connection = await connectMongo((await useMongo()).uri(`api_offers_${randomUUID().slice(0, 8)}`));
    const rows = new PublishedRows(connection);
    await Promise.all([rows.publish(timetable), OFFERS_COLLECTION.ensureIndexes(connection)]);
    const catalogue = new CatalogueStore(connection);
    await catalogue.replace(content);
    const clock = { ms: Date.parse(SEVEN_TEXT) };
    const now = () => new Date(clock.ms);
    const fares = new CatalogueFares(catalogue);
    const offers = new OfferStore(connection, now);
    const reader = () => rows.reader;
    const keeper = new CarriageSeatKeeper({ connection, fares: () => fares, timetable: reader, orders: noOrders, now });
    const searches = new OfferSearches({
      timetable: rows.reader,
      fares,
      seating: keeper,
      offers,
      now,
    });
    const app = createApp({
      areas: [createOffersArea({ catalogue, searches, offers })],
      log: silentLog,
      verifyToken: readPlainToken,
      idempotency: keyedRequests(connection),
      findChannel: (id) => catalogue.findChannel(id),
    });
    return new OffersServer(await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 }), connection, clock);
  }

  async search(kind: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return await this.#send(`/offers/v2/search/${kind}`, headers, { method: 'POST', body: JSON.stringify(body) });
  }

  async get(offerId: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return await this.#send(`/offers/v2/offers/${offerId}`, headers, {});
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.connection.dropDatabase();
    await this.connection.close();
  }

  async #send(path: string, headers: Readonly<Record<string, string>>, request: RequestInit): Promise<Answer> {
    const sent = { authorization: PARTNER, 'content-type': 'application/json', ...headers };
    const response = await fetch(`${this.#server.url}${path}`, { ...request, headers: sent });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  }
}
