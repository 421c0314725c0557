/** The searches for orders that name a customer, or have ever named it. Callers: the erasure of a customer, here and in other areas. */
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { NAMING_INDEXES } from './order-indexes.ts';

/** One search for each way: asked for all of them at once, the database may walk all orders of the organisation. */
export function ordersNaming(organisationId: OrganisationId, customerNumber: CustomerNumber) {
  return Object.entries(NAMING_INDEXES).map(([member, hint]) => ({
    filter: { organisationId, [member]: customerNumber } as object,
    hint,
    /** A draft that is found so still names the customer. */
    isPresent: member !== 'everNamed',
  }));
}
