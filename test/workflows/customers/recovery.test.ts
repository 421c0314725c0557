/** Failed steps, lost messages, lost workflows and stray keys, on a real database and a real Temporal server. */
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ProfileContent } from '../../../activities/customers/customer-types.ts';
import { startProfileErasure } from '../../../activities/customers/profile-erasure-start.ts';
import {
  type ProfileSweepDependencies,
  startLostErasures,
  sweepProfiles,
} from '../../../activities/customers/profile-sweep.ts';
import { startTemporaryProfile } from '../../../activities/customers/temporary-profile-start.ts';
import { OrphanKeySweep, rewrapKeys } from '../../../platform/personal/key-sweep.ts';
import type { SubjectId } from '../../../platform/personal/subject-id.ts';
import { type CustomerInput, temporaryProfileWorkflowId } from '../../../workflows/customers/messages.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { until } from '../../support/until.ts';
import type { CustomerActivityName, Fault } from './customer-world.ts';
import { RealCustomers, request } from './real-customers.ts';

const STEPS: readonly CustomerActivityName[] = [
  'readStanding',
  'expireProfile',
  'blockProfile',
  'destroyKey',
  'removeContent',
  'eraseArea',
  'isAreaErased',
  'findLeftovers',
  'markErased',
];
const HOUR_MS = 3_600_000;

