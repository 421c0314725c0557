/**
 * Refunds parts of an order: locks it, disables their tickets, has the money credited, and confirms the order without them. Before
 * the first credit all of it can be undone; afterwards it goes on until the customer is paid, or an operator decides. A
 * compensation, of captured money that no order can use, only has it credited: its activities know.
 *
 * Started by the handler that wrote the refund down, and by the sweep. The database holds the truth: a run that begins again
 * continues a lost one. It may wait for a provider longer than a deployment and continues on the current build (auto-upgrade), so
 * every change of its steps is made with `patched`, and recorded histories are replayed.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  log,
  patched,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { stateAttribute } from '../shared/search-attributes.ts';
import type { CreditStep } from './activities.ts';
import { refunds } from './activity-proxies.ts';
import {
  type RefundInput,
  type RefundResult,
  type ResolveRequest,
  refundStateQuery,
  resolvedSignal,
  resolveUpdate,
} from './messages.ts';
import { decisionFault } from './rules/decision.ts';
import type { Failure, RefundStatus } from './rules/refund.ts';
import { pauseMs } from './rules/refund-pace.ts';

/** Before, a decision ended the refund at once, also while the outcome of a part was unknown. */
const WAITS_PATCH = 'decided-refunds-wait';
const BUSY_TRIES = 10;
const BUSY_PAUSE_MS = 1_000;
const BUSY: Failure = {
  code: 'ORDER_LOCKED',
  detail: 'Another capture, confirmation or refund of the order was running.',
};
const REFUSED: Failure = {
  code: 'REFUSED_BY_ISSUER',
  detail:
    'The payment provider has refused to pay the money back. Nothing was paid: the order and its tickets are as before. ' +
    'Try again later with a new key, or pay the customer in another way.',
};
const GIVEN_UP: Failure = { code: 'REFUSED_BY_ISSUER', detail: 'The refund was given up: nothing was paid back.' };

export async function refund(input: RefundInput): Promise<RefundResult> {
  // What is begun is ended: a cancellation would leave the order locked.
  return await CancellationScope.nonCancellable(async () => await run(input));
}

function assertDecision(request: unknown): void {
  const fault = decisionFault(request);
  if (fault !== undefined) throw ApplicationFailure.nonRetryable(fault, 'VALIDATION_FAILED');
}

async function run(input: RefundInput): Promise<RefundResult> {
  const life = { status: 'REQUESTED' as RefundStatus, isWoken: false };
  setHandler(refundStateQuery, () => life.status);
  setHandler(resolvedSignal, () => {
    life.isWoken = true;
  });
  const resolve = async (request: ResolveRequest) => {
    const { resolution, reason } = request;
    const status = await refunds.noteResolution({ ...input, resolution, reason });
    life.isWoken = true;
    return status;
  };
  // Operators type it in the Temporal UI. Whether a decision is asked for, the document says.
  setHandler(resolveUpdate, resolve, { validator: assertDecision });
  const enter = (status: RefundStatus) => {
    life.status = status;
    upsertSearchAttributes([stateAttribute(status)]);
  };
  const end = async (status: RefundStatus): Promise<RefundResult> => {
    enter(status);
    log.info('A refund has ended', { orderId: input.orderId, refundId: input.refundId, status });
    await condition(allHandlersFinished);
    return { status };
  };
  const undo = async (failure: Failure) => {
    await refunds.undoRefund({ ...input, failure });
    return await end('FAILED');
  };
  const begun = await begin(input);
  if (typeof begun === 'string') return await end(begun);
  if (begun) return await undo(begun);
  await refunds.creditRefund(input);
  enter('CREDITING');
  const paid = await untilPaid(input, life, enter);
  if (paid === 'GIVEN_UP') return await undo(GIVEN_UP);
  if (paid.outcome === 'REFUSED') return await undo(paid.failure ?? REFUSED);
  await refunds.completeRefund({ ...input, creditedMinor: paid.creditedMinor });
  return await end('COMPLETED');
}

/** Undefined: the order is locked and the tickets are disabled. A status: the refund has ended before. */
async function begin(input: RefundInput): Promise<Failure | RefundStatus | undefined> {
  for (let tries = 1; ; tries += 1) {
    const { outcome, status, failure = BUSY } = await refunds.beginRefund(input);
    if (outcome === 'BEGUN') return undefined;
    if (outcome === 'ENDED') return status;
    if (outcome === 'REFUSED' || tries === BUSY_TRIES) return failure;
    await sleep(BUSY_PAUSE_MS);
  }
}

interface Life {
  status: RefundStatus;
  isWoken: boolean;
}

async function untilPaid(
  input: RefundInput,
  life: Life,
  enter: (status: RefundStatus) => void,
): Promise<CreditStep | 'GIVEN_UP'> {
  for (let round = 0; ; round += 1) {
    life.isWoken = false;
    let step = await refunds.awaitCredit({ ...input, looksOnce: round > 0 });
    const { resolution } = step;
    if (step.outcome !== 'PAID' && resolution) {
      step = await refunds.settleCredit({ ...input, resolution });
      if (step.outcome === 'REFUSED') return 'GIVEN_UP';
      // Unknown: the provider is asked on. A part that cannot count as paid elsewhere: another decision is asked for.
      const isOpen = step.outcome === 'UNKNOWN' || (step.outcome === 'PART' && resolution === 'CREDITED_ELSEWHERE');
      // Of what is given up, a part that was paid stays paid.
      if (!isOpen || !patched(WAITS_PATCH)) return step;
    }
    if (step.outcome === 'PAID' || step.outcome === 'REFUSED') return step;
    if (life.status !== 'NEEDS_ATTENTION' && (step.outcome === 'PART' || Date.now() >= input.attentionAtMs)) {
      await refunds.needAttention(input);
      enter('NEEDS_ATTENTION');
    }
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof refund>(input);
    }
    await condition(() => life.isWoken, pauseMs(round));
  }
}
