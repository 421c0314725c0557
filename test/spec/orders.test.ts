/** The rules of orders by data: test/spec/orders/*.yaml, readable without programming. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { balanceMinor, totalAmountMinor, totalTaxMinor } from '../../workflows/orders/rules/amounts.ts';
import { newLine } from '../../workflows/orders/rules/lines.ts';
import { FEE_TYPES } from '../../workflows/orders/rules/order.ts';
import { COMMANDS, MORE_WAYS, OF_COURSES } from '../rules/order-commands.ts';
import { draftOrder, NOW, sampleFee, sampleLine } from '../support/sample-orders.ts';
import { LINE_STATES, lineOutcomeOf } from './support/line-states.ts';
import { outcomeOf } from './support/order-outcome.ts';
import { STATES } from './support/order-states.ts';

const stateTable = z.array(
  z.strictObject({ commands: z.array(z.string()).min(1), states: z.record(z.string(), z.string()) }),
);
const amountCases = z.array(
  z.strictObject({
    name: z.string(),
    lines: z.array(
      z.strictObject({
        price: z.int(),
        status: z.enum(['DRAFT', 'CONFIRMED', 'CANCELLATION_DRAFT', 'CANCELLED']).default('DRAFT'),
        refundedShare: z.int().default(0),
      }),
    ),
    fees: z.array(z.strictObject({ type: z.enum(FEE_TYPES), price: z.int() })).default([]),
    captured: z.int().default(0),
    credited: z.int().default(0),
    total: z.int(),
    tax: z.int().optional(),
    balance: z.int(),
  }),
);

function read(name: string): unknown {
  return parse(readFileSync(new URL(`./orders/${name}`, import.meta.url), 'utf8'));
}

describe('the commands on orders', () => {
  it('are all in the tables, or in a test of their course', () => {
    const rules = fileURLToPath(new URL('../../workflows/orders/rules/', import.meta.url));
    const files = readdirSync(rules, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const declared = files.flatMap((file) =>
      [...readFileSync(join(rules, file), 'utf8').matchAll(/^export const (\w+): OrderCommand</gmu)].map(
        ([, name]) => name,
      ),
    );
    assert.ok(declared.length > 30);
    const tested = [...Object.keys(COMMANDS), ...Object.keys(OF_COURSES)].filter((name) => !MORE_WAYS.includes(name));
    assert.deepEqual(tested.sort(), declared.sort());
    for (const [name, path] of Object.entries(OF_COURSES)) {
      assert.match(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), new RegExp(`\\b${name}\\(`), path);
    }
  });
});

describe('the states of orders', () => {
  const table = stateTable.parse(read('states.yaml'));

  it('are told for every command and every state', () => {
    assert.deepEqual(table.flatMap(({ commands }) => commands).sort(), Object.keys(COMMANDS).sort());
    for (const { states, commands } of table) {
      assert.deepEqual(Object.keys(states).sort(), Object.keys(STATES).sort(), commands.join());
    }
  });

  for (const { commands, states } of table) {
    for (const name of commands) {
      it(`${name} has the outcome that the table says`, () => {
        const command = COMMANDS[name];
        assert.ok(command);
        const outcomes = Object.entries(STATES).map(([state, make]) => [state, outcomeOf(command, make())]);
        assert.deepEqual(Object.fromEntries(outcomes), states);
      });
    }
  }
});

describe('the states of lines', () => {
  const table = stateTable.parse(read('line-states.yaml'));

  it('are told for every command and every state', () => {
    assert.deepEqual(table.flatMap(({ commands }) => commands).sort(), Object.keys(COMMANDS).sort());
    for (const { states, commands } of table) {
      assert.deepEqual(Object.keys(states).sort(), Object.keys(LINE_STATES).sort(), commands.join());
    }
  });

  for (const { commands, states } of table) {
    for (const name of commands) {
      it(`${name} does to a line what the table says`, () => {
        const command = COMMANDS[name];
        assert.ok(command);
        const outcomes = Object.entries(LINE_STATES).map(([state, make]) => [
          state,
          lineOutcomeOf(name, command, make()),
        ]);
        assert.deepEqual(Object.fromEntries(outcomes), states);
      });
    }
  }
});

describe('the amounts of orders', () => {
  for (const one of amountCases.parse(read('amounts.yaml'))) {
    it(one.name, () => {
      const order = {
        ...draftOrder(),
        orderLines: one.lines.map(({ price, status, refundedShare }) => ({
          ...newLine(sampleLine({ amountMinor: price }), NOW),
          status,
          refundedShareMinor: refundedShare,
        })),
        fees: one.fees.map(({ type, price }) => ({ ...sampleFee(type, price), orderVersion: 1 })),
        money: { capturedMinor: one.captured, creditedMinor: one.credited },
      };
      assert.equal(totalAmountMinor(order), one.total);
      assert.equal(balanceMinor(order), one.balance);
      if (one.tax !== undefined) assert.equal(totalTaxMinor(order), one.tax);
    });
  }
});
