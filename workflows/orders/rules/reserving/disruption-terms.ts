/**
 * What a disrupted line may claim, whatever its product says: all of its price back, or a change without a fee. Pure.
 */
import type { ChangeRule, RefundRule } from '../../../shared/fares.ts';
import { addDuration } from '../../../shared/local-time.ts';
import { DAY_MS } from '../../../shared/spans.ts';
import { validityOf } from '../moved-start.ts';
import type { Disruption, OrderLine } from '../order.ts';

/** Names the rule in options and refund requests. No rule of the catalogue stands beside it while it is in force. */
export const DISRUPTION_RULE = 'DISRUPTION';

/** As long as passengers may complain under Regulation (EU) 2021/782. */
const CLAIMED_WITHIN = 'P3M';

const NO_FEE = { id: DISRUPTION_RULE, untilBefore: 'PT0S', feeAmountMinor: 0 } as const;

export const CHANGE_OF_DISRUPTED: ChangeRule = NO_FEE;

/** A use at the same moment decides against the refund of an unused line; of a used one the unused legs are refunded. */
export function refundOfDisrupted({ usedAt }: Pick<OrderLine, 'usedAt'>): RefundRule {
  return { ...NO_FEE, refundPercent: 100, unusedOnly: usedAt === undefined };
}

/**
 * The end of the claim, perhaps on some of the legs. Undefined: there is none, or it is over. A ticket that is valid beyond its rides,
 * and is not bound to one by a seat, is of use on the next journey: its claim ends when it becomes valid.
 */
export function claimUntil(line: OrderLine, { timeZone }: { readonly timeZone: string }, now: Date): Date | undefined {
  if (!line.disruption) return undefined;
  const { endOfValidity } = line.travelSpecification;
  const until =
    isBoundBySeat(line) || endsWithin(line, 0)
      ? addDuration(endOfValidity, CLAIMED_WITHIN, timeZone)
      : validityOf(line).startOfValidity;
  return now.getTime() < until.getTime() ? until : undefined;
}

/**
 * The claim on the line as a whole: to change it, or to cancel all of it. Undefined also where a leg had departed before the
 * disruption was told: it has been ridden, and the legs after it are refunded alone.
 */
export function wholeClaimUntil(line: OrderLine, book: { readonly timeZone: string }, now: Date): Date | undefined {
  const { disruption, travelSpecification } = line;
  const isRidden = travelSpecification.legs.some(
    ({ expectedStartTime }) => disruption && hasDepartedBefore(expectedStartTime, disruption),
  );
  return isRidden ? undefined : claimUntil(line, book, now);
}

/** Before it was told. Afterwards nobody is taken to have travelled whose ticket was not used. */
export function hasDepartedBefore(start: Date, { at }: Disruption): boolean {
  return start.getTime() <= at.getTime();
}

/**
 * Its travellers have chosen these rides with their seats, though the ticket lasts some hours longer. A pass of many days is of use
 * without the ride.
 */
export function isBoundBySeat(line: Pick<OrderLine, 'reservationIds' | 'travelSpecification'>): boolean {
  return line.reservationIds.length > 0 && endsWithin(line, DAY_MS);
}

/** Its validity ends at most so long after a ride of it. */
function endsWithin({ travelSpecification }: Pick<OrderLine, 'travelSpecification'>, spanMs: number): boolean {
  const { legs, endOfValidity } = travelSpecification;
  const ends = legs.flatMap(({ expectedEndTime, calls }) => [
    expectedEndTime,
    calls.at(-1)?.arrival ?? expectedEndTime,
  ]);
  return ends.some((end) => endOfValidity.getTime() <= end.getTime() + spanMs);
}
