/** The states of payment pages by data: test/spec/payment-page/states.yaml, readable without programming. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { openPage } from '../support/sample-pages.ts';
import { outcomeOf, PAGE_COMMANDS } from './support/page-commands.ts';
import { PAGE_STATES } from './support/page-states.ts';

const stateTable = z.array(
  z.strictObject({
    commands: z.array(z.string()).min(1),
    /** Of every state that is not named. */
    else: z.string(),
    states: z.record(z.string(), z.string()).default({}),
  }),
);

describe('the states of payment pages', () => {
  const text = readFileSync(new URL('./payment-page/states.yaml', import.meta.url), 'utf8');
  const table = stateTable.parse(parse(text));

  it('are told for every command, once', () => {
    assert.deepEqual(table.flatMap(({ commands }) => commands).sort(), Object.keys(PAGE_COMMANDS).sort());
    const known = new Set(Object.keys(PAGE_STATES));
    for (const { states } of table) {
      assert.deepEqual(
        Object.keys(states).filter((state) => !known.has(state)),
        [],
      );
    }
  });

  for (const { commands, states, else: others } of table) {
    for (const name of commands) {
      it(`${name} has the outcome that the table says`, () => {
        const command = PAGE_COMMANDS[name];
        assert.ok(command);
        const entries = Object.entries(PAGE_STATES);
        const expected = entries.map(([state]) => [state, states[state] ?? others]);
        const outcomes = entries.map(([state, make]) => [state, outcomeOf(command, make())]);
        assert.deepEqual(Object.fromEntries(outcomes), Object.fromEntries(expected));
      });
    }
  }

  it('take fifty attempts, and no more', () => {
    const paid = (attempts: number) => outcomeOf(PAGE_COMMANDS.pay ?? assert.fail(), openPage({ attempts }));
    assert.equal(paid(49), outcomeOf(PAGE_COMMANDS.pay ?? assert.fail(), openPage()));
    assert.equal(paid(50), 'PAYMENT_METHOD_NOT_ALLOWED');
  });
});
