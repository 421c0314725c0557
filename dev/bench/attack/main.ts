/**
 * Attacks on connections and slots: `npm run attack:http [-- seconds share kind]`. Attacks with 10,000 trickled
 * connections, 50 uploads of 150 MB, 5,000 waiting event readers of one client, and 400 that come again as soon as they
 * are refused. They run one after the other, each with the share of that (1 by default). Other callers' p99 may at most double. API, database, attackers and callers on
 * one machine; attackers have the lowest priority.
 */
import { expectThat, hasFailed } from '../expectation.ts';
import { tellLoad } from '../steady-load.ts';
import { type AttackSize, startTarget } from './attack.ts';

const [seconds = 30, share = 1] = process.argv.slice(2, 4).map(Number);
/** One kind alone, all without it. */
const [only] = process.argv.slice(4);
const OTHERS_PER_SECOND = 90;
const MOST_TIMES = 2;

const sized = (callers: number) => Math.ceil(callers * share);
const ATTACKS: readonly (AttackSize & { readonly name: string })[] = [
  { name: 'trickled connections', kind: 'trickle', callers: sized(10_000), bytes: 0 },
  { name: 'uploads of 150 MB', kind: 'uploads', callers: sized(50), bytes: 150_000_000 },
  { name: 'waiting event readers', kind: 'readers', callers: sized(5_000), bytes: 0 },
  { name: 'event readers that come again at once', kind: 'impatient', callers: sized(400), bytes: 0 },
];

const target = await startTarget(OTHERS_PER_SECOND);
try {
  for (const { name, ...size } of ATTACKS.filter(({ kind }) => only === undefined || kind === only)) {
    const { usual, attacked, tally } = await target.attack(size, seconds);
    console.log(`\n${size.callers} ${name}: ${JSON.stringify(tally)}`);
    tellLoad('others, usual', usual);
    tellLoad('others, attacked', attacked);
    const failed = attacked.answers.filter(({ status }) => status !== 200);
    expectThat(
      `every other caller was served (${failed[0]?.status ?? ''} ${failed[0]?.body ?? ''})`,
      failed.length === 0,
    );
    const times = attacked.p99 / usual.p99;
    expectThat(`others' p99 is ${times.toFixed(2)} times the usual, ${MOST_TIMES} allowed`, times <= MOST_TIMES);
  }
} finally {
  await target.stop();
}
process.exitCode = hasFailed() ? 1 : 0;
