import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { PUBLISHED_STOP_REGISTER } from '../../../activities/timetable/import-model.ts';
import { stopRegisterKey, stopRegisterPrefix, uploadKey } from '../../../activities/timetable/object-keys.ts';
import { readStopRegister, type StopRegisterVersion } from '../../../activities/timetable/stop-register-store.ts';
import { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import { DEFAULT_ARCHIVE_LIMITS } from '../../../netex/zip/index.ts';
import { GAVE_UP } from '../../../workflows/timetable/activities.ts';
import { ImportFixture } from './import-fixture.ts';
import { DEM, OTHER, openStores, type Stores } from './support.ts';

const version = (number: number, name: string, from: string) =>
  `<StopPlace id="NSR:StopPlace:1" version="${number}"><ValidBetween><FromDate>${from}</FromDate></ValidBetween><Name>${name}</Name></StopPlace>`;
const STOPS = `<PublicationDelivery xmlns="http://www.netex.org.uk/netex" version="1.15"><dataObjects><SiteFrame id="NSR:SiteFrame:1">
  <stopPlaces>${version(1, 'Torget', '2020-01-01T00:00:00')}${version(2, 'Storget', '2026-06-01T00:00:00')}</stopPlaces>
  </SiteFrame></dataObjects></PublicationDelivery>`;

describe('the newest published stop register', () => {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  async function publish(kind: string) {
    stores.clock.advance(1);
    const received = await stores.receive(randomUUID());
    const recorded = { state: 'OK', details: { kind } } as const;
    await stores.imports.recordAction(DEM, received.correlationId, 'FILE_CLASSIFICATION', recorded);
    await stores.imports.recordAction(DEM, received.correlationId, 'VALIDATION', { state: 'OK' });
    await stores.imports.publish(DEM, received.correlationId);
    return received;
  }

  it('is found behind many later timetables', async () => {
    assert.equal(await stores.versions.findLatestStopRegister(DEM), undefined);
    await publish('stop-register');
    const newest = await publish('stop-register');
    for (let n = 0; n < 12; n++) await publish('timetable');
    assert.equal((await stores.versions.findLatestStopRegister(DEM))?.correlationId, newest.correlationId);
    assert.equal(await stores.versions.findLatestStopRegister(OTHER), undefined);

    const imports = stores.connection.collection('timetable_imports');
    const query = imports.find({ codespace: DEM, ...PUBLISHED_STOP_REGISTER }).sort({ receivedAt: -1 });
    const { executionStats } = await query.limit(1).explain('executionStats');
    assert.equal(executionStats.totalDocsExamined, 1, 'by an index of registers alone');
  });

  it('is the previous one after a withdrawal, and absent before publication', async () => {
    const first = await publish('stop-register');
    const second = await publish('stop-register');
    const running = await stores.receive(randomUUID());
    const recorded = { state: 'OK', details: { kind: 'stop-register' } } as const;
    await stores.imports.recordAction(DEM, running.correlationId, 'FILE_CLASSIFICATION', recorded);
    assert.equal((await stores.versions.findLatestStopRegister(DEM))?.correlationId, second.correlationId);
    await stores.versions.withdraw(DEM, second.importKey);
    assert.equal((await stores.versions.findLatestStopRegister(DEM))?.correlationId, first.correlationId);
  });
});

describe('a stored stop register', () => {
  let world: ImportFixture;
  let register: StopRegisterVersion;
  before(async () => {
    world = await ImportFixture.open();
  });
  beforeEach(async () => {
    const input = await world.receive({ '_stops.xml': STOPS }, 'nsr');
    register = { ...input, receivedAt: '2026-11-21T10:00:00.000Z' };
  });
  after(async () => {
    await world.close();
  });

  const read = () => world.run(() => readStopRegister(world.objects, register, DEFAULT_ARCHIVE_LIMITS));
  const nameIn = (bytes: Uint8Array) => StopRegister.open(bytes).findStop('NSR:StopPlace:1')?.name;

  it('chooses versions of stops by the time of its receipt', async () => {
    assert.equal(nameIn(await read()), 'Storget');
    register = { ...register, receivedAt: '2026-01-01T00:00:00.000Z' };
    await world.objects.deletePrefix(stopRegisterPrefix(register.correlationId));
    assert.equal(nameIn(await read()), 'Torget');
  });

  it('is made again from its archive when its format differs, also twice at once', async () => {
    await world.objects.put(
      `${stopRegisterPrefix(register.correlationId)}ids`,
      new Uint8Array(100),
      'application/octet-stream',
    );
    const [first, second] = await Promise.all([read(), read()]);
    assert.deepEqual(first, second);
    assert.ok(first.buffer instanceof SharedArrayBuffer);
    assert.ok(await world.objects.head(stopRegisterKey(register.correlationId)));
    await world.objects.put(stopRegisterKey(register.correlationId), new Uint8Array(100), 'application/octet-stream');
    assert.deepEqual(await read(), first);
  });

  it('ends the import that needs it when its archive is missing, and names itself', async () => {
    await world.objects.delete(uploadKey(register.codespace, register.correlationId));
    await assert.rejects(
      read(),
      (error) =>
        error instanceof ApplicationFailure &&
        error.type === GAVE_UP &&
        error.nonRetryable === true &&
        error.message.includes(register.correlationId),
    );
  });
});
