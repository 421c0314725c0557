/**
 * The topics of the event feed: those that the manifests name; any other answers 404. Every client with the scope
 * `events:read` may read every topic, and sees its own organisation's events.
 */
import type { Area, TopicEntry } from '../../platform/area.ts';
import { topicName } from '../../platform/events/event-family.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';

export function topicsOf(areas: readonly Area[], environment: EventEnvironment): ReadonlySet<string> {
  return namesOf(topicEntriesOf(areas), environment);
}

/** Those whose events stay readable by aggregate. */
export function keptTopicsOf(areas: readonly Area[], environment: EventEnvironment): ReadonlySet<string> {
  return namesOf(
    topicEntriesOf(areas).filter((topic) => topic.keptByAggregate),
    environment,
  );
}

function topicEntriesOf(areas: readonly Area[]): readonly TopicEntry[] {
  return areas.flatMap(({ topics = [] }) => topics);
}

function namesOf(topics: readonly TopicEntry[], environment: EventEnvironment): ReadonlySet<string> {
  return new Set(topics.map(({ name }) => topicName(name, environment)));
}
