/**
 * Keeps the date of one temporary profile: waits for it, for years perhaps, and then has the profile erased, unless it was
 * converted into a permanent one before.
 *
 * Started by the handler that made the profile, or by the sweep; see `temporary-profile-start.ts`. What is true stands in the
 * database: every wake begins by reading it, and each change is one conditional write, so the first of a conversion, a
 * deletion and the date wins, also without this workflow. A signal only says "look": alone it erases nobody. Never sees what
 * tells who somebody is.
 *
 * It outlives deployments: whichever build is running goes on with it (auto-upgrade), so that every change of what it does is
 * made with `patched`, and recorded histories are replayed.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  log,
  ParentClosePolicy,
  setHandler,
  startChild,
  upsertSearchAttributes,
  WorkflowIdReusePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import { Mutex } from '../shared/mutex.ts';
import { profiles } from './activity-proxies.ts';
import {
  type ConversionOutcome,
  type ConversionRequest,
  type CustomerInput,
  convertUpdate,
  eraseNowSignal,
  expirationChangedSignal,
  type ProfileErasureStart,
  profileErasureWorkflowId,
  type TemporaryProfileResult,
} from './messages.ts';
import { profileErasure } from './profile-erasure.workflow.ts';
import { isConversionRequest } from './rules/conversion-request.ts';
import { ProfileLife } from './rules/profile-life.ts';
import { isLongEnough, type RunSoFar, restOfRunMs } from './rules/run-length.ts';
import { expireAtAttribute, organisationAttributes } from './search-attributes.ts';

export async function temporaryProfile(input: CustomerInput): Promise<TemporaryProfileResult> {
  const life = new ProfileLife();
  const turns = new Mutex();
  const runSoFar = handleMessages(input, life, turns);
  for (;;) {
    await turns.run(() => look(input, life));
    const now = Date.now();
    const restMs = Math.min(life.restMs(now), restOfRunMs(runSoFar(), now));
    const mustAct = () => life.ended !== undefined || life.hasNews || isLongEnough(runSoFar(), Date.now());
    if (restMs > 0) await condition(mustAct, restMs);
    if (life.ended !== undefined) break;
    if (isLongEnough(runSoFar(), Date.now())) {
      await condition(allHandlersFinished);
      // A conversion may have ended it meanwhile; anything else the next run reads for itself.
      if (life.ended === undefined) await continueAsNew<typeof temporaryProfile>(input);
    }
  }
  if (life.ended === 'EXPIRED') await beginErasure({ ...input, ...life.dueSince });
  await condition(allHandlersFinished);
  log.info('A temporary profile has ended', { ended: life.ended });
  return { ended: life.ended };
}

/** Answers how long this run is by now. */
function handleMessages(input: CustomerInput, life: ProfileLife, turns: Mutex): () => RunSoFar {
  let updates = 0;
  setHandler(expirationChangedSignal, () => life.tell());
  setHandler(eraseNowSignal, () => life.tell());
  setHandler(
    convertUpdate,
    (request) => {
      updates += 1;
      return turns.run(() => convert(input, life, request));
    },
    {
      validator: (request) => {
        if (!isConversionRequest(request)) throw refusal('VALIDATION_FAILED', 'No conversion is asked for');
        if (life.ended === 'EXPIRED') throw refusal('INVALID_STATE', 'The profile has expired');
      },
    },
  );
  return () => {
    const { runStartTime, continueAsNewSuggested } = workflowInfo();
    return {
      startedAtMs: runStartTime.getTime(),
      messages: life.told + updates,
      suggestedByServer: continueAsNewSuggested,
    };
  };
}

/** Reads how the profile stands and, when it is due, has it expire. */
async function look(input: CustomerInput, life: ProfileLife): Promise<void> {
  life.beginLook();
  const standing = await profiles.readStanding(input);
  life.see(standing);
  if (standing.state === 'TEMPORARY') upsertSearchAttributes([expireAtAttribute(new Date(standing.expiresAtMs))]);
  if (life.isDue(Date.now())) life.expiryAnswered(await profiles.expireProfile(input));
}

async function convert(
  input: CustomerInput,
  life: ProfileLife,
  request: ConversionRequest,
): Promise<ConversionOutcome> {
  // It expired while this waited for its turn.
  if (life.ended === 'EXPIRED') return 'EXPIRED';
  const outcome = await profiles.convertProfile({ ...input, ...request });
  life.conversionAnswered(outcome);
  return outcome;
}

/** Lives on by itself. Where a deletion's handler, or the sweep, has started it already, that one goes on. */
async function beginErasure(input: ProfileErasureStart): Promise<void> {
  try {
    await startChild(profileErasure, {
      workflowId: profileErasureWorkflowId(input.customerNumber),
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [input],
      typedSearchAttributes: organisationAttributes(input.organisationId),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
