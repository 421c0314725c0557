/** Callbacks to clients: noted once, sent until they are taken, given up after two days. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Connection } from 'mongoose';
import { CallbackRequests } from '../../../activities/payments/callback-requests.ts';
import { CALLBACKS_COLLECTION, ClientCallbacks } from '../../../activities/payments/client-callbacks.ts';
import { ProviderReports } from '../../../activities/payments/provider-reports.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { Payment, Transaction } from '../../../workflows/payments/rules/payment.ts';
import { receiveCallbacks } from '../../support/provider-simulator.ts';
import { useMongo } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))();
const START = new Date('2026-05-04T12:00:00Z');

describe('callbacks to clients', () => {
  let connection: Connection;
  let now = START;
  let callbacks: ClientCallbacks;
  before(async () => {
    connection = await connectMongo((await useMongo()).uri('client-callbacks'));
    await CALLBACKS_COLLECTION.ensureIndexes(connection);
    const log = createLog({ level: 'silent', name: 'callbacks' });
    // Addresses in clear, as earlier builds have stored them, need no key.
    const keys = new SubjectKeys({ connection, masterKeys: { writingKeyId: 'none', keys: new Map() } });
    callbacks = new ClientCallbacks({
      connection,
      keys,
      requests: new CallbackRequests({ open: true }),
      log,
      now: () => now,
    });
  });
  beforeEach(async () => {
    now = START;
    await CALLBACKS_COLLECTION.open(connection).deleteMany({});
  });
  after(async () => await connection.close());

  const noted = (
    callbackUrl: string | undefined,
    status = 'CAPTURED',
    { organisationId = 1, transactionId = 2 } = {},
  ) => ({
    payment: { id: 1, orderId: 'ABCDEFGH', organisationId } as unknown as Payment,
    transaction: { id: transactionId, status, session: { callbackUrl } } as unknown as Transaction,
  });
  const passes = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000);
  };

  it('are sent once for each final status, to one of many processes', async () => {
    const receiver = await receiveCallbacks([202, 202]);
    await Promise.all(Array.from({ length: 5 }, () => callbacks.note(noted(receiver.url))));
    await callbacks.note(noted(receiver.url, 'INITIATED'));
    await callbacks.note(noted(undefined, 'REJECTED'));
    await Promise.all([callbacks.sendDue(), callbacks.sendDue()]);
    await callbacks.note(noted(receiver.url));
    await callbacks.sendDue();
    receiver.close();
    assert.equal(receiver.received.length, 1);
    const body = JSON.parse(receiver.received[0]?.body.toString() ?? '');
    assert.deepEqual(body, { paymentId: 1, transactionId: 2, orderId: 'ABCDEFGH', status: 'CAPTURED' });
  });

  it('leave a mark without the address of the client, for thirty days', async () => {
    const receiver = await receiveCallbacks([202]);
    await callbacks.note(noted(receiver.url));
    await callbacks.sendDue();
    receiver.close();
    const stored = await CALLBACKS_COLLECTION.open(connection).find().toArray();
    const expiresAt = new Date(START.getTime() + 30 * 86_400_000);
    assert.deepEqual(stored, [{ _id: '2/CAPTURED', attempts: 1, createdAt: START, expiresAt }]);
    const indexes = await CALLBACKS_COLLECTION.open(connection).indexes();
    assert.equal(indexes.find(({ name }) => name === 'expiry')?.expireAfterSeconds, 0);
  });

  it('are repeated after 1 s, 2 s, 4 s until 202, and no other status', async () => {
    const receiver = await receiveCallbacks([200, 500, 302, 202]);
    await callbacks.note(noted(receiver.url));
    for (const [wait, count] of [
      [0, 1],
      [0, 1],
      [1, 2],
      [1, 2],
      [1, 3],
      [4, 4],
      [3_600, 4],
    ] as const) {
      passes(wait);
      await callbacks.sendDue();
      assert.equal(receiver.received.length, count, `after ${wait} s`);
    }
    receiver.close();
  });

  it('are given up after 48 hours', async () => {
    const receiver = await receiveCallbacks(Array.from({ length: 200 }, () => 500));
    await callbacks.note(noted(receiver.url));
    for (let hour = 0; hour < 60; hour += 1) {
      await callbacks.sendDue();
      passes(3_600);
    }
    const count = receiver.received.length;
    passes(3_600);
    await callbacks.sendDue();
    receiver.close();
    assert.equal(receiver.received.length, count);
    assert.ok(count >= 48 && count <= 50, `${count} attempts`);
  });

  it('wait for no receiver of another organisation that hangs', async () => {
    const hanging = createServer().listen(0, '127.0.0.1');
    let held = 0;
    hanging.on('request', () => {
      held += 1;
    });
    await once(hanging, 'listening');
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;
    for (let at = 0; at < 100; at += 1) await callbacks.note(noted(url, 'CAPTURED', { transactionId: 10 + at }));
    passes(1);
    const receiver = await receiveCallbacks([202]);
    await callbacks.note(noted(receiver.url, 'CAPTURED', { organisationId: 2 }));
    const sending = callbacks.sendDue();
    await receiver.untilReceived(1);
    assert.ok(held <= 5, `${held} at once`);
    hanging.close();
    hanging.closeAllConnections();
    receiver.close();
    await sending;
  });

  it('keep no idle connection to a receiver for long', async () => {
    const receiver = createServer((_request, response) => response.writeHead(202).end());
    // It closes none itself, and says nothing about it.
    receiver.keepAliveTimeout = 0;
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const requests = new CallbackRequests({ open: true, idleMs: 100 });
    const { port } = receiver.address() as AddressInfo;
    const { signal } = new AbortController();
    assert.equal(await requests.send({ url: `http://127.0.0.1:${port}/`, body: '{}', signal }), 202);
    await until(async () => (await connectionsOf(receiver)) === 0, { what: 'an idle connection that is closed' });
    receiver.close();
  });

  it('reach no private address outside development', async () => {
    const receiver = await receiveCallbacks();
    const guarded = new CallbackRequests({ open: false });
    const signal = new AbortController().signal;
    assert.equal(await guarded.send({ url: receiver.url, body: '{}', signal }), 'FAILED');
    const https = receiver.url.replace('http:', 'https:');
    assert.equal(await guarded.send({ url: https, body: '{}', signal }), 'FAILED');
    receiver.close();
    assert.equal(receiver.received.length, 0);
  });

  it('of providers are taken once, and again after they have failed', async () => {
    const reports = new ProviderReports(connection);
    let taken = 0;
    const take = async () => {
      taken += 1;
      if (taken === 1) throw new Error('died');
    };
    await assert.rejects(reports.takeOnce('P', 'r-1', take));
    await reports.takeOnce('P', 'r-1', take);
    await reports.takeOnce('P', 'r-1', take);
    assert.equal(taken, 2);
  });
});
