/**
 * The offers of searches, one document for each search. Written once; the database removes them an hour after they have
 * expired. Callers: the search, the handlers of the API; other areas through `OfferReader`.
 */
import type { Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Offer } from '../../workflows/offers/rules/offer.ts';
import type { OfferId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { OfferReader } from '../shared/offers.ts';
import { ID_INDEX, KEPT_EXPIRED_SECONDS, OFFERS_COLLECTION, type OfferSearchDocument } from './offer-document.ts';
import { searchOfOffer } from './offer-ids.ts';
import { offerAt, type StoredOffer } from './stored-offer.ts';

export class OfferStore implements OfferReader {
  readonly #collection: mongo.Collection<OfferSearchDocument>;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#collection = OFFERS_COLLECTION.open(connection);
    this.#now = now;
  }

  /** Answers what is stored: of a repeated request the offers of its first attempt, whose ids may be known to the caller. */
  async add(search: OfferSearchDocument): Promise<OfferSearchDocument> {
    try {
      await this.#collection.insertOne(search);
      return search;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const { _id, organisationId } = search;
      const stored = await this.#collection.findOne({ _id, organisationId });
      if (!stored) throw error;
      return stored;
    }
  }

  /** Undefined for an unknown or expired offer, and for that of another organisation. */
  async findLive(organisationId: OrganisationId | 'ANY', offerId: OfferId): Promise<StoredOffer | undefined> {
    const { searchId, place } = searchOfOffer(offerId);
    const live = { _id: searchId, expiresAt: { $gt: this.#now() } };
    const found =
      organisationId === 'ANY'
        ? await this.#collection.findOne(live)
        : await this.#collection.findOne({ ...live, organisationId }, { hint: ID_INDEX });
    return found ? offerAt(found, place) : undefined;
  }

  async find(organisationId: OrganisationId, offerIds: readonly OfferId[]): Promise<ReadonlyMap<OfferId, Offer>> {
    const searchIds = [...new Set(offerIds.map((id) => searchOfOffer(id).searchId))];
    const kept = new Date(this.#now().getTime() - KEPT_EXPIRED_SECONDS * 1_000);
    const query = { _id: { $in: searchIds }, organisationId, expiresAt: { $gt: kept } };
    const searches = new Map(
      (await this.#collection.find(query, { hint: ID_INDEX }).toArray()).map((each) => [each._id, each]),
    );
    const offers = new Map<OfferId, Offer>();
    for (const id of offerIds) {
      const { searchId, place } = searchOfOffer(id);
      const search = searches.get(searchId);
      const offer = search && offerAt(search, place);
      if (offer) offers.set(id, offer);
    }
    return offers;
  }
}
