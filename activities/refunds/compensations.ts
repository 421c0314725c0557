/**
 * Begins the refunds of money that no order can use, and tells how they stand. Provided by the manifest; payments call it, in the
 * API and in their workers.
 */
import { startPending } from '../../platform/aggregate/pending-starts.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { Logger } from '../../platform/log.ts';
import { COMPENSATION, isEnded, isSettled, type Refund } from '../../workflows/refunds/rules/refund.ts';
import { operationsOfCompensation, totalRefundMinor } from '../../workflows/refunds/rules/refund-life.ts';
import type { OrderId, OrganisationId, RefundId } from '../../workflows/shared/ids.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type {
  CompensationState,
  Compensations,
  CompensationWork,
  WantedCompensation,
} from '../shared/compensations.ts';
import { readUntil } from '../shared/read-until.ts';
import type { StartedRefund } from './refund-start.ts';
import type { RefundStore, StoredRefund } from './refund-store.ts';

const CLIENT = 'payments';
const WAITS_MS = 8_000;

export interface RefundedCompensationsOptions {
  readonly refunds: Pick<
    RefundStore,
    'create' | 'findCreated' | 'get' | 'pending' | 'findCompensating' | 'countCompensated'
  >;
  readonly start: (refund: StartedRefund) => Promise<void>;
  readonly log: Logger;
}

export class RefundedCompensations implements Compensations {
  readonly #options: RefundedCompensationsOptions;

  constructor(options: RefundedCompensationsOptions) {
    this.#options = options;
  }

  async begin(wanted: WantedCompensation, work: CompensationWork): Promise<CompensationState> {
    const { refunds, start, log } = this.#options;
    const { workId } = await this.#latest(wanted.organisationId, work.workId);
    const stored = await this.#create(wanted, { ...work, workId });
    if (!stored) return 'RUNNING';
    if (!isEnded(stored.refund)) {
      const started = { ...stored.refund, correlationId: stored.correlationId };
      const clear = async () => await refunds.pending.clear(stored.refund.id, stored.revision);
      await startPending(started, { start, clear, describe: ({ id }) => ({ refundId: id }), log });
    }
    return await this.#outcome(stored.refund);
  }

  async find(
    organisationId: OrganisationId,
    { workId }: Pick<CompensationWork, 'workId'>,
  ): Promise<CompensationState | undefined> {
    const { found } = await this.#latest(organisationId, workId);
    return found && stateOf(found.refund);
  }

  async join(organisationId: OrganisationId, orderId: OrderId): Promise<CompensationState | undefined> {
    const running = await this.#options.refunds.findCompensating(organisationId, orderId);
    return running && (await this.#outcome(running));
  }

  async countEnded(organisationId: OrganisationId, orderId: OrderId): Promise<number> {
    return await this.#options.refunds.countCompensated(organisationId, orderId);
  }

  /** One that has failed without a decision of an operator has paid nothing: another one goes on. */
  async #latest(organisationId: OrganisationId, workId: string): Promise<{ workId: string; found?: StoredRefund }> {
    for (let attempt = 1; ; attempt += 1) {
      const tried = attempt === 1 ? workId : `${workId}/${attempt}`;
      const found = await this.#options.refunds.findCreated(organisationId, { workId: tried });
      if (!found) return { workId: tried };
      if (found.refund.status !== 'FAILED' || found.refund.resolution) return { workId: tried, found };
    }
  }

  /** Undefined while another one of the order runs. */
  async #create(
    wanted: WantedCompensation,
    { workId, correlationId }: CompensationWork,
  ): Promise<StoredRefund | undefined> {
    const { askedBy, askedFor, pages, creditWorkId, ...content } = wanted;
    const compensation = {
      askedBy,
      ...(askedFor !== undefined && { askedFor }),
      ...(pages && { pages }),
      ...(creditWorkId !== undefined && { creditWorkId }),
    };
    const id = workItemId(workId, 'refund') as RefundId;
    // The version of the draft: no lock makes another one.
    const made = {
      id,
      ...content,
      refundedVersion: wanted.orderVersion,
      operations: operationsOfCompensation({ id, parts: wanted.parts }),
      reason: COMPENSATION,
      compensation,
    };
    try {
      return await this.#options.refunds.create(made, { workId, correlationId, clientId: CLIENT });
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'REFUND_IN_PROGRESS') return undefined;
      throw error;
    }
  }

  async #outcome({ id, organisationId }: Refund): Promise<CompensationState> {
    const read = async () => (await this.#options.refunds.get(organisationId, id)).refund;
    return stateOf(await readUntil(read, isSettled, WAITS_MS));
  }
}

function stateOf(refund: Refund): CompensationState {
  const { status, parts, resolution } = refund;
  // Nothing was paid, and the one who asked still holds the draft: it asks again.
  if (status === 'FAILED' && !resolution) return 'RUNNING';
  // Less than all of it: an operator gave the rest up.
  const isWhole = totalRefundMinor(refund) === sumOf(parts.map(({ amountMinor }) => amountMinor));
  if (status === 'COMPLETED') return isWhole ? 'PAID' : 'OUTSTANDING';
  return status === 'FAILED' || status === 'NEEDS_ATTENTION' ? 'OUTSTANDING' : 'RUNNING';
}
