/** Which part of a line may be given back, and what it has cost. Parts of a line always add up to its price. Pure. */
import type { OrderLine } from '../../orders/rules/order.ts';
import { hasDepartedBefore, isBoundBySeat } from '../../orders/rules/reserving/disruption-terms.ts';
import type { TravellerId } from '../../shared/ids.ts';
import { splitAmount, sumOf } from '../../shared/money.ts';

/** What tickets know of a line. */
export interface LineUse {
  readonly usedAt: Date;
  readonly usedLegIds: readonly string[];
}

export interface PartOfLine {
  readonly legIds?: readonly string[];
  readonly travellerIds?: readonly TravellerId[];
}

type Priced = Pick<OrderLine, 'price' | 'refundedShareMinor'>;

/** Of its price. */
export function leftMinor({ price, refundedShareMinor }: Priced): number {
  return price.amountMinor - refundedShareMinor;
}

/**
 * Legs that may still be given back. Empty: nothing is, as of a ticket without legs that was used. Undefined: the line has no legs
 * and is unused. `isJourneyBound`: it is valid for its journeys alone, so a departed leg is gone; so is one of a disrupted line with
 * seats, which claims as such a line does. After a disruption was told nobody is taken to have travelled whose ticket was not used.
 */
export function unusedLegIds(
  line: Pick<OrderLine, 'travelSpecification' | 'disruption' | 'reservationIds'>,
  { use, isJourneyBound }: { readonly use: LineUse | undefined; readonly isJourneyBound: boolean },
  now: Date,
): readonly string[] | undefined {
  const { legs } = line.travelSpecification;
  const { disruption } = line;
  const isUsedWhole = use !== undefined && use.usedLegIds.length === 0;
  if (isUsedWhole) return [];
  if (legs.length === 0) return undefined;
  const isBound = isJourneyBound || (disruption !== undefined && isBoundBySeat(line));
  const hasDeparted = (start: Date) =>
    isBound && start.getTime() <= now.getTime() && (!disruption || hasDepartedBefore(start, disruption));
  return legs
    .filter(({ legId, expectedStartTime }) => !use?.usedLegIds.includes(legId) && !hasDeparted(expectedStartTime))
    .map(({ legId }) => legId);
}

/** Of what is left of the line: by the distance of the legs, or by the number of travellers. */
export function shareOf(
  line: Priced & Pick<OrderLine, 'travelSpecification' | 'travellers'>,
  { legIds, travellerIds }: PartOfLine,
): number {
  const left = leftMinor(line);
  const { legs } = line.travelSpecification;
  if (legIds && legIds.length < legs.length) {
    const distances = legs.map(({ distanceMetres }) => distanceMetres);
    return chosen(
      left,
      weightsOf(distances),
      legs.map(({ legId }) => legIds.includes(legId)),
    );
  }
  if (travellerIds && travellerIds.length < line.travellers.length) {
    const weights = line.travellers.map(() => 1);
    return chosen(
      left,
      weights,
      line.travellers.map(({ travellerId }) => travellerIds.includes(travellerId)),
    );
  }
  return left;
}

/** A leg whose length the timetable does not know counts as the average of the others. */
function weightsOf(distances: readonly number[]): readonly number[] {
  const known = distances.filter((metres) => metres > 0);
  const average = known.length === 0 ? 1 : Math.max(1, Math.round(sumOf(known) / known.length));
  return distances.map((metres) => (metres > 0 ? metres : average));
}

/** Of a few øre the rounded parts may be more than the whole. */
function chosen(amountMinor: number, weights: readonly number[], isChosen: readonly boolean[]): number {
  const parts = sumOf(splitAmount(amountMinor, weights).filter((_, at) => isChosen[at]));
  return Math.max(0, Math.min(parts, amountMinor));
}
