/**
 * `npm run test:kill-orders [-- stories kills]`: 500 stories of orders while API, workers, MongoDB, Temporal, authentication
 * server and Kafka broker are killed in turn (21 kills). Two minutes later no seat may be without its order. Ends with
 * `N passed, N failed`.
 */
import { runOrders, VICTIMS } from './order-run.ts';

const [stories = 500, kills = 21] = process.argv.slice(2).map(Number);
const victims = Array.from({ length: kills }, (_, at) => VICTIMS[at % VICTIMS.length] as (typeof VICTIMS)[number]);

const run = await runOrders({ stories, victims, sweep: 'worker', kafka: true });
const { faults, orders, soldOut, forgotten, orphans, acknowledged, repeats, events, messages } = run;
const { versions, foreignRequests } = run;
console.log(`${stories} stories made ${orders} orders; ${soldOut} found their train full, ${forgotten} did not wait`);
console.log(`${orphans} holds were left without an order, and freed`);
console.log(`${acknowledged} writes acknowledged, ${run.kills} kills, ${repeats} repeated attempts`);
console.log(`${events} events at the feed, ${messages ?? 'no'} messages at the broker`);
console.log(`${versions} confirmed versions read again, ${foreignRequests} requests of another organisation`);
for (const fault of faults) console.log(`FAIL ${fault}`);
console.log(`${acknowledged - faults.length} passed, ${faults.length} failed`);
process.exitCode = faults.length > 0 ? 1 : 0;
