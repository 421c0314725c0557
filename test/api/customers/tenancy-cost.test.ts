/**
 * The database must do the same work for a customer of another organisation as for an absent one, so that time does not
 * reveal existence. The work comes from the database's profiler. `npm run bench:tenancy` measures times.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { problemOf } from '../support/call.ts';
import { CHANGED_BY, type CustomersServer, newProfile, OTHER, startCustomers, WEB } from './support.ts';

interface Names {
  readonly number: string;
  readonly reference: string;
  readonly email: string;
}

interface Question {
  readonly method: string;
  readonly path: (names: Names) => string;
  readonly body?: unknown;
}

const at = (method: string, below: string, body?: unknown): Question => ({
  method,
  path: ({ number }) => `/profiles/${number}${below}`,
  body,
});
const ID = randomUUID();
const consent = { consentCode: 'NEWSLETTER', consentChoice: true, distributionChannel: WEB };
const home = { type: 'HOME', addressLines: ['Storgata 1'], postCode: '0155', postTown: 'Oslo', countryCode: 'NO' };
const QUESTIONS: readonly Question[] = [
  at('GET', ''),
  { method: 'GET', path: ({ reference }) => `/profiles/${reference}` },
  { method: 'GET', path: ({ reference }) => `/profiles/${reference}?organisationId=1` },
  { method: 'GET', path: ({ email }) => `/profiles-search?email=${email}` },
  { method: 'GET', path: ({ email }) => `/profiles-search?email=${email}&organisationId=1` },
  at('PUT', '', { firstName: 'Ola', surname: 'Nordmann', email: 'ola@example.no', ...CHANGED_BY }),
  at('PATCH', '', { firstName: 'Ola', ...CHANGED_BY }),
  at('PATCH', '', { nonsense: true }),
  at('DELETE', ''),
  at('GET', '/consents'),
  at('POST', '/consents', consent),
  at('GET', `/consents/${ID}`),
  at('PUT', `/consents/${ID}`, consent),
  at('DELETE', `/consents/${ID}`),
  at('GET', `/consents/${ID}/history`),
  at('GET', '/postal-addresses'),
  at('POST', '/postal-addresses', home),
  at('PUT', '/preferences/seat', { value: 'window' }),
  at('GET', '/e-cards'),
  at('GET', `/loyalty-programs/${ID}`),
];

describe("the database does the same for another organisation's customer as for an absent one", () => {
  let server: CustomersServer;
  let there: Names;
  before(async () => {
    server = await startCustomers();
    there = { number: '', reference: randomUUID(), email: `${randomUUID()}@example.no` };
    const number = await server.createProfile({ customerRef: there.reference, email: there.email });
    there = { ...there, number };
    // The asking organisation has a profile too, so that no index is empty for it.
    await server.call('/profiles/', { token: OTHER, body: newProfile({ organisationId: 2 }) });
  });
  after(async () => await server.close());

  for (const question of QUESTIONS) {
    const { method, path, body } = question;
    const shown = path({ number: '{number}', reference: '{reference}', email: '{email}' }).replace(ID, '{id}');
    it(`${method} ${shown}${body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 24)}…`}`, async () => {
      const absent = { number: '1234567890', reference: randomUUID(), email: `${randomUUID()}@example.no` };
      const [foreign, none] = [await workFor(question, there), await workFor(question, absent)];
      assert.deepEqual(foreign, none);
      assert.ok(foreign.every(({ docsExamined }) => docsExamined === 0));
    });
  }

  it("but more for the organisation's own customer, so the profiler does record work", async () => {
    const number = await server.createProfile({ organisationId: 2 }, OTHER);
    const own = await workFor(at('GET', ''), { ...there, number }, 200);
    assert.ok(own.some(({ docsExamined }) => docsExamined > 0));
  });

  /** The statements that the database executed for the request. */
  async function workFor({ method, path, body }: Question, names: Names, expected?: number): Promise<Work[]> {
    const databases = [server.connection, server.connection.useDb(`${server.connection.name}-keys`)];
    for (const database of databases) await profile(database, 2);
    const answer = await server.call(path(names), { method, token: OTHER, body });
    for (const database of databases) await profile(database, 0);
    if (expected !== undefined) assert.equal(answer.status, expected);
    else if (path(names).includes('search')) assert.deepEqual([answer.status, answer.json.items], [200, []]);
    else assert.equal(problemOf(answer), '404 NOT_FOUND');
    return (await Promise.all(databases.map(takeWork))).flat();
  }
});

interface Work {
  readonly op: string;
  readonly ns: string;
  readonly planSummary: string;
  readonly keysExamined: number;
  readonly docsExamined: number;
}

async function profile(database: Connection, level: 0 | 2): Promise<void> {
  if (level === 2) await database.collection('system.profile').drop();
  await database.db?.command({ profile: level, slowms: 100 });
}

async function takeWork(database: Connection): Promise<Work[]> {
  const entries = database.collection<Work & { _id: never; ts: Date }>('system.profile');
  const work = await entries
    .find({ ns: { $not: /system\.|\$cmd/ } })
    .sort({ ts: 1 })
    .toArray();
  return work.map(({ op, ns, planSummary, keysExamined, docsExamined }) => ({
    op,
    ns,
    planSummary,
    keysExamined,
    docsExamined,
  }));
}
