/** What reserving asks of other areas before it holds seats: offers that may be sold, customers that exist. */
import { isSeatCompulsory, takesSeat } from '../../workflows/offers/rules/needed-seats.ts';
import type { Offer } from '../../workflows/offers/rules/offer.ts';
import type { OrderTraveller } from '../../workflows/orders/rules/order.ts';
import type { CustomerNumber, DistributionChannelId, OfferId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { CustomerReader } from '../shared/customers.ts';
import { type Fares, trainOf } from '../shared/fares.ts';
import type { OfferReader } from '../shared/offers.ts';

export interface OfferQuestion {
  readonly organisationId: OrganisationId;
  readonly offerIds: readonly OfferId[];
  /** Of the request's body, with one element for each offer. */
  readonly member: 'offerConfigurations' | 'changeOfferConfigurations';
  /** That of the request: what one channel offers, no other sells. */
  readonly channelId: DistributionChannelId;
  /** That of the order. */
  readonly currency: string;
  readonly now: Date;
}

/** In the order of the ids. Throws UNKNOWN_OFFER, OFFER_EXPIRED, CURRENCY_MISMATCH. */
export async function findSaleableOffers(
  offers: OfferReader,
  { organisationId, channelId, offerIds, member, currency, now }: OfferQuestion,
): Promise<readonly Offer[]> {
  const found = await offers.find(organisationId, [...new Set(offerIds)]);
  return offerIds.map((offerId, at) => {
    const offer = found.get(offerId);
    if (offer?.distributionChannelId !== channelId) {
      const detail = `This channel has no offer ${offerId}. An offer ends after a while, and only the channel that searched sells it: search again.`;
      throw new ServiceError('UNKNOWN_OFFER', detail, {
        errors: [{ pointer: `/${member}/${at}/offerId`, code: 'UNKNOWN_OFFER', detail }],
      });
    }
    if (offer.expiresAt.getTime() <= now.getTime()) {
      throw new ServiceError('OFFER_EXPIRED', `The offer ${offerId} has expired. Search again.`);
    }
    if (offer.currency !== currency) {
      throw new ServiceError('CURRENCY_MISMATCH', `The order is in ${currency}, the offer in ${offer.currency}.`);
    }
    return offer;
  });
}

/**
 * An offer of an earlier catalogue may have no seat on a ride where the catalogue in force demands one. Refused before
 * anything is sold: later the terms of the line count. A compulsory supplement that takes a seat gives each traveller one.
 * Throws OFFER_EXPIRED.
 */
export function assertSeatsOffered(offers: readonly Offer[], fares: Pick<Fares, 'trains'>): void {
  for (const { _id: offerId, legs, seating, supplements } of offers) {
    const buysSeats = supplements.some((supplement) => supplement.isCompulsory && takesSeat(supplement));
    const without = legs.find(
      (leg) =>
        trainOf(fares, leg)?.seatReservation === 'COMPULSORY' &&
        !seating.some((each) => each.legId === leg.legId && (buysSeats || isSeatCompulsory(each))),
    );
    if (!without) continue;
    const ride = `${without.legId} (${without.datedServiceJourneyId})`;
    throw new ServiceError(
      'OFFER_EXPIRED',
      `Each traveller must now have a seat on ride ${ride}, and the offer ${offerId} has none. Search again.`,
    );
  }
}

/** Throws UNKNOWN_CUSTOMER. */
export async function assertCustomers(
  customers: CustomerReader,
  organisationId: OrganisationId,
  numbers: readonly (CustomerNumber | undefined)[],
): Promise<void> {
  const wanted = numbers.filter((number) => number !== undefined);
  if (wanted.length === 0) return;
  const existing = await customers.listExisting(organisationId, wanted);
  const unknown = wanted.find((number) => !existing.has(number));
  if (unknown !== undefined) throw new ServiceError('UNKNOWN_CUSTOMER', `There is no customer ${unknown}.`);
}

export async function assertCustomersOf(
  customers: CustomerReader,
  organisationId: OrganisationId,
  travellers: readonly OrderTraveller[],
): Promise<void> {
  const numbers = travellers.map(({ customerNumber }) => customerNumber);
  await assertCustomers(customers, organisationId, numbers);
}
