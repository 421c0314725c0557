import assert from 'node:assert/strict';
import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { resolverMap, typeOf } from '../../../../api/journey-planner/resolvers/resolver-map.ts';
import { loadSchema } from '../../../../api/journey-planner/schema/load-schema.ts';
import { useDemoPlanner } from '../demo-planner.ts';

/** Small pages keep the answers small. */
const SIZES: Readonly<Record<string, string>> = {
  estimatedCalls: '(numberOfDepartures: 2)',
  next: '(count: 1)',
  previous: '(count: 1)',
};

/** Selects every leaf of a type, and recursively its other fields, down to this many levels. */
function selectionOf(type: GraphQLNamedType, levels: number): string {
  if (isInterfaceType(type)) {
    return `__typename id latitude longitude ... on Quay { publicCode } ... on StopPlace { name }`;
  }
  if (isUnionType(type) || !isObjectType(type)) return '__typename';
  const parts = Object.values(type.getFields()).map((field) => partOf(type.name, field, levels));
  return `__typename ${parts.join(' ')}`;
}

function partOf(typeName: string, field: GraphQLField<unknown, unknown>, levels: number): string {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return field.name;
  if (levels === 0) return '';
  // Lists nested in lists would be too large; other tests select them.
  if (isListType(getNullableType(field.type)) && field.name === 'serviceJourneys' && levels < 2) return '';
  const sized =
    field.name === 'estimatedCalls' && !['Quay', 'StopPlace'].includes(typeName) ? '' : (SIZES[field.name] ?? '');
  return `${field.name}${sized} { ${selectionOf(type, levels - 1)} }`;
}

describe('GraphQL: every field over the demo region', () => {
  const demo = useDemoPlanner();

  /** One object of each kind, from the middle of its list. */
  function roots(dialect: 'v2' | 'v3'): Readonly<Record<string, string>> {
    const { catalogue } = demo.planner.timetable;
    const middle = (
      kind:
        | 'lines'
        | 'quays'
        | 'stopPlaces'
        | 'serviceJourneys'
        | 'datedServiceJourneys'
        | 'authorities'
        | 'operators'
        | 'groupsOfLines',
    ) => {
      const entities = catalogue[kind];
      return entities.count > 0 ? entities.at(Math.floor(entities.count / 2) as never).id : 'none';
    };
    const { latitude, longitude } = catalogue.quays.at(Math.floor(catalogue.quays.count / 2) as never);
    return {
      authority: `(id: "${middle('authorities')}")`,
      operator: `(id: "${middle('operators')}")`,
      line: `(id: "${middle('lines')}")`,
      quay: `(id: "${middle('quays')}")`,
      stopPlace: `(id: "${middle('stopPlaces')}")`,
      serviceJourney: `(id: "${middle('serviceJourneys')}")`,
      datedServiceJourney: `(id: "${middle('datedServiceJourneys')}")`,
      nearest: `(latitude: ${latitude}, longitude: ${longitude}, maximumResults: 4)`,
      quaysByRadius: `(latitude: ${latitude}, longitude: ${longitude}, radius: 500, first: 3)`,
      ...(dialect === 'v3'
        ? { groupOfLines: `(id: "${middle('groupsOfLines')}")`, serverInfo: '', transitInfo: '' }
        : {}),
    };
  }

  for (const dialect of ['v2', 'v3'] as const) {
    it(`answers without an error, interpreted as compiled, in ${dialect}`, async () => {
      const query = loadSchema(dialect, resolverMap, typeOf).getQueryType();
      assert.ok(query);
      let asked = 0;
      for (const [name, args] of Object.entries(roots(dialect))) {
        const type = getNamedType(query.getFields()[name]?.type);
        assert.ok(isObjectType(type), name);
        for (const field of Object.values(type.getFields())) {
          const part = partOf(type.name, field, 2);
          if (part === '') continue;
          const text = `{ ${name}${args} { __typename ${part} } }`;
          const first = await demo.planner.sendQuery(dialect, text);
          const second = await demo.planner.sendQuery(dialect, text);
          assert.deepEqual(first.body.errors, undefined, `${text}\n${JSON.stringify(first.body.errors)}`);
          assert.ok(first.body.data[name], `${name} is there`);
          assert.deepEqual(second.body, first.body, text);
          asked += 1;
        }
      }
      assert.ok(asked > 80, `${asked} questions`);
    });
  }
});
