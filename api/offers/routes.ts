/** The offers area: searches, and the offers that they have found. openapi.yaml describes the operations. */
import type { OfferSearches } from '../../activities/offers/offer-search.ts';
import type { OfferStore } from '../../activities/offers/offer-store.ts';
import type { StoredOffer } from '../../activities/offers/stored-offer.ts';
import type { GivenTravel } from '../../activities/offers/wanted-search.ts';
import type { CatalogueReader, DistributionChannel } from '../../activities/shared/catalogue.ts';
import type { OfferId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { channelOrDefault } from '../shared/distribution-channel.ts';
import type { Caller, Idempotency, TypedArea } from '../shared/operation.ts';
import type { Operations, Schemas } from './contract.gen.ts';
import { presentAnswer, presentOffer } from './presenters.ts';
import { authorityOf, stopPlacesOf, tripPatternOf, zonesOf } from './requests.ts';

export interface OffersDependencies {
  readonly catalogue: Pick<CatalogueReader, 'findDefaultChannel'>;
  readonly searches: OfferSearches;
  readonly offers: OfferStore;
}

const EVERY_ORGANISATION = 'organisation:any';

interface SearchContext<Body> {
  readonly body: Body;
  readonly caller: Caller;
  readonly channel: DistributionChannel | undefined;
  readonly idempotency: Idempotency;
}

export function createOffersArea({ catalogue, searches, offers }: OffersDependencies): TypedArea<Operations> {
  function searchBy<Body extends { readonly travellers: Schemas['Travellers'] }>(
    travelOf: (body: Body) => GivenTravel,
  ) {
    return async ({ body, caller, channel: named, idempotency }: SearchContext<Body>) => {
      const channel = await channelOrDefault({ channel: named, caller }, catalogue);
      const { workId } = await idempotency.claim();
      const searcher = { organisationId: caller.organisationId, channel, workId };
      const found = await searches.search(searcher, { travellers: body.travellers, travel: travelOf(body) });
      return { status: 200, headers: expires(found.expiresAt), json: presentAnswer(found) } as const;
    };
  }
  async function get(caller: Caller, offerId: OfferId): Promise<StoredOffer> {
    const organisation = caller.scopes.has(EVERY_ORGANISATION) ? 'ANY' : caller.organisationId;
    const offer = await offers.findLive(organisation, offerId);
    if (!offer) throw new ServiceError('NOT_FOUND', 'There is no such offer, or it has expired.');
    return offer;
  }
  return {
    name: 'offers',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      searchTripPattern: searchBy(tripPatternOf),
      searchStopPlaces: searchBy(stopPlacesOf),
      searchZones: searchBy(zonesOf),
      searchAuthority: searchBy(authorityOf),
      getOffer: async ({ path, caller }) => {
        const offer = await get(caller, path.offerId);
        return { status: 200, headers: expires(offer.expiresAt), json: presentOffer(offer) };
      },
    },
    finds: { getOffer: async ({ path, caller }) => await get(caller, path.offerId) },
  };
}

function expires(at: Date): Readonly<Record<string, string>> {
  return { expires: at.toUTCString() };
}
