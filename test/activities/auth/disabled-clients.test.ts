/** What a process that verifies tokens knows of disabled clients: soon, in bounded room, and also while the database is away. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import pino from 'pino';
import { ClientStore } from '../../../activities/auth/client-store.ts';
import { DISABLED_KEPT_MS, DisabledClients } from '../../../activities/auth/disabled-clients.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { useMongo } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const RIGHTS = { name: 'Partner', organisationId: 1, codespaces: [], scopes: ['orders:read'] };
const log = pino({ level: 'silent' });

describe('disabled clients', () => {
  let connection: Connection;
  let uri: string;
  let clients: ClientStore;
  let disabled: DisabledClients | undefined;
  before(async () => {
    uri = (await useMongo()).uri(`disabled-${randomUUID().slice(0, 8)}`);
    connection = await connectMongo(uri);
  });
  beforeEach(async () => {
    await connection.dropDatabase();
    clients = new ClientStore(connection, randomBytes(32));
  });
  afterEach(async () => {
    await disabled?.stop();
    disabled = undefined;
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });
  const create = async () => (await clients.create(RIGHTS)).client.clientId;

  it('are known from the start, soon after, and forgotten when enabled', async () => {
    const [one, other, gone] = [await create(), await create(), await create()];
    await clients.disable(one);
    disabled = await DisabledClients.start({ connection, log, pollMs: 10 });
    const { includes } = disabled;
    assert.deepEqual([includes(one), includes(other), includes(gone)], [true, false, false]);
    await clients.disable(other);
    await clients.delete(gone);
    await clients.enable(one);
    await until(async () => includes(other) && includes(gone) && !includes(one));
  });

  it('are listed only as long as a token of theirs may live', async () => {
    const id = await create();
    await clients.disable(id);
    const later = () => new Date(Date.now() + DISABLED_KEPT_MS + 1_000);
    disabled = await DisabledClients.start({ connection, log, now: later });
    assert.equal(disabled.includes(id), false);
  });

  it('stay known while the database is unavailable, which is logged once, and are read again after', async () => {
    const [one, other] = [await create(), await create()];
    await clients.disable(one);
    const lines: string[] = [];
    const written = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
    const own = await connectMongo(uri);
    let away = false;
    let failures = 0;
    const reading = {
      collection: (name: string) => {
        const collection = own.collection(name);
        const find = collection.find.bind(collection);
        return Object.assign(Object.create(collection), {
          find: (...question: Parameters<typeof find>) => {
            if (!away) return find(...question);
            failures += 1;
            throw new Error('the database is away');
          },
        });
      },
    } as unknown as Connection;
    disabled = await DisabledClients.start({ connection: reading, log: written, pollMs: 10 });
    const { includes } = disabled;
    away = true;
    await clients.disable(other);
    await until(async () => failures > 3);
    assert.deepEqual([includes(one), includes(other)], [true, false]);
    assert.equal(lines.filter((line) => line.includes('cannot be read')).length, 1);
    away = false;
    await until(async () => includes(other));
    assert.equal(lines.filter((line) => line.includes('known again')).length, 1);
    await disabled.stop();
    await own.close();
  });

  it('must be known before anybody is let in', async () => {
    const closed = await connectMongo(uri);
    await closed.close();
    await assert.rejects(DisabledClients.start({ connection: closed, log }));
  });
});
