/** Uses of tickets between the plan of a refund and the moment in which its tickets are disabled. */
import assert from 'node:assert/strict';
import { disableTickets } from '../../../activities/refunds/refund-tickets.ts';
import type { LineUse } from '../../../activities/shared/tickets.ts';
import type { PlannedOperation } from '../../../workflows/refunds/rules/refund.ts';
import type { OrderId, OrderLineId, TicketDistributionId } from '../../../workflows/shared/ids.ts';
import { NOW, OURS } from '../../support/sample-orders.ts';

const LINE = 'line-1' as OrderLineId;
const TICKET = 8812 as TicketDistributionId;
const WORK = { correlationId: 'c', clientId: 'refunds' };

describe('disabling tickets of a refund', () => {
  const disable = async (usedLegIds: readonly string[] | undefined, legIds?: readonly string[]) => {
    const uses: LineUse[] = usedLegIds ? [{ orderLineId: LINE, usedAt: NOW, usedLegIds }] : [];
    const tickets = { disable: async () => [TICKET], listUse: async () => uses };
    const operation: PlannedOperation = {
      ...{ orderLineId: LINE, orderLineVersion: 1, refundRuleId: 'R1', shareMinor: 5_000, refundMinor: 5_000 },
      ...{ unusedOnly: false, ...(legIds && { legIds }) },
    };
    const lines = { organisationId: OURS, orderId: 'ABCDEFGH' as OrderId, orderVersion: 1, operations: [operation] };
    return await disableTickets(tickets, lines, 'refund/1', WORK);
  };
  const used = { code: 'TICKET_ALREADY_USED' };

  it('goes on where nothing, or another leg, was used', async () => {
    assert.deepEqual(await disable(undefined), [TICKET]);
    assert.deepEqual(await disable(['leg-1'], ['leg-2']), [TICKET]);
  });

  it('refuses a line, or a leg, that was used meanwhile', async () => {
    await assert.rejects(disable(['leg-1']), used);
    await assert.rejects(disable(['leg-2'], ['leg-2']), used);
  });

  it('refuses a leg where a use names none: the ticket was used as a whole', async () => {
    await assert.rejects(disable([], ['leg-2']), used);
  });
});
