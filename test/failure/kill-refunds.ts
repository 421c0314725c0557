/**
 * `npm run test:kill-refunds [-- refunds kills seed minutes]`: 1,000 refunds while every call of the provider fails in every way, and every
 * process is killed at random times (50 kills). At no moment may a transaction pay back more than it took. Tickets of what was
 * refunded may not be valid. Five minutes after the last fault nothing may be stuck, and the provider's ledger must equal refunds,
 * payments and orders. Prints the seed that repeats the kills. On a busy machine `minutes` ends it
 * with fewer. Ends with `N refunds, N failed`.
 */
import { describeFaults } from './provider-faults.ts';
import { planKills } from './random-kills.ts';
import { REFUND_VICTIMS, runRefunds } from './refund-run.ts';

const [refunds = 1_000, kills = 50, seed = Math.floor(Math.random() * 1_000_000), minutes = 60] = process.argv
  .slice(2)
  .map(Number);
const begunAt = Date.now();
const seconds = (ms: number): string => (ms / 1_000).toFixed(0);

console.log(`seed ${seed}`);
const run = await runRefunds({
  refunds,
  kills: planKills(REFUND_VICTIMS, kills, String(seed)),
  endsAfterMs: minutes * 60_000,
  faultsEach: Math.max(1, Math.round(refunds / 100)),
});
const count = Object.values(run.refunds).reduce((sum, each) => sum + each, 0);
console.log(
  `${count} refunds of ${run.orders} orders in ${seconds(Date.now() - begunAt)} s: ${JSON.stringify(run.refunds)}`,
);
console.log(
  `${run.acknowledged} calls acknowledged, ${kills} kills, ${run.repeats} repeated attempts, ${run.busy} answers "busy"`,
);
console.log(describeFaults(run.providerFaults));
console.log(`the ledger was read ${run.looks} times, and the tickets of ${run.watched} of its refunds meanwhile`);
console.log(`nothing under way ${seconds(run.quietAfterMs)} s after the last fault`);
for (const fault of run.faults) console.log(`FAIL ${fault}`);
console.log(`${count} refunds, ${run.faults.length} failed`);
process.exitCode = run.faults.length > 0 ? 1 : 0;
