/** The operations of `/v1beta`: `refundEntries` in place of `refundOperations`, whose rule may be left out, or no body at all. */
import type { RefundDemand, Refunder } from '../../activities/refunds/refunder.ts';
import { assertFree, type PlannedOptions, type RefundPlanning } from '../../activities/refunds/refunding.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import type { RefundOption } from '../../workflows/refunds/rules/refund-options.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import { presentDryRun, presentOptions, type RefundReply } from './presenters.ts';
import { optionsQuery, placeOf, readOperations } from './requests.ts';

type OlderOperations = Pick<Operations, 'getRefundOptionsBeta' | 'dryRunRefundBeta' | 'createRefundBeta'>;

export function createOlderOperations({
  planning,
  refunder,
  reply,
}: {
  readonly planning: RefundPlanning;
  readonly refunder: Refunder;
  readonly reply: (refund: Refund) => Promise<RefundReply>;
}): Handlers<OlderOperations> {
  return {
    getRefundOptionsBeta: async (context) => {
      const options = await planning.options(
        placeOf({ ...context, settlementId: undefined }),
        optionsQuery(context.query),
      );
      return { status: 200, json: presentOptions(options) };
    },
    dryRunRefundBeta: async (context) => {
      const place = placeOf(context);
      const demand = demandOf(await planning.options(place, {}), context.body?.refundEntries);
      return { status: 200, json: presentDryRun(await refunder.plan(place, demand)) };
    },
    createRefundBeta: async (context) => {
      const { body, caller, correlationId, idempotency, log, settlementId } = context;
      const { workId } = await idempotency.claim();
      const place = placeOf(context);
      const demand = async () => ({
        ...demandOf(await planning.options(place, {}), body?.refundEntries),
        settlementId,
      });
      const work = { workId, correlationId, clientId: caller.clientId };
      return await reply(await refunder.refund(place, demand, work, log));
    },
  };
}

/**
 * Without entries, all that one refund can pay back; where no transaction can pay, the plan says why. Throws REFUND_NOT_ALLOWED where no
 * rule is in force, REFUND_IN_PROGRESS, ORDER_LOCKED.
 */
function demandOf(
  { order, found, together }: PlannedOptions,
  entries?: readonly Schemas['RefundEntry'][],
): RefundDemand {
  assertFree(order);
  const largest: readonly RefundOption[] = together[0] ?? found;
  const wanted =
    entries ?? largest.map(({ orderLineId: id, orderLineVersion: version }) => ({ orderLineRef: { id, version } }));
  if (wanted.length === 0) {
    throw new ServiceError('REFUND_NOT_ALLOWED', 'The order has nothing that can be refunded now.');
  }
  const operations = wanted.map((entry: Schemas['RefundEntry'], at) => {
    const id = plainUuid(entry.orderLineRef.id);
    const inForce = found.find(({ orderLineId }) => orderLineId === id)?.refundRuleId;
    const isKnown = order.orderLines.some((line) => line.id === id);
    if (!isKnown) throw refused('UNKNOWN_ORDER_LINE', `The order has no such line: ${id}.`, at);
    const ruleId = entry.refundRule?.id ?? inForce;
    if (ruleId === undefined) throw refused('REFUND_NOT_ALLOWED', `The line ${id} is not refundable now.`, at);
    return { ...entry, refundRule: { id: ruleId } };
  });
  return {
    operations: readOperations(operations, order.currency, 'refundEntries'),
    ...{ includesCancelled: false, isOverruled: false, member: 'refundEntries' as const },
  };
}

function refused(code: 'UNKNOWN_ORDER_LINE' | 'REFUND_NOT_ALLOWED', detail: string, at: number): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer: `/refundEntries/${at}`, code, detail }] });
}
