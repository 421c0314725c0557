/** Tests what the operator is told of a new catalogue that names what the timetable, or this service, lacks. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { CATALOGUE_STORE, CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import type { GivenCatalogue } from '../../../activities/catalogue/given-catalogue.ts';
import { AUDIT_TRAIL } from '../../../activities/shared/audit.ts';
import { TIMETABLE } from '../../../activities/shared/timetable.ts';
import { TimetableRowsReader } from '../../../activities/timetable/reader/timetable-rows-reader.ts';
import { composition } from '../../../api/catalogue/compose.ts';
import { createApp } from '../../../api/shared/app.ts';
import { type RunningServer, serve } from '../../../api/shared/serve.ts';
import { Interfaces } from '../../../platform/interfaces.ts';
import type { ProductArea } from '../../../workflows/shared/fares.ts';
import { channel, given, openCatalogue } from '../../activities/catalogue/support.ts';
import { PublishedRows } from '../../activities/timetable/reader/support.ts';
import { createNetwork } from '../../planner/support/network.ts';
import { sampleCatalogue } from '../../spec/support/catalogue-case.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { SIGNING_KEYS } from '../../support/planner-keys.ts';
import { catalogueArea } from '../support/catalogue-area.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const headers = { authorization: 'Bearer operator/1000/catalogue:write', 'content-type': 'application/json' };
const SEAT = {
  seatNumber: '1',
  seatingProperties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING' },
} as const;
const LINES = ['TST:Line:1', 'TST:Line:9'];

describe('warnings of a catalogue', () => {
  let connection: Connection;
  let server: RunningServer;
  beforeEach(async () => {
    const opened = await openCatalogue();
    ({ connection } = opened);
    const { area, findChannel } = catalogueArea(connection, opened.store);
    const app = createApp({
      ...{ areas: [area], log: silentLog, verifyToken: readPlainToken, findChannel },
      idempotency: keyedRequests(connection),
    });
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  });
  afterEach(async () => {
    await server.close();
    await connection.dropDatabase();
    await connection.close();
  });
  const put = async (content: GivenCatalogue) => {
    const response = await fetch(`${server.url}/v1/catalogue`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(content),
    });
    const body = (await response.json()) as {
      version?: number;
      warnings?: { pointer: string; code: string; detail: string }[];
      errors?: unknown;
    };
    return { status: response.status, body };
  };
  const publish = async () => {
    const network = createNetwork();
    network.stopPlace('A', ['A1 59.900 10.700']).stopPlace('B', ['B1 59.910 10.702']);
    network.line('1', ['A1 08:00 - B1 08:10']);
    await new PublishedRows(connection).publish(network.open());
  };
  const seats = (lineIds: readonly string[]): GivenCatalogue => {
    const train = { id: 'T', seatPlanId: 'P', seatReservation: 'COMPULSORY', lineIds } as const;
    return given({ seatPlans: [{ id: 'P', carriages: [{ carriageNumber: '1', seats: [SEAT] }] }], trains: [train] });
  };

  it('name the line of a train, which has no seats otherwise', async () => {
    await publish();
    const { status, body } = await put(seats(LINES));
    assert.deepEqual([status, body.version], [200, 1]);
    assert.deepEqual(body.warnings, [
      {
        pointer: '/trains/0/lineIds/1',
        code: 'UNKNOWN_LINE',
        detail: 'the published timetable has no line TST:Line:9',
      },
    ]);
    assert.deepEqual((await put(seats(['TST:Line:1']))).body, { version: 2 });
  });

  it('name the line of a product', async () => {
    await publish();
    const sample = sampleCatalogue() as GivenCatalogue;
    const fareProducts = sample.fareProducts?.map((product) =>
      product.kind === 'PREASSIGNED' && product.area.kind === 'LINES'
        ? { ...product, area: { kind: 'LINES' as const, lineIds: LINES } }
        : product,
    );
    const at = fareProducts?.findIndex((each) => each.kind === 'PREASSIGNED' && each.area.kind === 'LINES');
    const { body } = await put({ ...sample, fareProducts: fareProducts ?? [], trains: [] });
    const first = body.warnings?.find(({ code }) => code === 'UNKNOWN_LINE');
    assert.equal(first?.pointer, `/fareProducts/${at}/area/lineIds/1`, JSON.stringify(body));
  });

  it('name each other kind of id that the timetable lacks', async () => {
    await publish();
    const sample = sampleCatalogue();
    const areas: readonly ProductArea[] = [
      { kind: 'ZONES', authorityIds: ['TST:Authority:TST', 'TST:Authority:Typo'], zoneIds: ['TST:FareZone:Typo'] },
      { kind: 'LINES', authorityIds: ['TST:Authority:Other'] },
    ];
    const fareProducts = sample.fareProducts?.map((product) => {
      const area = areas.find(({ kind }) => product.kind === 'PREASSIGNED' && product.area.kind === kind);
      return product.kind === 'PREASSIGNED' && area ? { ...product, area } : product;
    });
    const pairs = [{ fromStopPlaceId: 'TST:StopPlace:A', toStopPlaceId: 'TST:StopPlace:Typo', amount: '9.00' }];
    const prices = sample.prices?.map((price) =>
      price.basis.kind === 'STOP_PAIRS' ? { ...price, basis: { kind: 'STOP_PAIRS' as const, pairs } } : price,
    );
    const serviceJourneyIds = ['TST:ServiceJourney:1-1', 'TST:ServiceJourney:typo'];
    const trains = [{ id: 'T', seatPlanId: 'P', seatReservation: 'COMPULSORY', serviceJourneyIds } as const];
    const { seatPlans = [] } = seats([]);
    const { status, body } = await put({ ...sample, fareProducts, prices, trains, seatPlans } as GivenCatalogue);
    assert.equal(status, 200, JSON.stringify(body));
    const warned = new Set(body.warnings?.map(({ code, detail }) => `${code} ${detail.split(' ').at(-1)}`));
    assert.deepEqual(
      warned,
      new Set([
        'UNKNOWN_SERVICE_JOURNEY TST:ServiceJourney:typo',
        'UNKNOWN_AUTHORITY TST:Authority:Typo',
        'UNKNOWN_FARE_ZONE TST:FareZone:Typo',
        'UNKNOWN_AUTHORITY TST:Authority:Other',
        'UNKNOWN_STOP_PLACE TST:StopPlace:Typo',
      ]),
    );
    const pointers = body.warnings?.map(({ pointer }) => pointer) ?? [];
    assert.equal(pointers[0], '/trains/0/serviceJourneyIds/1');
    assert.match(pointers.at(-1) ?? '', /^\/prices\/\d+\/basis\/pairs\/0\/toStopPlaceId$/);
  });

  it('name a method of payment whose provider is not set up, unless it is closed or a book entry', async () => {
    const visa = { paymentMethodId: 1, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', name: 'Visa' };
    const closed = { ...visa, paymentMethodId: 2, paymentType: 'AMEX', active: false };
    const invoice = { paymentMethodId: 3, paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE', name: 'Invoice' };
    const paymentMethods = [{ ...visa, active: true }, closed, { ...invoice, active: true }];
    const distributionChannels = [{ ...channel(), paymentMethods }];
    assert.deepEqual((await put(given({ distributionChannels }))).body.warnings, [
      {
        pointer: '/distributionChannels/0/paymentMethods/0/provider',
        code: 'PROVIDER_NOT_SET_UP',
        detail: 'the payment provider DEFAULT is not set up in this service',
      },
    ]);
  });

  it('are logged at the start of a process that has the catalogue as a file', async () => {
    await publish();
    const file = join(temporaryDirectory('catalogue'), 'catalogue.json');
    writeFileSync(file, JSON.stringify(seats(LINES)));
    const catalogue = new CatalogueStore(connection);
    const timetable = new TimetableRowsReader(connection, { publicKeys: () => SIGNING_KEYS.publicKeys });
    const interfaces = new Interfaces();
    interfaces.provide(CATALOGUE_STORE, catalogue);
    interfaces.provide(TIMETABLE, timetable);
    interfaces.provide(AUDIT_TRAIL, { record: async (_action, act) => await act() });
    const logged: {
      readonly level: number;
      readonly msg: string;
      readonly warnings?: readonly { detail: string }[];
    }[] = [];
    const log = pino({}, { write: (line: string) => logged.push(JSON.parse(line)) });
    const base = { interfaces, log, readConfig: () => ({ CATALOGUE_FILE: file }) };
    await composition.compose(base as never);
    assert.deepEqual(
      logged.map(({ level, msg, warnings }) => [level, msg, warnings?.map(({ detail }) => detail)]),
      [
        [
          40,
          'the catalogue names what the published timetable lacks',
          ['the published timetable has no line TST:Line:9'],
        ],
      ],
    );
  });

  it('are none before the first timetable', async () => {
    assert.deepEqual((await put(seats(LINES))).body, { version: 1 });
  });
});
