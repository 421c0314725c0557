/** Tests the schedule of the reconciliation: every day is compared, also days that were missed. */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { NativeConnection, Worker } from '@temporalio/worker';
import {
  ensureReconciliationSchedule,
  RECONCILIATION_SCHEDULE_ID,
} from '../../../activities/books/reconciliation-schedule.ts';
import { ensureSchedule } from '../../../platform/temporal/schedules.ts';
import { createDataConverter, TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { Reconciling } from '../../../workflows/books/activities.ts';
import { BOOKS_QUEUE, reconciliationWorkflow } from '../../../workflows/books/messages.ts';
import { NOTHING_FOUND } from '../../../workflows/books/rules/reconciled-day.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { useTemporal } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const MORNING = { time: '05:15', timeZone: 'Europe/Oslo' };
const THREE_DAYS_MS = 3 * 24 * 60 * 60 * 1_000;

describe('The schedule of the reconciliation', () => {
  let address: string;
  let temporal: TemporalClient;
  before(async () => {
    address = (await useTemporal()).address;
    temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  });
  const schedule = () => temporal.client.schedule.getHandle(RECONCILIATION_SCHEDULE_ID);
  afterEach(async () => await schedule().delete());
  after(async () => await temporal?.close());
  const policies = async () => {
    const { policies: found } = await schedule().describe();
    return [found.overlap, found.catchupWindow];
  };

  it('makes up for each day that was missed', async () => {
    await ensureReconciliationSchedule(temporal, MORNING);
    assert.deepEqual(await policies(), ['BUFFER_ALL', THREE_DAYS_MS]);
  });

  it('compares the day before the one that a start was due, however late that is', async () => {
    await ensureReconciliationSchedule(temporal, MORNING);
    const days: string[] = [];
    const activities: Reconciling = {
      compareMovements: async () => NOTHING_FOUND,
      rangeOfDay: async () => ({ after: 0, upTo: 0 }),
      compareEvents: async () => NOTHING_FOUND,
      compareOrders: async () => NOTHING_FOUND,
      report: async ({ day }) => void days.push(day),
    };
    const connection = await NativeConnection.connect({ address });
    const worker = await Worker.create({
      ...{ connection, taskQueue: BOOKS_QUEUE, activities, dataConverter: createDataConverter(PAYLOAD_KEYS) },
      workflowBundle: { code: (await useWorkflowBundle()).code },
    });
    await worker.runUntil(async () => {
      const [start, end] = [new Date('2026-05-04T00:00:00Z'), new Date('2026-05-06T00:00:00Z')];
      await schedule().backfill({ start, end, overlap: 'BUFFER_ALL' });
      await until(async () => days.length === 2, { timeoutMs: 60_000, what: 'both days' });
    });
    await connection.close();
    assert.deepEqual(days, ['2026-05-03', '2026-05-04']);
  });

  it('is updated where an earlier build has made it', async () => {
    const comment = 'each day at 05:15 Europe/Oslo';
    await ensureSchedule(temporal, {
      ...{ id: RECONCILIATION_SCHEDULE_ID, workflow: reconciliationWorkflow, comment, catchupWindow: '18h' },
      spec: { calendars: [{ hour: 5, minute: 15, comment }], timezone: 'Europe/Oslo' },
    });
    assert.deepEqual((await policies())[0], 'SKIP');
    await ensureReconciliationSchedule(temporal, MORNING);
    assert.deepEqual(await policies(), ['BUFFER_ALL', THREE_DAYS_MS]);
  });
});
