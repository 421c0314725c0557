/** Tests what the operator is told of lines that a new catalogue names and the published timetable lacks. */
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
import { given, openCatalogue } from '../../activities/catalogue/support.ts';
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
    const body = (await response.json()) as { version?: number; warnings?: { pointer: string }[]; errors?: unknown };
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
    assert.equal(body.warnings?.[0]?.pointer, `/fareProducts/${at}/area/lineIds/1`, JSON.stringify(body));
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
          'the catalogue names lines that the published timetable lacks',
          ['the published timetable has no line TST:Line:9'],
        ],
      ],
    );
  });

  it('are none before the first timetable', async () => {
    assert.deepEqual((await put(seats(LINES))).body, { version: 1 });
  });
});
