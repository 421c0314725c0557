/** The rules of payments by data: test/spec/payments/*.yaml, readable without programming. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMMANDS } from '../rules/payment-commands.ts';
import { outcomeOf } from './support/payment-outcome.ts';
import { AT, STATES } from './support/payment-states.ts';

/** By command and outcome. */
const stateTable = z.record(
  z.string(),
  z.record(
    z.string(),
    z.string().transform((states) => states.trim().split(/\s+/)),
  ),
);

function stateOf(name: string) {
  return STATES[name]?.() ?? assert.fail(`${name} is no state`);
}

function sorted(outcomes: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(Object.entries(outcomes).map(([outcome, states]) => [outcome, states.toSorted()]));
}

describe('the states of transactions', () => {
  const table = stateTable.parse(parse(readFileSync(new URL('./payments/states.yaml', import.meta.url), 'utf8')));

  it('are told for every command and every state', () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(COMMANDS).sort());
    for (const [name, outcomes] of Object.entries(table)) {
      assert.deepEqual(Object.values(outcomes).flat().sort(), Object.keys(STATES).sort(), name);
    }
  });

  for (const [name, expected] of Object.entries(table)) {
    it(`${name} has the outcome that the table says`, () => {
      const command = COMMANDS[name];
      assert.ok(command);
      const byOutcome = Map.groupBy(Object.keys(STATES), (state) => outcomeOf(command, stateOf(state), AT));
      assert.deepEqual(sorted(Object.fromEntries(byOutcome)), sorted(expected));
    });
  }
});
