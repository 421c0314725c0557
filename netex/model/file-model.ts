/** The joined timetable of a file. Looks references up in the file first, then in the common files. */
import type { NotedPlace } from '../rules/finding-list.ts';
import { ById } from './by-id.ts';
import { Calendar } from './calendar.ts';
import type { EventCollector } from './event-collector.ts';
import type { PlacedServiceLink, ServiceLink, StopAssignment, TimetableFacts } from './facts.ts';
import type { JourneyCollector } from './journey-collector.ts';
import type { NetworkCollector } from './network-collector.ts';
import type { PassingTimes } from './passing-times.ts';
import type {
  DatedServiceJourney,
  DeadRun,
  JourneyPattern,
  Line,
  ServiceJourney,
  ServiceJourneyInterchange,
  TimetableModel,
} from './timetable-model.ts';

interface ModelParts {
  readonly network: NetworkCollector;
  readonly journeys: JourneyCollector;
  readonly events: EventCollector;
  /** Facts of the file, then of the common files. */
  readonly facts: readonly TimetableFacts[];
  readonly serviceLinks: readonly PlacedServiceLink[];
}

export class FileModel implements TimetableModel {
  readonly lines: readonly Line[];
  readonly journeyPatterns: readonly JourneyPattern[];
  readonly serviceJourneys: readonly ServiceJourney[];
  readonly passingTimes: PassingTimes;
  readonly deadRuns: readonly DeadRun[];
  readonly datedServiceJourneys: readonly DatedServiceJourney[];
  readonly interchanges: readonly ServiceJourneyInterchange[];
  readonly serviceLinks: readonly PlacedServiceLink[];
  readonly calendar: Calendar;
  readonly #parts: ModelParts;
  readonly #datedServiceJourneys = new ById<DatedServiceJourney>();
  readonly #assignments = new Map<string, StopAssignment | undefined>();
  readonly #links = new Map<string, ServiceLink | undefined>();

  constructor(parts: ModelParts) {
    const { network, journeys, events } = parts;
    this.lines = network.lines;
    this.journeyPatterns = network.patterns;
    this.serviceJourneys = journeys.serviceJourneys;
    this.passingTimes = journeys.passingTimes;
    this.deadRuns = journeys.deadRuns;
    this.datedServiceJourneys = events.datedServiceJourneys;
    this.interchanges = events.interchanges;
    this.serviceLinks = parts.serviceLinks;
    this.calendar = new Calendar(parts.facts);
    this.#parts = parts;
    for (const journey of events.datedServiceJourneys) this.#datedServiceJourneys.add(journey, undefined);
  }

  findDatedServiceJourney(ref: string): DatedServiceJourney | undefined {
    return this.#datedServiceJourneys.find(ref);
  }

  findLineOfPattern({ routeRef }: JourneyPattern): Line | undefined {
    const route = this.#parts.network.routesById.find(routeRef);
    return this.#parts.network.linesById.find(route?.lineRef) ?? this.#onlyLine();
  }

  transportModeOf(journey: ServiceJourney): string | undefined {
    return journey.transportMode ?? this.#lineOf(journey)?.transportMode;
  }

  /** The line's submode does not fit another mode. */
  transportSubmodeOf(journey: ServiceJourney): string | undefined {
    if (journey.transportSubmode !== undefined) return journey.transportSubmode;
    const line = this.#lineOf(journey);
    const ownMode = journey.transportMode;
    return ownMode === undefined || ownMode === line?.transportMode ? line?.transportSubmode : undefined;
  }

  findStopAssignment(scheduledStopPointRef: string): StopAssignment | undefined {
    return this.#look(this.#assignments, scheduledStopPointRef, (facts) =>
      facts.findStopAssignment(scheduledStopPointRef),
    );
  }

  findServiceLink(serviceLinkRef: string): ServiceLink | undefined {
    return this.#look(this.#links, serviceLinkRef, (facts) => facts.findServiceLink(serviceLinkRef));
  }

  placeOfTime(journey: ServiceJourney, index: number): NotedPlace {
    const times = this.passingTimes;
    return { line: times.line[index] ?? null, column: times.column[index] ?? null, objectId: journey.objectId };
  }

  /** By its own LineRef, else by the route of its pattern, else the file's only line. */
  #lineOf(journey: ServiceJourney): Line | undefined {
    if (journey.lineRef !== undefined) return this.#parts.network.linesById.find(journey.lineRef);
    return journey.pattern ? this.findLineOfPattern(journey.pattern) : this.#onlyLine();
  }

  #onlyLine(): Line | undefined {
    return this.lines.length === 1 ? this.lines[0] : undefined;
  }

  /** Caches results: every stop of every pattern asks for the same few. */
  #look<T>(
    known: Map<string, T | undefined>,
    ref: string,
    find: (facts: TimetableFacts) => T | undefined,
  ): T | undefined {
    const answer = known.get(ref);
    if (answer !== undefined || known.has(ref)) return answer;
    let found: T | undefined;
    for (const facts of this.#parts.facts) {
      found = find(facts);
      if (found !== undefined) break;
    }
    known.set(ref, found);
    return found;
  }
}
