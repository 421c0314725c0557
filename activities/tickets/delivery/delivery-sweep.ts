/**
 * Starts the workflows of what was written down beside them: mailings after a confirmation, mails whose workflow is lost, tickets
 * that a reissue has changed. Every process may sweep at any time; several at once are harmless. Caller: the documents worker.
 */
import { startEach } from '../../../platform/aggregate/start-each.ts';
import type { Logger } from '../../../platform/log.ts';
import type { TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { type DeliveryInput, parseReissueWorkflowId } from '../../../workflows/tickets/messages.ts';
import type { ReissuedGroup } from '../delivery-calls.ts';
import type { MailingStore, WantedMailing } from '../mailing-store.ts';
import { askToPlan, startDelivery, startReissue } from './delivery-start.ts';

/** A group whose successors are to be signed and sent. */
export interface WantedReissue extends ReissuedGroup {
  readonly revision: number;
}

export interface DeliverySweepDependencies {
  readonly mailings: Pick<MailingStore, 'listWanted' | 'postpone' | 'listUnplanned' | 'listLate' | 'now'>;
  readonly reissues: {
    listPendingStarts(before: Date, limit: number): Promise<readonly WantedReissue[]>;
    clearPendingStart(group: WantedReissue): Promise<void>;
  };
  readonly temporal: TemporalClient;
  readonly log: Logger;
  /** Called with the number of mailings on which something was due a minute ago, at most as many as two sweeps handle. */
  readonly onLate?: (mailings: number) => void;
}

/** Within this time the workflow has planned a mailing, or it is asked again. */
const STARTED_AGAIN_MS = 30_000;
/** Within this time of its write, a handler starts the workflow itself. */
const HANDLER_TIME_MS = 2_000;
/** By then the workflow has tried it. */
const LATE_AFTER_MS = 60_000;
const AT_ONCE = 200;
/** Workflows that are asked to plan a mailing and have not accepted yet. Others wait for the next turn. */
const ASKED_AT_ONCE = 50;
/** Of these. A workflow that is stuck takes hardly more, and other orders must have a place. */
const ASKED_OF_ORDER = 5;

export class DeliverySweep {
  readonly #options: DeliverySweepDependencies;
  /** When this process has started a workflow that is still to plan its mailing. */
  readonly #started = new Map<string, number>();
  /** Their orders. */
  readonly #asking = new Set<{ readonly orderId: OrderId }>();

  constructor(options: DeliverySweepDependencies) {
    this.#options = options;
  }

  /** Mailings stay pending until their workflow has planned them. Customers wait for the first start. */
  async startPending(): Promise<void> {
    const { mailings, temporal, log } = this.#options;
    const now = mailings.now().getTime();
    for (const [id, at] of this.#started) if (at < now - STARTED_AGAIN_MS) this.#started.delete(id);
    const pending = await mailings.listWanted(AT_ONCE);
    const wanted = pending.filter((mailing) => !this.#started.has(writeOf(mailing)) && !isHandled(mailing, now));
    const slow = pending.filter((mailing) => !wanted.includes(mailing) && isSlow(mailing, now)).map(({ id }) => id);
    // They give way to new ones: a workflow tries by itself what cannot be planned.
    if (slow.length > 0) await mailings.postpone(slow, new Date(now + STARTED_AGAIN_MS));
    await startEach(wanted, { log, describe }, async (mailing) => {
      this.#started.set(writeOf(mailing), now);
      if (await this.#reissue(mailing)) return;
      const isConfirmed = mailing.wish.kind === 'CONFIRMED';
      if (isConfirmed && (await startDelivery(temporal, inputOf(mailing, 'CONFIRMED')))) return;
      this.#ask(mailing);
    });
    const placeless = wanted.filter((mailing) => !this.#started.has(writeOf(mailing))).map(({ id }) => id);
    // The next turn lists them after the others.
    if (placeless.length > 0) await mailings.postpone(placeless, new Date(now));
  }

  /** A running workflow too: a call may have started it. Apart from the turn, so that one that does not answer holds up no other. */
  #ask(mailing: WantedMailing): void {
    const { temporal, log } = this.#options;
    const { id, revision, orderId } = mailing;
    const ofOrder = [...this.#asking].filter((each) => each.orderId === orderId).length;
    if (this.#asking.size >= ASKED_AT_ONCE || ofOrder >= ASKED_OF_ORDER) {
      this.#started.delete(writeOf(mailing));
      return;
    }
    const place = { orderId };
    this.#asking.add(place);
    askToPlan(temporal, inputOf(mailing, 'ASKED'), { mailing: id, revision })
      .catch((err: unknown) => {
        log.warn(
          { ...describe(mailing), err },
          'a workflow has not accepted its mailing; it is asked again after a pause',
        );
      })
      .finally(() => this.#asking.delete(place));
  }

  async startReissues(): Promise<void> {
    const { mailings, reissues, temporal, log } = this.#options;
    const pending = await reissues.listPendingStarts(new Date(mailings.now().getTime() - HANDLER_TIME_MS), AT_ONCE);
    const describeGroup = ({ groupId, orderId }: WantedReissue) => ({ groupId, orderId });
    await startEach(pending, { log, describe: describeGroup }, async (group) => {
      await startReissue(temporal, { ...group, correlationId: `reissue-${group.groupId}-${group.number}` });
      await reissues.clearPendingStart(group);
    });
  }

  /** A workflow that was lost comes back. */
  async startLate(): Promise<void> {
    const { mailings, temporal, log, onLate } = this.#options;
    const before = new Date(mailings.now().getTime() - LATE_AFTER_MS);
    const late = await mailings.listLate(before, AT_ONCE);
    // What is yet to be planned is due at no time: its tickets cannot be made, as without a key.
    const unplanned = await mailings.listUnplanned(before, AT_ONCE);
    onLate?.(late.length + unplanned.length);
    await startEach(late, { log, describe }, async (mailing) => {
      if (await this.#reissue(mailing)) return;
      await startDelivery(temporal, inputOf(mailing, 'ASKED'));
    });
  }

  /** False: it is of another workflow. */
  async #reissue({ organisationId, orderId, correlationId, workflow }: WantedMailing): Promise<boolean> {
    const group = parseReissueWorkflowId(workflow);
    if (group) await startReissue(this.#options.temporal, { organisationId, orderId, correlationId, ...group });
    return group !== undefined;
  }
}

/** The handler of the call waits for its update meanwhile. */
function isHandled({ state, wish, pendingSince }: WantedMailing, now: number): boolean {
  return (
    state === 'NEW' &&
    wish.kind === 'ASKED' &&
    pendingSince !== undefined &&
    pendingSince.getTime() > now - STARTED_AGAIN_MS
  );
}

/** Most are planned by then. */
function isSlow({ pendingSince }: WantedMailing, now: number): boolean {
  return pendingSince !== undefined && pendingSince.getTime() <= now - HANDLER_TIME_MS;
}

/** Each write of a mailing may want another start. */
function writeOf({ id, revision }: WantedMailing): string {
  return `${id}/${revision}`;
}

function inputOf(
  { organisationId, orderId, orderVersion, correlationId }: WantedMailing,
  cause: DeliveryInput['cause'],
): DeliveryInput {
  return { organisationId, orderId, orderVersion, cause, correlationId };
}

function describe({ id, orderId, organisationId }: WantedMailing) {
  return { mailing: id, orderId, organisationId };
}
