/** Reads a request for events, and refuses an offset that cannot be served. */
import type { FeedRequest, UnusableOffset } from '../../activities/events/event-feed.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OperationContext } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';

const EVERY_ORGANISATION = 'organisation:any';
const DEFAULT_LIMIT = 100;

export function feedRequestOf(context: OperationContext<Operations['listEvents']>): FeedRequest {
  const { path, query, caller } = context;
  const { after = '0', limit = DEFAULT_LIMIT, wait: waitSeconds = 0 } = query;
  return {
    topic: path.topic,
    readers: caller.scopes.has(EVERY_ORGANISATION) ? 'ANY' : caller.organisationId,
    after: after === 'latest' ? after : Number(after),
    limit,
    waitMs: waitSeconds * 1_000,
    signal: context.signal,
  };
}

/** An error, because reading on would silently skip events. */
export function refuseOffset({ unusable, oldest, last }: UnusableOffset): ServiceError {
  const detail =
    unusable === 'UNKNOWN'
      ? `The last offset of this topic is ${last}. This service has never given out a higher one; read on from ${last}.`
      : `Events after this offset are not kept any more; ${oldestKept(oldest)}. Use after=0 to start from the oldest event that is kept.`;
  const code = unusable === 'UNKNOWN' ? 'OFFSET_UNKNOWN' : 'OFFSET_EXPIRED';
  return new ServiceError('VALIDATION_FAILED', detail, { errors: [{ pointer: '/query/after', code, detail }] });
}

function oldestKept(oldest: number | undefined): string {
  return oldest === undefined ? 'none is' : `the oldest one has offset ${oldest}`;
}
