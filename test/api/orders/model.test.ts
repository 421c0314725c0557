/**
 * Orders over HTTP beside a model of them: status codes, states, versions and money never differ, and the events of each
 * order tell it. `ORDERS_MODEL_SEED` repeats a failure. At full count: `npm run test:orders-model`.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { EventReader } from './model/replay.ts';
import { runModel } from './model/run-model.ts';
import { openWorld, type World } from './model/world.ts';

const FIXED_SEED = 20_261_123;
const RANDOM_SEED = Number(process.env.ORDERS_MODEL_SEED ?? randomInt(2 ** 30));
const STEPS = 300;
const ORDERS = 30;

describe('orders beside their model', () => {
  let world: World;
  const events = new EventReader();
  before(async () => {
    world = await openWorld();
  });
  after(async () => await world.close());

  for (const seed of [FIXED_SEED, RANDOM_SEED]) {
    it(`answer as the model under random requests (ORDERS_MODEL_SEED=${seed})`, async () => {
      const tally = await runModel({ world, events, seed, steps: STEPS, orders: ORDERS });
      assert.ok(tally.steps >= STEPS && tally.orders >= ORDERS);
      for (const outcome of REACHED) assert.ok(tally.outcomes.has(outcome) || seed !== FIXED_SEED, outcome);
    });
  }
});

/** With the fixed seed, else the steps show little. */
const REACHED = [
  ...['confirm 200', 'reserve 200', 'change 200', 'supplement 200', 'import 201', 'cancelLines 200'],
  ...['sweep EXPIRED', 'putLines 412 REVISION_CONFLICT'],
];
