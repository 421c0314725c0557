/**
 * Watches one payment page until nothing can happen on it any more: its time, the customer's attempts, the delivery of what
 * was bought.
 *
 * Started by the handler that made the page, by the sweep, or by any message; see `page-start.ts`. The database holds the
 * truth: the first step of each run reads the page and its order, and every change is one conditional write. So a
 * workflow that was lost comes back with any message, and two that decide at once cannot both win. Steps run one at a
 * time; a message that arrives meanwhile waits.
 *
 * It outlives deployments and continues on whichever build is current (auto-upgrade). So every change of its steps is made with
 * `patched`, and recorded histories are replayed.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  log,
  patched,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { Mutex } from '../shared/mutex.ts';
import { isLongEnough, type RunSoFar, restOfRunMs } from '../shared/run-length.ts';
import type { AnsweredStep, PageStep } from './activities.ts';
import { attempts, pages, terminals } from './activity-proxies.ts';
import {
  cancelUpdate,
  captureSettledSignal,
  deliverySettledSignal,
  orderChangedSignal,
  type PageAnswer,
  type PaymentPageInput,
  type PaymentPageResult,
  pageStateQuery,
  patchUpdate,
  payUpdate,
} from './messages.ts';
import { PageLife, type PageNews } from './rules/page-life.ts';
import { isCancelRequest, isPatchRequest, isPayRequest } from './rules/requests.ts';
import { stepAttributes } from './search-attributes.ts';

const SHOWS_STATE = 'state-in-search-attributes';

export async function paymentPage(input: PaymentPageInput): Promise<PaymentPageResult> {
  const life = new PageLife();
  const turns = new Mutex();
  handleSignals(life);
  handleUpdates(input, life, turns);
  while (!life.isOver) {
    await turns.run(() => work(input, life));
    if (life.isOver) break;
    const run = runSoFar(life);
    if (isLongEnough(run, Date.now())) {
      await condition(allHandlersFinished);
      // News and updates of the last moment are read from the database by the next run, but for signals.
      if (!life.hasNews) await continueAsNew<typeof paymentPage>(input);
      continue;
    }
    await sleepUntilWork(life, restOfRunMs(run, Date.now()));
  }
  await condition(allHandlersFinished);
  const { status = 'OPEN', lastError } = life.step ?? {};
  log.info('A payment page has ended', { orderId: input.orderId, status });
  return { status, ...(lastError && { lastError }) };
}

function handleSignals(life: PageLife): void {
  setHandler(orderChangedSignal, () => life.lookWanted());
  setHandler(captureSettledSignal, (settled) => life.newsArrived({ kind: 'SETTLED', settled }));
  setHandler(deliverySettledSignal, (settled) => life.newsArrived({ kind: 'DELIVERY', settled }));
  setHandler(pageStateQuery, () => life.step?.status ?? 'OPEN');
}

function handleUpdates(input: PaymentPageInput, life: PageLife, turns: Mutex): void {
  const answer = async (change: () => Promise<AnsweredStep>): Promise<PageAnswer> => {
    life.updateArrived();
    return await turns.run(async () => {
      const answered = await change();
      stepTaken(life, answered.step);
      return answered.answer;
    });
  };
  setHandler(payUpdate, (request) => answer(() => terminals.beginAttempt({ ...input, ...request })), {
    validator: (request) => assertForm(isPayRequest(request)),
  });
  setHandler(patchUpdate, (request) => answer(() => pages.patchPage({ ...input, ...request })), {
    validator: (request) => assertForm(isPatchRequest(request)),
  });
  setHandler(cancelUpdate, (request) => answer(() => pages.cancelPage({ ...input, ...request })), {
    validator: (request) => assertForm(isCancelRequest(request)),
  });
}

/** Everything that can be done now. */
async function work(input: PaymentPageInput, life: PageLife): Promise<void> {
  for (;;) {
    const news = life.takeNews(Date.now());
    if (news) {
      stepTaken(life, await readNews(input, news));
    } else if (life.mustEndAttempt(Date.now())) {
      const step = await attempts.endAttempt(input);
      stepTaken(life, step);
      if (step.isEnding) life.stillEnding(Date.now());
    } else {
      return;
    }
  }
}

function stepTaken(life: PageLife, step: PageStep): void {
  const { status, deadlineMs } = life.step ?? {};
  life.stepTaken(step, Date.now());
  const isSame = status === step.status && deadlineMs === step.deadlineMs;
  if (!isSame && patched(SHOWS_STATE)) upsertSearchAttributes(stepAttributes(step));
}

async function readNews(input: PaymentPageInput, news: PageNews): Promise<PageStep> {
  if (news.kind === 'SETTLED') return await pages.settleAttempt({ ...input, ...news.settled });
  if (news.kind === 'DELIVERY') return await pages.noteDelivery({ ...input, ...news.settled });
  return await pages.lookAtPage(input);
}

/** A moved deadline wakes it too: the timer is armed anew. */
async function sleepUntilWork(life: PageLife, longestMs: number): Promise<void> {
  const { step } = life;
  const restMs = Math.min(life.restMs(Date.now()) ?? longestMs, longestMs);
  if (restMs > 0) await condition(() => life.step !== step || life.hasWork(Date.now()), restMs);
}

function runSoFar({ messages }: PageLife): RunSoFar {
  const { runStartTime, continueAsNewSuggested } = workflowInfo();
  return { startedAtMs: runStartTime.getTime(), messages, suggestedByServer: continueAsNewSuggested };
}

function assertForm(isRight: boolean): void {
  if (isRight) return;
  throw ApplicationFailure.create({
    type: 'VALIDATION_FAILED',
    message: 'The request lacks something, or has more than it may',
    nonRetryable: true,
  });
}
