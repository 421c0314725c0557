/**
 * `npm run test:kill-payments [-- stories kills]`: 1,000 stories of payments while every call of the provider fails in every
 * way, and API, payments worker, Temporal, MongoDB and provider are killed in turn (50 kills). Five minutes after the last
 * fault nothing may be stuck, and the provider's ledger must equal our payments. Ends with `N passed, N failed`.
 */
import { EVERY_FAULT, runPayments, VICTIMS } from './payment-run.ts';

const [stories = 1_000, kills = 50] = process.argv.slice(2).map(Number);
const victims = Array.from({ length: kills }, (_, at) => VICTIMS[at % VICTIMS.length] as (typeof VICTIMS)[number]);
const begunAt = Date.now();
const seconds = (ms: number): string => (ms / 1_000).toFixed(0);

const run = await runPayments({ stories, victims, faultsEach: Math.max(1, Math.round(stories / 100)) });
const { faults, payments, acknowledged, repeats, busy, providerFaults } = run;
const unused = EVERY_FAULT.filter(({ call, mode }) => !providerFaults[`${call} ${mode}`]);
const total = Object.values(providerFaults).reduce((sum, times) => sum + times, 0);
console.log(`${stories} stories made ${payments} payments in ${seconds(Date.now() - begunAt)} s`);
console.log(
  `${acknowledged} calls acknowledged, ${run.kills} kills, ${repeats} repeated attempts, ${busy} answers "busy"`,
);
console.log(
  `${total} faults of the provider; never used: ${unused.map(({ call, mode }) => `${call} ${mode}`).join(', ') || 'none'}`,
);
console.log(`nothing under way ${seconds(run.quietAfterMs)} s after the last fault`);
for (const fault of faults) console.log(`FAIL ${fault}`);
for (const detail of run.details) console.log(detail);
console.log(`${payments} payments, ${faults.length} failed`);
process.exitCode = faults.length > 0 ? 1 : 0;
