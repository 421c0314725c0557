/** Steps on very large files end an import after one death, so nothing but a death may count as one. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { StepDeaths, VERY_LARGE_BYTES } from '../../../activities/timetable/step-deaths.ts';
import { stepMarksPrefix } from '../../../activities/timetable/work-keys.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import type { CorrelationId } from '../../../workflows/shared/ids.ts';
import type { ManifestInput } from '../../../workflows/timetable/activities.ts';
import { useObjectStore } from '../../support/stack.ts';
import { DEM } from './support.ts';

const STEP = { step: 'file-0', bytes: VERY_LARGE_BYTES };

describe('a step on a very large file', () => {
  let objects: ObjectStore;
  let input: ManifestInput;
  before(async () => {
    objects = await ObjectStore.open(await useObjectStore());
  });
  beforeEach(() => {
    input = { codespace: DEM, correlationId: randomUUID() as CorrelationId, manifestId: randomUUID() } as ManifestInput;
  });
  after(() => objects.close());

  const signal = new AbortController().signal;
  const attempt = (number: number, store = objects) =>
    new StepDeaths(store, input, { attempt: number, signal, renewMs: 50 });
  const guard = async (deaths: StepDeaths, task: () => Promise<string> = async () => 'done') =>
    await deaths.guard(STEP, task, async () => 'given up');

  it('is given up after an attempt whose process died', async () => {
    await objects.put(`${stepMarksPrefix(input, STEP.step)}1`, new Uint8Array(), 'application/octet-stream');
    assert.equal(await guard(attempt(2)), 'given up');
  });

  it('is tried again after an attempt that failed', async () => {
    await assert.rejects(
      guard(attempt(1), async () => await Promise.reject(new Error('the database is away'))),
      /away/,
    );
    assert.equal(await guard(attempt(2)), 'done');
  });

  it('waits for an attempt whose process lives', async () => {
    const { promise: end, resolve } = Promise.withResolvers<string>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const first = guard(attempt(1), async () => {
      begin();
      return await end;
    });
    await begun;
    let hasLooked = 0;
    const looking = new Proxy(objects, {
      get: (store, name) => {
        if (name === 'list' && ++hasLooked === 3) resolve('ended late');
        const member = Reflect.get(store, name) as unknown;
        return typeof member === 'function' ? member.bind(store) : member;
      },
    });
    assert.deepEqual(await Promise.all([first, guard(attempt(2, looking))]), ['ended late', 'done']);
  });

  it('keeps no mark after an outage of the store, during which its task failed', async () => {
    let refused = 0;
    const away = new Proxy(objects, {
      get: (store, name) => {
        if (name === 'delete' && ++refused <= 3) return () => Promise.reject(new Error('the store is away'));
        const member = Reflect.get(store, name) as unknown;
        return typeof member === 'function' ? member.bind(store) : member;
      },
    });
    await assert.rejects(
      guard(attempt(1, away), async () => await Promise.reject(new Error('the store is away'))),
      /away/,
    );
    assert.equal(refused, 4);
    assert.equal(await guard(attempt(2)), 'done');
  });
});
