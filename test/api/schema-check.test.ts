/** Tests how many faults a check finds: all of a small value, the first of a large one, whose faults would take minutes. */
import assert from 'node:assert/strict';
import { SchemaChecks } from '../../api/shared/schema-check.ts';

const schemas = {
  Train: { type: 'object', additionalProperties: false, properties: { id: { type: 'string' } } },
  Trains: { type: 'array', items: { $ref: '#/components/schemas/Train' } },
};
const check = new SchemaChecks('trains', { components: { schemas } }).compile('/components/schemas/Trains');

describe('The check of a value by its schema', () => {
  const wrong = (count: number) => Array.from({ length: count }, () => ({ name: 'a', number: 1 }));

  it('lists all faults of a small value, 50 at most', () => {
    assert.equal(check(wrong(20)).length, 40);
    assert.equal(check(wrong(200)).length, 50);
  });

  it('stops at the first fault of a large value', () => {
    assert.deepEqual(check(wrong(3_000)), [
      { pointer: '/0/name', code: 'UNKNOWN_PROPERTY', detail: 'is not known here' },
    ]);
    const late = [...Array.from({ length: 6_000 }, () => ({ id: 'a' })), { id: 1 }];
    assert.deepEqual(check(late), [{ pointer: '/6000/id', code: 'TYPE', detail: 'must be a string' }]);
  });

  it('accepts a large value without faults', () => {
    assert.deepEqual(check(Array.from({ length: 6_000 }, () => ({ id: 'a' }))), []);
  });
});
