/** Tests the schedule of rotations: made once, updated when the configuration changes, paused by operators only. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import {
  ensureRotationSchedule,
  ROTATION_SCHEDULE_ID,
  rotationShape,
} from '../../../activities/auth/rotation-schedule.ts';
import { TemporalClient } from '../../../platform/temporal/temporal.ts';
import { useTemporal } from '../../support/stack.ts';

const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

describe('The schedule of rotations', () => {
  let temporal: TemporalClient;
  before(async () => {
    const { address } = await useTemporal();
    temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  });
  const schedule = () => temporal.client.schedule.getHandle(ROTATION_SCHEDULE_ID);
  after(async () => {
    await schedule().delete();
    await temporal?.close();
  });

  /** The times of the configuration. */
  function times(environment: Record<string, string> = {}) {
    const { KEY_ROTATION_SCHEDULE: cron, TIME_ZONE: timeZone } = z.object(rotationShape).parse(environment);
    return { cron, timeZone };
  }

  it('is made once by several workers, and runs monthly by default', async () => {
    await Promise.all([1, 2, 3].map(() => ensureRotationSchedule(temporal, times())));
    const { policies, action, info } = await schedule().describe();
    assert.deepEqual([policies.overlap, policies.catchupWindow], ['SKIP', 7 * 24 * 60 * 60 * 1_000]);
    assert.deepEqual([action.workflowType, action.taskQueue], ['signingKeyRotation', 'operations']);
    const next = info.nextActionTimes.map((at) => at.toLocaleString('nb-NO', { timeZone: 'Europe/Oslo' }));
    assert.ok(next.length >= 3 && next.every((text) => /^1\.\d+\.\d+, 04:00:00$/.test(text)), next.join('; '));
  });

  it('follows the configuration, and stays paused when an operator has paused it', async () => {
    await ensureRotationSchedule(temporal, times());
    await schedule().pause('by an operator');
    const weekly = times({ KEY_ROTATION_SCHEDULE: '30 2 * * MON', TIME_ZONE: 'UTC' });
    await ensureRotationSchedule(temporal, weekly);
    await ensureRotationSchedule(temporal, weekly);
    const { info, state } = await schedule().describe();
    const next = info.nextActionTimes[0];
    assert.deepEqual([next?.getUTCDay(), next?.getUTCHours(), next?.getUTCMinutes()], [1, 2, 30]);
    assert.deepEqual([state.paused, state.note], [true, 'by an operator']);
  });

  it('is written only when it differs from the configuration', async () => {
    await ensureRotationSchedule(temporal, times());
    const written = async () => (await schedule().describe()).info.lastUpdatedAt?.getTime();
    const before = await written();
    await ensureRotationSchedule(temporal, times());
    assert.equal(await written(), before);
  });

  it('refuses anything but five fields of cron', () => {
    const isCron = (text: string) => rotationShape.KEY_ROTATION_SCHEDULE.safeParse(text).success;
    assert.deepEqual(['0 4 1 * *', '*/5 0-6,22 * JAN-MAR 1'].map(isCron), [true, true]);
    assert.deepEqual(
      ['', 'monthly', '0 4 1 *', '0 4 1 * * *', '0 4 1 * *#x', '@every 1s'].map(isCron),
      Array(6).fill(false),
    );
  });
});
