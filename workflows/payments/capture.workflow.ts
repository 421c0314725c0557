/**
 * One transaction from the first call on it until its outcome is final, and its order is confirmed or the money credited.
 *
 * Started by the calls of `CaptureCalls`, by the provider's callbacks and by the sweep. The documents hold the truth: every
 * step is one activity that reads them, writes down what it is about to do, and does it. So a step may be repeated, and a
 * run that begins again continues a lost one. Steps run one after the other. A caller that has waited for ten seconds is
 * told that the outcome is unknown; the provider is asked on, for ever.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  log,
  setHandler,
  sleep,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { continueOnCurrentBuild } from '../shared/continue-on-current-build.ts';
import { Mutex } from '../shared/mutex.ts';
import { stateAttribute } from '../shared/search-attributes.ts';
import type { CaptureActivities } from './activities.ts';
import { captures } from './activity-proxies.ts';
import { awaitCredit, tellPage } from './capture-neighbours.ts';
import {
  type CaptureInput,
  type CaptureResult,
  cancelUpdate,
  captureStateQuery,
  captureUpdate,
  lookUpdate,
  providerCallbackSignal,
  terminalUpdate,
} from './messages.ts';
import { ANSWER_WITHIN_MS, CaptureLife } from './rules/capture-life.ts';
import type { TransactionStatus } from './rules/payment.ts';
import { isTaken } from './rules/transactions.ts';

type StepName = keyof CaptureActivities;

const BUSY = { code: 'RESOURCE_BUSY', detail: 'The provider has not said yet what became of it; try again.' } as const;

export async function capture(input: CaptureInput): Promise<CaptureResult> {
  const life = new CaptureLife(Date.now());
  const turns = new Mutex();
  const take = (name: StepName) => turns.run(() => takeStep(input, life, name));
  handleMessages(life, take);
  while (!life.isOver) {
    const { taken } = life;
    const isMoved = () => life.isOver || life.taken !== taken || life.restMs(Date.now()) === 0;
    const restMs = life.restMs(Date.now());
    if (restMs > 0) await condition(isMoved, restMs);
    if (life.latest?.next === 'CREDIT') await settleCredit(input, life, take);
    else if (!life.isOver && life.restMs(Date.now()) === 0) await turns.run(() => lookAgain(input, life));
    if (life.isLong(workflowInfo().continueAsNewSuggested)) {
      await quiet(turns);
      // A step of the last message may have ended it. The next run reads everything else.
      if (!life.isOver) await continueOnCurrentBuild<typeof capture>(input);
    }
  }
  await quiet(turns);
  log.info('A transaction is final', { transactionId: input.transactionId, status: life.status });
  return { status: life.status };
}

function handleMessages(life: CaptureLife, take: (name: StepName) => Promise<void>): void {
  const answer = (name: StepName) => async () => {
    life.callArrived();
    const status = await answered(life, name, take(name));
    if (name === 'captureMoney' && !isTaken({ status })) throw refused(BUSY);
    return status;
  };
  setHandler(providerCallbackSignal, () => life.newsArrived());
  setHandler(captureStateQuery, () => life.status);
  setHandler(terminalUpdate, answer('openTerminal'));
  setHandler(captureUpdate, answer('captureMoney'));
  setHandler(cancelUpdate, answer('cancelTransaction'));
  setHandler(lookUpdate, answer('lookAgain'));
}

/** The step goes on when the caller is told that its outcome is unknown. */
async function answered(life: CaptureLife, name: StepName, step: Promise<void>): Promise<TransactionStatus> {
  let isDone = false;
  let failure: unknown;
  const fail = (error: unknown) => {
    failure = error;
  };
  void step.catch(fail).finally(() => {
    isDone = true;
  });
  const isKnown = () => isDone && (failure !== undefined || isSettled(life));
  if (!(await condition(isKnown, ANSWER_WITHIN_MS))) {
    const { refusal } = life.latest ?? {};
    if (isDone && refusal) throw refused(refusal);
    throw refused(BUSY);
  }
  if (failure !== undefined) throw failure;
  // The refusal may be that of a cancellation: a capture that finds the money taken is no step of its own.
  const isTakenBefore = name === 'captureMoney' && isTaken(life);
  if (life.latest?.refusal && !isTakenBefore) throw refused(life.latest.refusal);
  return life.status;
}

function isSettled({ latest }: CaptureLife): boolean {
  return latest !== undefined && latest.next !== 'POLL' && latest.next !== 'CREDIT';
}

async function takeStep(input: CaptureInput, life: CaptureLife, name: StepName): Promise<void> {
  // Many callers capture at once: the first has done it.
  if (name === 'captureMoney' && life.isOver && isTaken(life)) return;
  if (name === 'lookAgain') life.lookBegins();
  const before = life.status;
  const isFirst = life.latest === undefined;
  const step = await captures[name]({ ...input, callId: uuid4() });
  life.stepped(step, Date.now());
  if (isFirst || step.status !== before) upsertSearchAttributes([stateAttribute(step.status)]);
  await tellPage(input, step);
}

/** A step before this turn may have found out everything. */
async function lookAgain(input: CaptureInput, life: CaptureLife): Promise<void> {
  if (life.isOver || life.restMs(Date.now()) > 0) return;
  await takeStep(input, life, 'lookAgain');
}

async function settleCredit(
  input: CaptureInput,
  life: CaptureLife,
  take: (name: StepName) => Promise<void>,
): Promise<void> {
  const creditId = life.latest?.creditId;
  const isPaidBack = creditId !== undefined && (await awaitCredit(input, creditId));
  // Another one has started it: ask the database how it stands.
  if (!isPaidBack) await sleep(Math.max(1, life.restMs(Date.now())));
  if (life.latest?.next === 'CREDIT') await take('concludeCredited');
}

async function quiet(turns: Mutex): Promise<void> {
  await condition(allHandlersFinished);
  await turns.run(async () => undefined);
}

function refused({ code, detail }: { readonly code: string; readonly detail: string }): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message: detail, nonRetryable: true });
}
