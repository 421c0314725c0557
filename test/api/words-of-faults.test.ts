/** What callers read about a value of the wrong form: words and an example, instead of a regular expression. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SchemaChecks } from '../../api/shared/schema-check.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';

function faultsOf(schema: object, value: unknown): readonly string[] {
  const root = { components: { schemas: { Tried: schema } } };
  return new SchemaChecks('words', root)
    .compile('/components/schemas/Tried')(value)
    .map(({ detail }) => detail);
}

function detailOf(schema: object, value: unknown): string | undefined {
  return faultsOf(schema, value)[0];
}

/** Places in a document whose form a caller would read as a regular expression. */
function wordless(node: unknown, place: string): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([name, value]) => wordless(value, `${place}/${name}`));
  const has = (name: string) => typeof (node as Record<string, unknown>)[name] === 'string';
  return has('pattern') && !has('x-form') ? [place, ...inside] : inside;
}

describe('The words of a fault', () => {
  it('are those that the document has for a pattern', () => {
    const form = 'the ETag in double quotes, as "1.1"';
    assert.equal(detailOf({ type: 'string', pattern: '^"', 'x-form': form }, '1.1'), `must be ${form}`);
    assert.match(detailOf({ type: 'string', pattern: '^"' }, '1.1') ?? '', /pattern/);
  });

  it('show an example of a time and a day', () => {
    assert.match(detailOf({ type: 'string', format: 'date-time' }, '2026-11-24T08:00:00') ?? '', /with an offset, as/);
    assert.equal(detailOf({ type: 'string', format: 'date' }, 'today'), 'must be a day, as 2026-11-24');
    assert.equal(detailOf({ type: 'string', format: 'uuid' }, 'abc'), 'must be a UUID');
    assert.match(detailOf({ type: 'string', format: 'email' }, 'anna') ?? '', /an e-mail address, as anna@/);
  });

  it('count elements and characters', () => {
    assert.equal(detailOf({ type: 'array', minItems: 1 }, []), 'must have at least 1 element');
    assert.equal(detailOf({ type: 'array', maxItems: 2 }, [1, 2, 3]), 'must have at most 2 elements');
    assert.equal(detailOf({ type: 'string', maxLength: 2 }, 'abc'), 'must have at most 2 characters');
    assert.equal(detailOf({ type: 'object', minProperties: 1 }, {}), 'must have at least 1 member');
  });

  it('name the kind of value', () => {
    assert.equal(detailOf({ type: 'string' }, 268), 'must be a string');
    assert.equal(detailOf({ type: 'boolean' }, 'yes'), 'must be true or false');
    assert.equal(detailOf({ type: ['string', 'null'] }, 268), 'must be a string or null');
  });

  it('say what limits and lists demand', () => {
    assert.equal(detailOf({ type: 'integer', minimum: 1 }, 0), 'must be at least 1');
    assert.equal(detailOf({ type: 'integer', maximum: 5 }, 6), 'must be at most 5');
    assert.equal(detailOf({ const: 'A' }, 'B'), 'must be "A"');
    const twice = 'must not have the same element twice: elements 0 and 1 are equal';
    assert.equal(detailOf({ type: 'array', uniqueItems: true }, ['a', 'a']), twice);
  });

  it('tell a choice of forms in one fault', () => {
    const anyOf = [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ];
    assert.deepEqual(faultsOf({ anyOf, 'x-form': 'a day or an instant' }, 'soon'), ['must be a day or an instant']);
    assert.equal(faultsOf({ anyOf }, 'soon').length, 3);
  });

  it('stand beside each pattern of the documents', () => {
    const without = globSync('api/*/*.yaml', { cwd: projectRoot }).flatMap((file) =>
      wordless(parse(readFileSync(join(projectRoot, file), 'utf8'), { merge: true }), file),
    );
    assert.deepEqual(without, []);
  });
});
