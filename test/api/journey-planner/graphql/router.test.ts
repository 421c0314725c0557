import assert from 'node:assert/strict';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import type { Timetable } from '../../../../planner/index.ts';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

describe('GraphQL: the endpoints', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  it('serve introspection with deprecated arguments, in both dialects', async () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: true, descriptions: true });
    for (const dialect of ['v2', 'v3'] as const) {
      const { status, body } = await town.sendQuery(dialect, query);
      assert.equal(status, 200);
      const schema = buildClientSchema(body.data);
      assert.ok(schema.getQueryType()?.getFields().trip);
    }
    const { body } = await town.sendQuery('v3', query);
    const trip = buildClientSchema(body.data).getQueryType()?.getFields().trip;
    assert.ok(trip?.args.find(({ name }) => name === 'passThroughPoints')?.deprecationReason);
  });

  it('answer 405 to another method, with the address of the query page', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(`${town.url}/journey-planner/v3/graphql`, { method });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'POST');
      assert.match(await response.text(), /\/journey-planner\/v3\/ide/);
    }
    const options = await fetch(`${town.url}/journey-planner/v3/graphql`, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'POST']);
  });

  it('refuse a body other than one query in JSON', async () => {
    const answers = [
      [await town.post('v3', '{}', { 'content-type': 'text/plain' }), 415, /Content-Type/],
      [await town.post('v3', '{"query": '), 400, /not JSON/],
      [await town.post('v3', '{}'), 400, /must have a query/],
      [await town.post('v3', '{"query": " "}'), 400, /must have a query/],
      [await town.post('v3', '"query"'), 400, /not JSON/],
      [await town.post('v3', '[{"query": "{ serverInfo { version } }"}]'), 400, /batches/],
      [await town.post('v3', '{"query": "{ serverInfo { version } }", "variables": []}'), 400, /variables/],
      [
        await town.post('v3', '{"query": "{ serverInfo { version } }"}', { 'content-encoding': 'rot13' }),
        415,
        /encoding/,
      ],
    ] as const;
    for (const [{ status, body }, wanted, message] of answers) {
      assert.equal(status, wanted, JSON.stringify(body));
      assert.match(body.errors?.[0]?.message ?? '', message);
    }
  });

  it('answer 400 to syntax and validation errors, with their position', async () => {
    const syntax = await town.sendQuery('v3', '{ quay( }');
    assert.equal(syntax.status, 400);
    assert.equal(syntax.body.errors?.[0]?.extensions?.code, 'GRAPHQL_PARSE_FAILED');
    const unknown = await town.sendQuery('v2', '{ serverInfo { version } }');
    assert.equal(unknown.status, 400);
    assert.equal(unknown.body.errors?.[0]?.extensions?.code, 'GRAPHQL_VALIDATION_FAILED');
    const variable = await town.sendQuery('v3', 'query ($id: String!) { quay(id: $id) { id } }');
    assert.equal(variable.status, 400);
    assert.match(variable.body.errors?.[0]?.message ?? '', /\$id/);
  });

  it('run the named operation', async () => {
    const query = 'query A { line(id: "TST:Line:1") { id } } query B { line(id: "TST:Line:2") { id } }';
    for (const name of ['A', 'B', 'A', 'B']) {
      const { body } = await town.post('v3', JSON.stringify({ query, operationName: name }));
      assert.equal(body.data.line.id, name === 'A' ? 'TST:Line:1' : 'TST:Line:2');
    }
    const none = await town.post('v3', JSON.stringify({ query, operationName: 'C' }));
    assert.equal(none.status, 400);
  });

  it('give the same answer at the hundredth request', async () => {
    const query = 'query ($id: String!) { quay(id: $id) { id estimatedCalls { aimedDepartureTime } } }';
    const first = await town.data('v3', query, { id: 'NSR:Quay:20' });
    for (let time = 0; time < 20; time += 1) {
      assert.deepEqual(await town.data('v3', query, { id: 'NSR:Quay:20' }), first);
      assert.deepEqual(await town.data('v3', query, { id: 'x' }), { quay: null });
    }
  });

  it('answer 503 without a timetable', async () => {
    const empty = await startPlanner(undefined);
    const { status, headers, body } = await empty.sendQuery('v3', '{ serverInfo { version } }');
    await empty.close();
    assert.equal(status, 503);
    assert.equal(headers.get('retry-after'), '5');
    assert.equal(body.errors?.[0]?.extensions?.code, 'NO_TIMETABLE');
  });

  it('log internal failures and hide them from callers', async () => {
    const broken = new Proxy(openTown(), {
      get: (timetable, name) => {
        if (name === 'geo') throw new Error('secret path /srv/data');
        return Reflect.get(timetable, name);
      },
    }) as Timetable;
    const process = await startPlanner(broken);
    const query = '{ nearest(latitude: 59.9, longitude: 10.7) { edges { cursor } } line(id: "TST:Line:1") { id } }';
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await process.sendQuery('v3', query);
      assert.equal(status, 200);
      assert.deepEqual(body.data, { nearest: null, line: { id: 'TST:Line:1' } });
      assert.equal(body.errors?.[0]?.extensions?.code, 'INTERNAL_SERVER_ERROR');
      assert.ok(!JSON.stringify(body).includes('secret'));
      const requestId = /The request is ([0-9a-f-]{36})/.exec(body.errors?.[0]?.message ?? '')?.[1] ?? 'none';
      assert.ok(process.logged.some((line) => line.includes(requestId) && line.includes('secret path')));
    }
    await process.close();
  });
});
