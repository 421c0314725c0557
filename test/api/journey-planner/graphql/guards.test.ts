import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { openTown } from './network.ts';
import { type Answer, type PlannerProcess, startPlanner } from './planner-process.ts';

const nested = (levels: number, field = 'parent'): string =>
  `{ stopPlace(id: "x") { ${`${field} { `.repeat(levels)} id ${'} '.repeat(levels)} } }`;

describe('GraphQL: guards', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown(), { GRAPHQL_MAX_ITEMS: '60' });
  });
  after(() => town.close());

  /** Asserts a refusal by this limit, with its value in the message. */
  function assertRefused(answer: Answer, limit: string, maximum: number, status = 400): void {
    assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 300));
    const [error] = answer.body.errors ?? [];
    assert.equal(error?.extensions?.code, 'LIMIT_EXCEEDED');
    assert.equal(error?.extensions?.limit, limit);
    assert.match(error?.message ?? '', new RegExp(`limit of ${maximum}\\b`));
    assert.equal(answer.body.data, undefined);
  }

  it('allows a query of depth 20, and refuses 21', async () => {
    assert.equal((await town.sendQuery('v3', nested(18))).status, 200);
    assertRefused(await town.sendQuery('v3', nested(19)), 'depth', 20);
  });

  it('counts the depth through fragments', async () => {
    const fragments = Array.from(
      { length: 21 },
      (_, at) => `fragment F${at} on StopPlace { parent { id ...F${at + 1} } }`,
    );
    assertRefused(
      await town.sendQuery(
        'v3',
        `{ stopPlace(id: "x") { ...F0 } } ${fragments.join(' ')} fragment F21 on StopPlace { id }`,
      ),
      'depth',
      20,
    );
  });

  it('refuses nesting that is too deep for the parser', async () => {
    assertRefused(await town.sendQuery('v3', '{a'.repeat(9_000)), 'depth', 20);
    assertRefused(await town.sendQuery('v3', `{ a(b: ${'['.repeat(9_000)}`), 'depth', 20);
  });

  it('allows 50 aliases, and refuses 51, also through fragments', async () => {
    const aliases = (count: number) =>
      Array.from({ length: count }, (_, at) => `a${at}: serverInfo { version }`).join(' ');
    assert.equal((await town.sendQuery('v3', `{ ${aliases(50)} }`)).status, 200);
    assertRefused(await town.sendQuery('v3', `{ ${aliases(51)} }`), 'aliases', 50);
    const uses = '{ quay(id: "1") { ...F stopPlace { quays { ...F } } } } fragment F on Quay { ';
    assertRefused(
      await town.sendQuery('v3', `${uses}${Array.from({ length: 26 }, (_, at) => `a${at}: id`).join(' ')} }`),
      'aliases',
      50,
    );
  });

  it('computes the cost from the requested sizes', async () => {
    const query =
      'query ($n: Int) { quays { estimatedCalls(numberOfDepartures: $n) { serviceJourney { estimatedCalls { date } } } } }';
    assertRefused(await town.sendQuery('v3', query, { n: 100_000 }), 'cost', 200_000);
    assertRefused(await town.sendQuery('v3', query.replace('$n: Int', '$n: Int = 100000')), 'cost', 200_000);
    assertRefused(
      await town.sendQuery('v3', query.replace('$n)', '100000)').replace('($n: Int) ', '')),
      'cost',
      200_000,
    );
    const ids = Array.from({ length: 3_000 }, (_, at) => `Q${at}`);
    const board =
      'query ($ids: [String]) { quays(ids: $ids) { estimatedCalls(numberOfDepartures: 20) { date quay { id } realtime } } }';
    assertRefused(await town.sendQuery('v3', board, { ids }), 'cost', 200_000);
    assert.equal((await town.sendQuery('v3', board, { ids: ids.slice(0, 10) })).status, 200);
  });

  it('counts the items of lists without a requested size', async () => {
    assertRefused(await town.sendQuery('v3', '{ lines { quays { lines { quays { lines { id } } } } } }'), 'items', 60);
  });

  it('names the field that exceeds a limit, and its argument', async () => {
    const where = async (query: string, variables?: Record<string, unknown>) => {
      const [error] = (await town.sendQuery('v3', query, variables)).body.errors ?? [];
      const { limit, field, argument } = error?.extensions ?? {};
      assert.ok(error?.message.includes(` at ${field}${argument ? `(${argument})` : ''}.`), error?.message);
      return [limit, field, argument];
    };
    const board = 'quays(ids: ["1"]) { id calls: estimatedCalls(numberOfDepartures: $n) { date quay { id } } }';
    const asked = `query ($n: Int) { serverInfo { version } ...F } fragment F on QueryType { ${board} }`;
    assert.deepEqual(await where(asked, { n: 90_000 }), ['cost', 'quays.calls', 'numberOfDepartures']);
    const lines = '{ all: lines { quays { lines { quays { lines { id } } } } } }';
    const [limit, field] = await where(lines);
    assert.equal(limit, 'items');
    assert.match(String(field), /^all\b/);
    assert.deepEqual(await where(nested(19)), ['depth', `stopPlace${'.parent'.repeat(19)}`, undefined]);
    const aliases = Array.from({ length: 51 }, (_, at) => `a${at}: id`).join(' ');
    assert.deepEqual(await where(`{ quay(id: "1") { ${aliases} } }`), ['aliases', 'quay.a50', undefined]);
    assert.deepEqual(await where(`{ quay(id: "1") { ${'id '.repeat(51)} } }`), [
      'repeatedFields',
      'quay.id',
      undefined,
    ]);
  });

  it('refuses fragments that contain themselves', async () => {
    const { status, body } = await town.sendQuery(
      'v3',
      '{ quay(id: "1") { ...A } } fragment A on Quay { ...B } fragment B on Quay { ...A }',
    );
    assert.equal(status, 400);
    assert.match(body.errors?.[0]?.message ?? '', /contains itself/);
  });

  it('refuses fragments that multiply', async () => {
    const fragments = Array.from(
      { length: 12 },
      (_, at) => `fragment F${at} on StopPlace { ...F${at + 1} ...F${at + 1} ...F${at + 1} }`,
    );
    const query = `{ stopPlace(id: "x") { ...F0 } } ${fragments.join(' ')} fragment F12 on StopPlace { id }`;
    assertRefused(await town.sendQuery('v3', query), 'repeatedFields', 50);
  });

  it('refuses floods of fields, directives, definitions and tokens', async () => {
    assertRefused(await town.sendQuery('v3', `{ quay(id: "1") { ${'id '.repeat(51)} } }`), 'repeatedFields', 50);
    const names = Array.from({ length: 1_501 }, (_, at) => `f${at}`).join(' ');
    assertRefused(await town.sendQuery('v3', `{ quay(id: "1") { ${names} } }`), 'fields', 1_500);
    assertRefused(
      await town.sendQuery('v3', `{ serverInfo { version ${'@include(if: true) '.repeat(101)} } }`),
      'directives',
      100,
    );
    const operations = Array.from({ length: 51 }, (_, at) => `query Q${at} { serverInfo { version } }`).join(' ');
    assertRefused(await town.sendQuery('v3', operations), 'definitions', 50);
    assertRefused(await town.sendQuery('v3', `{ ${'a '.repeat(4_001)} }`), 'tokens', 4_000);
    const variables = Array.from({ length: 101 }, (_, at) => `$v${at}: ID`).join(' ');
    assertRefused(await town.sendQuery('v3', `query (${variables}) { serverInfo { version } }`), 'variables', 100);
  });

  it('counts what is validated and not executed: unused fragments, and operations beside the one that is asked for', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `f${at}`).join(' ');
    const many = (make: (at: number) => string) => Array.from({ length: 40 }, (_, at) => make(at)).join(' ');
    const unused = many((at) => `fragment F${at} on Quay { ${names} }`);
    assertRefused(await town.sendQuery('v3', `{ serverInfo { version } } ${unused}`), 'fields', 1_500);
    const others = many((at) => `query Q${at} { quay(id: "1") { ...F } }`);
    assertRefused(await town.sendQuery('v3', `${others} fragment F on Quay { ${names} }`), 'fields', 1_500);
  });

  it('refuses repeated fields that their repeated parents multiply', async () => {
    const inner = `quays { ${'id '.repeat(10)} } `;
    assertRefused(await town.sendQuery('v3', `{ stopPlace(id: "x") { ${inner.repeat(6)} } }`), 'repeatedFields', 50);
  });

  it('refuses a body over 100 KB with 413, also a compressed one', async () => {
    assertRefused(
      await town.post('v3', JSON.stringify({ query: '{a}', variables: { a: 'x'.repeat(102_400) } })),
      'bodyBytes',
      102_400,
      413,
    );
  });

  it('refuses hostile queries before any costly work', async () => {
    const hostile = [
      ['{a'.repeat(40_000), 'depth', 20],
      [`{ ${'a '.repeat(50_000)} }`, 'tokens', 4_000],
      [nested(19), 'depth', 20],
      [`{ ${'serverInfo { version } '.repeat(3_000)} }`, 'tokens', 4_000],
      [
        `{ stopPlace(id: "x") { ${'...F '.repeat(1_500)} } } fragment F on StopPlace { ${'quays { id } '.repeat(40)} }`,
        'repeatedFields',
        50,
      ],
    ] as const;
    for (const [query, limit, maximum] of hostile) {
      const begun = performance.now();
      assertRefused(await town.sendQuery('v3', query), limit, maximum);
      // Takes milliseconds on an idle machine.
      assert.ok(performance.now() - begun < 5_000, `refused by ${limit} too late`);
    }
  });

  it('counts the lists of introspection, and serves twice the queries of tools', async () => {
    const all = '{ fields { name args { name type { fields { name } } } type { fields { name args { name } } } } }';
    const many = Array.from({ length: 10 }, (_, at) => `a${at}: __schema { types ${all} }`);
    assertRefused(await town.sendQuery('v3', `{ ${many.join(' ')} }`), 'cost', 200_000);
    assertRefused(
      await town.sendQuery(
        'v3',
        `{ ${many.map((_, at) => `a${at}: __schema { types { ...F } }`).join(' ')} } fragment F on __Type ${all}`,
      ),
      'cost',
      200_000,
    );
    const tool = getIntrospectionQuery({
      inputValueDeprecation: true,
      specifiedByUrl: true,
      schemaDescription: true,
      directiveIsRepeatable: true,
      oneOf: true,
    });
    assert.equal((await town.sendQuery('v3', tool)).status, 200);
    const twice = tool.replace('__schema {', 'again: __schema { types { ...FullType } } __schema {');
    const { status, body } = await town.sendQuery('v3', twice);
    assert.equal(status, 200, JSON.stringify(body.errors));
    assert.ok(body.data.again.types.length > 100);
  });

  it('serves introspection of any depth', async () => {
    const deep =
      '{ __schema { types { fields { type { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { ofType { name } } } } } } } } } } } } } } } } } } } } }';
    const { status, body } = await town.sendQuery('v3', deep);
    assert.equal(status, 200, JSON.stringify(body.errors));
    const cyclic = await town.sendQuery(
      'v3',
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    );
    assert.equal(cyclic.status, 400);
  });
});
