/** Makes the request context: snapshot, time, caller and limits. Caller: the router. */
import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { GraphQLError } from 'graphql';
import type { Timetable } from '../../../planner/index.ts';
import { findCall } from '../callers/call.ts';
import { tooManyForGraphql } from '../callers/refuse-call.ts';
import { ItemBudget } from '../guards/item-budget.ts';
import type { PlannerContext } from '../planner-context.ts';
import type { Dialect, RequestContext } from '../resolvers/request-context.ts';
import { TimeSlices } from './time-slices.ts';

export function requestContextOf(
  request: Request,
  response: Response,
  dialect: Dialect,
  timetable: Timetable,
  planner: PlannerContext,
): RequestContext {
  const { config } = planner;
  const abort = new AbortController();
  const call = findCall(request);
  const budget = new ItemBudget(config);
  const noteTurn = (turns: number) => {
    const refused = call?.noteTurn(turns);
    if (call && refused) budget.refuse(tooManyForGraphql(call.caller, refused, response));
  };
  // The guards have used a part of this stretch.
  const { begun } = response.locals.slices as TimeSlices;
  const slices = new TimeSlices(config.GRAPHQL_SLICE_MS, noteTurn, begun);
  response.once('close', () => {
    if (response.writableFinished) return;
    abort.abort(new Error('The caller has gone away'));
    // Else its lists would be made all the same, for nobody.
    budget.refuse(new GraphQLError('The caller has gone away'));
  });
  return {
    dialect,
    timetable,
    timetableChanges: 0,
    timetableOf: (snapshotId) => planner.timetableOf(snapshotId),
    planner: planner.planner,
    config,
    now: planner.now(),
    locale: localeOf(request.headers['accept-language']),
    clientName: clientNameOf(request, [`${config.HEADER_PREFIX}-Client-Name`, ...config.CLIENT_NAME_HEADERS]),
    network: call?.caller.network,
    requestId: requestIdOf(response),
    signal: abort.signal,
    giveUp: () => abort.abort(new Error('The time for the answer is over')),
    budget,
    slices,
    extensions: {},
  };
}

/** The correlation id that the entry step has set. */
export function requestIdOf(response: Response): string {
  const set = response.getHeader('x-correlation-id');
  return typeof set === 'string' ? set : randomUUID();
}

function clientNameOf(request: Request, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = request.headers[name.toLowerCase()];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function localeOf(header: string | undefined): string | undefined {
  return /^\s*([a-z]{2})\b/i.exec(header ?? '')?.[1]?.toLowerCase();
}
