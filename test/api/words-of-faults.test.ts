/** What callers read about a value of the wrong form: words and an example, instead of a regular expression. */
import assert from 'node:assert/strict';
import { SchemaChecks } from '../../api/shared/schema-check.ts';

function detailOf(schema: object, value: unknown): string | undefined {
  const root = { components: { schemas: { Tried: schema } } };
  const [fault] = new SchemaChecks('words', root).compile('/components/schemas/Tried')(value);
  return fault?.detail;
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
    assert.match(detailOf({ type: ['string', 'null'] }, 268) ?? '', /string,null/);
  });
});
