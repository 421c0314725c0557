import assert from 'node:assert/strict';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { z } from 'zod';
import { QueryExecutor } from '../../../../api/journey-planner/executor/execute.ts';
import { compileSyncQuery } from '../../../../api/journey-planner/executor/sync-query.ts';
import { TimeSlices } from '../../../../api/journey-planner/executor/time-slices.ts';
import { ItemBudget } from '../../../../api/journey-planner/guards/item-budget.ts';
import { graphqlLimitsShape } from '../../../../api/journey-planner/guards/limits.ts';
import type { Dialect, RequestContext } from '../../../../api/journey-planner/resolvers/request-context.ts';
import { resolverMap, typeOf } from '../../../../api/journey-planner/resolvers/resolver-map.ts';
import { loadSchema } from '../../../../api/journey-planner/schema/load-schema.ts';
import { openTown, SEVEN } from './network.ts';

const limits = z.object(graphqlLimitsShape).parse({});

/** The context that resolvers of stops and journeys read. No test here searches. */
function contextOver(timetable: RequestContext['timetable'], dialect: Dialect, sliceMs = 1_000): RequestContext {
  return {
    dialect,
    timetable,
    now: SEVEN,
    budget: new ItemBudget(limits),
    slices: new TimeSlices(sliceMs),
    extensions: {},
    config: { TIME_ZONE: 'Europe/Oslo' },
  } as unknown as RequestContext;
}

