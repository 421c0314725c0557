/**
 * Fuzzes the validation at full count: `npm run test:fuzz -- [rounds] [seed] [first round]`. Prints each failure and
 * keeps its text in a temporary folder. The short twin is test/netex/fuzz.test.ts.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzz } from '../netex/support/fuzz.ts';
import { sharedDirectory, xsdDirectory } from '../support/folders.ts';

const [rounds = '10000', seed = String(Date.now() % 1_000_000), firstRound = '0'] = process.argv.slice(2);
/** Growth of the process allowed after all schemas are compiled and all samples were read. */
const GROWTH_MEGABYTES = 128;

const options = { seed: Number(seed), firstRound: Number(firstRound), rounds: Number(rounds) };
console.log(`seed ${options.seed}, rounds ${options.firstRound} to ${options.firstRound + options.rounds - 1}`);
const outcome = await fuzz({ ...options, xsdDirectory: xsdDirectory(), shared: sharedDirectory() }, console.log);
const directory = outcome.failures.length > 0 ? mkdtempSync(join(tmpdir(), 'samferd-fuzz-')) : '';
for (const { round, xml } of outcome.failures)
  if (xml) writeFileSync(join(directory, `${options.seed}-${round}.xml`), xml);
if (directory) console.log(`what made them fail: ${directory}`);
const { tally, slowest, megabytes } = outcome;
const growth = (megabytes.at(-1) ?? 0) - (megabytes[Math.floor(megabytes.length / 2)] ?? 0);
if (tally) {
  console.log(`${tally.rounds} rounds, ${tally.passedSchema} passed the schema, ${tally.codes.length} codes found`);
}
console.log(
  `slowest round ${slowest.round}: ${slowest.ms.toFixed(0)} ms; second half grew by ${growth} MB (${megabytes.join(', ')})`,
);
console.log(`${outcome.failures.length} failures`);
if (outcome.failures.length > 0 || !tally || growth > GROWTH_MEGABYTES) process.exitCode = 1;
