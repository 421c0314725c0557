import assert from 'node:assert/strict';
import { buildSchema, getIntrospectionQuery } from 'graphql';
import { IntrospectionAnswers } from '../../../../api/journey-planner/schema/introspection-answers.ts';
import { type Sent, send } from '../both-ways.ts';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

/** As query pages and generators send it. */
const FULL = getIntrospectionQuery({
  inputValueDeprecation: true,
  specifiedByUrl: true,
  schemaDescription: true,
  directiveIsRepeatable: true,
  oneOf: true,
});
const TYPES = '{ types { name description fields { name args { name type { name } } } enumValues { name } } }';
const roots = (count: number, root: string, name = 'a') =>
  Array.from({ length: count }, (_, at) => `${name}${at}: ${root}`).join(' ');

describe('GraphQL: introspection', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  async function assertRefused(query: string, limit: string): Promise<void> {
    const { status, body } = await town.ask('v3', query);
    assert.equal(status, 400, query.slice(0, 100));
    assert.equal(body.errors?.[0]?.extensions?.limit, limit);
    assert.equal(body.data, undefined);
  }

  it('is refused by its cost when it is much, through fragments too', async () => {
    const once = `__schema ${TYPES}`;
    for (const count of [15, 45]) await assertRefused(`{ ${roots(count, once)} }`, 'cost');
    const fragments = `fragment F on QueryType { ...G ${roots(8, once)} } fragment G on QueryType { ${roots(8, once, 'b')} }`;
    await assertRefused(`{ ...F } ${fragments}`, 'cost');
    assert.equal((await town.ask('v3', `{ ${roots(20, '__type(name: "Quay") { name }')} }`)).status, 200);
  });

  it('is made once, whatever variables come with a text that has none', () => {
    const answers = new IntrospectionAnswers(buildSchema('type Query { quay: String }'));
    const ask = (query: string, again: number) =>
      answers.answer({ query, operationName: undefined, variables: { again } });
    const first = ask(FULL, 0);
    assert.ok(first && first.length > 1_000);
    assert.equal(ask(FULL, 1), first);
    const named = 'query ($again: Boolean!) { __schema { queryType { name @include(if: $again) } } }';
    assert.equal(ask(named, 0), undefined);
  });

  it('is answered before there is a timetable, in the type of content asked for', async () => {
    const early = await startPlanner(undefined);
    const type = 'application/graphql-response+json';
    const { status, headers, body } = await early.post('v3', JSON.stringify({ query: FULL }), { accept: type });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), `${type}; charset=utf-8`);
    assert.equal(body.data.__schema.queryType.name, 'QueryType');
    assert.equal((await early.ask('v3', '{ quay(id: "x") { id } }')).status, 503);
    await early.close();
  });

  it('is sent as any answer is, and refused for what any question is refused for', async () => {
    const query = '{ __schema { queryType { name } } }';
    const accepts = [
      undefined,
      '*/*',
      'application/json; charset=utf-8, application/graphql-response+json;q=0.5',
      'text/html',
    ];
    for (const accept of accepts) {
      const ofSchema = await send(town, 'v3', JSON.stringify({ query }), accept);
      const other = await send(town, 'v3', JSON.stringify({ query: '{ __typename }' }), accept);
      const shown = ({ status, headers }: Sent) => [
        status,
        headers.filter((header) => !header.startsWith('Content-Length')),
      ];
      assert.deepEqual(shown(ofSchema), shown(other), accept);
      assert.ok(ofSchema.text.endsWith('}\n'));
    }
    for (const more of [
      { operationName: 5 },
      { extensions: 'x' },
      { extensions: { persistedQuery: { version: 1 } } },
    ]) {
      const ofSchema = await send(town, 'v3', JSON.stringify({ query, ...more }));
      const other = await send(town, 'v3', JSON.stringify({ query: '{ __typename }', ...more }));
      assert.deepEqual([ofSchema.status, ofSchema.text], [other.status, other.text]);
      assert.match(ofSchema.text, /errors/);
    }
  });

  it('says what is wrong with it as any question does', async () => {
    const { status, body } = await town.ask('v3', '{ __schema { type } }');
    assert.equal(status, 400);
    assert.match(body.errors?.[0]?.message ?? '', /Cannot query field "type" on type "__Schema"/);
    const missing = await town.ask('v3', 'query ($n: String!) { __type(name: $n) { name } }');
    assert.equal(missing.status, 400);
    assert.match(missing.body.errors?.[0]?.message ?? '', /"\$n"/);
  });

  /** As the answer comes, not parsed. */
  for (const dialect of ['v2', 'v3'] as const) {
    it(`is answered in full in ${dialect}, again and again`, async () => {
      const first = await town.ask(dialect, FULL);
      assert.equal(first.status, 200, JSON.stringify(first.body.errors));
      assert.ok(first.body.data.__schema.types.length > 50);
      assert.deepEqual((await town.ask(dialect, FULL)).body, first.body);
      assert.deepEqual((await town.ask(dialect, FULL)).body, first.body);
    });
  }

  it('with variables, or with other fields, is made for each', async () => {
    const query = 'query ($n: String!) { __type(name: $n) { name } }';
    for (const name of ['Quay', 'Line', 'Quay']) {
      assert.equal((await town.data('v3', query, { n: name })).__type.name, name);
    }
    const beside = '{ __type(name: "Quay") { name } quay(id: "x") { id } }';
    for (let again = 0; again < 3; again += 1) {
      assert.deepEqual(await town.data('v3', beside), { __type: { name: 'Quay' }, quay: null });
    }
  });
});

describe('GraphQL: operations that there are none of', () => {
  it('are refused as other invalid documents', async () => {
    const town = await startPlanner(openTown());
    for (const query of [
      'mutation { a }',
      'subscription { a }',
      'query A { serverInfo { version } } mutation B { a }',
    ]) {
      for (let again = 0; again < 2; again += 1) {
        const { status, body } = await town.ask('v3', query);
        assert.equal(status, 400);
        assert.match(body.errors?.[0]?.message ?? '', /only queries/);
        assert.equal(body.data, undefined);
      }
    }
    await town.close();
  });
});
