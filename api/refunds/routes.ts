/** The area of refunds, which openapi.yaml describes. */

import type { RefundSearch } from '../../activities/refunds/refund-search.ts';
import type { StartedRefund } from '../../activities/refunds/refund-start.ts';
import type { RefundStore, Tenancy } from '../../activities/refunds/refund-store.ts';
import type { RefundDemand, Refunder } from '../../activities/refunds/refunder.ts';
import { type RefundPlanning, tenancyOf } from '../../activities/refunds/refunding.ts';
import { resolveFor } from '../../activities/refunds/resolving.ts';
import type { AuditTrail } from '../../activities/shared/audit.ts';
import type { OrderAccess } from '../../activities/shared/orders.ts';
import type { RefundMoney } from '../../activities/shared/refund-money.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { Refund } from '../../workflows/refunds/rules/refund.ts';
import type { OrderId, RefundId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { Caller, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { createOlderOperations } from './older-version.ts';
import { assertMayOverrule } from './overruling.ts';
import { presentDryRun, presentOptions, presentRefund, replyOf } from './presenters.ts';
import { optionsQuery, ownerOf, placeOf, type RefundRequest, readOperations } from './requests.ts';

export interface RefundsDependencies {
  readonly refunds: RefundStore;
  readonly refundSearch: RefundSearch;
  readonly refunder: Refunder;
  readonly planning: RefundPlanning;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly money: () => Pick<RefundMoney, 'assertCountable' | 'accountsOf' | 'listProblems' | 'settleOwed'>;
  /** Tells the workflow of an operator's decision. */
  readonly wake: (refund: StartedRefund) => Promise<void>;
  readonly audit: () => AuditTrail;
  readonly overruleCodes: readonly string[];
}

export function createRefundsArea(dependencies: RefundsDependencies): TypedArea<Operations> {
  const { refunds, refundSearch, refunder, planning, orders, money, audit, overruleCodes } = dependencies;
  const order = async ({ path, caller }: Pick<RefundRequest, 'path' | 'caller'>) =>
    await orders().get(tenancyOf(caller), path.orderId);
  const refund = async ({ path, caller }: RefundTarget) => await findRefund(refunds, tenancyOf(caller), path);
  const presentAll = async (tenancy: Tenancy, found: readonly Refund[]) => {
    const creditIds = found.flatMap(({ creditId }) => creditId ?? []);
    const accounts = await money().accountsOf(tenancy, creditIds);
    return found.map((each) => presentRefund(each, each.creditId && accounts.get(each.creditId)));
  };
  const present = async (found: Refund) => {
    const [presented] = await presentAll(found.organisationId, [found]);
    return presented ?? presentRefund(found);
  };
  const reply = async (found: Refund) => replyOf(await present(found));
  const list = async (context: ListRequest) => {
    const { organisationId, id } = await order(context);
    const { page = 1, perPage = 25 } = context.query;
    const { items, totalItems } = await refunds.listOfOrder(organisationId, id, { page, perPage });
    const json = toSearchPage({ page, perPage }, await presentAll(organisationId, items), totalItems);
    return { status: 200 as const, json };
  };
  const read = async (context: RefundTarget) => ({
    ...{ status: 200 as const, json: await present((await refund(context)).refund) },
  });
  return {
    name: 'refund',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      getRefundOptions: async (context) => {
        const options = await planning.options(
          placeOf({ ...context, settlementId: undefined }),
          optionsQuery(context.query),
        );
        return { status: 200, json: presentOptions(options) };
      },
      dryRunRefund: async (context) => {
        assertMayOverrule(context.caller, context.body.overruleCode, overruleCodes);
        const demand = demandOf(context.body, (await order(context)).currency);
        return { status: 200, json: presentDryRun(await refunder.plan(placeOf(context), demand)) };
      },
      createRefund: async (context) => {
        const { body, caller, correlationId, idempotency, log, settlementId, path } = context;
        assertMayOverrule(caller, body.overruleCode, overruleCodes);
        const { workId } = await idempotency.claim();
        const work = { workId, correlationId, clientId: caller.clientId };
        const { currency } = await order(context);
        const demand = async () => ({ ...demandOf(body, currency), settlementId });
        const act = async () => await refunder.refund(placeOf(context), demand, work, log);
        if (body.overruleCode === undefined) return await reply(await act());
        const { clientId: id, organisationId } = caller;
        const action = {
          ...{ action: 'refund.overrule', actor: { kind: 'CLIENT', id, organisationId } as const, correlationId },
          code: body.overruleCode,
          resource: { type: 'order', id: path.orderId },
        };
        return await reply(await audit().record(action, act));
      },
      searchRefunds: async ({ caller, settlementId, search }) => {
        const tenancy = ownerOf({ caller, settlementId });
        const { items, totalItems } = await refundSearch.search(tenancy, search);
        return { status: 200, json: toSearchPage(search, await presentAll(tenancy, items), totalItems) };
      },
      listRefunds: list,
      getRefund: read,
      resolveRefund: async (context) => {
        const { body, caller, correlationId } = context;
        const found = await refund(context);
        const work = { correlationId, clientId: caller.clientId };
        return { status: 200, json: await present(await resolveFor(dependencies, found.refund, body, work)) };
      },
      ...createOlderOperations({ planning, refunder, reply }),
      listRefundsBeta: list,
      getRefundBeta: read,
    },
    finds: {
      getRefundOptions: order,
      dryRunRefund: order,
      listRefunds: order,
      createRefund: order,
      getRefund: refund,
      resolveRefund: refund,
      getRefundOptionsBeta: order,
      createRefundBeta: order,
      dryRunRefundBeta: order,
      listRefundsBeta: order,
      getRefundBeta: refund,
    },
  };
}

interface ListRequest extends Pick<RefundRequest, 'path' | 'caller'> {
  readonly query: { readonly page?: number | undefined; readonly perPage?: number | undefined };
}

interface RefundTarget {
  readonly path: { readonly orderId: OrderId; readonly refundId: RefundId };
  readonly caller: Caller;
}

/** Throws NOT_FOUND, also for a refund of another order. */
async function findRefund(refunds: Pick<RefundStore, 'get'>, tenancy: Tenancy, path: RefundTarget['path']) {
  const found = await refunds.get(tenancy, plainUuid(path.refundId) as RefundId);
  if (found.refund.orderId === path.orderId) return found;
  throw new ServiceError('NOT_FOUND', 'The order has no such refund.');
}

type Body = Parameters<TypedArea<Operations>['operations']['createRefund']>[0]['body'];

function demandOf(body: Body, currency: string): RefundDemand {
  const { refundOperations, includesCancelledOrderLines = false, reason, overruleCode } = body;
  return {
    operations: readOperations(refundOperations, currency),
    ...{
      includesCancelled: includesCancelledOrderLines,
      isOverruled: overruleCode !== undefined,
      reason,
      overruleCode,
    },
    member: 'refundOperations',
  };
}
