/** Prices every product of the catalogue for a search, and says why the others are not offered. Pure. */
import type { PreassignedProduct } from '../../shared/fares.ts';
import { type Coverage, coveragesOfRides } from './coverage.ts';
import { coveragesWithoutRides } from './coverage-without-rides.ts';
import { type DraftOffer, draftOffer } from './draft-offer.ts';
import { asksFor, byUserType, isEntitled, refusalByChannel } from './eligibility.ts';
import { mergeUnavailable, type UnavailableProduct, type UnavailableReason } from './unavailable.ts';
import type { OfferSearch, WantingTraveller } from './wanted-travel.ts';

export interface Drafts {
  readonly drafts: readonly DraftOffer[];
  readonly unavailable: readonly UnavailableProduct[];
}

export function draftOffers(search: OfferSearch): Drafts {
  const drafts: DraftOffer[] = [];
  const unavailable: UnavailableProduct[] = [];
  for (const product of search.fares.products.values()) {
    if (product.kind !== 'PREASSIGNED') continue;
    const found = draftsOf(product, search);
    drafts.push(...found.drafts);
    unavailable.push(...found.unavailable);
  }
  // A supplement that fits one of the offers is not unavailable.
  const offered = new Set(drafts.flatMap(({ supplements }) => supplements.map(({ id }) => id)));
  return { drafts, unavailable: mergeUnavailable(unavailable.filter(({ productId }) => !offered.has(productId))) };
}

/** Products that another channel sells are not mentioned, unless a traveller names them. */
function draftsOf(product: PreassignedProduct, search: OfferSearch): Drafts {
  const asking = search.travellers.filter((traveller) => asksFor(traveller, product, search.fares));
  if (asking.length === 0) return { drafts: [], unavailable: [] };
  const refused = (
    reason: UnavailableReason,
    travellers = asking,
    more: Partial<UnavailableProduct> = {},
  ): UnavailableProduct => ({
    ...{ productId: product.id, reason, travellerIds: travellers.map(({ id }) => id) },
    ...more,
  });
  const byChannel = refusalByChannel(product, search.channel);
  if (byChannel) {
    const naming = asking.filter(({ productIds }) => productIds.includes(product.id));
    return { drafts: [], unavailable: naming.length > 0 ? [refused(byChannel, naming)] : [] };
  }
  const coverages = coveragesOf(product, search);
  if ('reason' in coverages) {
    const { reason, ...more } = coverages;
    return { drafts: [], unavailable: [refused(reason, asking, more)] };
  }
  const entitled = asking.filter((traveller) => isEntitled(traveller, product));
  const missing = asking.filter((traveller) => !isEntitled(traveller, product));
  const { requiredEntitlements } = product;
  const found = groupsOf(product, entitled).map((group) =>
    typeof group === 'string'
      ? { drafts: [], unavailable: [refused(group, entitled, product.group ?? product.compartment)] }
      : draftsOfGroup(product, coverages.coverages, group, search),
  );
  return {
    drafts: found.flatMap(({ drafts }) => drafts),
    unavailable: [
      ...found.flatMap((each) => each.unavailable),
      ...(missing.length > 0 ? [refused('ENTITLEMENT_MISSING', missing, { requiredEntitlements })] : []),
    ],
  };
}

function coveragesOf(product: PreassignedProduct, { fares, travel, now }: OfferSearch) {
  const fare = { product, prices: fares.prices.get(product.id) ?? [] };
  const time = { now, timeZone: fares.timeZone };
  return travel.kind === 'RIDES'
    ? coveragesOfRides(fare, travel.rides, time)
    : coveragesWithoutRides(fare, travel, time);
}

/** The travellers of one offer: those of one user type, or the whole party. */
function groupsOf(
  product: PreassignedProduct,
  travellers: readonly WantingTraveller[],
): readonly (readonly WantingTraveller[] | 'GROUP_SIZE')[] {
  const party = product.group ?? product.compartment;
  if (travellers.length === 0) return [];
  if (!party) return [...byUserType(travellers).values()];
  return travellers.length < party.minTravellers ? ['GROUP_SIZE'] : [travellers];
}

function draftsOfGroup(
  product: PreassignedProduct,
  coverages: readonly Coverage[],
  group: readonly WantingTraveller[],
  search: OfferSearch,
): Drafts {
  const drafted = coverages.map((coverage) => draftOffer(product, coverage, group, search));
  const drafts = drafted.flatMap((each) => ('draft' in each ? [each.draft] : []));
  const travellerIds = group.map(({ id }) => id);
  const leftOut = drafted.flatMap((each) => ('draft' in each ? each.leftOut : []));
  const refusals = drafted.flatMap((each) =>
    'reason' in each ? [{ productId: product.id, reason: each.reason }] : [],
  );
  return {
    drafts: search.travel.kind === 'RIDES' ? worthwhile(drafts) : cheapest(drafts),
    // A product that can be had for a part of the journey is not unavailable.
    unavailable: [...leftOut, ...(drafts.length === 0 ? refusals.slice(0, 1) : [])].map((each) => ({
      ...each,
      travellerIds,
    })),
  };
}

/** Leaves out a ticket for one ride that costs no less than one which covers that ride and others. */
function worthwhile(drafts: readonly DraftOffer[]): readonly DraftOffer[] {
  return drafts.filter(({ coverage: { legIndexes }, totalPrice: { amountMinor } }) => {
    const [only] = legIndexes;
    if (legIndexes.length > 1 || only === undefined) return true;
    return !drafts.some(
      (other) =>
        other.coverage.legIndexes.length > 1 &&
        other.coverage.legIndexes.includes(only) &&
        other.totalPrice.amountMinor <= amountMinor,
    );
  });
}

/** Lines between the same places: the ticket for the cheapest one. */
function cheapest(drafts: readonly DraftOffer[]): readonly DraftOffer[] {
  const amounts = drafts.map(({ totalPrice }) => totalPrice.amountMinor);
  const at = amounts.indexOf(Math.min(...amounts));
  return drafts.slice(at, at + 1);
}
