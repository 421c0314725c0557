/** The joined timetable of a file: looks references up, in the file first and in the common files then. */
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
  Route,
  ServiceJourney,
  ServiceJourneyInterchange,
  TimetableModel,
  VehicleJourney,
} from './timetable-model.ts';

export interface ModelParts {
  readonly network: NetworkCollector;
  readonly journeys: JourneyCollector;
  readonly events: EventCollector;
  /** Of the file, then of the common files. */
  readonly facts: readonly TimetableFacts[];
  readonly serviceLinks: readonly PlacedServiceLink[];
}

export class FileModel implements TimetableModel {
  readonly lines: readonly Line[];
  readonly routes: readonly Route[];
  readonly journeyPatterns: readonly JourneyPattern[];
  readonly serviceJourneys: readonly ServiceJourney[];
  readonly passingTimes: PassingTimes;
  readonly deadRuns: readonly DeadRun[];
  readonly deadRunTimes: PassingTimes;
  readonly datedServiceJourneys: readonly DatedServiceJourney[];
  readonly interchanges: readonly ServiceJourneyInterchange[];
  readonly serviceLinks: readonly PlacedServiceLink[];
  readonly calendar: Calendar;
  readonly #parts: ModelParts;
  readonly #serviceJourneys = new ById<ServiceJourney>();
  readonly #datedServiceJourneys = new ById<DatedServiceJourney>();
  readonly #assignments = new Map<string, StopAssignment | undefined>();
  readonly #links = new Map<string, ServiceLink | undefined>();

  constructor(parts: ModelParts) {
    const { network, journeys, events } = parts;
    this.lines = network.lines;
    this.routes = network.routes;
    this.journeyPatterns = network.patterns;
    this.serviceJourneys = journeys.serviceJourneys;
    this.passingTimes = journeys.passingTimes;
    this.deadRuns = journeys.deadRuns;
    this.deadRunTimes = journeys.deadRunTimes;
    this.datedServiceJourneys = events.datedServiceJourneys;
    this.interchanges = events.interchanges;
    this.serviceLinks = parts.serviceLinks;
    this.calendar = new Calendar(parts.facts);
    this.#parts = parts;
    for (const journey of journeys.serviceJourneys) this.#serviceJourneys.add(journey, journey.version);
    for (const journey of events.datedServiceJourneys) this.#datedServiceJourneys.add(journey, undefined);
  }

  findLine(ref: string): Line | undefined {
    return this.#parts.network.linesById.find(ref);
  }

  findRoute(ref: string): Route | undefined {
    return this.#parts.network.routesById.find(ref);
  }

  findJourneyPattern(ref: string): JourneyPattern | undefined {
    return this.#parts.network.patternsById.find(ref);
  }

  findServiceJourney(ref: string): ServiceJourney | undefined {
    return this.#serviceJourneys.find(ref);
  }

  findDatedServiceJourney(ref: string): DatedServiceJourney | undefined {
    return this.#datedServiceJourneys.find(ref);
  }

  findLineOfPattern({ routeRef }: JourneyPattern): Line | undefined {
    const route = this.#parts.network.routesById.find(routeRef);
    return this.#parts.network.linesById.find(route?.lineRef) ?? this.#onlyLine();
  }

  findLineOf(journey: ServiceJourney): Line | undefined {
    if (journey.lineRef !== undefined) return this.findLine(journey.lineRef);
    return journey.pattern ? this.findLineOfPattern(journey.pattern) : this.#onlyLine();
  }

  transportModeOf(journey: ServiceJourney): string | undefined {
    return journey.transportMode ?? this.findLineOf(journey)?.transportMode;
  }

  /** That of the line does not go with another mode. */
  transportSubmodeOf(journey: ServiceJourney): string | undefined {
    if (journey.transportSubmode !== undefined) return journey.transportSubmode;
    const line = this.findLineOf(journey);
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

  findDestinationDisplay(ref: string): string | undefined {
    for (const facts of this.#parts.facts) {
      const text = facts.findDestinationDisplay(ref);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  placeOfTime(journey: VehicleJourney, index: number): NotedPlace {
    const times = journey.isDeadRun ? this.deadRunTimes : this.passingTimes;
    return { line: times.line[index] ?? null, column: times.column[index] ?? null, objectId: journey.objectId };
  }

  #onlyLine(): Line | undefined {
    return this.lines.length === 1 ? this.lines[0] : undefined;
  }

  /** The same few are asked for again and again: of each stop of each pattern. */
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
