/** The topics that can be read: those that the manifests name. Reading any other one answers 404. */
import type { Area } from '../../platform/area.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';

export function topicsOf(areas: readonly Area[], environment: EventEnvironment): ReadonlySet<string> {
  return new Set(areas.flatMap(({ topics = [] }) => topics.map(({ name }) => `${name}-${environment}`)));
}
