/** The reconciliation goes through every hour and every event of a day once, reports at the end, and survives steps that die. */
import assert from 'node:assert/strict';
import { dayBefore } from '../../../workflows/books/rules/reconciled-day.ts';
import { ReconciliationWorkers } from './reconciliation-workers.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => `compareMovements ${hour}`);
const STEPS = [...HOURS, 'rangeOfDay', 'compareEvents 10', 'compareEvents 210', 'compareEvents 410', 'report'];
const COUNTS = { movements: 48, events: 600, differences: 1, mended: 0 };

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
    assert.deepEqual([day, step, events], ['2026-05-04', 'DONE', 0]);
    assert.deepEqual(workers.calls, [...HOURS, 'rangeOfDay', 'report']);
    workers.range = { after: 10, upTo: 450 };
  });

  it('repeats steps that die, and counts nothing twice', async () => {
    for (const name of ['compareMovements', 'rangeOfDay', 'compareEvents', 'report'] as const) workers.breakOn(name, 2);
    const { step, ...counts } = await workers.end(await workers.start({ day: '2026-05-04' }));
    assert.deepEqual({ step, ...counts }, { step: 'DONE', day: '2026-05-04', ...COUNTS });
    assert.deepEqual(workers.calls, STEPS);
  });
});
