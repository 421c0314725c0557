/**
 * All types of both dialects with their resolvers. Whoever adds a type writes its file and names it here. Used by `load-schema.ts`
 * through the router; a field without a resolver stops the process at start.
 */
import { estimatedCall, serviceJourneyEstimatedCalls } from './estimated-call.ts';
import type { ResolverMap } from './fields.ts';
import { timeAndDayOffset } from './time-and-day-offset.ts';

export const resolverMap: ResolverMap = {
  EstimatedCall: estimatedCall,
  SJEstimatedCalls: serviceJourneyEstimatedCalls,
  TimeAndDayOffset: timeAndDayOffset,
};
