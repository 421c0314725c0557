/** What a partner learns of an order from the feed of events, as it happens. Caller: the chapter on a sale. */
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { type Caller, read } from './partner-client.ts';
import { StoryError, say } from './story.ts';

const PAGE = 500;
const WAIT_SECONDS = 30;

export interface EventReader extends Caller {
  readonly environment: EventEnvironment;
}

interface FeedPage {
  readonly events: readonly { readonly sequence: number; readonly type: string; readonly partitionkey: string }[];
  readonly nextOffset: number;
}

/** Where the events begin that are still to come. */
export async function eventsEnd(caller: EventReader): Promise<number> {
  return (await read<FeedPage>(caller, `${feedOf(caller)}?after=latest`)).nextOffset;
}

/**
 * Reads on from there until the order's confirmation. Throws StoryError when it does not come. Numbers are left out where
 * the event is one of another topic (`order-event-collections`).
 */
export async function tellEvents(caller: EventReader, orderId: string, after: number): Promise<void> {
  const told: string[] = [];
  let last = 0;
  for (let offset = after; ; ) {
    const page = await read<FeedPage>(caller, `${feedOf(caller)}?after=${offset}&limit=${PAGE}&wait=${WAIT_SECONDS}`);
    if (page.nextOffset === offset)
      throw new StoryError('The feed has no event of the confirmation of the order', 'Is the events worker running?');
    for (const { sequence, type } of page.events.filter(({ partitionkey }) => partitionkey === orderId)) {
      // Delivery is at least once.
      if (sequence <= last) continue;
      last = sequence;
      told.push(`${sequence} ${type}`);
      if (!type.includes('OrderConfirmed')) continue;
      say('The events of the order, from the feed', ...told);
      return;
    }
    offset = page.nextOffset;
  }
}

function feedOf({ environment }: EventReader): string {
  return `/v1/events/order-events-${environment}`;
}
