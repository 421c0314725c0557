/**
 * Destroys all personal data of a customer, once the profile has expired or was deleted, and leaves a tombstone. Each step may be
 * repeated; failures are retried without end. It ends when a check finds nothing left.
 *
 * Started by `temporaryProfile`, by the handler of a deletion, or by the sweep; see `profile-erasure-start.ts`. Started
 * twice, or for a profile that is already erased, it checks and ends. It leaves a live profile alone. It never sees the
 * data that it destroys.
 */
import { continueAsNew, log, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { areas, records } from './activity-proxies.ts';
import {
  type CustomerInput,
  type ErasureProgress,
  type ErasureStepName,
  erasureProgressQuery,
  type ProfileErasureStart,
} from './messages.ts';
import { describeErasure, ErasureRounds } from './rules/erasure-rounds.ts';

export async function profileErasure({ round, dueAtMs, ...input }: ProfileErasureStart): Promise<ErasureProgress> {
  const rounds = new ErasureRounds(round);
  const enter = (step: ErasureStepName): void => {
    rounds.enter(step);
    setCurrentDetails(describeErasure(rounds.progress));
  };
  setHandler(erasureProgressQuery, () => rounds.progress);

  enter('BLOCK');
  const found = await records.blockProfile(input);
  if (found === 'ACTIVE') {
    log.warn('An erasure was started for a live profile');
    return rounds.progress;
  }
  const dueSince = dueAtMs ?? workflowInfo().startTime.getTime();
  for (;;) {
    await eraseOnce(input, enter);
    enter('VERIFY');
    const pauseMs = rounds.checked(await findLeft(input));
    if (pauseMs === undefined) break;
    log.warn('An erasure has left something behind and begins anew', { left: rounds.progress.left });
    await sleep(pauseMs);
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof profileErasure>({ ...input, dueAtMs: dueSince, round: rounds.progress.round });
    }
  }
  await records.markErased({ ...input, ...(found === 'BLOCKED' && { dueAtMs: dueSince }) });
  enter('ERASED');
  return rounds.progress;
}

async function eraseOnce(input: CustomerInput, enter: (step: ErasureStepName) => void): Promise<void> {
  enter('DESTROY_KEY');
  await records.destroyKey(input);
  enter('REMOVE_CONTENT');
  await records.removeContent(input);
  enter('AREAS');
  // Side by side: one that cannot be reached keeps no other waiting.
  await Promise.all((await records.listErasureAreas(input)).map((area) => areas.eraseArea({ ...input, area })));
}

/** Reads back what the steps have done; names what is there still. */
async function findLeft(input: CustomerInput): Promise<readonly string[]> {
  const looks = (await records.listErasureAreas(input)).map(async (area) =>
    (await areas.isAreaErased({ ...input, area })) ? [] : [area],
  );
  return [...(await records.findLeftovers(input)), ...(await Promise.all(looks)).flat()];
}
