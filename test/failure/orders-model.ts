/**
 * Random requests on orders beside a model of orders: `npm run test:orders-model -- [steps] [seed]`, 10,000 steps unless said
 * otherwise. Ends with the shortest list of steps where both differ. The short twin is test/api/orders/model.test.ts.
 */
import { EventReader } from '../api/orders/model/replay.ts';
import { runModel, type Tally } from '../api/orders/model/run-model.ts';
import { openWorld } from '../api/orders/model/world.ts';
import { mochaGlobalTeardown } from '../support/hooks.ts';

const [stepsGiven = '10000', seedGiven = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const [steps, seed] = [Number(stepsGiven), Number(seedGiven)];
console.log(`seed ${seed}`);
const show = (tally: Tally) =>
  `${tally.steps} steps in ${tally.runs} runs, ${tally.orders} orders, ${tally.events} events`;
const world = await openWorld();
try {
  const tally = await runModel({
    world,
    events: new EventReader(),
    seed,
    steps,
    orders: steps / 10,
    report: (each) => console.log(show(each)),
  });
  console.log(
    [...tally.outcomes]
      .sort()
      .map(([outcome, count]) => `${outcome}: ${count}`)
      .join('\n'),
  );
  console.log(`no difference: ${show(tally)}`);
} catch (error) {
  console.log(error);
  process.exitCode = 1;
} finally {
  await world.close();
  await mochaGlobalTeardown();
}
