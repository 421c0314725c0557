/** How many activities of a process wait for a mail server, and when the others come back. */
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { MailSlots } from '../../../activities/shared/mail-slots.ts';

async function refusalAt(slots: MailSlots, attempt: number): Promise<ApplicationFailure> {
  const run = async () => await slots.run(async () => assert.fail('there is no room'));
  const refused = await new MockActivityEnvironment({ attempt }).run(run).catch((error: unknown) => error);
  assert.ok(refused instanceof ApplicationFailure);
  return refused;
}

describe('the slots for mails', () => {
  it('take few, refuse others so that they are tried again, and are given back after failures', async () => {
    const slots = new MailSlots({ atOnce: 2, random: () => 1 });
    const ends: (() => void)[] = [];
    const running = [1, 2].map(() => slots.run(async () => await new Promise<void>((end) => ends.push(end))));
    const { type, nonRetryable, category } = await refusalAt(slots, 1);
    assert.deepEqual([type, nonRetryable ?? false, category], ['MAIL_SLOTS_TAKEN', false, 'BENIGN']);
    for (const end of ends) end();
    await Promise.all(running);
    await assert.rejects(
      slots.run(async () => {
        throw new Error('the mail server is away');
      }),
      /away/,
    );
    assert.deepEqual(await Promise.all([1, 2].map(async (n) => await slots.run(async () => n))), [1, 2]);
  });

  it('are asked for again after pauses that grow up to 15 seconds, and differ', async () => {
    const pauses = async (random: number) => {
      const slots = new MailSlots({ atOnce: 0, random: () => random });
      const refusals = await Promise.all([1, 4, 30, 1_000].map(async (attempt) => await refusalAt(slots, attempt)));
      return refusals.map(({ nextRetryDelay }) => nextRetryDelay);
    };
    assert.deepEqual(await pauses(1), [500, 2_000, 15_000, 15_000]);
    assert.deepEqual(await pauses(0), [250, 1_000, 7_500, 7_500]);
  });
});
