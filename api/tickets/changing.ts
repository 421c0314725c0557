/** Moves validities and gives tickets to another customer. Successors are signed and sent by the workflow `reissue`. */
import type { StoredGroup } from '../../activities/tickets/ticket-types.ts';
import { startPending } from '../../platform/aggregate/pending-starts.ts';
import type { TicketGroupId } from '../../workflows/shared/ids.ts';
import type { Handlers, OperationContext } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TicketsDependencies } from './dependencies.ts';
import { presentGroups } from './present-group.ts';
import { invalidMember, tenancyOf, workOf } from './requests.ts';

type ChangeOperations = Pick<Operations, 'updateValidities' | 'transferDistributionHolder'>;

export function createChangeOperations(dependencies: TicketsDependencies): Handlers<ChangeOperations> {
  const { updates, barcodes } = dependencies;
  /** Barcodes may be of several orders, so no key of one order can seal a stored answer. */
  const answer = async (stored: readonly StoredGroup[], context: Pick<OperationContext, 'correlationId' | 'log'>) => {
    await startReissues(dependencies, stored, context);
    return { status: 200, unstored: true, json: await presentGroups(stored, barcodes) } as const;
  };
  return {
    updateValidities: async (context) => {
      const { body, caller } = context;
      assertDistinct(
        body.updates.map(({ ticketDistributionGroupId }) => ticketDistributionGroupId),
        (at) => `/updates/${at}/ticketDistributionGroupId`,
      );
      const wanted = body.updates.map(({ ticketDistributionGroupId: groupId, startOfValidity }) => ({
        groupId,
        startOfValidity: new Date(startOfValidity),
      }));
      const work = await workOf(context);
      return await answer(await updates.updateValidities(tenancyOf(caller), wanted, work), context);
    },
    transferDistributionHolder: async (context) => {
      const { ticketDistributionGroupIds: groupIds, toCustomerId: toCustomerNumber } = context.body;
      assertDistinct(groupIds, (at) => `/ticketDistributionGroupIds/${at}`);
      const work = await workOf(context);
      const transfer = { groupIds, toCustomerNumber };
      return await answer(await updates.transferHolder(tenancyOf(context.caller), transfer, work), context);
    },
  };
}

/** What a crash leaves pending, the sweep starts. */
async function startReissues(
  { calls, reissues }: TicketsDependencies,
  stored: readonly StoredGroup[],
  { correlationId, log }: Pick<OperationContext, 'correlationId' | 'log'>,
): Promise<void> {
  for (const each of stored.filter(({ isPending }) => isPending)) {
    const { organisationId, orderId, id: groupId, reissues: number } = each.group;
    await startPending(each, {
      start: async () => await calls.startReissue({ organisationId, orderId, groupId, number }, { correlationId }),
      clear: async ({ revision }) => await reissues.clearPendingStart({ groupId, revision }),
      describe: () => ({ ticketGroupId: groupId }),
      log,
    });
  }
}

function assertDistinct(groupIds: readonly TicketGroupId[], pointerOf: (at: number) => string): void {
  const at = groupIds.findIndex((id, position) => groupIds.indexOf(id) !== position);
  if (at >= 0) throw invalidMember(pointerOf(at), 'DUPLICATE', 'names a group that is named before');
}
