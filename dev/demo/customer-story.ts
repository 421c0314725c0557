/**
 * The partner's chapter of the demo story. A traveller without registration becomes a customer and is erased. The
 * partner's back end follows this in the event feed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { createGuest } from './guest.ts';
import { ask, type Caller, read, write } from './partner-client.ts';
import { StoryError, say } from './story.ts';

const TOPIC = 'customer-changed';
const ERASED = 'service.customer.CustomerErased.v1';
const ERASURE_TIMEOUT_MS = 60_000;
const CHANGED_BY = { changedBy: 'demo', changedByChannel: 'demo' };

interface Profile {
  readonly customerNumber: string;
  readonly profileType: string;
}

interface EventPage {
  readonly events: readonly { readonly type: string; readonly subject: string; readonly sequence: number }[];
  readonly nextOffset: number;
}

interface Reader extends Caller {
  /** The environment in which topic names end. */
  readonly environment: EventEnvironment;
}

export async function tellCustomer(caller: Reader, organisationId: number): Promise<void> {
  const { nextOffset: before } = await read<EventPage>(
    caller,
    `/v1/events/${TOPIC}-${caller.environment}?after=latest`,
  );
  const { customerNumber, expirationDate } = await createGuest(caller, organisationId);
  say('A traveller who does not register', `temporary profile ${customerNumber}, until ${expirationDate}`);
  const path = `/customers/v2/profiles/temporary/${customerNumber}/convert`;
  const converted = await write<Profile>(caller, 'POST', path, CHANGED_BY, 200);
  if (converted.profileType !== 'PERMANENT') throw new StoryError(`${customerNumber} is not permanent`, 'A defect.');
  say('Becomes a customer after all', `the same number, ${converted.profileType}`);
  await write(caller, 'DELETE', `/customers/v2/profiles/${customerNumber}`, undefined, 202);
  const answer = await ask(caller, 'GET', `/customers/v2/profiles/${customerNumber}`);
  if (answer.status !== 404) throw new StoryError(`A deleted customer answers ${answer.status}`, 'This is a defect.');
  say('And wishes to be forgotten', 'the profile answers 404 from now on');
  const events = await readUntilErased(caller, before, customerNumber);
  say('The events of the feed about it', ...events.map(({ sequence, type }) => `${sequence} ${type}`));
}

async function readUntilErased(caller: Reader, from: number, customerNumber: string) {
  const end = Date.now() + ERASURE_TIMEOUT_MS;
  const own: EventPage['events'][number][] = [];
  for (let after = from; Date.now() < end; ) {
    const page = await read<EventPage>(caller, `/v1/events/${TOPIC}-${caller.environment}?after=${after}&wait=5`);
    own.push(...page.events.filter(({ subject }) => subject === customerNumber));
    if (own.some(({ type }) => type === ERASED)) return own;
    after = page.nextOffset;
    if (page.events.length === 0) await delay(100);
  }
  throw new StoryError(`${customerNumber} was not erased within a minute`, 'See the workflow profileErasure.');
}
