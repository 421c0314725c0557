/**
 * Kills and pauses real events processes while documents are written. The event log must be complete and in order, and so
 * must what a webhook receives.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { EventLogStore } from '../../activities/events/event-log-store.ts';
import { WebhookSecrets } from '../../activities/events/webhooks/webhook-secrets.ts';
import { WebhookStore } from '../../activities/events/webhooks/webhook-store.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { parseKeyRing } from '../../platform/keys/key-ring.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import type { WebhookId } from '../../workflows/shared/ids.ts';
import { brokenRules, ONE, orderEvent, TOPIC } from '../activities/events/support.ts';
import { Receiver } from '../activities/events/webhooks/receiver.ts';
import { useMongo } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** One of the collections that the process relays. */
const COLLECTION = 'customer_profiles';
const AGGREGATES = Array.from({ length: 10 }, (_, index) => `O${index}`);
/** About two hundred events a second, so the relay rarely rests. */
const PAUSE_MS = 50;
/** Thousands of events, in some eight seconds on a fast machine. */
const DELIVERED_MS = 120_000;

const WEBHOOK_KEYS = `test:${randomBytes(32).toString('base64')}`;

interface EventsProcess {
  readonly child: ChildProcess;
  leads(): Promise<boolean>;
}

async function startProcess(uri: string): Promise<EventsProcess> {
  const child = spawn(process.execPath, ['workers/main.ts', 'events-worker'], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ENVIRONMENT: 'development', MONGODB_URI: uri, PORT: '0', LOG_LEVEL: 'info', WEBHOOK_KEYS },
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg, url } = JSON.parse(line) as { msg: string; url: string };
      if (msg === 'ready') resolve(url);
    });
  });
  const leads = async () => {
    const metrics = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(2_000) });
    return /^events_relay_leader 1$/m.test(await metrics.text());
  };
  return { child, leads };
}

async function createWebhook(connection: Connection, url: string): Promise<void> {
  const owner = { _id: randomUUID() as WebhookId, organisationId: ONE };
  const secrets = new WebhookSecrets(parseKeyRing(WEBHOOK_KEYS, 'WEBHOOK_KEYS'));
  const content = { url, topics: [TOPIC], positions: { [TOPIC]: 0 }, createdAt: new Date() };
  const store = new WebhookStore(connection);
  await store.ensureIndexes();
  await store.create({ ...owner, ...content, ...secrets.seal(owner, 'a secret of the receiver') });
}

describe('the event relay, killed or paused while events are written', () => {
  let uri: string;
  let connection: Connection;
  let log: EventLogStore;
  let receiver: Receiver;
  const processes: EventsProcess[] = [];

  before(async () => {
    uri = (await useMongo()).uri(`events_kill_${randomUUID().slice(0, 8)}`);
    connection = await connectMongo(uri);
    log = new EventLogStore(connection);
    receiver = await Receiver.open();
    await createWebhook(connection, receiver.url);
    processes.push(await startProcess(uri), await startProcess(uri));
  });
  after(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await receiver.close();
    await connection.dropDatabase();
    await connection.close();
  });

  async function leader(): Promise<EventsProcess> {
    let found: EventsProcess | undefined;
    await until(
      async () => {
        for (const each of processes) if (await each.leads().catch(() => false)) found = each;
        return found !== undefined;
      },
      { what: 'a leader' },
    );
    if (!found) throw new Error('no process leads');
    return found;
  }

  async function moveOn(): Promise<void> {
    const before = await log.lastOffset(TOPIC);
    await until(async () => (await log.lastOffset(TOPIC)) > before + 20, { what: 'further events' });
  }

  /** Writes without pause until stopped; resolves to the number of events by aggregate. */
  function write(): () => Promise<ReadonlyMap<string, number>> {
    let writing = true;
    const documents = connection.collection<{ _id: string; outbox: object[] }>(COLLECTION);
    const counts = AGGREGATES.map(async (_id) => {
      let sequence = 0;
      while (writing) {
        sequence += 1;
        await documents.updateOne({ _id }, { $push: { outbox: orderEvent(_id, sequence) } }, { upsert: true });
        await delay(PAUSE_MS);
      }
      return [_id, sequence] as const;
    });
    return async () => {
      writing = false;
      return new Map(await Promise.all(counts));
    };
  }

  it('loses no event, repeats none and keeps their order', async () => {
    const stop = write();
    await moveOn();
    for (let round = 0; round < 3; round += 1) {
      const victim = await leader();
      await delay(round * 37);
      victim.child.kill('SIGKILL');
      processes.splice(processes.indexOf(victim), 1, await startProcess(uri));
      await moveOn();
    }
    for (let round = 0; round < 2; round += 1) {
      const paused = await leader();
      await delay(round * 23);
      paused.child.kill('SIGSTOP');
      await moveOn();
      paused.child.kill('SIGCONT');
      await moveOn();
    }
    const counts = await stop();
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    await until(async () => (await log.lastOffset(TOPIC)) >= total, { what: 'the last events' });
    await until(
      async () => (await connection.collection(COLLECTION).countDocuments({ 'outbox.0': { $exists: true } })) === 0,
    );
    const logged = await log.list(TOPIC, 'ANY', { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 1_000_000 });
    assert.deepEqual(brokenRules(logged, counts), []);
    assert.equal(logged.length, total);
    // Nearly all of them wait by now: each kill and pause has also stopped the deliveries, until a lease ended.
    await until(() => receiver.ids().length === total, { timeoutMs: DELIVERED_MS, what: 'every event at the webhook' });
    for (const [key, count] of counts) {
      const numbers = receiver
        .ids()
        .flatMap((id) => (id.startsWith(`order/${key}/`) ? [Number(id.split('/')[2])] : []));
      assert.deepEqual(
        numbers,
        Array.from({ length: count }, (_, index) => index + 1),
      );
    }
  });

  it('hands the lead over at once when its process stops', async () => {
    const leading = await leader();
    const other = processes.find((each) => each !== leading);
    const gone = new Promise<number | null>((resolve) => leading.child.once('exit', resolve));
    leading.child.kill('SIGTERM');
    assert.equal(await gone, 0);
    await until(async () => (await other?.leads()) === true, { timeoutMs: 3_000, what: 'the other to lead' });
  });
});
