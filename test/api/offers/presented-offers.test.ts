/** What an offer says of seats is what reserving holds. Pure. */
import assert from 'node:assert/strict';
import { presentOffer } from '../../../api/offers/presenters.ts';
import type { Offer, OfferedSeating } from '../../../workflows/offers/rules/offer.ts';
import { LEG, offer, plan, supplement } from '../../rules/reserving/samples.ts';

const SEAT: OfferedSeating = {
  ...{
    legId: LEG.legId,
    seatPlanId: 'PLAN',
    seatReservation: 'OPTIONAL',
    accommodation: 'SEATING',
    wholeCompartment: false,
  },
};
const takes = (isCompulsory: boolean) =>
  supplement('WINDOW', 30, { modifiesSeating: true, reservesSeat: true, isCompulsory });

const CASES: readonly (readonly [string, Partial<Offer>, boolean])[] = [
  ['nothing of seats', {}, false],
  ['a seat that is optional', { seating: [SEAT] }, false],
  ['a seat that is compulsory', { seating: [{ ...SEAT, seatReservation: 'COMPULSORY' }] }, true],
  ['a berth', { seating: [{ ...SEAT, accommodation: 'SLEEPER' }] }, true],
  ['a whole compartment', { seating: [{ ...SEAT, wholeCompartment: true }] }, true],
  ['a supplement with a seat to choose', { seating: [SEAT], supplements: [takes(false)] }, false],
  ['a supplement with a seat that is compulsory', { seating: [SEAT], supplements: [takes(true)] }, true],
  ['such a supplement on rides without seats', { supplements: [takes(true)] }, false],
  [
    'a meal that is compulsory',
    { seating: [SEAT], supplements: [supplement('MEAL', 8, { isCompulsory: true })] },
    false,
  ],
];

describe('seating of an offer', () => {
  for (const [name, given, required] of CASES) {
    it(`is ${required ? '' : 'not '}required with ${name}`, () => {
      const offered = offer(given);
      assert.deepEqual(presentOffer({ ...offered, refundRuleSummary: [], isAvailable: true }).seating, { required });
      const seats = plan(offered).lines.flatMap((line) => line.seats);
      assert.equal(seats.length > 0, required, 'reserving holds');
    });
  }
});
