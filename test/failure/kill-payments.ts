/**
 * `npm run test:kill-payments [-- stories kills seed minutes]`: 1,000 stories of payments and payment pages while every call of the provider
 * fails in every way, and API, payments worker, payment pages and their worker, Temporal, MongoDB and provider are killed at random
 * times (50 kills). Five minutes after the last fault nothing may be stuck, no page may live past its time, and the provider's
 * ledger must equal our payments. Prints the seed that repeats the kills. On a busy machine `minutes` ends it
 * with fewer. Ends with `N payments, N failed`.
 */
import { runPayments, VICTIMS } from './payment-run.ts';
import { describeFaults } from './provider-faults.ts';
import { planKills } from './random-kills.ts';

const [stories = 1_000, kills = 50, seed = Math.floor(Math.random() * 1_000_000), minutes = 60] = process.argv
  .slice(2)
  .map(Number);
const begunAt = Date.now();
const seconds = (ms: number): string => (ms / 1_000).toFixed(0);

console.log(`seed ${seed}`);
const run = await runPayments({
  stories,
  kills: planKills(VICTIMS, kills, String(seed)),
  endsAfterMs: minutes * 60_000,
  faultsEach: Math.max(1, Math.round(stories / 100)),
});
const { faults, payments, pages, acknowledged, repeats, busy } = run;
console.log(`${payments} payments and ${pages} pages in ${seconds(Date.now() - begunAt)} s`);
console.log(`${acknowledged} calls acknowledged, ${kills} kills, ${repeats} repeated attempts, ${busy} answers "busy"`);
console.log(describeFaults(run.providerFaults));
console.log(`nothing under way ${seconds(run.quietAfterMs)} s after the last fault`);
for (const fault of faults) console.log(`FAIL ${fault}`);
for (const detail of run.details) console.log(detail);
console.log(`${payments + pages} payments, ${faults.length} failed`);
process.exitCode = faults.length > 0 ? 1 : 0;
