/** Tests that one organisation's many passwords do not make the requests of another one fail. */
import assert from 'node:assert/strict';
import { Passwords } from '../../../activities/customers/passwords.ts';
import { type Answer, problemOf } from '../support/call.ts';
import { type CustomersServer, newProfile, OTHER, OWN, startCustomers } from './support.ts';

const PASSWORD = 'correct horse battery';
const WAITING = 20;

describe('many passwords at once', () => {
  let server: CustomersServer;
  before(async () => {
    const passwords = new Passwords({ waitingPerOrganisation: WAITING, cost: { ln: 14, r: 8, p: 1 } });
    server = await startCustomers({ passwords });
  });
  after(async () => {
    await server.close();
  });
  const create = (organisationId: number, token: string) =>
    server.call('/profiles/', { body: newProfile({ password: PASSWORD, organisationId }), token });

  it('are refused for the organisation that sends them, and for no other', async () => {
    const refused = Promise.withResolvers<Answer>();
    const flood = Array.from({ length: 110 }, async () => {
      const answer = await create(1, OWN);
      if (answer.status !== 201) refused.resolve(answer);
      return answer;
    });
    const [first] = await Promise.all([refused.promise]);
    const other = await create(2, OTHER);
    assert.equal(other.status, 201, other.text);
    assert.equal(problemOf(first), '429 RATE_LIMITED');
    assert.match(first.headers.get('retry-after') ?? '', /^\d+$/);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([201, 429]));
    assert.ok(statuses.filter((status) => status === 201).length >= WAITING);
  });
});
