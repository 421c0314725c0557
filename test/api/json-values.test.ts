/**
 * The documents promise no longer list than a body may hold: {@link MAX_JSON_VALUES} refuses a body with more values,
 * whatever its schema allows. Each list is tried at its greatest length with the smallest items.
 */
import assert from 'node:assert/strict';
import { MAX_JSON_VALUES } from '../../api/shared/json.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';
import { CONTRACTS } from '../../dev/contract/areas.ts';

const textsOf = (given: unknown): readonly string[] => (Array.isArray(given) ? given.map(String) : []);

/** Counts as the parser's guard does: what follows a comma or a bracket is a value. */
function fewestValues(root: Json, given: unknown): number {
  const [schema] = resolve(root, given, 'schema');
  if (schema.type === 'array') return 1 + Math.max(1, Number(schema.minItems ?? 0) * fewestValues(root, schema.items));
  if (schema.type !== 'object') return 1;
  const members = toJson(schema.properties ?? {}, 'properties');
  const required = textsOf(schema.required).map((name) => fewestValues(root, members[name] ?? {}));
  return (
    1 +
    Math.max(
      1,
      required.reduce((sum, values) => sum + values, 0),
    )
  );
}

/** What each list below the schema holds at its greatest length, by its place. */
function* greatestLists(
  root: Json,
  given: unknown,
  place: string,
): Generator<readonly [place: string, values: number]> {
  const [schema] = resolve(root, given, place);
  if (schema.type === 'array') {
    if (schema.maxItems !== undefined) yield [place, Number(schema.maxItems) * fewestValues(root, schema.items)];
    yield* greatestLists(root, schema.items ?? {}, `${place}/0`);
  }
  for (const [name, member] of Object.entries(toJson(schema.properties ?? {}, place))) {
    yield* greatestLists(root, member, `${place}/${name}`);
  }
}

describe('The longest lists of bodies', () => {
  for (const { area, document } of CONTRACTS) {
    it(`of ${area} are short enough to be read`, () => {
      const { root, operations } = loadDocument(document, 'Service');
      for (const { operationId, body, bodyLimit } of operations) {
        const most = bodyLimit?.values ?? MAX_JSON_VALUES;
        for (const [type, pointer] of body) {
          if (!type.includes('json')) continue;
          for (const [place, values] of greatestLists(root, { $ref: `#${pointer}` }, operationId)) {
            assert.ok(values < most, `${place}: ${values} values, ${most} are read`);
          }
        }
      }
    });
  }
});
