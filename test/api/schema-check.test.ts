/** Tests how many faults a check finds: all of a small value, those of some elements of a large one, which would take minutes. */
import assert from 'node:assert/strict';
import { SchemaChecks } from '../../api/shared/schema-check.ts';

const schemas = {
  Train: { type: 'object', additionalProperties: false, properties: { id: { type: 'string' } } },
  Trains: { type: 'array', items: { $ref: '#/components/schemas/Train' } },
};
const named = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const lines = {
  ...{ type: 'object', required: ['north', 'south'] },
  properties: {
    north: { type: 'object', required: ['trains'], properties: { trains: { type: 'array', items: named } } },
    south: { type: 'array', items: named },
  },
};
const checkLines = new SchemaChecks('lines', { components: { schemas: { lines } } }).compile(
  '/components/schemas/lines',
);
const check = new SchemaChecks('trains', { components: { schemas } }).compile('/components/schemas/Trains');

describe('The check of a value by its schema', () => {
  const right = (count: number) => Array.from({ length: count }, () => ({ id: 'a' }));
  const wrong = (count: number) => Array.from({ length: count }, () => ({ name: 'a', number: 1 }));

  it('lists all faults of a small value, 50 at most', () => {
    assert.equal(check(wrong(20)).length, 40);
    assert.equal(check(wrong(200)).length, 50);
  });

  it('lists all faults of 20 elements of a large value', () => {
    const faults = check(wrong(3_000));
    assert.deepEqual(
      faults.slice(-2).map(({ pointer }) => pointer),
      ['/19/name', '/19/number'],
    );
    assert.equal(faults.length, 40);
  });

  it('names the places of a large value in which its faults are', () => {
    const trains: object[] = Array.from({ length: 6_000 }, () => ({ id: 'a' }));
    trains[2_000] = { id: 1, 'a/b': 2 };
    trains[5_999] = { id: 2 };
    assert.deepEqual(
      check(trains).map(({ pointer, code }) => `${pointer} ${code}`),
      ['/2000/a~1b UNKNOWN_PROPERTY', '/2000/id TYPE', '/5999/id TYPE'],
    );
  });

  it('names faults in several lists of a large value', () => {
    const lines = { north: { trains: [...right(3_000), {}] }, south: [{ id: 1 }, ...right(3_000)] };
    assert.deepEqual(
      checkLines(lines).map(({ pointer, code }) => `${pointer} ${code}`),
      ['/north/trains/3000/id REQUIRED', '/south/0/id TYPE'],
    );
  });

  it('names the fault of a large list itself, and one fault of a large element', () => {
    assert.deepEqual(
      checkLines({ north: {}, south: right(6_000) }).map(({ pointer }) => pointer),
      ['/north/trains'],
    );
    const large = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`m${at}`, at]));
    assert.deepEqual(
      check([large, { name: 'a' }]).map(({ pointer }) => pointer),
      ['/0/m0', '/1/name'],
    );
  });

  it('accepts a large value without faults', () => {
    assert.deepEqual(check(Array.from({ length: 6_000 }, () => ({ id: 'a' }))), []);
  });
});