describe('recovery of customers', () => {
  let customers: RealCustomers;
  let sweep: ProfileSweepDependencies;

  before(async () => {
    customers = await RealCustomers.open('customer-recovery');
    await customers.startWorker();
    const { lifecycle: profiles, temporal, log } = customers;
    sweep = { profiles, temporal, log };
  });
  after(() => customers?.close());

  const inOneHour = () => new Date(Date.now() + HOUR_MS);
  const soon = () => new Date(Date.now() + 200);
  /** Dependencies of a sweep that runs this much later. */
  const later = (ms: number): ProfileSweepDependencies => ({ ...sweep, now: () => new Date(Date.now() + ms) });
  const terminate = async ({ customerNumber }: CustomerInput): Promise<void> => {
    await customers.temporal.client.workflow.getHandle(temporaryProfileWorkflowId(customerNumber)).terminate();
  };

  async function assertErased(input: CustomerInput): Promise<void> {
    await until(async () => (await customers.stored(input)).status === 'ERASED', { timeoutMs: 60_000 });
    const stored = await customers.stored(input);
    assert.deepEqual(await customers.lifecycle.verify(input.organisationId, input.customerNumber), []);
    const erased = stored.outbox.filter(({ type }) => type.includes('CustomerErased'));
    assert.deepEqual([erased.length, stored.sequence], [1, stored.outbox.length]);
  }

  describe('when a step fails before or after its effect', () => {
    const running = new Map<string, Promise<CustomerInput>>();
    const each = (run: (name: CustomerActivityName, when: Fault, point: string) => void): void => {
      for (const name of STEPS) for (const when of ['before', 'after'] as const) run(name, when, `${name} ${when}`);
    };
    const start = async (name: CustomerActivityName, when: Fault): Promise<CustomerInput> => {
      const input = await customers.create({ expirationDate: soon() });
      customers.breakOn(name, when, input.customerNumber);
      await startTemporaryProfile(customers.temporal, input);
      return input;
    };

    // Started together, since each waits for its retries.
    before(() => each((name, when, point) => running.set(point, start(name, when))));

    each((name, when, point) => {
      it(`erases with one event although ${name} fails twice ${when} its effect`, async () => {
        const input = await running.get(point);
        await assertErased(input ?? assert.fail('it was not started'));
      });
    });
  });

  it('starts a workflow whose start a crash prevented', async () => {
    const input = await customers.create({ expirationDate: inOneHour() });
    assert.equal((await customers.stored(input)).pendingStart, true);
    await sweepProfiles(later(10_000));
    const { status } = await customers.temporal.client.workflow
      .getHandle(temporaryProfileWorkflowId(input.customerNumber))
      .describe();
    assert.equal(status.name, 'RUNNING');
    assert.equal((await customers.stored(input)).pendingStart, undefined);
  });

  it('deletes a profile, of both types, although a crash prevented the signal', async () => {
    const guest = await customers.create({ expirationDate: inOneHour() });
    await startTemporaryProfile(customers.temporal, guest);
    const names = { firstName: 'Kari', surname: 'Lie', email: `${randomUUID()}@example.no` };
    const member = await customers.create({ profileType: 'PERMANENT', ...names });
    await customers.delete(guest, 'TEMPORARY');
    await customers.delete(member, 'PERMANENT');
    await sweepProfiles(later(10_000));
    for (const input of [guest, member]) await assertErased(input);
    assert.deepEqual(await customers.end(guest), { ended: 'EXPIRED' });
  });

  it('lets a profile expire although its workflow is lost', async () => {
    const input = await customers.create({ expirationDate: soon() });
    await customers.lifecycle.clearPendingStart(
      input.organisationId,
      input.customerNumber,
      (await customers.stored(input)).revision,
    );
    await until(async () => Date.now() > ((await customers.stored(input)).expirationDate?.getTime() ?? 0));
    await sweepProfiles(later(10_000));
    await assertErased(input);
  });

  it('expires at an earlier date although the signal was lost', async () => {
    const input = await customers.create({ expirationDate: inOneHour() });
    await startTemporaryProfile(customers.temporal, input);
    const { customerNumber, organisationId } = input;
    const expirationDate = soon();
    const move = (present: ProfileContent): ProfileContent => ({ ...present, expirationDate });
    await customers.profiles.update(organisationId, customerNumber, 'TEMPORARY', move, request());
    await until(() => Date.now() > expirationDate.getTime());
    await sweepProfiles(later(10_000));
    await assertErased(input);
  });

  it('restarts a lost erasure', async () => {
    const input = await customers.create({ expirationDate: soon() });
    await until(
      async () => (await customers.lifecycle.expire(input.organisationId, input.customerNumber)) === 'EXPIRED',
    );
    let overdue = 0;
    const onOverdue = (profiles: number): void => {
      overdue = profiles;
    };
    await startLostErasures({ ...later(120_000), onOverdue });
    await assertErased(input);
    assert.ok(overdue >= 1);
    await startLostErasures({ ...later(120_000), onOverdue });
    assert.equal(overdue, 0);
  });

  it('leaves a converted profile unchanged in every sweep and for every late message', async () => {
    const input = await customers.create({ expirationDate: inOneHour() });
    const conversionId = await customers.prepare(input);
    assert.equal(
      await customers.lifecycle.convert(input.organisationId, input.customerNumber, conversionId),
      'CONVERTED',
    );
    await startTemporaryProfile(customers.temporal, input);
    assert.deepEqual(await customers.end(input), { ended: 'CONVERTED' });
    await startProfileErasure(customers.temporal, input);
    assert.equal((await customers.erased(input)).step, 'BLOCK');
    await sweepProfiles(later(2 * HOUR_MS));
    await startLostErasures(later(2 * HOUR_MS));
    const { status, profileType } = await customers.stored(input);
    assert.deepEqual([status, profileType], ['ACTIVE', 'PERMANENT']);
    assert.ok(await customers.keys.existsFor(CUSTOMER.subjectOf(input.customerNumber)));
  });

  it('erases stored answers about a customer with the profile', async () => {
    const input = await customers.create({ expirationDate: inOneHour() });
    const claimed = await customers.answers.claim('scope', ['fingerprint']);
    assert.ok(claimed.kind === 'claimed');
    const body = Buffer.from('{"firstName":"Kari"}');
    const answer = { status: 201, headers: {}, body, subject: CUSTOMER.subjectOf(input.customerNumber) };
    await customers.answers.finish(claimed.lease, answer, { mac: 'of it' });
    await customers.delete(input, 'TEMPORARY');
    await startProfileErasure(customers.temporal, input);
    await assertErased(input);
    assert.equal((await customers.answers.claim('scope', ['fingerprint'])).kind, 'erased');
  });

  it('removes keys without a profile after an hour, and never those of profiles', async () => {
    const { keys, lifecycle, log } = customers;
    const input = await customers.create({ expirationDate: inOneHour() });
    const orphan = CUSTOMER.subjectOf('9999999999' as CustomerNumber);
    const listKept = (subjects: readonly SubjectId[]) => lifecycle.listKept(subjects);
    const orphans = { kind: CUSTOMER.kind, keys, listKept, log };
    await keys.create({ subject: orphan, organisationId: 1 });
    await new OrphanKeySweep(orphans).run();
    assert.ok(await keys.existsFor(orphan));
    await new OrphanKeySweep({ ...orphans, now: () => new Date(Date.now() + 2 * HOUR_MS) }).run();
    assert.deepEqual(
      [await keys.existsFor(orphan), await keys.existsFor(CUSTOMER.subjectOf(input.customerNumber))],
      [false, true],
    );
    await rewrapKeys({ keys, log });
    await terminate(input).catch(() => {});
  });
});
