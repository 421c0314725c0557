/** Tests the figures of imports: each end is counted once despite repeated writes, and imports are counted by step. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { readImportFigures } from '../../../activities/timetable/import-figures.ts';
import { ImportMetrics } from '../../../activities/timetable/import-metrics.ts';
import { ImportStore } from '../../../activities/timetable/import-store.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import { DEM, openStores, type Stores } from './support.ts';

describe('figures of imports', () => {
  let stores: Stores;
  let imports: ImportStore;
  const observed: string[] = [];

  before(async () => {
    stores = await openStores();
    const observer = {
      stepEnded: (...[step, state, seconds]: readonly [string, string, number]) =>
        observed.push(`${step} ${state} ${seconds}`),
      importEnded: (state: string) => observed.push(state),
    };
    imports = new ImportStore(stores.connection, { environment: 'dev', now: stores.clock.now, observer });
  });
  beforeEach(async () => {
    await stores.connection.collection('timetable_imports').deleteMany({});
    observed.length = 0;
  });
  after(async () => {
    await stores.connection.dropDatabase();
    await stores.connection.close();
  });

  const step = (correlationId: CorrelationId, action: 'FILE_CLASSIFICATION' | 'VALIDATION', state: 'STARTED' | 'OK') =>
    imports.recordAction(DEM, correlationId, action, { state });
  const twice = async (act: () => Promise<unknown>) => void (await Promise.all([act(), act()]));

  it('count each step and each end once despite repeated writes', async () => {
    const { correlationId } = await stores.receive(randomUUID());
    await twice(() => step(correlationId, 'VALIDATION', 'STARTED'));
    stores.clock.advance(2_500);
    await twice(() => step(correlationId, 'VALIDATION', 'OK'));
    await twice(() => imports.publish(DEM, correlationId));
    await twice(() => imports.complete(DEM, correlationId));
    await twice(() => imports.fail(DEM, correlationId, { action: 'VALIDATION', errorCode: 'LATE' }));
    assert.deepEqual(observed, ['VALIDATION OK 2.5', 'PUBLICATION OK 0', 'OK']);
  });

  it('count a failure once, and steps as cancelled only when they were not done', async () => {
    const failed = (await stores.receive(randomUUID())).correlationId;
    await twice(() => imports.fail(DEM, failed, { action: 'FILE_CLASSIFICATION', errorCode: 'NO_ZIP' }));
    assert.deepEqual(observed, ['FILE_CLASSIFICATION FAILED 0', 'FAILED']);
    observed.length = 0;
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
    assert.deepEqual(observed, ['VALIDATION OK 0', 'PUBLICATION OK 0', 'PRIVATE_EXPORT CANCELLED 0', 'OK']);
  });

  it('show the number of imports in each step, and the age of the oldest', async () => {
    const registry = new Registry();
    const metrics = new ImportMetrics(registry, () => stores.clock.now().getTime());
    const receivedAt = stores.clock.now();
    const { correlationId } = await stores.receive(randomUUID());
    stores.clock.advance(10_000);
    await stores.receive(randomUUID());
    await step(correlationId, 'FILE_CLASSIFICATION', 'OK');
    await step(correlationId, 'VALIDATION', 'STARTED');
    const figures = await readImportFigures(stores.connection);
    assert.deepEqual(Object.fromEntries(figures.places), { RECEIVING: 0, VALIDATION: 1, WAITING: 1 });
    assert.deepEqual(figures.oldest, receivedAt);
    metrics.show(figures);
    const text = await registry.metrics();
    assert.match(text, /^timetable_imports_in_progress\{step="VALIDATION"\} 1$/m);
    assert.match(text, /^timetable_imports_in_progress\{step="PUBLICATION"\} 0$/m);
    assert.match(text, /^timetable_import_oldest_seconds 10$/m);
    metrics.show({ places: new Map(), oldest: undefined });
    assert.match(await registry.metrics(), /^timetable_imports_in_progress\{step="VALIDATION"\} 0$/m);
  });
});
