import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { resolverMap, typeOf } from '../../../../api/journey-planner/resolvers/resolver-map.ts';
import { IntrospectionAnswers } from '../../../../api/journey-planner/schema/introspection-answers.ts';
import { loadSchema } from '../../../../api/journey-planner/schema/load-schema.ts';
import { type Sent, send } from '../both-executors.ts';
import { openTown } from './network.ts';
import { ENVIRONMENT, type PlannerProcess, startPlanner } from './planner-process.ts';

/** The query of query pages and code generators. */
const FULL = getIntrospectionQuery({
  inputValueDeprecation: true,
  specifiedByUrl: true,
  schemaDescription: true,
  directiveIsRepeatable: true,
  oneOf: true,
});
const TYPES = '{ types { name description fields { name args { name type { name } } } enumValues { name } } }';
const questionOf = (query: string) => ({ query, operationName: undefined, variables: {} });
const townSchema = () => loadSchema('v3', resolverMap, typeOf);
const roots = (count: number, root: string, name = 'a') =>
  Array.from({ length: count }, (_, at) => `${name}${at}: ${root}`).join(' ');

describe('GraphQL: introspection', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  async function assertRefused(query: string, limit: string): Promise<void> {
    const { status, body } = await town.sendQuery('v3', query);
    assert.equal(status, 400, query.slice(0, 100));
    assert.equal(body.errors?.[0]?.extensions?.limit, limit);
    assert.equal(body.data, undefined);
  }

  it('is refused when its cost is too high, also through fragments', async () => {
    const once = `__schema ${TYPES.replace('fields { name', 'fields { name description isDeprecated deprecationReason type { name kind }')}`;
    await assertRefused(`{ ${roots(10, once)} }`, 'cost');
    const fragments = `fragment F on QueryType { ...G ${roots(5, once)} } fragment G on QueryType { ${roots(5, once, 'b')} }`;
    await assertRefused(`{ ...F } ${fragments}`, 'cost');
    assert.equal((await town.sendQuery('v3', `{ ${roots(10, '__type(name: "Quay") { name }')} }`)).status, 200);
  });

  it('is refused by its aliases, fields, depth and items, also through fragments', async () => {
    await assertRefused(`{ ${roots(45, '__schema { queryType { name } }')} }`, 'introspectionAliases');
    const below = roots(6, 'name');
    const aliases = `fragment F on __Type { ${below} ofType { ${below} } }`;
    await assertRefused(`{ __type(name: "Quay") { ...F } } ${aliases}`, 'introspectionAliases');
    const seven = '... on __Type { name kind description isOneOf specifiedByURL ofType { name kind } } ';
    await assertRefused(
      `{ __type(name: "Quay") { ${seven.repeat(49)} fields { ${'name '.repeat(49)} type { ${'name '.repeat(49)} ofType { ${'name '.repeat(49)} } } } } }`,
      'introspectionFields',
    );
    await assertRefused(
      `{ __type(name: "Quay") ${'{ ofType '.repeat(25)} { name } ${'}'.repeat(25)} }`,
      'introspectionDepth',
    );
    await assertRefused(`{ ${roots(10, `__schema ${TYPES}`)} }`, 'introspectionItems');
  });

  it('yields to the event loop while it is made', async () => {
    const answers = new IntrospectionAnswers(
      townSchema(),
      readPlannerConfig({ ...ENVIRONMENT, GRAPHQL_SLICE_MS: '0' }),
    );
    let rounds = 0;
    let isOver = false;
    const count = () => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const made = await answers.answer(questionOf(FULL));
    isOver = true;
    const expected = await new IntrospectionAnswers(townSchema(), readPlannerConfig(ENVIRONMENT)).answer(
      questionOf(FULL),
    );
    assert.deepEqual(made, expected);
    assert.ok(rounds > 50, `${rounds} rounds`);
  });

  it('is computed once, also with superfluous variables, another layout or name, or two at once', async () => {
    const answers = new IntrospectionAnswers(townSchema(), readPlannerConfig(ENVIRONMENT));
    const [first, atOnce] = await Promise.all([answers.answer(questionOf(FULL)), answers.answer(questionOf(FULL))]);
    assert.ok(first && first.length > 1_000);
    assert.equal(atOnce, first);
    for (const text of [FULL, FULL.replace('query IntrospectionQuery', 'query Other'), FULL.replaceAll(/\s+/g, ' ')]) {
      assert.ok(answers.knows(questionOf(text)));
      assert.equal(await answers.answer({ ...questionOf(text), variables: { again: 1 } }), first);
    }
    assert.equal(answers.knows({ ...questionOf(FULL), operationName: 'Missing' }), false);
    const named = 'query ($again: Boolean!) { __schema { queryType { name @include(if: $again) } } }';
    assert.equal(await answers.answer({ ...questionOf(named), variables: { again: 0 } }), undefined);
  });

  it('of tools stays, whatever others are asked', async () => {
    const answers = new IntrospectionAnswers(townSchema(), readPlannerConfig(ENVIRONMENT));
    await answers.answer(questionOf(FULL));
    for (let at = 0; at < 100; at += 1) await answers.answer(questionOf(`{ a${at}: __type(name: "Quay") { name } }`));
    assert.ok(answers.knows(questionOf(FULL)));
    assert.equal(answers.knows(questionOf('{ a0: __type(name: "Quay") { name } }')), false);
  });

  it('is answered without a timetable, in the requested media type', async () => {
    const early = await startPlanner(undefined);
    const type = 'application/graphql-response+json';
    const { status, headers, body } = await early.post('v3', JSON.stringify({ query: FULL }), { accept: type });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), `${type}; charset=utf-8`);
    assert.equal(body.data.__schema.queryType.name, 'QueryType');
    assert.equal((await early.sendQuery('v3', '{ quay(id: "x") { id } }')).status, 503);
    await early.close();
  });

  it('has the headers and refusals of any query', async () => {
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

  it('reports its errors as any query does', async () => {
    const { status, body } = await town.sendQuery('v3', '{ __schema { type } }');
    assert.equal(status, 400);
    assert.match(body.errors?.[0]?.message ?? '', /Cannot query field "type" on type "__Schema"/);
    const missing = await town.sendQuery('v3', 'query ($n: String!) { __type(name: $n) { name } }');
    assert.equal(missing.status, 400);
    assert.match(missing.body.errors?.[0]?.message ?? '', /"\$n"/);
  });

  /** Compares the text of the answer, not its parsed form. */
  for (const dialect of ['v2', 'v3'] as const) {
    it(`is answered in full in ${dialect}, again and again`, async () => {
      const first = await town.sendQuery(dialect, FULL);
      assert.equal(first.status, 200, JSON.stringify(first.body.errors));
      assert.ok(first.body.data.__schema.types.length > 50);
      assert.deepEqual((await town.sendQuery(dialect, FULL)).body, first.body);
      assert.deepEqual((await town.sendQuery(dialect, FULL)).body, first.body);
    });
  }

  it('is computed for each request with variables or other fields', async () => {
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

describe('GraphQL: unsupported operations', () => {
  it('are refused like other invalid documents', async () => {
    const town = await startPlanner(openTown());
    for (const query of [
      'mutation { a }',
      'subscription { a }',
      'query A { serverInfo { version } } mutation B { a }',
    ]) {
      for (let again = 0; again < 2; again += 1) {
        const { status, body } = await town.sendQuery('v3', query);
        assert.equal(status, 400);
        assert.match(body.errors?.[0]?.message ?? '', /only queries/);
        assert.equal(body.data, undefined);
      }
    }
    await town.close();
  });
});
