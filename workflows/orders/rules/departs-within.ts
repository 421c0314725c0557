/** Whether a ride begins while a ticket is valid. Callers: the rules of moved starts, of reissues, and of what is signed. Pure. */
import type { SoldLeg } from '../../offers/rules/offer.ts';

/** As it is planned or as it is expected. A ride that has begun while the ticket was valid may be finished. */
export function departsWithin(
  { expectedStartTime, calls }: Pick<SoldLeg, 'expectedStartTime' | 'calls'>,
  startOfValidity: Date,
  endOfValidity: Date,
): boolean {
  const departures = [expectedStartTime, calls[0]?.departure ?? expectedStartTime];
  return departures.some((departure) => startOfValidity <= departure && departure <= endOfValidity);
}
