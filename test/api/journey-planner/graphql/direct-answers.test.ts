import assert from 'node:assert/strict';
import type { Timetable } from '../../../../planner/index.ts';
import { assertSameBothWays, newAccept, send } from '../both-ways.ts';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

const BOARD =
  'query ($id: String!, $n: Int) { quay(id: $id) { id name estimatedCalls(numberOfDepartures: $n) { date aimedDepartureTime } } }';
const TWO = 'query A { line(id: "TST:Line:1") { id } } query B { line(id: "TST:Line:2") { id name } }';
const LINES = '{ lines { id } }';
const quay = (more: object = {}) => ({ query: BOARD, variables: { id: 'NSR:Quay:20' }, ...more });

/** Answered without Apollo once they are known. */
const DIRECT: Readonly<Record<string, object>> = {
  'a board': quay(),
  'nothing found': quay({ variables: { id: 'no quay' } }),
  'no variables': { query: LINES },
  'variables that are null': { query: LINES, variables: null },
  'an operation by its name': { query: TWO, operationName: 'B' },
  'a name that is null': quay({ operationName: null }),
  'extensions that mean nothing': quay({ extensions: { clientLibrary: { name: 'x', version: '1' } } }),
  'extensions that are null': quay({ extensions: null }),
  'members that nobody knows': quay({ id: 7 }),
  'variables that are missing': quay({ variables: {} }),
  'variables that do not fit': quay({ variables: { id: 'NSR:Quay:20', n: 'many' } }),
  'a question that makes no sense': quay({ variables: { id: 'NSR:Quay:20', n: -1 } }),
  'one of two questions that makes no sense': {
    query:
      'query ($id: String!, $n: Int) { lines { id } quay(id: $id) { name estimatedCalls(numberOfDepartures: $n) { date } } }',
    variables: { id: 'NSR:Quay:20', n: -1 },
  },
  'letters beyond ASCII': quay({ variables: { id: 'NSR:Quay:20', n: 'fünf €' } }),
  'a trip, which is waited for': {
    query:
      '{ trip(from: { place: "NSR:Quay:20" }, to: { place: "NSR:Quay:10" }) { tripPatterns { duration } } line(id: "TST:Line:1") { id } }',
  },
};

/** Left to Apollo for ever. */
const OF_APOLLO: Readonly<Record<string, object>> = {
  'a name that no operation has': { query: TWO, operationName: 'C' },
  'no name where there are two': { query: TWO },
  'an empty name': quay({ operationName: '' }),
  'a name that is no text': quay({ operationName: 5 }),
  'extensions that are no object': quay({ extensions: 'x' }),
  'extensions that are a list': quay({ extensions: [] }),
  'a persisted query': quay({ extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }),
};

describe('GraphQL: answers without Apollo', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  for (const dialect of ['v2', 'v3'] as const) {
    for (const [name, body] of Object.entries(DIRECT)) {
      it(`are Apollo's to the byte in ${dialect}: ${name}`, async () => {
        const { answeredBy } = await assertSameBothWays(town, dialect, body);
        assert.equal(answeredBy, 'us');
      });
    }
    for (const [name, body] of Object.entries(OF_APOLLO)) {
      it(`are not given in ${dialect} to ${name}`, async () => {
        await send(town, dialect, JSON.stringify(quay()), '*/*');
        const { answeredBy } = await assertSameBothWays(town, dialect, body);
        assert.equal(answeredBy, 'Apollo');
      });
    }
  }

  it('have the media type that Apollo gives to their Accept, and its 406', async () => {
    const text = JSON.stringify(quay());
    for (const accept of [
      undefined,
      '*/*',
      '',
      'text/html',
      'application/graphql-response+json',
      'application/*;q=0.1',
    ]) {
      const apollo = await send(town, 'v3', text, accept);
      for (let again = 0; again < 3; again += 1) {
        const { answeredBy, ...sent } = await send(town, 'v3', text, accept);
        assert.deepEqual({ ...sent, answeredBy: apollo.answeredBy }, apollo, String(accept));
        assert.equal(answeredBy, apollo.status === 200 ? 'us' : 'Apollo', String(accept));
      }
    }
  });

  it('are refused by the same limits', async () => {
    const query = '{ lines { id quays { id } } quays { id } }';
    const narrow = await startPlanner(openTown(), { GRAPHQL_MAX_ITEMS: '3' });
    const refused = await assertSameBothWays(narrow, 'v3', { query });
    await narrow.close();
    assert.equal(refused.status, 400);
    assert.match(refused.text, /number of items/);
  });

  it('hide what fails inside', async () => {
    const broken = new Proxy(openTown(), {
      get: (timetable, name) => {
        if (name === 'geo') throw new Error('secret path /srv/data');
        return Reflect.get(timetable, name);
      },
    }) as Timetable;
    const failing = await startPlanner(broken);
    const query = '{ nearest(latitude: 59.9, longitude: 10.7) { edges { cursor } } line(id: "TST:Line:1") { id } }';
    const { text, answeredBy } = await assertSameBothWays(failing, 'v3', { query });
    await failing.close();
    assert.equal(answeredBy, 'us');
    assert.match(text, /Something went wrong here. The request is <id>/);
  });

  it('are Apollo’s again when the document was pushed out', async () => {
    const small = await startPlanner(openTown(), { GRAPHQL_CACHED_QUERIES: '2' });
    const ask = async (n: number) =>
      await send(small, 'v3', JSON.stringify({ query: `{ line(id: "${n}") { id } }` }), '*/*');
    const seen = [];
    for (const n of [1, 1, 2, 1, 3, 1, 2]) seen.push((await ask(n)).answeredBy);
    await small.close();
    assert.deepEqual(seen, ['Apollo', 'us', 'Apollo', 'us', 'Apollo', 'us', 'Apollo']);
  });

  it('go out however many kinds of Accept there were', async () => {
    const text = JSON.stringify(quay());
    for (let kind = 0; kind < 60; kind += 1) await send(town, 'v3', text, newAccept());
    await send(town, 'v3', text, '*/*');
    assert.equal((await send(town, 'v3', text, '*/*')).answeredBy, 'us');
  });
});
