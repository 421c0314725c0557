/**
 * Makes a new snapshot of the journey planner out of what is published, whenever that changes. One run at a time, by its
 * workflow id; changes that come while it builds lead to another build.
 *
 * Imports that were published and withdrawals start it with the signal `changed` (see `planner-build-start.ts`). The
 * sweep starts it without one, when the snapshot in use is of an older input. Truth is in the database: the pointer
 * says which snapshot is in use, each build has its record there. Never sees archives or snapshots.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import { continueOnCurrentBuild } from '../shared/continue-on-current-build.ts';
import { buildRecords, planner } from './activity-proxies.ts';
import { changedSignal, type PlannerBuildProgress, plannerProgressQuery } from './messages.ts';
import type { BuildFailure, PlannerBuildInput } from './planner-build-activities.ts';
import { type QuietTime, waitForQuiet } from './rules/quiet-time.ts';

export async function plannerBuild(): Promise<PlannerBuildProgress> {
  let changes = 0;
  let progress: PlannerBuildProgress = { step: 'WAITING', build: null };
  const show = (next: PlannerBuildProgress): void => {
    progress = next;
    setCurrentDetails(`**${next.step}**${next.build === null ? '' : `, build ${next.build}`}`);
  };
  setHandler(changedSignal, () => {
    changes += 1;
  });
  setHandler(plannerProgressQuery, () => progress);

  await becomeQuiet(await buildRecords.plannerSettings(), () => changes);
  const seen = changes;
  await buildOnce(show);
  // Changes in between may be in the snapshot or not: the next run looks.
  if (changes !== seen) await continueOnCurrentBuild<typeof plannerBuild>();
  return progress;
}

async function becomeQuiet(time: QuietTime, changes: () => number): Promise<void> {
  const begunAt = Date.now();
  for (;;) {
    const seen = changes();
    const waitMs = waitForQuiet(time, begunAt, Date.now());
    if (waitMs === 0 || !(await condition(() => changes() !== seen, waitMs))) return;
  }
}

async function buildOnce(show: (progress: PlannerBuildProgress) => void): Promise<void> {
  const planned = await buildRecords.planPlannerBuild();
  if (planned.outcome === 'UNCHANGED') show({ step: 'UNCHANGED', build: null });
  else await makeSnapshot({ build: planned.build }, show);
  // Imports look for themselves as well, only later; what is left over is removed after the next build.
  for (const follow of [planner.wakeImports, planner.removeOldSnapshots]) {
    await follow().catch((error: unknown) => {
      if (isCancellation(error)) throw error;
      log.error('What follows a build was left undone', { error });
    });
  }
}

async function makeSnapshot(input: PlannerBuildInput, show: (progress: PlannerBuildProgress) => void): Promise<void> {
  const { build } = input;
  try {
    show({ step: 'BUILDING', build });
    await planner.buildSnapshot(input);
    show({ step: 'STORING_JOURNEYS', build });
    await planner.storeJourneys(input);
    show({ step: await buildRecords.publishSnapshot(input), build });
  } catch (error) {
    const failure = failureOf(error);
    await CancellationScope.nonCancellable(() => buildRecords.failPlannerBuild(input, failure));
    show({ step: 'FAILED', build });
    if (failure.errorCode === 'CANCELLED') throw error;
    log.error('The planner snapshot could not be built; the one before stays in use', { build, ...failure });
  }
}

/** An activity that gave up ends this build, not the next; anything unknown is a defect of this code. */
function failureOf(error: unknown): BuildFailure {
  if (isCancellation(error)) return { errorCode: 'CANCELLED', reason: 'An operator cancelled the build.' };
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) {
    return { errorCode: 'SYSTEM_ERROR', reason: error.cause.message };
  }
  throw error;
}
