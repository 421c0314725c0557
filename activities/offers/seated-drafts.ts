/**
 * Adds what is known of seats to priced offers. An offer that has a seat for none of its travellers, or for no party, stays in
 * the list, as not available; one whose journey has no seats of the kind is left out.
 */
import type { DraftOffer } from '../../workflows/offers/rules/draft-offer.ts';
import { isSeatCompulsory, takesSeat } from '../../workflows/offers/rules/needed-seats.ts';
import type { OfferedSeating, OfferedSupplement } from '../../workflows/offers/rules/offer.ts';
import type { SeatNeed } from '../../workflows/offers/rules/seat-demand.ts';
import type { UnavailableProduct, UnavailableReason } from '../../workflows/offers/rules/unavailable.ts';
import type { SeatCount } from '../shared/seating.ts';
import type { SeatCounts } from './seat-counts.ts';

export interface SeatedDraft {
  readonly draft: DraftOffer;
  readonly isAvailable: boolean;
  readonly availableSeats?: number;
  /** Seats that travellers must have. */
  readonly needs: readonly SeatNeed[];
}

export interface SeatedDrafts {
  readonly seated: readonly SeatedDraft[];
  readonly unavailable: readonly UnavailableProduct[];
}

export async function seatDrafts(drafts: readonly DraftOffer[], counts: SeatCounts): Promise<SeatedDrafts> {
  const found = await Promise.all(drafts.map(async (draft) => await seatDraft(draft, counts)));
  return {
    seated: found.flatMap(({ seated }) => seated ?? []),
    unavailable: found.flatMap(({ unavailable }) => unavailable),
  };
}

interface Found {
  readonly seated?: SeatedDraft;
  readonly unavailable: readonly UnavailableProduct[];
}

async function seatDraft(given: DraftOffer, counts: SeatCounts): Promise<Found> {
  if (given.seating.length === 0) return { seated: { draft: given, isAvailable: true, needs: [] }, unavailable: [] };
  const refused = (productId: string, reason: UnavailableReason): UnavailableProduct => ({
    ...{ productId, reason, travellerIds: given.travellers.map(({ id }) => id) },
  });
  const required = given.supplements.flatMap(({ isCompulsory, seatFacility }) =>
    isCompulsory && seatFacility !== undefined ? [seatFacility] : [],
  );
  const counted = await Promise.all(
    given.seating.map(async (seating) => ({ seating, count: await counts.count(seating, required) })),
  );
  const buysSeats = given.supplements.some((supplement) => supplement.isCompulsory && takesSeat(supplement));
  const compulsory = counted.filter(({ seating }) => buysSeats || isSeatCompulsory(seating));
  if (compulsory.some(({ count }) => count.total === 0)) {
    return { unavailable: [refused(given.product.id, 'NO_SUCH_SEATS')] };
  }
  const usable = counted.filter(({ count }) => count.total > 0);
  const seating = usable.map((each) => each.seating);
  const supplements = await seatSupplements(given, { seating, required }, counts);
  const draft = { ...given, seating, supplements: supplements.kept };
  const isAvailable = lowest(compulsory) >= fewestTravellers(given);
  return {
    seated: {
      ...{ draft, isAvailable },
      ...(usable.length > 0 && { availableSeats: lowest(usable) }),
      needs: compulsory.map((each) => needOf(each, required)),
    },
    unavailable: [
      ...(isAvailable ? [] : [refused(given.product.id, 'SOLD_OUT')]),
      ...supplements.leftOut.map(({ id, reason }) => refused(id, reason)),
    ],
  };
}

function needOf({ seating, count }: Counted, facilities: readonly string[]): SeatNeed {
  const { legId, accommodation, fareClass, wholeCompartment } = seating;
  const wish = { accommodation, facilities, ...(fareClass && { fareClass }) };
  const { free, compartments } = count;
  return { ...{ legId, kind: { wish, wholeCompartment }, free }, ...(compartments && { compartments }) };
}

/** A supplement for a kind of seat needs a free one on every ride with seats: a part of the travellers may want it. */
async function seatSupplements(
  offered: DraftOffer,
  { seating, required }: { readonly seating: readonly OfferedSeating[]; readonly required: readonly string[] },
  counts: SeatCounts,
): Promise<{
  readonly kept: readonly OfferedSupplement[];
  readonly leftOut: readonly { readonly id: string; readonly reason: UnavailableReason }[];
}> {
  const checked = await Promise.all(
    offered.supplements.map(async (supplement) => {
      const { seatFacility, isCompulsory } = supplement;
      if (isCompulsory || !takesSeat(supplement)) return { supplement };
      if (seating.length === 0) return { supplement, reason: 'NO_SUCH_SEATS' as const };
      const facilities = seatFacility === undefined ? required : [...required, seatFacility];
      const found = await Promise.all(seating.map(async (each) => await counts.count(each, facilities)));
      if (found.some(({ total }) => total === 0)) return { supplement, reason: 'NO_SUCH_SEATS' as const };
      const isSoldOut = found.some(({ free }) => free === 0);
      return { supplement, ...(isSoldOut && { reason: 'SOLD_OUT' as const }) };
    }),
  );
  return {
    kept: checked.flatMap(({ supplement, reason }) => (reason ? [] : [supplement])),
    leftOut: checked.flatMap(({ supplement, reason }) => (reason ? [{ id: supplement.id, reason }] : [])),
  };
}

interface Counted {
  readonly seating: OfferedSeating;
  readonly count: SeatCount;
}

function lowest(counted: readonly Counted[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...counted.map(({ count }) => count.free));
}

/** Of one reservation, which may select some of the travellers; a recommendation does. */
function fewestTravellers({ party }: Pick<DraftOffer, 'party'>): number {
  return party?.minTravellers ?? 1;
}
