/** Mailings in a real database: what the sweep tells of them, and what is left of them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { DeliverySweep } from '../../../activities/tickets/delivery/delivery-sweep.ts';
import { TICKET_MAILS } from '../../../activities/tickets/mail-document.ts';
import { MailingStore, type NewMailing } from '../../../activities/tickets/mailing-store.ts';
import { PendingReissues } from '../../../activities/tickets/pending-reissues.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { OrderId, OrderLineId } from '../../../workflows/shared/ids.ts';
import { afterPlan } from '../../../workflows/tickets/rules/held-lines.ts';
import type { Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { later, NOW, OURS } from '../../support/sample-orders.ts';
import { useMongo } from '../../support/stack.ts';

const WORKFLOW = 'deliver/K7QW2MXP/v1';

describe('mailings of tickets', () => {
  let connection: Connection;
  let now: Date;
  let mailings: MailingStore;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri(`mailings_${randomUUID()}`));
    await TICKET_MAILS.ensureIndexes(connection);
  });
  beforeEach(async () => {
    await TICKET_MAILS.open(connection).deleteMany({});
    now = NOW;
    mailings = new MailingStore({ connection, now: () => now });
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const asked = (id: string, more: Partial<NewMailing> = {}): NewMailing => ({
    ...{ id, organisationId: OURS, orderId: 'K7QW2MXP' as OrderId, orderVersion: 1, workflow: WORKFLOW },
    ...{ wish: { kind: 'ASKED', resend: false, isGiven: true }, correlationId: 'c', ...more },
  });

  it('whose tickets are still not made after a minute are late', async () => {
    await mailings.create(asked('asked/1'));
    const late: number[] = [];
    const sweep = new DeliverySweep({
      ...{ mailings, reissues: new PendingReissues(connection), log: silentLog },
      temporal: {} as never,
      onLate: (count) => late.push(count),
    });
    await sweep.startLate();
    now = later(2);
    await sweep.startLate();
    await mailings.change(OURS, 'asked/1', (mailing) => ({ ...mailing, state: 'DONE' }));
    await sweep.startLate();
    assert.deepEqual(late, [0, 1, 0]);
  });

  it('that cannot be planned, however many, hold back no new one', async () => {
    const started: string[] = [];
    // Its workflows start, and plan nothing.
    const start = async (_type: unknown, { workflowId }: { readonly workflowId: string }) =>
      void started.push(workflowId);
    const withDeadline = async (call: (client: unknown) => unknown) => await call({ workflow: { start } });
    const temporal = { withDeadline } as never;
    const sweep = new DeliverySweep({ mailings, reissues: new PendingReissues(connection), temporal, log: silentLog });
    const confirm = async (orderId: string) =>
      await mailings.create(
        asked(`deliver/${orderId}/v1`, { orderId: orderId as OrderId, wish: { kind: 'CONFIRMED' } }),
      );
    await Promise.all(Array.from({ length: 200 }, async (_, at) => await confirm(`STUCK${at}`)));
    await sweep.startPending();
    assert.equal(started.length, 200);
    now = later(0.05);
    await confirm('NEW');
    await sweep.startPending();
    await sweep.startPending();
    assert.deepEqual(started.slice(200), ['deliver/NEW/v1']);
    now = later(1);
    for (let at = 0; at < 3; at += 1) await sweep.startPending();
    assert.equal(started.length, 402);
  });

  it('whose workflow takes no update are told after a pause, and hold up no other order', async () => {
    let told = 0;
    let answer: () => Promise<void> = () => Promise.reject(new Error('no answer'));
    const withDeadline = () => {
      told += 1;
      return answer();
    };
    const temporal = { withDeadline } as never;
    const sweep = new DeliverySweep({ mailings, reissues: new PendingReissues(connection), temporal, log: silentLog });
    await mailings.create(asked('asked/1'));
    now = later(1);
    for (let turn = 0; turn < 3; turn += 1) await sweep.startPending();
    assert.equal(told, 1);
    answer = () => new Promise(() => {});
    for (let at = 2; at < 60; at += 1) await mailings.create(asked(`asked/${at}`));
    await mailings.create(asked('asked/other', { orderId: 'OTHER' as OrderId }));
    now = later(3);
    await sweep.startPending();
    assert.equal(told, 1 + 5 + 1);
  });

  it('that are held are tried ever more seldom, also where the sweep has put them off meanwhile', async () => {
    const held = 'a' as OrderLineId;
    const planned = (of: Mailing, underRefund: readonly OrderLineId[], unmade: readonly OrderLineId[]) => {
      const plan = { of, mails: [], unaddressed: 0, underRefund, unmade };
      return mailings.change(OURS, of.id, (before) => afterPlan(before, plan, now));
    };
    const pauseMs = async () => ((await mailings.get(OURS, 'asked/1')).planAgainAt?.getTime() ?? 0) - now.getTime();
    await planned(await mailings.create(asked('asked/1')), [], [held]);
    now = later(300);
    const slow = await mailings.get(OURS, 'asked/1');
    await mailings.postpone(['asked/1'], later(300.5));
    await planned(slow, [], [held]);
    assert.equal(await pauseMs(), 600_000);
    // What ends meanwhile is planned at once.
    const next = await mailings.get(OURS, 'asked/1');
    await mailings.release(OURS, next.orderId, [held]);
    await planned(next, [held], []);
    assert.equal(await pauseMs(), 0);
  });

  it('forget the address that was given once they are settled', async () => {
    const address = { sealed: new Uint8Array([1, 2]), keyId: 'k', fingerprint: 'f' };
    for (const state of ['DONE', 'REFUSED'] as const) {
      await mailings.create(asked(`asked/${state}`, { address }));
      await mailings.change(OURS, `asked/${state}`, (mailing) => ({ ...mailing, state: 'OPEN' }));
      assert.ok(await mailings.findAddress(OURS, `asked/${state}`));
      await mailings.change(OURS, `asked/${state}`, (mailing) => ({ ...mailing, state }));
      assert.equal(await mailings.findAddress(OURS, `asked/${state}`), undefined);
      assert.equal((await mailings.get(OURS, `asked/${state}`)).addressFingerprint, 'f');
    }
    const kept = { $or: [{ sealedAddress: { $exists: true } }, { keyId: { $exists: true } }] };
    assert.equal(await TICKET_MAILS.open(connection).countDocuments(kept), 0);
  });

  it('are counted for one version, without the one that is repeated', async () => {
    for (const id of ['asked/1', 'asked/2', 'asked/3']) await mailings.create(asked(id));
    await mailings.create(asked('asked/4', { workflow: 'deliver/K7QW2MXP/v2' }));
    const place = { organisationId: OURS, workflow: WORKFLOW };
    assert.equal(await mailings.countOthers({ ...place, id: 'asked/1' }, 100), 2);
    assert.equal(await mailings.countOthers({ ...place, id: 'asked/5' }, 100), 3);
    assert.equal(await mailings.countOthers({ ...place, id: 'asked/5' }, 2), 2);
  });
});
