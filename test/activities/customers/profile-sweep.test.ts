/**
 * Tests the sweep when some profiles cannot be started. Stores and Temporal are simulated; recovery.test.ts uses real
 * ones.
 */
import assert from 'node:assert/strict';
import type { WantedStart } from '../../../activities/customers/profile-lifecycle-store.ts';
import {
  endLateProfiles,
  type ProfileSweepDependencies,
  startLostErasures,
  sweepProfiles,
} from '../../../activities/customers/profile-sweep.ts';
import { createLog } from '../../../platform/log.ts';
import type { TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { CustomerNumber, OrganisationId } from '../../../workflows/shared/ids.ts';

type Lists = { [List in 'pending' | 'due' | 'erasing']?: WantedStart[] };

const wanted = (from: number, count: number, status: WantedStart['status'] = 'ACTIVE'): WantedStart[] =>
  Array.from({ length: count }, (_, index) => ({
    customerNumber: String(from + index) as CustomerNumber,
    organisationId: 1 as OrganisationId,
    status,
    revision: 1,
  }));

/** Records each started profile; a start of a `refused` profile fails. */
function sweepOf(lists: Lists, refused: (customerNumber: string) => boolean) {
  const { pending = [], due = [], erasing = [] } = lists;
  const started: string[] = [];
  const endedBefore: Date[] = [];
  const cleared = new Set<string>();
  const start = async (_workflow: string, { workflowId }: { readonly workflowId: string }) => {
    const customerNumber = workflowId.replace(/^.*\//, '');
    if (refused(customerNumber)) throw new Error('start refused');
    started.push(customerNumber);
  };
  const client = { workflow: { start, signalWithStart: start } };
  const dependencies: ProfileSweepDependencies = {
    profiles: {
      listPendingStarts: async (_, limit) =>
        pending.filter(({ customerNumber }) => !cleared.has(customerNumber)).slice(0, limit),
      listDue: async (_, limit) => due.slice(0, limit),
      endLate: async (before) => {
        endedBefore.push(before);
        return 0;
      },
      listErasing: async (_, limit) => erasing.slice(0, limit),
      clearPendingStart: async (_, customerNumber) => void cleared.add(customerNumber),
    },
    temporal: {
      withDeadline: async (call: (with_: typeof client) => unknown) => await call(client),
    } as never as TemporalClient,
    log: createLog({ level: 'silent', name: 'test' }),
  };
  return { dependencies, started, endedBefore };
}

describe('the sweep of profiles', () => {
  it('starts all others when one start fails, of every kind', async () => {
    const lists = {
      pending: wanted(1_000_001, 3),
      due: wanted(2_000_001, 3),
      erasing: wanted(3_000_001, 3, 'EXPIRED'),
    };
    const { dependencies, started } = sweepOf(lists, (customerNumber) => customerNumber.endsWith('1'));
    await sweepProfiles(dependencies);
    await startLostErasures(dependencies);
    assert.deepEqual(started.sort(), ['1000002', '1000003', '2000002', '2000003', '3000002', '3000003']);
  });

  it('starts all pending ones in one turn', async () => {
    const { dependencies, started } = sweepOf({ pending: wanted(1_000_000, 1_000) }, () => false);
    await sweepProfiles(dependencies);
    assert.equal(new Set(started).size, 1_000);
  });

  it('ends late profiles without a signal', async () => {
    const { dependencies, started, endedBefore } = sweepOf({ due: wanted(1_000_000, 3) }, () => false);
    await endLateProfiles({ ...dependencies, now: () => new Date('2026-05-04T12:00:30Z') });
    assert.deepEqual([endedBefore, started], [[new Date('2026-05-04T12:00:15Z')], []]);
  });

  it('gives up when all starts fail: Temporal is unavailable', async () => {
    let tries = 0;
    const { dependencies } = sweepOf({ pending: wanted(1_000_000, 1_000) }, () => {
      tries += 1;
      return true;
    });
    await assert.rejects(sweepProfiles(dependencies), /start refused/);
    assert.ok(tries <= 20, String(tries));
  });
});
