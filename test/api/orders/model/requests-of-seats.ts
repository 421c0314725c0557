/**
 * A traveller moves to another seat of the train, whose seats 1 and 2 are sold with a supplement that no line has. One whom
 * reserving gave such a seat may have it back.
 */
import assert from 'node:assert/strict';
import { assertOpenLine } from './model-changes.ts';
import { hasEnded, type ModelLine, type ModelOrder, pick, refuse } from './model-order.ts';
import { content, type Rule } from './model-rules.ts';
import { NOWHERE } from './requests-of-lines.ts';
import type { Move, Run } from './run.ts';
import type { StepOf } from './steps.ts';

const TOKEN = 'web/1/seating:write';
const AT_WINDOW = ['1', '2'];

export function moveSeat({ index, seat }: StepOf<'moveSeat'>, order: ModelOrder, run: Run): Move {
  const reservations = order.lines.flatMap(({ seats }) => seats);
  const id = (reservations.length > 0 && pick(reservations, index)) || NOWHERE;
  const present = run.seats.get(id);
  return {
    ...{ order, status: 200, isOfSeat: true },
    sent: {
      ...{ path: `/v1/seating-arrangements/${id}`, method: 'PUT', token: TOKEN, headers: {} },
      body: { carriageNumber: '1', seatNumber: seat },
    },
    early: () => void (present ?? refuse('404 NOT_FOUND')),
    rule:
      ({ json }) =>
      (draft, now) => {
        if (hasEnded(draft)) refuse('409 INVALID_STATE');
        if (seat === present) return false;
        run.assertFree(seat);
        const mayHaveWindow = AT_WINDOW.includes(present ?? '') || run.givenWindows.has(id);
        if (AT_WINDOW.includes(seat) && !mayHaveWindow) refuse('409 SEAT_UNAVAILABLE');
        const isMoved = exchangeSeat(id, json?.reservationId)(draft, now);
        if (mayHaveWindow) run.givenWindows.add(json?.reservationId);
        assert.equal(json?.seatNumber ?? seat, seat);
        return isMoved;
      },
  };
}

const exchangeSeat = (id: string, replacement: string): Rule =>
  content((draft) => {
    const line = draft.lines.find(({ seats }) => seats.includes(id)) as ModelLine;
    assertOpenLine(line);
    const seats = line.seats.map((each) => (each === id ? replacement : each));
    Object.assign(line, { seats, version: line.version + (line.status === 'CONFIRMED' ? 1 : 0), status: 'DRAFT' });
    return true;
  });
