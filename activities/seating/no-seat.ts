/** Why a journey has no seat for a party. Pure. Callers: holding seats. */

import type { Party } from '../../workflows/seating/rules/party.ts';
import { suits } from '../../workflows/seating/rules/seat-fit.ts';
import type { Carriage } from '../../workflows/shared/seats.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const FREE_SEATS = 'GET /v1/seating-arrangements/availability lists the free seats.';

const NONE = 'The journey has no such free seat on this stretch.';

interface Refused {
  readonly carriages: readonly Carriage[];
  readonly party: Pick<Party, 'seat' | 'wish'>;
}

export function noSeat(refused?: Refused): ServiceError {
  return new ServiceError('SEAT_UNAVAILABLE', refused ? reasonOf(refused) : NONE);
}

function reasonOf({ carriages, party: { seat: wanted, wish } }: Refused): string {
  if (carriages.length === 0) return 'The catalogue in force has no seats for the journey. Search offers again.';
  if (!wanted) return NONE;
  const { carriageNumber, seatNumber } = wanted;
  const carriage = carriages.find((each) => each.carriageNumber === carriageNumber);
  if (!carriage) return `The journey has no carriage ${carriageNumber}. ${FREE_SEATS}`;
  const seat = carriage.seats.find((each) => each.seatNumber === seatNumber);
  if (!seat) return `Carriage ${carriageNumber} has no seat ${seatNumber}. ${FREE_SEATS}`;
  const place = `Seat ${seatNumber} in carriage ${carriageNumber}`;
  if (!suits(seat, wish)) return `${place} is of another class or accommodation than the ticket's. ${FREE_SEATS}`;
  return `${place} is sold to another on a part of the stretch. ${FREE_SEATS}`;
}
