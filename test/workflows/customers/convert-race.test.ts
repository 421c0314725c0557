/**
 * Conversions at the moment of expiry or deletion, on a real database and a real Temporal server. Each profile ends
 * either permanent and complete, or erased. The caller's answer must match that outcome.
 */
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import {
  convertTemporaryProfile,
  signalEraseNow,
  startTemporaryProfile,
} from '../../../activities/customers/temporary-profile-start.ts';
import type { ConversionOutcome, CustomerInput } from '../../../workflows/customers/messages.ts';
import { runBounded } from '../../../workflows/shared/run-bounded.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { RealCustomers } from './real-customers.ts';

const isTimeout = (error: unknown): boolean => error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
const RACES = 50;
/** Each race waits for an expiry; in parallel, all races take one lifetime instead of ten. */
const AT_ONCE = 25;
/** Steps of the offset: conversions come too early, at the moment of expiry, and too late. */
const OFFSET_STEPS = 10;
const REPEATS = 4;
/** Factor of a profile's life after a conversion that was prepared too late. */
const LONGER = 1.05;
/** Of fifty races. On an idle machine the first has both outcomes. */
const MOST_ROUNDS = 4;

/** On a busy machine the preparation may come too late; the profile has then expired. */
function unlessExpired(error: unknown): undefined {
  if (!(error instanceof ServiceError && error.code === 'INVALID_STATE')) throw error;
}

describe('a conversion', function () {
  // A busy machine takes this long.
  this.timeout(300_000);
  let customers: RealCustomers;

  before(async () => {
    customers = await RealCustomers.open('convert-race');
    await customers.startWorker();
  });
  after(() => customers?.close());

  /** Running mean of the duration of a conversion on this machine. */
  let usualMs = 50;
  /** Of a profile. Becomes longer where the machine is too busy to prepare a conversion in it. */
  let lifeMs = 2_500;

  async function convert(input: CustomerInput, conversionId: string): Promise<ConversionOutcome> {
    const began = performance.now();
    // A caller repeats the request with the same key while the machine is too busy to answer in time.
    const request = (): Promise<ConversionOutcome> =>
      convertTemporaryProfile(customers.temporal, { ...input, conversionId, updateId: conversionId }).catch((error) =>
        isTimeout(error) ? request() : Promise.reject(error),
      );
    const outcome = await request();
    usualMs = (usualMs + performance.now() - began) / 2;
    return outcome;
  }

  /** Distributes the conversions around the moment of expiry. */
  const offsetMs = (index: number): number => (1.6 * usualMs * (index % OFFSET_STEPS)) / (OFFSET_STEPS - 1);

  /** Asserts that the answer equals the outcome, once everything has ended. */
  async function assertOneOutcome(input: CustomerInput, outcome: ConversionOutcome): Promise<void> {
    const { ended } = await customers.end(input);
    if (ended === 'EXPIRED') await customers.erased(input);
    const stored = await customers.stored(input);
    const hasKey = await customers.keys.existsFor(CUSTOMER.subjectOf(input.customerNumber));
    if (outcome === 'CONVERTED') {
      assert.deepEqual([ended, stored.status, stored.profileType, hasKey], ['CONVERTED', 'ACTIVE', 'PERMANENT', true]);
      const profile = await customers.profiles.get(input.organisationId, input.customerNumber, 'PERMANENT');
      assert.deepEqual([profile.firstName, profile.email], ['Kari', `${input.customerNumber}@example.no`]);
    } else {
      assert.deepEqual([outcome, ended, stored.status, hasKey], ['EXPIRED', 'EXPIRED', 'ERASED', false]);
      assert.deepEqual(await customers.lifecycle.verify(input.organisationId, input.customerNumber), []);
    }
    const types = stored.outbox.map(({ type }) => type.split('.')[2]);
    assert.deepEqual(types, ['CustomerCreated', outcome === 'CONVERTED' ? 'CustomerConverted' : 'CustomerErased']);
  }

  /** Races until both outcomes have occurred; otherwise there was no race. */
  async function race(run: (index: number) => Promise<ConversionOutcome>): Promise<void> {
    const outcomes = new Set<ConversionOutcome>();
    for (let round = 0; round < MOST_ROUNDS && outcomes.size < 2; round += 1)
      await runBounded(RACES, AT_ONCE, async (index) => {
        outcomes.add(await run(index));
      });
    assert.deepEqual([...outcomes].toSorted(), ['CONVERTED', 'EXPIRED']);
  }

  it('has one outcome when it races with expiry, in fifty races', async () => {
    await race(async (index) => {
      const expirationDate = new Date(Date.now() + lifeMs);
      const input = await customers.create({ expirationDate });
      const conversionId = await customers.prepare(input).catch(unlessExpired);
      await startTemporaryProfile(customers.temporal, input);
      await delay(Math.max(0, expirationDate.getTime() - Date.now() - offsetMs(index)));
      if (conversionId === undefined) lifeMs *= LONGER;
      const outcome = conversionId === undefined ? 'EXPIRED' : await convert(input, conversionId);
      await assertOneOutcome(input, outcome);
      return outcome;
    });
  });

  it('has one outcome when it races with a deletion, in fifty races', async () => {
    await race(async (index) => {
      const input = await customers.create({ expirationDate: new Date(Date.now() + 3_600_000) });
      const conversionId = await customers.prepare(input);
      await startTemporaryProfile(customers.temporal, input);
      const deleting = async () => {
        await delay(offsetMs(index));
        await customers.delete(input, 'TEMPORARY');
        // Repeated, as by an impatient caller. A signal that arrives while the workflow completes fails its task.
        for (let repeat = 0; repeat < REPEATS; repeat += 1) await signalEraseNow(customers.temporal, input);
      };
      const [outcome, deleted] = await Promise.all([
        convert(input, conversionId),
        deleting().then(
          () => true,
          () => false,
        ),
      ]);
      assert.equal(deleted, outcome === 'EXPIRED');
      await assertOneOutcome(input, outcome);
      return outcome;
    });
  });
});
