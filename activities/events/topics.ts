/**
 * The topics of the event feed: those that the manifests name; any other answers 404. Every client with the scope
 * `events:read` may read every topic, and sees its own organisation's events.
 */
import type { Area } from '../../platform/area.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';

export function topicsOf(areas: readonly Area[], environment: EventEnvironment): ReadonlySet<string> {
  return new Set(areas.flatMap(({ topics = [] }) => topics.map(({ name }) => `${name}-${environment}`)));
}
