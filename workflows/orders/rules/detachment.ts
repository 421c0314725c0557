/** An erased customer leaves the drafts of orders. Other orders keep the number, which names nobody any more. Pure. */
import type { CustomerNumber } from '../../shared/ids.ts';
import type { Order } from './order.ts';
import { type OrderCommand, unchanged } from './order-change.ts';

/** No lock refuses it: an erasure must end. */
export const detachCustomer: OrderCommand<{ readonly customerNumber: CustomerNumber }> = (order, command, _now) => {
  const { customerNumber } = command;
  if (order.status !== 'DRAFT' || !namesCustomer(order, customerNumber)) return unchanged(order);
  const { createdBy, contact, travellers, version, ...rest } = order;
  const left = {
    ...(createdBy !== undefined && createdBy !== customerNumber && { createdBy }),
    ...(contact !== undefined && contact !== customerNumber && { contact }),
  };
  const theirs = travellers.filter((traveller) => traveller.customerNumber === customerNumber);
  const isContact = createdBy === customerNumber || contact === customerNumber;
  return {
    order: {
      ...rest,
      ...left,
      version,
      travellers: travellers.map((traveller) => {
        const { customerNumber: number, ...others } = traveller;
        return number === customerNumber ? others : traveller;
      }),
    },
    events: [
      ...(isContact ? [{ type: 'OrderContactInformationUpdated' as const, orderVersion: version, ...left }] : []),
      ...theirs.map(({ id }) => ({ type: 'TravellerUpdated' as const, orderVersion: version, travellerId: id })),
    ],
  };
};

/** As its contact, its creator, or a traveller. */
export function namesCustomer({ createdBy, contact, travellers }: Order, customerNumber: CustomerNumber): boolean {
  return (
    createdBy === customerNumber ||
    contact === customerNumber ||
    travellers.some((traveller) => traveller.customerNumber === customerNumber)
  );
}
