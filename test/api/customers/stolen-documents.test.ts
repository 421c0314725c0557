/**
 * Tests that an attacker who writes to the database, but has no key, shows nothing to another organisation. The answer
 * is that to a broken document, so that the log tells of it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { problemOf } from '../support/call.ts';
import { type CustomersServer, newProfile, OTHER, OWN, startCustomers } from './support.ts';

const SURNAME = 'Nordmann-Ødegård';

describe('a stolen document', () => {
  let server: CustomersServer;
  beforeEach(async () => {
    server = await startCustomers();
  });
  afterEach(async () => {
    await server.close();
  });

  it('shows no profile that was moved to another organisation', async () => {
    const number = await server.createProfile({ surname: SURNAME });
    const profiles = server.connection.collection('customer_profiles');
    await profiles.updateOne({ _id: number as never }, { $set: { organisationId: 2 } });
    const stolen = await server.call(`/profiles/${number}`, { token: OTHER });
    assert.equal(problemOf(stolen), '500 INTERNAL');
    assert.doesNotMatch(stolen.text, /Nordmann/);
    assert.equal((await server.call(`/profiles/${number}`, { token: OWN })).status, 404);
    await profiles.updateOne({ _id: number as never }, { $set: { organisationId: 1 } });
    assert.equal((await server.call(`/profiles/${number}`, { token: OWN })).json.surname, SURNAME);
  });

  it('shows no stored answer that was moved to the key of another request', async () => {
    const create = async (token: string, key: string, content: object) => {
      const headers = { 'idempotency-key': key };
      return await server.call('/profiles/', { body: newProfile(content), token, headers });
    };
    const [ours, theirs] = [randomUUID(), randomUUID()];
    const theirProfile = { organisationId: 2, email: 'bo@example.no' };
    assert.equal((await create(OWN, ours, { surname: SURNAME, email: 'kari@example.no' })).status, 201);
    const keys = server.connection.collection('idempotency_keys');
    const stored = (await keys.findOne({})) ?? assert.fail('no stored answer');
    assert.equal((await create(OTHER, theirs, theirProfile)).status, 201);
    const { answer, subject } = stored;
    await keys.updateOne({ _id: { $ne: stored._id } }, { $set: { answer, subject } });
    const stolen = await create(OTHER, theirs, theirProfile);
    assert.equal(problemOf(stolen), '500 IDEMPOTENCY_ANSWER_INVALID');
    assert.doesNotMatch(stolen.text, /Nordmann/);
    const repeated = await create(OWN, ours, { surname: SURNAME, email: 'kari@example.no' });
    assert.deepEqual([repeated.status, repeated.json.surname], [201, SURNAME]);
  });
});
