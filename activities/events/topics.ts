/** The topics there are. An area that begins to tell events adds its own here; callers of any other get 404. */
import type { EventEnvironment } from '../../platform/events/outbox.ts';

const TOPICS = ['timetable-dataset-events', 'customer-changed'] as const;

export function topicsOf(environment: EventEnvironment): ReadonlySet<string> {
  return new Set(TOPICS.map((topic) => `${topic}-${environment}`));
}
