/**
 * Carries a refund request out: plans it, writes it down, starts its workflow and waits for the end. Repeated under one work id it
 * finds its own refund. Callers: the operations of the API.
 */
import { startPending } from '../../platform/aggregate/pending-starts.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { Logger } from '../../platform/log.ts';
import { isEnded, isSettled, type Refund } from '../../workflows/refunds/rules/refund.ts';
import type { PlanRequest } from '../../workflows/refunds/rules/refund-plan.ts';
import { ERROR_STATUS, type ErrorCode } from '../../workflows/shared/error-codes.ts';
import type { RefundId, SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { readUntil } from '../shared/read-until.ts';
import type { StartedRefund } from './refund-start.ts';
import { inProgress, type RefundStore, type RefundWork, type StoredRefund } from './refund-store.ts';
import type { PlannedRefund, RefundPlace, RefundPlanning } from './refunding.ts';

export interface RefunderOptions {
  readonly refunds: Pick<RefundStore, 'create' | 'get' | 'pending'>;
  readonly planning: Pick<RefundPlanning, 'plan' | 'planToRefund'>;
  readonly start: (refund: StartedRefund) => Promise<void>;
  /** Default 10 seconds. */
  readonly waitsMs?: number;
}

export interface RefundDemand extends PlanRequest {
  readonly settlementId?: SettlementId | undefined;
  readonly reason?: string | undefined;
  readonly overruleCode?: string | undefined;
}

const WAITS_MS = 10_000;
/** The order has changed between the plan and its lock. */
const CHANGED = 'ORDER_VERSION_MISMATCH';
/** Nothing was done. */
const OVERTAKEN: ReadonlySet<string | undefined> = new Set([CHANGED, 'ORDER_LOCKED']);
const PLANS = 5;

export class Refunder {
  readonly #options: RefunderOptions;

  constructor(options: RefunderOptions) {
    this.#options = options;
  }

  /** What a refund would do now. Throws what the refund would throw. */
  async plan(place: RefundPlace, request: PlanRequest): Promise<PlannedRefund> {
    return await this.#options.planning.plan(place, request);
  }

  /**
   * The refund as it is when it has ended or needs attention, or after some seconds. A repeat finds what it has begun. Where the order
   * changes after the plan, `demand` is asked again, and what is left of the order decides. Throws the code of a refund that has failed,
   * and REFUND_IN_PROGRESS where others change the order again and again.
   */
  async refund(
    place: RefundPlace,
    demand: () => Promise<RefundDemand>,
    work: RefundWork,
    log: Logger,
  ): Promise<Refund> {
    for (let plans = 1; ; plans += 1) {
      const refund = await this.#carryOut(await this.#begin(place, demand, work), log);
      if (!refund.failure) return refund;
      if (refund.failure.code !== CHANGED) throw failureOf(refund.failure);
      if (plans === PLANS) throw inProgress();
    }
  }

  async #carryOut(stored: StoredRefund, log: Logger): Promise<Refund> {
    if (!isEnded(stored.refund)) {
      const started = { ...stored.refund, correlationId: stored.correlationId };
      const clear = async () => await this.#options.refunds.pending.clear(stored.refund.id, stored.revision);
      const describe = () => ({ refundId: stored.refund.id });
      await startPending(started, { start: this.#options.start, clear, describe, log });
    }
    return await this.#untilSettled(stored.refund);
  }

  /**
   * A refund that another party's lock or change has ended may be asked for again, also under a key whose first attempt has crashed.
   */
  async #begin(place: RefundPlace, demand: () => Promise<RefundDemand>, work: RefundWork): Promise<StoredRefund> {
    for (let attempt = 1; ; attempt += 1) {
      const workId = attempt === 1 ? work.workId : `${work.workId}/${attempt}`;
      const id = workItemId(workId, 'refund') as RefundId;
      const earlier = await this.#options.refunds.get(place.tenancy, id).catch(unlessFound);
      if (!earlier) return await this.#create(id, place, await demand(), { ...work, workId });
      if (!OVERTAKEN.has(earlier.refund.failure?.code)) return earlier;
    }
  }

  async #create(
    id: RefundId,
    place: RefundPlace,
    { settlementId, reason, overruleCode, ...request }: RefundDemand,
    work: RefundWork,
  ): Promise<StoredRefund> {
    const { order, operations, parts } = await this.#options.planning.planToRefund(place, request);
    const content = {
      ...{ id, organisationId: order.organisationId, orderId: order.id, orderVersion: order.version },
      ...{ distributionChannelId: place.channel.id as Refund['distributionChannelId'], currency: order.currency },
      ...{ operations, parts },
      ...(settlementId !== undefined && { settlementId }),
      ...(reason !== undefined && { reason }),
      ...(overruleCode !== undefined && { overruleCode }),
    };
    return await this.#options.refunds.create(content, work);
  }

  async #untilSettled({ organisationId, id }: Refund): Promise<Refund> {
    const read = async () => (await this.#options.refunds.get(organisationId, id)).refund;
    return await readUntil(read, isSettled, this.#options.waitsMs ?? WAITS_MS);
  }
}

function unlessFound(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'NOT_FOUND') return undefined;
  throw error;
}

function failureOf({ code, detail }: NonNullable<Refund['failure']>): ServiceError {
  if (!Object.hasOwn(ERROR_STATUS, code)) throw new Error(`A refund has failed with the unknown code ${code}`);
  const headers = code === 'ORDER_LOCKED' ? { headers: { 'Retry-After': '2' } } : {};
  return new ServiceError(code as ErrorCode, detail, headers);
}
