/**
 * An unknown client, a wrong secret and a disabled client must get the same answer after the same work. This test
 * compares database commands, which do not depend on load. `npm run bench:token` compares the times of 2,000 requests
 * each.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Connection, createConnection } from 'mongoose';
import { makeDisabledList } from '../support/disabled-list.ts';
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
    const secretKey = randomBytes(32);
    await makeDisabledList(connection, secretKey);
    auth = await startAuth({ connection, secretKey });
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

  /** The answer to a token request, and the database commands for it. */
  async function requestToken(client_id: string, client_secret: string, address: string) {
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
    const wrong = await requestToken('known', 'not-the-secret', '10.0.0.1');
    assert.equal(wrong.status, 401);
    assert.deepEqual(await requestToken('nobody', 'not-the-secret', '10.0.0.2'), wrong);
    assert.deepEqual(await requestToken('disabled', 'not-the-secret', '10.0.0.3'), wrong);
    assert.deepEqual(await requestToken('disabled', CLIENT.client_secret, '10.0.0.4'), wrong);
    assert.deepEqual(
      wrong.commands.filter((each) => each.startsWith('findAndModify')),
      ['findAndModify client_failures', 'findAndModify client_failures'],
    );
  });

  it('writes nothing when the client is accepted', async () => {
    const { status, commands: asked } = await requestToken('known', CLIENT.client_secret, '10.0.0.5');
    assert.equal(status, 200);
    assert.ok(
      asked.every((each) => each.startsWith('find ')),
      asked.join(),
    );
  });
});
