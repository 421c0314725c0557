/** Lines of an order that are made from offers, before their seats are held. Pure. */
import type { Offer } from '../../../offers/rules/offer.ts';
import type { OrderLineId, ReservationId, TravellerId } from '../../../shared/ids.ts';
import type { NewLine } from '../lines.ts';
import type { OrderTraveller, TravelSpecification } from '../order.ts';
import { chooseProducts } from './chosen-products.ts';
import type { ContentKeeper } from './kept-content.ts';
import type { OrderTravellers } from './order-travellers.ts';
import { type PlannedSeats, planSeats } from './planned-seats.ts';
import { type Party, type SelectedTraveller, selectParties } from './selected-travellers.ts';
import type { DerivedIds, WantedOffer } from './wanted-offer.ts';

export interface PlannedLine {
  readonly line: NewLine;
  readonly seats: readonly PlannedSeats[];
  /** Chosen by the request, or kept of a replaced line. */
  readonly selectableProductIds: readonly string[];
}

export interface LineNaming {
  readonly ids: DerivedIds;
  /** Position of the offer in the request, and its JSON pointer. */
  readonly position: number;
  readonly pointer: string;
  /** The id of the line at this position of the offer's lines, where it is not new. */
  readonly lineId?: (position: number) => OrderLineId | undefined;
  /** Travellers of the lines that are replaced, by their ids in the search. */
  readonly kept?: ReadonlyMap<string, TravellerId>;
  readonly keptContent?: ContentKeeper;
}

/** Throws TRAVELLER_NOT_IN_OFFER, COMPARTMENT_SIZE, ENTITLEMENT_MISMATCH, VALIDATION_FAILED (422). */
export function planLines(
  offer: Offer,
  wanted: WantedOffer,
  travellers: OrderTravellers,
  naming: LineNaming,
): readonly PlannedLine[] {
  const { ids, position, pointer, lineId, kept, keptContent } = naming;
  const parties = selectParties(offer, wanted, pointer);
  const chosen = new Map<string, OrderTraveller>();
  const choose = (selected: SelectedTraveller): OrderTraveller => {
    const known = chosen.get(selected.searched.id);
    if (known) return known;
    const traveller = travellers.travellerOf(selected, kept?.get(selected.searched.id));
    chosen.set(selected.searched.id, traveller);
    return traveller;
  };
  const lines = parties.map((party, at) => {
    const name = `${position}/${at}`;
    const id = lineId?.(at) ?? (ids.ofWork(`line/${name}`) as OrderLineId);
    const own = party.map(choose);
    return planLine(
      offer,
      { ...wanted, ...keptContent?.keep(own.map((traveller) => traveller.id)) },
      { id, name, pointer, party, own, ids },
    );
  });
  keptContent?.assertAllKept();
  return lines;
}

interface NamedParty {
  readonly id: OrderLineId;
  readonly name: string;
  readonly pointer: string;
  readonly party: Party;
  readonly own: readonly OrderTraveller[];
  readonly ids: DerivedIds;
}

function planLine(offer: Offer, wanted: WantedOffer, { id, name, pointer, party, own, ids }: NamedParty): PlannedLine {
  const { products, supplements, price } = chooseProducts(offer, wanted.selectableProductIds, pointer);
  const seats = planSeats(offer, {
    orderLineId: id,
    travellerIds: own.map((traveller) => traveller.id),
    supplements,
    reservationId: (legId, position) => ids.ofWork(`reservation/${name}/${legId}/${position}`) as ReservationId,
  });
  const [product] = offer.preassignedProducts;
  const { refundRuleSetId, changeRuleSetId, transferable } = product ?? {};
  const compulsoryLegIds = seats.filter(({ isCompulsory }) => isCompulsory).map(({ leg }) => leg.legId);
  const line: NewLine = {
    id,
    offerId: offer._id,
    description: offer.name,
    price,
    fareProducts: products,
    travellers: party.map(({ entitlementIds }, at) => ({
      travellerId: (own[at] as OrderTraveller).id,
      ...(entitlementIds.length > 0 && { entitlementIds }),
    })),
    travelSpecification: travelOf(offer),
    reservationIds: seats.flatMap(({ places }) => places.map(({ reservationId }) => reservationId)),
    ...(compulsoryLegIds.length > 0 && { compulsoryLegIds }),
    ...(wanted.externalReference !== undefined && { externalReference: wanted.externalReference }),
    ...(refundRuleSetId !== undefined && { refundRuleSetId }),
    ...(changeRuleSetId !== undefined && { changeRuleSetId }),
    ...(transferable !== undefined && { transferable }),
  };
  return { line, seats, selectableProductIds: wanted.selectableProductIds };
}

function travelOf({ legs, startOfValidity, endOfValidity, geographicalValidity }: Offer): TravelSpecification {
  const { zoneIds, zoneNames, zoneType, fromStopPlaceId, toStopPlaceId } = geographicalValidity;
  return {
    legs,
    startOfValidity,
    endOfValidity,
    ...(zoneIds && { zones: zoneIds }),
    ...(zoneNames && { zoneNames }),
    ...(zoneType && { zoneType }),
    ...(fromStopPlaceId !== undefined && { fromStopPlaceId }),
    ...(toStopPlaceId !== undefined && { toStopPlaceId }),
  };
}
