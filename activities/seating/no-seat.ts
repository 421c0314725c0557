/** Why a journey has no seat for a party. Pure. Callers: holding seats. */
import { freeCompartments } from '../../workflows/seating/rules/compartments.ts';
import type { Party } from '../../workflows/seating/rules/party.ts';
import { freeSeats, suits, type TakenCarriages } from '../../workflows/seating/rules/seat-fit.ts';
import type { Carriage } from '../../workflows/shared/seats.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const FREE_SEATS = 'GET /v1/seating-arrangements/availability lists the free seats.';

const NONE = 'The journey has no such free seat on this stretch.';

interface Refused {
  readonly carriages: readonly Carriage[];
  readonly taken: TakenCarriages;
  readonly datedServiceJourneyId: string;
  readonly party: Party & { readonly supplementIds?: readonly string[] };
}

export function noSeat(refused?: Refused): ServiceError {
  return new ServiceError('SEAT_UNAVAILABLE', refused ? reasonOf(refused) : NONE);
}

function reasonOf(refused: Refused): string {
  const { carriages, party } = refused;
  const { seat: wanted, wish } = party;
  if (carriages.length === 0) return 'The catalogue in force has no seats for the journey. Search offers again.';
  if (!wanted) return tooFew(refused);
  const { carriageNumber, seatNumber } = wanted;
  const carriage = carriages.find((each) => each.carriageNumber === carriageNumber);
  if (!carriage) return `The journey has no carriage ${carriageNumber}. ${FREE_SEATS}`;
  const seat = carriage.seats.find((each) => each.seatNumber === seatNumber);
  if (!seat) return `Carriage ${carriageNumber} has no seat ${seatNumber}. ${FREE_SEATS}`;
  const place = `Seat ${seatNumber} in carriage ${carriageNumber}`;
  if (!suits(seat, wish)) return `${place} is of another class or accommodation than the ticket's. ${FREE_SEATS}`;
  return `${place} is sold to another on a part of the stretch. ${FREE_SEATS}`;
}

function tooFew({ carriages, taken, datedServiceJourneyId, party }: Refused): string {
  const { stretch, wish, places, wholeCompartment } = party;
  const journey = `${datedServiceJourneyId} has`;
  const end = 'on this stretch, and';
  if (wholeCompartment) {
    const [largest = 0] = freeCompartments(carriages, taken, { stretch, wish });
    const free = largest === 0 ? 'no free compartment' : `no free compartment of more than ${largest} places`;
    return `${journey} ${free}${kindOf(party)} ${end} ${places} places are asked for in one.`;
  }
  const free = carriages.flatMap((carriage) => freeSeats(carriage, taken, stretch, wish)).length;
  const asked = places === 1 ? '1 is' : `${places} are`;
  return `${journey} ${free} free ${free === 1 ? 'seat' : 'seats'}${kindOf(party)} ${end} ${asked} asked for.`;
}

function kindOf({ wish, supplementIds = [] }: Refused['party']): string {
  const { fareClass, accommodation, facilities } = wish;
  const kinds = [fareClass, accommodation === 'SEATING' ? undefined : accommodation, ...facilities];
  const named = kinds.filter((kind) => kind !== undefined && kind !== 'STANDARD');
  const by = supplementIds.length === 0 ? '' : `, which ${supplementIds.join(' and ')} asks for`;
  return named.length === 0 ? by : ` of the kind ${named.join(' and ')}${by}`;
}
