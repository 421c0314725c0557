/**
 * Waits for the expiration date of one temporary profile, for years perhaps. Then it starts the erasure, unless the
 * profile was converted into a permanent one before.
 *
 * Started by the handler that made the profile, or by the sweep; see `temporary-profile-start.ts`. The database holds
 * the truth: every wake begins by reading it, and each change is one conditional write. So the first of a conversion, a
 * deletion and the date wins, also without this workflow. A signal only asks for a read; alone it erases nothing. The
 * workflow never sees personal data.
 *
 * It outlives deployments and continues on whichever build is current (auto-upgrade). So every change of its steps is made with
 * `patched`, and recorded histories are replayed.
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
import { isLongEnough, type RunSoFar, restOfRunMs } from '../shared/run-length.ts';
import { organisationAttributes } from '../shared/search-attributes.ts';
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
import { expireAtAttribute } from './search-attributes.ts';

export async function temporaryProfile(input: CustomerInput): Promise<TemporaryProfileResult> {
  const life = new ProfileLife();
  const turns = new Mutex();
  const runSoFar = handleMessages(input, life, turns);
  for (;;) {
    await turns.run(() => readState(input, life));
    const now = Date.now();
    const restMs = Math.min(life.restMs(now), restOfRunMs(runSoFar(), now));
    const mustAct = () => life.ended !== undefined || life.hasUnreadMessages || isLongEnough(runSoFar(), Date.now());
    if (restMs > 0) await condition(mustAct, restMs);
    if (life.ended !== undefined) break;
    if (isLongEnough(runSoFar(), Date.now())) {
      await condition(allHandlersFinished);
      // A conversion may have ended it meanwhile; the next run reads everything else.
      if (life.ended === undefined) await continueAsNew<typeof temporaryProfile>(input);
    }
  }
  if (life.ended === 'EXPIRED') await beginErasure({ ...input, ...life.dueSince });
  await condition(allHandlersFinished);
  log.info('A temporary profile has ended', { ended: life.ended });
  return { ended: life.ended };
}

/** Answers the length of this run so far. */
function handleMessages(input: CustomerInput, life: ProfileLife, turns: Mutex): () => RunSoFar {
  let updates = 0;
  setHandler(expirationChangedSignal, () => life.messageArrived());
  setHandler(eraseNowSignal, () => life.messageArrived());
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
      messages: life.messages + updates,
      suggestedByServer: continueAsNewSuggested,
    };
  };
}

/** Reads the profile's state and, when it is due, expires it. */
async function readState(input: CustomerInput, life: ProfileLife): Promise<void> {
  life.beginRead();
  const profile = await profiles.readStanding(input);
  life.stateRead(profile);
  if (profile.state === 'TEMPORARY') upsertSearchAttributes([expireAtAttribute(new Date(profile.expiresAtMs))]);
  if (life.isDue(Date.now())) life.expiryAnswered(await profiles.expireProfile(input));
}

async function convert(
  input: CustomerInput,
  life: ProfileLife,
  request: ConversionRequest,
): Promise<ConversionOutcome> {
  // It expired while this waited for the lock.
  if (life.ended === 'EXPIRED') return 'EXPIRED';
  const outcome = await profiles.convertProfile({ ...input, ...request });
  life.conversionAnswered(outcome);
  return outcome;
}

/** The erasure outlives this workflow. One that a deletion's handler, or the sweep, has started already goes on. */
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
