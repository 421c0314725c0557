/** What is noted of each reservation before its seat is held. Pure. */
import type { ReservationId } from '../../workflows/shared/ids.ts';
import type { HoldCall } from '../shared/seating.ts';
import { stretchOf } from './arrangement-view.ts';
import type { RunRequest } from './seated-runs.ts';
import type { ArrangementDocument } from './seating-model.ts';

export interface RunCall extends Omit<HoldCall, 'requests'> {
  readonly requests: readonly RunRequest[];
}

/** An order write later than a minute after its hold is refused, so after two the order has it or never will. */
export const HOLDS_CHECKED_MS = 120_000;

/** `arrangementIds`: of the reservations that requests replace. */
export function notesOf(
  call: RunCall,
  attempt: string,
  arrangementIds: ReadonlyMap<ReservationId, ReservationId>,
): readonly ArrangementDocument[] {
  return call.requests.flatMap((request) => notesOfRequest(call, attempt, request, arrangementIds));
}

function notesOfRequest(
  { organisationId, orderId, heldAt }: RunCall,
  attempt: string,
  { orderLineId, stretch, run, places, replaces }: RunRequest,
  arrangementIds: ReadonlyMap<ReservationId, ReservationId>,
): readonly ArrangementDocument[] {
  const replaced = replaces && arrangementIds.get(replaces);
  return places.map(({ reservationId, travellerId }) => ({
    _id: reservationId,
    arrangementId: replaced ?? reservationId,
    organisationId,
    orderId,
    orderLineId,
    travellerId,
    ...stretchOf(stretch),
    runId: run.runId,
    status: 'PENDING',
    attempt,
    heldAt,
    checkAt: new Date(heldAt.getTime() + HOLDS_CHECKED_MS),
    // Hidden behind the seat that it is to replace, until the order has it.
    ...(replaces && { replaces, replacedBy: replaces }),
  }));
}
