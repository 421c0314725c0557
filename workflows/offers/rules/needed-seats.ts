/** Which seats a traveller must get with an offer. Offers count these, and reserving holds them. Pure. */
import type { OfferedSeating, OfferedSupplement } from './offer.ts';

/** A berth and a compartment are what was bought, whether or not the train lets others ride without a seat. */
export function isSeatCompulsory({ seatReservation, accommodation, wholeCompartment }: OfferedSeating): boolean {
  return seatReservation === 'COMPULSORY' || wholeCompartment || accommodation !== 'SEATING';
}

export function takesSeat({ reservesSeat, modifiesSeating }: OfferedSupplement): boolean {
  return reservesSeat || modifiesSeating;
}
