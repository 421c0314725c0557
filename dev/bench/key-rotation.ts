/**
 * Signing keys rotated under load: `npm run bench:key-rotation [-- rate aheadSeconds]`, 200 requests a second and 30 s
 * unless given. Real processes, tokens that live a minute. Goes on until the key before has been removed, some four
 * minutes. Fails when a request with a token that lives is not answered, or the key before is removed too early or too
 * late.
 */
import { RETIRED_BEYOND_SECONDS } from '../../activities/auth/signing-key-times.ts';
import { RotationLoad } from '../../test/failure/rotation-load.ts';
import { Service } from '../../test/support/service.ts';
import { until } from '../../test/support/until.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { tellLoad } from './steady-load.ts';

const [rate = 200, aheadSeconds = 30] = process.argv.slice(2).map(Number);
const LIFETIME_SECONDS = 60;
const RETIRED_SECONDS = LIFETIME_SECONDS + RETIRED_BEYOND_SECONDS;
/** Before the rotation, after the removal, and what its steps may take. */
const [WARM_SECONDS, AFTER_SECONDS, SLACK_SECONDS] = [5, 5, 10];
const PATIENT = { timeoutMs: 600_000 };

const env = { TOKEN_LIFETIME_SECONDS: `${LIFETIME_SECONDS}`, KEY_PUBLISHED_AHEAD_SECONDS: `${aheadSeconds}` };
const service = await Service.start({ timetable: false, processes: ['operationsWorker'], env });
const load = new RotationLoad(service);

/** Seconds from the call to the take-over, and from there to the removal. */
async function rotate(first: string): Promise<{ readonly ahead: number; readonly retired: number }> {
  const begun = performance.now();
  await load.rotate();
  await until(async () => (await load.fetchToken()).kid !== first, PATIENT);
  const tookOver = performance.now();
  console.log(`${new Date().toISOString()} another key signs`);
  await until(async () => !(await load.published()).includes(first), PATIENT);
  console.log(`${new Date().toISOString()} the key before is gone`);
  return { ahead: (tookOver - begun) / 1_000, retired: (performance.now() - tookOver) / 1_000 };
}

try {
  await load.prepare();
  await load.run(rate, WARM_SECONDS);
  const { kid: first } = await load.fetchToken();
  const running = load.run(rate, aheadSeconds + RETIRED_SECONDS + SLACK_SECONDS + AFTER_SECONDS);
  const { ahead, retired } = await rotate(first);
  tellLoad(`${rate} requests a second through a rotation`, await running);
  const byKey = [...load.answered].map(([kid, count]) => `${kid === first ? 'before' : 'after'} ${count}`).join(', ');
  expectThat(`no request with a token that lives failed (${byKey})`, load.failures.length === 0);
  for (const failure of load.failures.slice(0, 5)) console.log(`     ${failure}`);
  expectThat(`both keys were used`, load.answered.size === 2);
  expectThat(
    `the next key signed after ${ahead.toFixed(1)} s`,
    ahead >= aheadSeconds && ahead < aheadSeconds + SLACK_SECONDS,
  );
  // It is seen to have taken over up to a look of the auth process later than it did.
  const onTime = retired > RETIRED_SECONDS - SLACK_SECONDS && retired < RETIRED_SECONDS + SLACK_SECONDS;
  expectThat(`the key before was removed ${retired.toFixed(1)} s later, ${RETIRED_SECONDS} are due`, onTime);
} finally {
  await load.close();
  await service.stop();
}
process.exitCode = hasFailed() ? 1 : 0;
