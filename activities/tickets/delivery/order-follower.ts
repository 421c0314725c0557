/**
 * Writes down that a confirmed version is to be delivered: called with the events of orders, in their order, each at least once.
 * Caller: the events worker, by the manifest.
 *
 * That worker has no connection to Temporal; the sweep of the documents worker starts the workflow within a second. A cancelled
 * order needs nothing more: its lines were cancelled by the version that was confirmed before, whose delivery disables their tickets.
 */
import type { HandleEvents } from '../../../platform/area.ts';
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import type { OrderId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { deliveryWorkflowId } from '../../../workflows/tickets/messages.ts';
import type { MailingStore, NewMailing } from '../mailing-store.ts';

const CONFIRMED = /\.OrderConfirmed\.v\d+$/;

export function createOrderFollower(mailings: Pick<MailingStore, 'create'>): HandleEvents {
  return async (events) => {
    for (const event of events) if (CONFIRMED.test(event.type)) await mailings.create(mailingOf(event));
  };
}

function mailingOf({ key, data }: OutboxEvent): NewMailing {
  const { meta, orderVersion } = data;
  const orderId = key as OrderId;
  const id = deliveryWorkflowId({ orderId, orderVersion: Number(orderVersion) });
  return {
    ...{ id, workflow: id, orderId, orderVersion: Number(orderVersion), wish: { kind: 'CONFIRMED' } },
    organisationId: meta.organisationId as OrganisationId,
    correlationId: meta.correlationId,
  };
}
