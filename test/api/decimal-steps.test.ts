/** A number with a decimal step is accepted at each step and refused between two, whatever its binary fraction is. */
import assert from 'node:assert/strict';
import { SchemaChecks } from '../../api/shared/schema-check.ts';

describe('Percentages with two decimals', () => {
  const schemas = { Percent: { type: 'number', minimum: 0, maximum: 100, multipleOf: 0.01 } };
  const check = new SchemaChecks('decimals', { components: { schemas } }).compile('/components/schemas/Percent');

  it('are accepted, each of them', () => {
    const steps = Array.from({ length: 10_001 }, (_, hundredths) => hundredths / 100);
    assert.deepEqual(
      steps.filter((step) => check(step).length > 0),
      [],
    );
  });

  it('are refused with three', () => {
    for (const value of [0.001, 0.075, 12.345, 99.999]) assert.equal(check(value).length, 1, String(value));
  });
});
