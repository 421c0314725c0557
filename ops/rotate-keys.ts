/**
 * `npm run rotate-keys`: replaces the key that signs access tokens now, as the schedule does each month. No token is lost; the
 * new key signs in some six minutes.
 *
 * `npm run rotate-keys -- --withdraw --yes` withdraws keys that are no longer trusted. A new one signs at once, and
 * every token issued so far is refused within some minutes. Without `--yes` it only says what would happen.
 *
 * Works on the stack that the environment names (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS), else on the local
 * one. `--local DIR` takes one that keeps its state elsewhere.
 */
import { parseArgs } from 'node:util';
import { ScheduleNotFoundError } from '@temporalio/client';
import { ROTATION_SCHEDULE_ID, startWithdrawal, triggerRotation } from '../activities/auth/rotation-schedule.ts';
import { TemporalClient } from '../platform/temporal/temporal.ts';
import { findTemporal, NO_TEMPORAL } from './find-temporal.ts';

const RISK = `All signing keys there are now would be withdrawn:
  - every access token given so far is refused, within half a minute to three minutes; clients must fetch new ones, and
    those that wait until theirs expires fail until then;
  - for up to 15 seconds single requests with a new token may be refused with 401, where an API process has just looked;
  - until an API process has fetched the keys again (at most three minutes) it still believes the old ones. To be sooner, restart
    the API processes half a minute after this.
If only the database's copy of the keys may have leaked, replace KEY_ENCRYPTION_KEY first (docs/configuration.md).
Repeat with --yes to do it.`;

async function rotate(temporal: TemporalClient, withdraw: boolean): Promise<string> {
  if (withdraw) {
    await startWithdrawal(temporal);
    return 'The keys are being withdrawn: workflow signing-key-withdrawal.';
  }
  await triggerRotation(temporal);
  return `A rotation has begun, unless one is running already: schedule ${ROTATION_SCHEDULE_ID}.`;
}

const flags = { local: { type: 'string' }, withdraw: { type: 'boolean' }, yes: { type: 'boolean' } } as const;
const { local, withdraw = false, yes = false } = parseArgs({ options: flags }).values;
const config = findTemporal(local);
if (!config) fail(NO_TEMPORAL);
else if (withdraw && !yes) fail(RISK);
else {
  const temporal = new TemporalClient(config, 'ops/rotate-keys');
  try {
    console.log(await rotate(temporal, withdraw));
  } catch (error) {
    if (error instanceof ScheduleNotFoundError)
      fail('The operations worker has not made its schedule yet: try again in a minute');
    else
      fail(`Temporal does not answer at ${config.TEMPORAL_ADDRESS}: ${error instanceof Error ? error.message : error}`);
  } finally {
    await temporal.close();
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
