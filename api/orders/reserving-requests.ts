/** Wanted offers of requests: deprecated members are folded into those that replace them. */

import type { WantedChange, WantedCustomer, WantedOffer } from '../../workflows/orders/rules/reserving/wanted-offer.ts';
import type { OfferId, OrderLineId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import { idsOf } from '../shared/id-lists.ts';
import { invalidMember } from './requests.ts';
import type { Schemas } from './reserve-offers.contract.gen.ts';

type Configuration = Schemas['OfferConfiguration'];
type ChangeConfiguration = Schemas['ChangeOfferConfiguration'];

export function readOffers(given: readonly Configuration[]): readonly WantedOffer[] {
  return given.map((configuration, at) => readOffer(configuration, `/offerConfigurations/${at}`));
}

export function readChanges(given: readonly ChangeConfiguration[]): readonly WantedChange[] {
  return given.map(({ selectedOrderLineIds, ...configuration }, at) => ({
    ...readOffer(configuration, `/changeOfferConfigurations/${at}`),
    replacedLineIds: idsOf(selectedOrderLineIds),
    keepsSupplements: configuration.selectableProductIds === undefined,
  }));
}

export function readSupplements(given: Schemas['SupplementRequest']['supplementProducts']) {
  return given.map(({ orderLineId, selectableProductIds }) => ({
    orderLineId: plainUuid(orderLineId) as OrderLineId,
    selectableProductIds,
  }));
}

/** Throws VALIDATION_FAILED where a deprecated member stands beside the one that replaces it. */
function readOffer(given: Configuration, pointer: string): WantedOffer {
  const { offerId, customers, customerIds, entitlements, selectedTravellerIds, count } = given;
  if (customers && (customerIds || entitlements)) {
    const member = customerIds ? 'customerIds' : 'entitlements';
    throw invalidMember(`${pointer}/${member}`, 'EXCLUDED', 'is not given together with customers');
  }
  if (count !== undefined && selectedTravellerIds) {
    throw invalidMember(`${pointer}/count`, 'EXCLUDED', 'is not given together with selectedTravellerIds');
  }
  const entitlementIds = (entitlements ?? []).map(({ id }) => id);
  return {
    offerId: plainUuid(offerId) as OfferId,
    customers: customers ? customers.map(toCustomer) : (customerIds ?? []).map((id) => withAll(id, entitlementIds)),
    entitlementIds,
    ...(selectedTravellerIds && { selectedTravellerIds }),
    selectableProductIds: given.selectableProductIds ?? [],
    ...(given.externalReference !== undefined && { externalReference: given.externalReference }),
    ...(count !== undefined && { lineCount: count }),
  };
}

function toCustomer({
  customerId,
  entitlements = [],
}: NonNullable<Configuration['customers']>[number]): WantedCustomer {
  const entitlementIds = entitlements.map(({ id }) => id);
  return { entitlementIds, ...(customerId !== undefined && { customerNumber: customerId }) };
}

function withAll(
  customerNumber: NonNullable<Configuration['customerIds']>[number],
  entitlementIds: readonly string[],
): WantedCustomer {
  return { customerNumber, entitlementIds };
}
