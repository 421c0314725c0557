/** How far ahead a ticket may end. Keys that sign tickets are valid for so long after their last day. Pure. */
import { DAY_MS } from './spans.ts';

/** Bought a year ahead, and a month more. */
export const LONGEST_TICKET_DAYS = 400;
export const LONGEST_TICKET_MS = LONGEST_TICKET_DAYS * DAY_MS;

/** What is sold at this time ends by then. */
export function latestEnd(now: Date): Date {
  return new Date(now.getTime() + LONGEST_TICKET_MS);
}
