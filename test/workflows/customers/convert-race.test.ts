/**
 * Conversions that come at the very moment of expiry, or of a deletion, on a real database and a real Temporal server: each
 * profile ends either permanent and whole, or erased and gone, and whoever asked was told which.
 */
import { CUSTOMER } from '../../../activities/customers/customer-subject.ts';
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
/** Each waits for its expiry: side by side they take one life in all, not ten. */
const AT_ONCE = 25;
const LIFE_MS = 2_500;
/** Asked too early, in the middle, too late. */
const SPREAD = 10;

/** A machine with much else to do may come too late to prepare anything: the caller is told so already. */
function unlessExpired(error: unknown): undefined {
  if (!(error instanceof ServiceError && error.code === 'INVALID_STATE')) throw error;
}

describe('A conversion against expiry', function () {
  // As long as a machine takes that has much else to do.
  this.timeout(300_000);
  let customers: RealCustomers;

  before(async () => {
    customers = await RealCustomers.open('convert-race');
    await customers.startWorker();
  });
  after(() => customers?.close());

  /** How long a conversion takes on this machine by now. */
  let usualMs = 50;

  async function convert(input: CustomerInput, conversionId: string): Promise<ConversionOutcome> {
    const began = performance.now();
    // As a caller asks again under the same key for as long as the machine is too busy to answer in time.
    const ask = (): Promise<ConversionOutcome> =>
      convertTemporaryProfile(customers.temporal, { ...input, conversionId, updateId: conversionId }).catch((error) =>
        isTimeout(error) ? ask() : Promise.reject(error),
      );
    const told = await ask();
    usualMs = (usualMs + performance.now() - began) / 2;
    return told;
  }

  /** So that what races is spread around the moment of the conversion's write. */
  const offsetMs = (index: number): number => (1.6 * usualMs * (index % SPREAD)) / (SPREAD - 1);

  /** What was told is what came of it, once everything has ended. */
  async function assertOneOutcome(input: CustomerInput, told: ConversionOutcome): Promise<void> {
    const { ended } = await customers.end(input);
    if (ended === 'EXPIRED') await customers.erased(input);
    const stored = await customers.stored(input);
    const hasKey = await customers.keys.existsFor(CUSTOMER.subjectOf(input.customerNumber));
    if (told === 'CONVERTED') {
      assert.deepEqual([ended, stored.status, stored.profileType, hasKey], ['CONVERTED', 'ACTIVE', 'PERMANENT', true]);
      const profile = await customers.profiles.get(input.organisationId, input.customerNumber, 'PERMANENT');
      assert.deepEqual([profile.firstName, profile.email], ['Kari', `${input.customerNumber}@example.no`]);
    } else {
      assert.deepEqual([told, ended, stored.status, hasKey], ['EXPIRED', 'EXPIRED', 'ERASED', false]);
      assert.deepEqual(await customers.lifecycle.verify(input.organisationId, input.customerNumber), []);
    }
    const types = stored.outbox.map(({ type }) => type.split('.')[2]);
    assert.deepEqual(types, ['CustomerCreated', told === 'CONVERTED' ? 'CustomerConverted' : 'CustomerErased']);
  }

  async function race(run: (index: number) => Promise<ConversionOutcome>): Promise<void> {
    const told: ConversionOutcome[] = [];
    await runBounded(RACES, AT_ONCE, async (index) => {
      told.push(await run(index));
    });
    // Otherwise nothing was raced.
    assert.deepEqual([...new Set(told)].toSorted(), ['CONVERTED', 'EXPIRED'], JSON.stringify(told));
  }

  it('ends one way or the other, fifty times', async () => {
    await race(async (index) => {
      const expirationDate = new Date(Date.now() + LIFE_MS);
      const input = await customers.create({ expirationDate });
      const conversionId = await customers.prepare(input).catch(unlessExpired);
      await startTemporaryProfile(customers.temporal, input);
      await delay(Math.max(0, expirationDate.getTime() - Date.now() - offsetMs(index)));
      const told = conversionId === undefined ? 'EXPIRED' : await convert(input, conversionId);
      await assertOneOutcome(input, told);
      return told;
    });
  });

  it('against a deletion ends one way or the other, fifty times', async () => {
    await race(async (index) => {
      const input = await customers.create({ expirationDate: new Date(Date.now() + 3_600_000) });
      const conversionId = await customers.prepare(input);
      await startTemporaryProfile(customers.temporal, input);
      const deleting = async () => {
        await delay(offsetMs(index));
        await customers.delete(input, 'TEMPORARY');
        await signalEraseNow(customers.temporal, input);
      };
      const [told, deleted] = await Promise.all([
        convert(input, conversionId),
        deleting().then(
          () => true,
          () => false,
        ),
      ]);
      assert.equal(deleted, told === 'EXPIRED');
      await assertOneOutcome(input, told);
      return told;
    });
  });
});
