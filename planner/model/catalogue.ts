/**
 * Named entities of a snapshot, for resolvers, geocoder and offers. Search and boards do not need them. `at` takes an
 * index of this snapshot, and `find` takes a published id. Lists are in order of index.
 */
import type {
  Authority,
  DatedServiceJourney,
  GroupOfLines,
  Interchange,
  JourneyPattern,
  Line,
  Notice,
  Operator,
  Quay,
  ServiceJourney,
  StopPlace,
  TariffZone,
} from './entities.ts';
import type {
  AuthorityIndex,
  DatedServiceJourneyIndex,
  GroupOfLinesIndex,
  InterchangeIndex,
  JourneyPatternIndex,
  LineIndex,
  NoticeIndex,
  OperatorIndex,
  ServiceDay,
  ServiceJourneyIndex,
  StopIndex,
  StopPlaceIndex,
  TariffZoneIndex,
} from './indices.ts';

/** The entities of one kind. */
export interface Entities<Kind, KindIndex extends number> {
  readonly count: number;
  at(index: KindIndex): Kind;
  find(id: string): Kind | undefined;
}

export interface Catalogue {
  readonly authorities: Entities<Authority, AuthorityIndex>;
  readonly operators: Entities<Operator, OperatorIndex>;
  readonly lines: Entities<Line, LineIndex>;
  readonly groupsOfLines: Entities<GroupOfLines, GroupOfLinesIndex>;
  readonly stopPlaces: Entities<StopPlace, StopPlaceIndex>;
  readonly quays: Entities<Quay, StopIndex>;
  readonly tariffZones: Entities<TariffZone, TariffZoneIndex>;
  readonly notices: Entities<Notice, NoticeIndex>;
  readonly journeyPatterns: Entities<JourneyPattern, JourneyPatternIndex>;
  readonly serviceJourneys: Entities<ServiceJourney, ServiceJourneyIndex>;
  readonly datedServiceJourneys: Entities<DatedServiceJourney, DatedServiceJourneyIndex>;
  readonly interchanges: Entities<Interchange, InterchangeIndex>;

  linesOfAuthority(authority: AuthorityIndex): readonly LineIndex[];
  linesOfOperator(operator: OperatorIndex): readonly LineIndex[];
  linesOfGroup(group: GroupOfLinesIndex): readonly LineIndex[];
  patternsOfLine(line: LineIndex): readonly JourneyPatternIndex[];
  patternsOfStop(stop: StopIndex): readonly JourneyPatternIndex[];
  journeysOfPattern(pattern: JourneyPatternIndex): readonly ServiceJourneyIndex[];
  journeysOfLine(line: LineIndex): readonly ServiceJourneyIndex[];
  datedJourneysOf(journey: ServiceJourneyIndex): readonly DatedServiceJourneyIndex[];
  datedJourneysOn(day: ServiceDay): readonly DatedServiceJourneyIndex[];
  interchangesFrom(journey: ServiceJourneyIndex): readonly InterchangeIndex[];
  interchangesTo(journey: ServiceJourneyIndex): readonly InterchangeIndex[];
  /** The direct quays of a stop place. With `withChildren` the list includes those of the stop places below it. */
  quaysOf(place: StopPlaceIndex, withChildren: boolean): readonly StopIndex[];
  childrenOf(place: StopPlaceIndex): readonly StopPlaceIndex[];
}
