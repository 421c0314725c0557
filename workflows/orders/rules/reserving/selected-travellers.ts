/** Which travellers of an offer a request selects, and whether the offer may be sold to them. Pure. */
import type { Offer, SearchedTraveller } from '../../../offers/rules/offer.ts';
import type { CustomerNumber } from '../../../shared/ids.ts';
import { ServiceError } from '../../../shared/service-error.ts';
import type { WantedOffer } from './wanted-offer.ts';

export interface SelectedTraveller {
  readonly searched: SearchedTraveller;
  readonly customerNumber?: CustomerNumber;
  readonly entitlementIds: readonly string[];
}

/** Travellers of one line each: one traveller, or the party. */
export type Party = readonly SelectedTraveller[];

/** Throws TRAVELLER_NOT_IN_OFFER, COMPARTMENT_SIZE, ENTITLEMENT_MISMATCH. */
export function selectParties(offer: Offer, wanted: WantedOffer): readonly Party[] {
  const selected = selectTravellers(offer, wanted);
  if (offer.isPerParty) {
    assertPartySize(offer, selected.length);
    return Array.from({ length: wanted.lineCount ?? 1 }, () => selected);
  }
  const { lineCount = selected.length } = wanted;
  return Array.from({ length: lineCount }, (_, at) => [selected[at % selected.length] as SelectedTraveller]);
}

function selectTravellers(offer: Offer, wanted: WantedOffer): readonly SelectedTraveller[] {
  const selected = listSelectable(offer, wanted);
  for (const { entitlementIds } of selected) assertEntitlements(offer, entitlementIds);
  return selected;
}

/** Before entitlements are checked. Throws TRAVELLER_NOT_IN_OFFER. */
export function listSelectable(offer: Offer, wanted: WantedOffer): readonly SelectedTraveller[] {
  const mapped = offer.travellerMapping.flatMap(({ travellerIds }) => travellerIds);
  const ids = wanted.selectedTravellerIds ?? mapped;
  const unknown = ids.find((id) => !mapped.includes(id));
  if (unknown !== undefined) {
    throw notInOffer(
      `The offer ${offer._id} is not for the selected traveller ${unknown}. It is for ${mapped.join(', ')}.`,
    );
  }
  if (wanted.customers.length > ids.length) throw notInOffer('There are more customers than travellers in the offer.');
  return ids.map((id, at) => {
    const searched = offer.travellers.find((traveller) => traveller.id === id);
    if (!searched) throw new RangeError(`The offer ${offer._id} maps a traveller that it does not have`);
    const customer = wanted.customers[at];
    const entitlementIds = customer?.entitlementIds ?? wanted.entitlementIds;
    const customerNumber = customer?.customerNumber ?? (searched.customerNumber as CustomerNumber | undefined);
    return { searched, entitlementIds, ...(customerNumber !== undefined && { customerNumber }) };
  });
}

/** Exactly those that the offer requires, in any order. */
function assertEntitlements({ requiredEntitlements }: Offer, given: readonly string[]): void {
  const [claimed, required] = [new Set(given), new Set(requiredEntitlements)];
  if (claimed.size === required.size && [...required].every((id) => claimed.has(id))) return;
  const named = required.size === 0 ? 'none' : [...required].join(', ');
  throw new ServiceError('ENTITLEMENT_MISMATCH', `The offer requires these entitlements of each traveller: ${named}.`);
}

function assertPartySize({ party }: Offer, size: number): void {
  const { minTravellers = 1, maxTravellers = Number.POSITIVE_INFINITY } = party ?? {};
  if (size >= minTravellers && size <= maxTravellers) return;
  throw new ServiceError(
    'COMPARTMENT_SIZE',
    `The offer is for ${minTravellers} to ${maxTravellers} travellers. Selected: ${size}.`,
  );
}

function notInOffer(detail: string): ServiceError {
  return new ServiceError('TRAVELLER_NOT_IN_OFFER', detail);
}
