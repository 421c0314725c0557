import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

/** As query pages and generators send it. */
const FULL = getIntrospectionQuery({
  ...{ inputValueDeprecation: true, specifiedByUrl: true, schemaDescription: true },
  ...{ directiveIsRepeatable: true, oneOf: true },
});
const TYPES = '{ types { name description fields { name args { name type { name } } } enumValues { name } } }';
const roots = (count: number, root: string) => Array.from({ length: count }, (_, at) => `a${at}: ${root}`).join(' ');

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

  it('is refused when asked for many times in one query, through fragments too', async () => {
    const once = `__schema ${TYPES}`;
    for (const count of [5, 45]) await assertRefused(`{ ${roots(count, once)} }`, 'introspections');
    await assertRefused(`{ ${roots(5, '__type(name: "Quay") { name }')} }`, 'introspections');
    await assertRefused(
      `{ ...F ...G } fragment F on QueryType { ${roots(3, once)} } fragment G on QueryType { b: __schema { queryType { name } } c: __type(name: "Quay") { name } }`,
      'introspections',
    );
    assert.equal((await town.ask('v3', `{ ${roots(4, '__type(name: "Quay") { name }')} }`)).status, 200);
  });

  for (const dialect of ['v2', 'v3'] as const) {
    it(`is answered in full in ${dialect}, again and again`, async () => {
      const first = await town.ask(dialect, FULL);
      assert.equal(first.status, 200, JSON.stringify(first.body.errors));
      assert.ok(first.body.data.__schema.types.length > 50);
      assert.deepEqual((await town.ask(dialect, FULL)).body, first.body);
      assert.deepEqual((await town.ask(dialect, FULL)).body, first.body);
    });
  }

  it('with variables, or beside other questions, is made for each', async () => {
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
