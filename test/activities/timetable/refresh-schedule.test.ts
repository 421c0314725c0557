/**
 * Tests the schedule of the nightly refresh: made once, updated when the configuration changes, paused by operators
 * only.
 */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { ensureRefreshSchedule, REFRESH_SCHEDULE_ID } from '../../../activities/timetable/refresh-schedule.ts';
import { serviceDayOf } from '../../../activities/timetable/service-day.ts';
import { refreshShape } from '../../../activities/timetable/timetable-config.ts';
import { TemporalClient } from '../../../platform/temporal/temporal.ts';
import { useTemporal } from '../../support/stack.ts';

const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const NIGHT = { time: '02:30', timeZone: 'Europe/Oslo' };

describe('The schedule of the refresh', () => {
  let temporal: TemporalClient;
  before(async () => {
    const { address } = await useTemporal();
    temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  });
  const schedule = () => temporal.client.schedule.getHandle(REFRESH_SCHEDULE_ID);
  after(async () => {
    await schedule().delete();
    await temporal?.close();
  });

  it('is made once by several workers', async () => {
    await Promise.all([1, 2, 3].map(() => ensureRefreshSchedule(temporal, NIGHT)));
    const { spec, policies, action, info } = await schedule().describe();
    assert.deepEqual([spec.calendars?.[0]?.hour?.[0]?.start, spec.timezone], [2, 'Europe/Oslo']);
    assert.deepEqual([policies.overlap, policies.catchupWindow], ['SKIP', 20 * 60 * 60 * 1_000]);
    assert.deepEqual([action.workflowType, action.taskQueue], ['datasetRefresh', 'timetable']);
    const next = info.nextActionTimes[0]?.toLocaleTimeString('nb-NO', { timeZone: 'Europe/Oslo' });
    assert.equal(next, '02:30:00');
  });

  it('runs every night of the year: the default hour exists on days of clock changes', async () => {
    const { TIME_ZONE, REFRESH_TIME } = z.object(refreshShape).parse({});
    await ensureRefreshSchedule(temporal, { time: REFRESH_TIME, timeZone: TIME_ZONE });
    await schedule().update(({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, startAt: new Date('2027-03-26T12:00:00Z') },
    }));
    const { nextActionTimes } = (await schedule().describe()).info;
    const days = nextActionTimes.map((instant) => serviceDayOf(instant, TIME_ZONE)).slice(0, 4);
    assert.deepEqual(days, ['2027-03-27', '2027-03-28', '2027-03-29', '2027-03-30']);
    await schedule().delete();
  });

  it('refuses time zones that only this process knows', () => {
    const isZone = (name: string) => refreshShape.TIME_ZONE.safeParse(name).success;
    assert.deepEqual(['Europe/Oslo', 'UTC', 'Asia/Kolkata'].map(isZone), [true, true, true]);
    assert.deepEqual(['+02:00', 'europe/oslo', 'Oslo', ''].map(isZone), [false, false, false, false]);
  });

  it('follows the configuration, and stays paused when an operator has paused it', async () => {
    await ensureRefreshSchedule(temporal, NIGHT);
    await schedule().pause('by an operator');
    await ensureRefreshSchedule(temporal, { time: '23:05', timeZone: 'Europe/Stockholm' });
    const { spec, state } = await schedule().describe();
    assert.deepEqual(
      [spec.calendars?.[0]?.hour?.[0]?.start, spec.calendars?.[0]?.minute?.[0]?.start, spec.timezone],
      [23, 5, 'Europe/Stockholm'],
    );
    assert.deepEqual([state.paused, state.note], [true, 'by an operator']);
  });
});
