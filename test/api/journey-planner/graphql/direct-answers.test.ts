import assert from 'node:assert/strict';
import type { Timetable } from '../../../../planner/index.ts';
import { assertSameAnswers, newAccept, send } from '../both-executors.ts';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

const BOARD =
  'query ($id: String!, $n: Int) { quay(id: $id) { id name estimatedCalls(numberOfDepartures: $n) { date aimedDepartureTime } } }';
const TWO = 'query A { line(id: "TST:Line:1") { id } } query B { line(id: "TST:Line:2") { id name } }';
const LINES = '{ lines { id } }';
const quay = (more: object = {}) => ({ query: BOARD, variables: { id: 'NSR:Quay:20' }, ...more });

/** Queries that are answered without Apollo once their documents are cached. */
const DIRECT: Readonly<Record<string, object>> = {
  'a board': quay(),
  'an empty result': quay({ variables: { id: 'no quay' } }),
  'no variables': { query: LINES },
  'variables that are null': { query: LINES, variables: null },
  'an operation by its name': { query: TWO, operationName: 'B' },
  'a name that is null': quay({ operationName: null }),
  'extensions without a meaning': quay({ extensions: { clientLibrary: { name: 'x', version: '1' } } }),
  'extensions that are null': quay({ extensions: null }),
  'unknown members': quay({ id: 7 }),
  'missing variables': quay({ variables: {} }),
  'invalid variables': quay({ variables: { id: 'NSR:Quay:20', n: 'many' } }),
  'an invalid argument': quay({ variables: { id: 'NSR:Quay:20', n: -1 } }),
  'two fields, one invalid': {
    query:
      'query ($id: String!, $n: Int) { lines { id } quay(id: $id) { name estimatedCalls(numberOfDepartures: $n) { date } } }',
    variables: { id: 'NSR:Quay:20', n: -1 },
  },
  'letters beyond ASCII': quay({ variables: { id: 'NSR:Quay:20', n: 'fünf €' } }),
  'a trip, which is asynchronous': {
    query:
      '{ trip(from: { place: "NSR:Quay:20" }, to: { place: "NSR:Quay:10" }) { tripPatterns { duration } } line(id: "TST:Line:1") { id } }',
  },
};

/** Queries that Apollo always answers. */
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
      it(`equal Apollo's to the byte in ${dialect}: ${name}`, async () => {
        const { answeredBy } = await assertSameAnswers(town, dialect, body);
        assert.equal(answeredBy, 'direct');
      });
    }
    for (const [name, body] of Object.entries(OF_APOLLO)) {
      it(`are not given in ${dialect} to ${name}`, async () => {
        await send(town, dialect, JSON.stringify(quay()), '*/*');
        const { answeredBy } = await assertSameAnswers(town, dialect, body);
        assert.equal(answeredBy, 'Apollo');
      });
    }
  }

  it('have the media type and the 406 of Apollo for each Accept', async () => {
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
        assert.equal(answeredBy, apollo.status === 200 ? 'direct' : 'Apollo', String(accept));
      }
    }
  });

  it('have the same limits', async () => {
    const query = '{ lines { id quays { id } } quays { id } }';
    const narrow = await startPlanner(openTown(), { GRAPHQL_MAX_ITEMS: '3' });
    const refused = await assertSameAnswers(narrow, 'v3', { query });
    await narrow.close();
    assert.equal(refused.status, 400);
    assert.match(refused.text, /number of items/);
  });

  it('hide internal failures', async () => {
    const broken = new Proxy(openTown(), {
      get: (timetable, name) => {
        if (name === 'geo') throw new Error('secret path /srv/data');
        return Reflect.get(timetable, name);
      },
    }) as Timetable;
    const failing = await startPlanner(broken);
    const query = '{ nearest(latitude: 59.9, longitude: 10.7) { edges { cursor } } line(id: "TST:Line:1") { id } }';
    const { text, answeredBy } = await assertSameAnswers(failing, 'v3', { query });
    await failing.close();
    assert.equal(answeredBy, 'direct');
    assert.match(text, /Something went wrong here. The request is <id>/);
  });

  it('are Apollo’s again when the document has left the cache', async () => {
    const small = await startPlanner(openTown(), { GRAPHQL_CACHED_QUERIES: '2' });
    const sendQuery = async (n: number) =>
      await send(small, 'v3', JSON.stringify({ query: `{ line(id: "${n}") { id } }` }), '*/*');
    const seen = [];
    for (const n of [1, 1, 2, 1, 3, 1, 2]) seen.push((await sendQuery(n)).answeredBy);
    await small.close();
    assert.deepEqual(seen, ['Apollo', 'direct', 'Apollo', 'direct', 'Apollo', 'direct', 'Apollo']);
  });

  it('continue after very many different Accept headers', async () => {
    const text = JSON.stringify(quay());
    for (let kind = 0; kind < 60; kind += 1) await send(town, 'v3', text, newAccept());
    await send(town, 'v3', text, '*/*');
    assert.equal((await send(town, 'v3', text, '*/*')).answeredBy, 'direct');
  });
});
