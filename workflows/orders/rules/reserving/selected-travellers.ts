/** Which travellers of an offer a request selects, and whether the offer may be sold to them. Pure. */
import type { Offer, SearchedTraveller } from '../../../offers/rules/offer.ts';
import type { CustomerNumber } from '../../../shared/ids.ts';
import { ServiceError } from '../../../shared/service-error.ts';
import type { WantedOffer } from './wanted-offer.ts';

export interface SelectedTraveller {
  readonly searched: SearchedTraveller;
  readonly customerNumber?: CustomerNumber;
  readonly entitlementIds: readonly string[];
  /** Of its customer in the request. */
  readonly position: number;
}

/** Travellers of one line each: one traveller, or the party. */
export type Party = readonly SelectedTraveller[];

/** `pointer`: of the offer in the request. Throws TRAVELLER_NOT_IN_OFFER, COMPARTMENT_SIZE, ENTITLEMENT_MISMATCH. */
export function selectParties(offer: Offer, wanted: WantedOffer, pointer: string): readonly Party[] {
  const selected = selectTravellers(offer, wanted, pointer);
  if (offer.isPerParty) {
    assertPartySize(offer, selected.length, pointer);
    return Array.from({ length: wanted.lineCount ?? 1 }, () => selected);
  }
  const { lineCount = selected.length } = wanted;
  return Array.from({ length: lineCount }, (_, at) => [selected[at % selected.length] as SelectedTraveller]);
}

function selectTravellers(offer: Offer, wanted: WantedOffer, pointer: string): readonly SelectedTraveller[] {
  const selected = listSelectable(offer, wanted);
  for (const [at, traveller] of selected.entries()) {
    const isForAll = wanted.customers[at] === undefined && wanted.entitlementIds.length > 0;
    const member = isForAll ? 'entitlements' : `customers/${traveller.position}/entitlements`;
    assertEntitlements(offer, traveller, `${pointer}/${member}`);
  }
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
    const position = customer?.position ?? at;
    return { searched, entitlementIds, position, ...(customerNumber !== undefined && { customerNumber }) };
  });
}

/** Exactly those that the offer requires, in any order. */
function assertEntitlements(
  { requiredEntitlements }: Offer,
  { searched, entitlementIds }: SelectedTraveller,
  pointer: string,
): void {
  const [claimed, required] = [new Set(entitlementIds), new Set(requiredEntitlements)];
  if (claimed.symmetricDifference(required).size === 0) return;
  const [named, given] = [required, claimed].map((ids) => [...ids].join(', ') || 'none');
  const detail = `must be exactly what the offer requires of traveller ${searched.id}: ${named}. Given: ${given}`;
  const errors = [{ pointer, code: 'ENTITLEMENT_MISMATCH', detail }];
  throw new ServiceError('ENTITLEMENT_MISMATCH', `${pointer} ${detail}.`, { errors });
}

/** Of a group or a compartment. */
function assertPartySize({ party }: Offer, size: number, pointer: string): void {
  const { minTravellers = 1, maxTravellers = Number.POSITIVE_INFINITY } = party ?? {};
  if (size >= minTravellers && size <= maxTravellers) return;
  const code = 'COMPARTMENT_SIZE';
  const place = `${pointer}/selectedTravellerIds`;
  const detail = `must be ${minTravellers} to ${maxTravellers} travellers, whom the offer is for. Selected: ${size}`;
  throw new ServiceError(code, `${place} ${detail}.`, { errors: [{ pointer: place, code, detail }] });
}

function notInOffer(detail: string): ServiceError {
  return new ServiceError('TRAVELLER_NOT_IN_OFFER', detail);
}
