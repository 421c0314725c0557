/**
 * Runs a search, and sets the request context to the snapshot that answered. Afterwards everything of the answer must
 * be read from `context.timetable`. Failures become errors for the caller; a defect of the planner becomes an internal
 * error.
 */
import { GraphQLError } from 'graphql';
import { TripSearchFailure, type TripSearchFailureCode } from '../../../planner/index.ts';
import type { TripAnswer, TripRequest } from '../../../planner/trip/trip-types.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { badInput } from '../resolvers/user-input.ts';

export async function runTrip(request: TripRequest, context: RequestContext): Promise<TripAnswer> {
  const answer = await context.planner.trip(request, context.signal, context.network).catch((error: unknown) => {
    throw asGraphqlError(error);
  });
  if (answer.snapshotId !== context.timetable.snapshotId) moveTo(answer.snapshotId, context);
  return answer;
}

function moveTo(snapshotId: string, context: RequestContext): void {
  const timetable = context.timetableOf(snapshotId);
  if (!timetable) throw unavailable('unavailable', 'The timetable has just been replaced. Ask again.');
  context.timetable = timetable;
  context.timetableChanges += 1;
}

const MESSAGES: Readonly<Partial<Record<TripSearchFailureCode, string>>> = {
  cancelled: 'The search was given up.',
  overloaded: 'Too many searches are waiting. Try again in a moment.',
  timeout: 'The search took too long. Ask for less, or try again in a moment.',
  unavailable: 'Searches cannot be answered right now. Try again in a moment.',
};

function asGraphqlError(error: unknown): unknown {
  if (!(error instanceof TripSearchFailure)) return error;
  if (error.code === 'invalidCursor') return badInput(error.message);
  if (error.code === 'tooLarge') return badInput('The search is too large. Ask for a shorter searchWindow.');
  const message = MESSAGES[error.code];
  return message === undefined ? error : unavailable(error.code, message);
}

function unavailable(code: TripSearchFailureCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: code.toUpperCase(), http: { status: 503 } } });
}
