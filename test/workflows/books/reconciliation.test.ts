/** The reconciliation goes through every hour and every event of a day once, reports at the end, and survives steps that die. */
import assert from 'node:assert/strict';
import { dayBefore } from '../../../workflows/books/rules/reconciled-day.ts';
import { ReconciliationWorkers } from './reconciliation-workers.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => `compareMovements ${hour}`);
const ORDERS = Array.from({ length: 24 }, (_, hour) => `compareOrders ${hour}`);
const EVENTS = ['rangeOfDay', 'compareEvents 10', 'compareEvents 210', 'compareEvents 410'];
const STEPS = [...HOURS, ...EVENTS, ...ORDERS, 'report'];
const COUNTS = { movements: 48, events: 624, differences: 1, mended: 0 };
const NAMES = ['compareMovements', 'rangeOfDay', 'compareEvents', 'compareOrders', 'report'] as const;

describe('the workflow reconciliation', () => {
  let workers: ReconciliationWorkers;
  before(async () => {
    workers = await ReconciliationWorkers.open();
  });
  after(async () => await workers.close());

  it('compares the day before by the hour and by its events, and reports', async () => {
    const run = await workers.start();
    const { startTime } = await run.describe();
    const day = dayBefore(startTime);
    assert.deepEqual(await workers.end(run), { day, step: 'DONE', ...COUNTS });
    assert.deepEqual(workers.calls, STEPS);
    assert.deepEqual(workers.reported, [
      { day, findings: { ...COUNTS, told: [{ kind: 'UNKNOWN_MOVEMENT', key: 'cap-1-1' }] } },
    ]);
    assert.deepEqual(await workers.state(run), { day, step: 'DONE', ...COUNTS });
  });

  it('compares the day that it is asked for, also one without events', async () => {
    workers.range = { after: 450, upTo: 450 };
    const run = await workers.start({ day: '2026-05-04' });
    const { step, day, events } = await workers.end(run);
    assert.deepEqual([day, step, events], ['2026-05-04', 'DONE', 24]);
    assert.deepEqual(workers.calls, [...HOURS, 'rangeOfDay', ...ORDERS, 'report']);
    workers.range = { after: 10, upTo: 450 };
  });

  it('repeats steps that die, and counts nothing twice', async () => {
    for (const name of NAMES) workers.breakOn(name, 2);
    const { step, ...counts } = await workers.end(await workers.start({ day: '2026-05-04' }));
    assert.deepEqual({ step, ...counts }, { step: 'DONE', day: '2026-05-04', ...COUNTS });
    assert.deepEqual(workers.calls, STEPS);
  });
});
