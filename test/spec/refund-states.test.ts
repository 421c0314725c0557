/** The states of refunds by data: test/spec/refunds/states.yaml, readable without programming. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { RefundChange } from '../../workflows/refunds/rules/refund-life.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { COMMANDS, STATES, stateOf } from './support/refund-states.ts';

/** By command and outcome. */
const stateTable = z.record(
  z.string(),
  z.record(
    z.string(),
    z.string().transform((states) => states.trim().split(/\s+/)),
  ),
);

function outcomeOf(command: (typeof COMMANDS)[string], state: string): string {
  const refund = STATES[state]?.() ?? assert.fail(`${state} is no state`);
  let change: RefundChange;
  try {
    change = command(refund);
  } catch (error) {
    if (error instanceof RangeError) return 'never';
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  if (change.refund === refund && change.events.length === 0) return 'same';
  return [stateOf(change.refund), ...change.events.map(({ type }) => type)].join(' ');
}

describe('the states of refunds', () => {
  const table = stateTable.parse(parse(readFileSync(new URL('./refunds/states.yaml', import.meta.url), 'utf8')));

  it('are told for every command and every state', () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(COMMANDS).sort());
    for (const [name, outcomes] of Object.entries(table)) {
      assert.deepEqual(Object.values(outcomes).flat().sort(), Object.keys(STATES).sort(), name);
    }
    for (const [name, make] of Object.entries(STATES)) assert.equal(stateOf(make()), name);
  });

  for (const [name, expected] of Object.entries(table)) {
    it(`${name} has the outcome that the table says`, () => {
      const command = COMMANDS[name] ?? assert.fail();
      const found = Map.groupBy(Object.keys(STATES), (state) => outcomeOf(command, state));
      const sorted = (outcomes: Readonly<Record<string, readonly string[]>>) =>
        Object.fromEntries(Object.entries(outcomes).map(([outcome, states]) => [outcome, states.toSorted()]));
      assert.deepEqual(sorted(Object.fromEntries(found)), sorted(expected));
    });
  }
});
