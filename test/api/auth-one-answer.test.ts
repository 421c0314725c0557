/**
 * Unknown client, wrong secret, disabled client: the same answer after the same work. The short twin of `npm run bench:token`, which
 * compares the times of 2,000 each: here the commands to the database are compared, which no busy machine changes.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Connection, createConnection } from 'mongoose';
import { useMongo } from '../support/stack.ts';
import { AUDIENCE, type AuthServer, CLIENT, startAuth } from './support/auth.ts';

interface CommandStarted {
  readonly commandName: string;
  readonly command: Readonly<Record<string, unknown>>;
}

describe('a refused token request', () => {
  let connection: Connection;
  let auth: AuthServer;
  const commands: string[] = [];

  before(async () => {
    const { uri } = await useMongo();
    const database = uri(`auth-answer-${randomUUID().slice(0, 8)}`);
    connection = await createConnection(database, { monitorCommands: true }).asPromise();
    auth = await startAuth({ connection });
    for (const client_id of ['known', 'disabled']) await auth.clients.ensureClient({ ...CLIENT, client_id });
    await auth.clients.disable('disabled');
    connection.getClient().on('commandStarted', ({ commandName, command }: CommandStarted) => {
      commands.push(`${commandName} ${String(command[commandName])}`);
    });
  });
  after(async () => {
    await auth.close();
    await connection.close();
  });

  /** What came, and what the database was asked for meanwhile. */
  async function ask(client_id: string, client_secret: string, address: string) {
    commands.length = 0;
    const response = await fetch(`${auth.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ grant_type: 'client_credentials', audience: AUDIENCE, client_id, client_secret }),
    });
    const { date: _, 'x-correlation-id': __, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: await response.text(), commands: commands.toSorted() };
  }

  it('gets the same answer after the same work, for every reason', async () => {
    const wrong = await ask('known', 'not-the-secret', '10.0.0.1');
    assert.equal(wrong.status, 401);
    assert.deepEqual(await ask('nobody', 'not-the-secret', '10.0.0.2'), wrong);
    assert.deepEqual(await ask('disabled', 'not-the-secret', '10.0.0.3'), wrong);
    assert.deepEqual(await ask('disabled', CLIENT.client_secret, '10.0.0.4'), wrong);
    assert.deepEqual(
      wrong.commands.filter((each) => each.startsWith('findAndModify')),
      ['findAndModify client_failures', 'findAndModify client_failures'],
    );
  });

  it('writes nothing when the client is accepted', async () => {
    const { status, commands: asked } = await ask('known', CLIENT.client_secret, '10.0.0.5');
    assert.equal(status, 200);
    assert.ok(
      asked.every((each) => each.startsWith('find ')),
      asked.join(),
    );
  });
});
