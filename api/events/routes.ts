/**
 * The events area: domain events by topic, which the back ends of organisations read at their own pace, or have delivered to
 * webhooks. openapi.yaml describes the operations.
 */
import type { EventFeed } from '../../activities/events/event-feed.ts';
import { cloudEvent } from '../../platform/events/cloud-event.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Operation, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { ReaderSlots } from './reader-slots.ts';
import { feedRequestOf, refuseOffset } from './requests.ts';
import { type WebhooksDependencies, webhookFinds, webhookOperations } from './webhooks.ts';

export interface EventsDependencies extends WebhooksDependencies {
  readonly feed: EventFeed;
  readonly slots: ReaderSlots;
}

export function createEventsArea(dependencies: EventsDependencies): TypedArea<Operations> {
  const { feed, slots, topics } = dependencies;
  const findTopic = async ({ path }: { readonly path: { readonly topic: string } }) => {
    if (!topics.has(path.topic)) {
      throw new ServiceError('NOT_FOUND', `There is no such topic. These are: ${[...topics].join(', ')}.`);
    }
  };
  const listEvents: Operation<Operations['listEvents']> = async (context) => {
    await findTopic(context);
    const request = feedRequestOf(context);
    const page = await (request.waitMs > 0
      ? slots.hold(context.caller.clientId, () => feed.read(request))
      : feed.read(request));
    if ('unusable' in page) throw refuseOffset(page);
    const { events, nextOffset } = page;
    return { status: 200, json: { events: events.map(({ event }) => cloudEvent(event)), nextOffset } };
  };
  return {
    name: 'events',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: { listEvents, ...webhookOperations(dependencies) },
    finds: { listEvents: findTopic, ...webhookFinds(dependencies) },
  };
}
