/** What is told of imports for figures: each ending once, whatever repeats; and where all of them stand. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { ImportMetrics } from '../../../activities/timetable/import-metrics.ts';
import { readImportStanding } from '../../../activities/timetable/import-standing.ts';
import { ImportStore } from '../../../activities/timetable/import-store.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { DEM, openStores, type Stores } from './support.ts';

describe('figures of imports', () => {
  let stores: Stores;
  let imports: ImportStore;
  const told: string[] = [];

  before(async () => {
    stores = await openStores();
    const observer = {
      stepEnded: (...[step, state, seconds]: readonly [string, string, number]) =>
        told.push(`${step} ${state} ${seconds}`),
      importEnded: (state: string) => told.push(state),
    };
    imports = new ImportStore(stores.connection, { environment: 'dev', now: stores.clock.now, observer });
  });
  beforeEach(async () => {
    await stores.connection.collection('timetable_imports').deleteMany({});
    told.length = 0;
  });
  after(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  const step = (correlationId: CorrelationId, action: 'FILE_CLASSIFICATION' | 'VALIDATION', state: 'STARTED' | 'OK') =>
    imports.recordAction(DEM, correlationId, action, { state });
  const twice = async (act: () => Promise<unknown>) => void (await Promise.all([act(), act()]));

  it('tell each step and each end once, however often they are written', async () => {
    const { correlationId } = await stores.receive(randomUUID());
    await twice(() => step(correlationId, 'VALIDATION', 'STARTED'));
    stores.clock.advance(2_500);
    await twice(() => step(correlationId, 'VALIDATION', 'OK'));
    await twice(() => imports.publish(DEM, correlationId));
    await twice(() => imports.complete(DEM, correlationId));
    await twice(() => imports.fail(DEM, correlationId, { action: 'VALIDATION', errorCode: 'LATE' }));
    assert.deepEqual(told, ['VALIDATION OK 2.5', 'PUBLICATION OK 0', 'OK']);
  });

  it('tell a failure once, and of steps that nobody will do those that were not done', async () => {
    const failed = (await stores.receive(randomUUID())).correlationId;
    await twice(() => imports.fail(DEM, failed, { action: 'FILE_CLASSIFICATION', errorCode: 'NO_ZIP' }));
    assert.deepEqual(told, ['FILE_CLASSIFICATION FAILED 0', 'FAILED']);
    told.length = 0;
    const { correlationId } = await stores.receive(randomUUID());
    await step(correlationId, 'VALIDATION', 'OK');
    await imports.publish(DEM, correlationId);
    const undone = { errorCode: 'LATE', details: {} };
    await imports.complete(
      DEM,
      correlationId,
      { action: 'VALIDATION', ...undone },
      { action: 'PRIVATE_EXPORT', ...undone },
    );
    assert.deepEqual(told, ['VALIDATION OK 0', 'PUBLICATION OK 0', 'PRIVATE_EXPORT CANCELLED 0', 'OK']);
  });

  it('show where imports are, and since when the oldest is there', async () => {
    const registry = new Registry();
    const metrics = new ImportMetrics(registry, () => stores.clock.now().getTime());
    const receivedAt = stores.clock.now();
    const { correlationId } = await stores.receive(randomUUID());
    stores.clock.advance(10_000);
    await stores.receive(randomUUID());
    await step(correlationId, 'FILE_CLASSIFICATION', 'OK');
    await step(correlationId, 'VALIDATION', 'STARTED');
    const standing = await readImportStanding(stores.connection);
    assert.deepEqual(Object.fromEntries(standing.places), { RECEIVING: 0, VALIDATION: 1, WAITING: 1 });
    assert.deepEqual(standing.oldest, receivedAt);
    metrics.show(standing);
    const text = await registry.metrics();
    assert.match(text, /^timetable_imports_in_progress\{step="VALIDATION"\} 1$/m);
    assert.match(text, /^timetable_imports_in_progress\{step="PUBLICATION"\} 0$/m);
    assert.match(text, /^timetable_import_oldest_seconds 10$/m);
    metrics.show({ places: new Map(), oldest: undefined });
    assert.match(await registry.metrics(), /^timetable_imports_in_progress\{step="VALIDATION"\} 0$/m);
  });
});