interface Case {
  readonly name: string;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

const CASES: readonly Case[] = [
  {
    name: 'a board',
    query:
      '{ quay(id: "NSR:Quay:20") { id estimatedCalls { date aimedDepartureTime quay { id } destinationDisplay { frontText via } serviceJourney { line { transportMode } } } } }',
  },
  {
    name: 'default arguments',
    query: 'query ($n: Int = 2) { quay(id: "NSR:Quay:20") { estimatedCalls(numberOfDepartures: $n) { date } } }',
  },
  {
    name: 'an omitted variable',
    query: 'query ($n: Int) { quay(id: "NSR:Quay:20") { estimatedCalls(numberOfDepartures: $n) { date } } }',
  },
  {
    name: 'a variable that is null',
    query: 'query ($n: Int) { quay(id: "NSR:Quay:20") { estimatedCalls(numberOfDepartures: $n) { date } } }',
    variables: { n: null },
  },
  {
    name: 'a variable of an input object',
    query:
      'query ($w: InputWhiteListed) { quay(id: "NSR:Quay:20") { estimatedCalls(whiteListed: $w) { serviceJourney { id } } } }',
    variables: { w: { lines: ['TST:Line:1'] } },
  },
  {
    name: 'a single value for a list',
    query: 'query ($m: [TransportMode]) { lines(transportModes: $m) { id } }',
    variables: { m: 'bus' },
  },
  {
    name: '@include and @skip by variables',
    query:
      'query ($a: Boolean!, $b: Boolean!) { quay(id: "NSR:Quay:20") { id @include(if: $a) name @skip(if: $b) ... @include(if: $b) { publicCode } ...F @skip(if: $a) } } fragment F on Quay { latitude }',
    variables: { a: false, b: true },
  },
  {
    name: '@include the other way',
    query:
      'query ($a: Boolean!, $b: Boolean!) { quay(id: "NSR:Quay:20") { id @include(if: $a) name @skip(if: $b) ... @include(if: $b) { publicCode } ...F @skip(if: $a) } } fragment F on Quay { latitude }',
    variables: { a: true, b: false },
  },
  {
    name: 'an interface',
    query:
      '{ nearest(latitude: 59.9, longitude: 10.7) { edges { node { place { __typename id ... on Quay { publicCode } ... on StopPlace { transportMode } ... on BikePark { name } } } } } }',
  },
  {
    name: 'fragments that overlap',
    query:
      '{ quay(id: "NSR:Quay:20") { ...A ...B stopPlace { id } } } fragment A on Quay { stopPlace { name } } fragment B on Quay { stopPlace { latitude ...C } } fragment C on PlaceInterface { longitude }',
  },
  {
    name: 'aliases',
    query: '{ a: quay(id: "NSR:Quay:20") { x: id y: id } b: quay(id: "NSR:Quay:30") { id } __typename }',
  },
  { name: 'nulls in lists', query: '{ stopPlaces(ids: ["x", "NSR:StopPlace:20", null]) { id parent { id } } }' },
  {
    name: 'an error of a field that may be null',
    query: '{ nearest(latitude: 1, longitude: 1, first: -1) { edges { cursor } } serverInfo { version } }',
  },
  {
    name: 'an error of a field that must not be null',
    query: '{ quay(id: "NSR:Quay:20") { id estimatedCalls(timeRange: -1) { date } } line(id: "TST:Line:1") { id } }',
  },
  {
    name: 'a wrong variable',
    query: 'query ($d: Date) { serviceJourney(id: "TST:ServiceJourney:2") { estimatedCalls(date: $d) { date } } }',
    variables: { d: 'tomorrow' },
  },
  { name: 'a missing variable', query: 'query ($id: String!) { quay(id: $id) { id } }' },
  {
    name: 'an unknown enum value',
    query: 'query ($m: [TransportMode]) { lines(transportModes: $m) { id } }',
    variables: { m: ['rocket'] },
  },
  {
    name: 'the alias __proto__',
    query: '{ __proto__: quay(id: "NSR:Quay:20") { __proto__: id constructor: name toString: publicCode } }',
  },
  {
    name: 'a variable named __proto__',
    query:
      'query ($__proto__: String!, $constructor: Int) { quay(id: $__proto__) { id estimatedCalls(numberOfDepartures: $constructor) { date } } }',
    variables: JSON.parse('{"__proto__": "NSR:Quay:20", "constructor": 1}') as Record<string, unknown>,
  },
  {
    name: 'an omitted variable named __proto__',
    query:
      'query ($constructor: Int) { quay(id: "NSR:Quay:20") { estimatedCalls(numberOfDepartures: $constructor) { date } } }',
    variables: {},
  },
  {
    name: 'the same field with a directive twice',
    query:
      'query ($a: Boolean = true) { quay(id: "NSR:Quay:20") { id @include(if: $a) id @skip(if: $a) ... on Quay @skip(if: $a) { name } } }',
  },
  {
    name: 'a repeated name, once under a condition',
    query:
      'query ($a: Boolean!) { quay(id: "NSR:Quay:20") { id @include(if: $a) name id ... on Quay @skip(if: $a) { stopPlace { id } } stopPlace { name id } } }',
    variables: { a: false },
  },
  {
    name: 'the alias __proto__ with a directive',
    query: '{ quay(id: "NSR:Quay:20") { id __proto__: name publicCode @include(if: true) } }',
  },
  {
    name: 'a directive by a variable that is null',
    query: 'query ($a: Boolean = true) { quay(id: "NSR:Quay:20") { id name @skip(if: $a) } }',
    variables: { a: null },
  },
  {
    name: 'a list of input objects by variables',
    query:
      'query ($l: [ID!], $m: TransportMode) { quay(id: "NSR:Quay:20") { estimatedCalls(filters: [{select: [{lines: $l, transportModes: [{transportMode: $m}]}]}]) { date } } }',
    variables: { l: ['TST:Line:1'], m: 'bus' },
  },
  {
    name: 'values that the dialect lacks',
    query: '{ lines { transportMode transportSubmode bookingArrangements { bookWhen } } }',
  },
];

describe('GraphQL: compiled queries', () => {
  const timetable = openTown();

  for (const dialect of ['v2', 'v3'] as const) {
    const schema = loadSchema(dialect, resolverMap, typeOf);

    /** Runs twice, since the second run uses the compiled query. With a slice of 0 ms every list yields. */
    async function compiled({ query, variables }: Case, sliceMs: number): Promise<ExecutionResult> {
      const document = parse(query);
      const operation = document.definitions[0] as OperationDefinitionNode;
      const executor = new QueryExecutor(schema, { ...limits, GRAPHQL_SLICE_MS: sliceMs });
      const run = () => executor.execute({ document, operation, variables }, contextOver(timetable, dialect));
      await run();
      return await run();
    }

    /** Undefined when the query is left to the other executor. */
    function atOnce({ query, variables = {} }: Case): ExecutionResult | 'waits' | undefined {
      const document = parse(query);
      const operation = document.definitions[0] as OperationDefinitionNode;
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
      const sync = coerced && compileSyncQuery(schema, document, operation);
      return sync?.execute(contextOver(timetable, dialect), coerced ?? {});
    }

    async function interpreted(
      document: DocumentNode,
      variables: Record<string, unknown> | undefined,
    ): Promise<ExecutionResult> {
      return execute({ schema, document, variableValues: variables, contextValue: contextOver(timetable, dialect) });
    }

    it(`give the same answer when every list yields, in ${dialect}`, async () => {
      for (const { query, variables } of CASES) {
        const document = parse(query);
        const operation = document.definitions[0] as OperationDefinitionNode;
        const executor = new QueryExecutor(schema, { ...limits, GRAPHQL_SLICE_MS: 0 });
        const run = () => executor.execute({ document, operation, variables }, contextOver(timetable, dialect, 0));
        const wanted = await interpreted(document, variables);
        for (const found of [await run(), await run()]) {
          assert.deepEqual(plain(found.data), plain(wanted.data), query);
          assert.deepEqual(found.errors?.map(placeOf), wanted.errors?.map(placeOf), query);
        }
      }
    });

    it(`yield between root fields and within a list, in ${dialect}`, async () => {
      const nearest = 'nearest(latitude: 59.91, longitude: 10.75) { pageInfo { hasNextPage } }';
      for (const query of ['{ quays { id } }', `{ a: ${nearest} b: ${nearest} c: ${nearest} }`]) {
        const document = parse(query);
        const operation = document.definitions[0] as OperationDefinitionNode;
        const executor = new QueryExecutor(schema, { ...limits, GRAPHQL_SLICE_MS: 0 });
        for (const form of ['interpreted', 'compiled']) {
          const slices = new TimeSlices(0);
          await executor.execute(
            { document, operation, variables: undefined },
            { ...contextOver(timetable, dialect), slices },
          );
          // One turn would be for the list itself, so a single turn means that nothing yielded.
          assert.ok(slices.turns >= 2, `${form}: ${slices.turns} turns for ${query}`);
        }
      }
    });

    for (const item of CASES) {
      it(`give the answer of interpreted ones in ${dialect}: ${item.name}`, async () => {
        const wanted = await interpreted(parse(item.query), item.variables);
        for (const found of [await compiled(item, 1_000), await compiled(item, 0)]) {
          assert.deepEqual(plain(found.data), plain(wanted.data));
          assert.equal(JSON.stringify(found.data), JSON.stringify(wanted.data), 'in the same order');
          assert.deepEqual(found.errors?.map(placeOf), wanted.errors?.map(placeOf));
          for (const error of found.errors ?? [])
            assert.ok(error instanceof GraphQLError, 'errors are of the one class that the presenter knows');
        }
      });
    }

    it(`are answered synchronously without errors and promises, in ${dialect}`, async () => {
      const answered = CASES.filter((item) => {
        const answer = atOnce(item);
        return typeof answer === 'object' && answer.data;
      });
      assert.ok(answered.length > 10, `${answered.length} of ${CASES.length}`);
      for (const name of ['default arguments', 'a variable of an input object', 'an interface']) {
        const item = CASES.find((each) => each.name === name);
        if (item) assert.ok(answered.includes(item), name);
      }
      for (const item of CASES) {
        const { errors } = await interpreted(parse(item.query), item.variables);
        assert.ok(!errors || !answered.includes(item), `${item.name}: another executor must report errors`);
      }
    });

    it(`begin one search for each execution in ${dialect}, and handle every rejection`, async () => {
      const document = parse(
        '{ trip(from: { place: "NSR:Quay:20" }, to: { place: "?" }) { tripPatterns { duration } } }',
      );
      const operation = document.definitions[0] as OperationDefinitionNode;
      const executor = new QueryExecutor(schema, limits);
      let searches = 0;
      const planner = {
        trip: async () => {
          searches += 1;
          throw new Error('no search in this test');
        },
      };
      for (let time = 1; time <= 4; time += 1) {
        const context = { ...contextOver(timetable, dialect), planner };
        await executor.execute({ document, operation, variables: undefined }, context);
        assert.equal(searches, time);
      }
    });
  }
});

/** Copies an answer without prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const placeOf = ({ path, locations }: GraphQLError) => ({ path, line: locations?.[0]?.line });
