/** Reads the reverse lists that `build/reverse-lists.ts` stored: the rows that name an index, ascending. */
import type {
  AuthorityIndex,
  DatedServiceJourneyIndex,
  GroupOfLinesIndex,
  InterchangeIndex,
  JourneyPatternIndex,
  LineIndex,
  OperatorIndex,
  ServiceDay,
  ServiceJourneyIndex,
  StopIndex,
  StopPlaceIndex,
} from '../model/indices.ts';
import type { Sections } from '../snapshot/sections.ts';

type ListOf<Named extends number, Row extends number> = (named: Named) => readonly Row[];

export interface Lists {
  readonly linesOfAuthority: ListOf<AuthorityIndex, LineIndex>;
  readonly linesOfOperator: ListOf<OperatorIndex, LineIndex>;
  readonly linesOfGroup: ListOf<GroupOfLinesIndex, LineIndex>;
  readonly patternsOfLine: ListOf<LineIndex, JourneyPatternIndex>;
  readonly patternsOfStop: ListOf<StopIndex, JourneyPatternIndex>;
  readonly journeysOfPattern: ListOf<JourneyPatternIndex, ServiceJourneyIndex>;
  readonly datedJourneysOf: ListOf<ServiceJourneyIndex, DatedServiceJourneyIndex>;
  readonly datedJourneysOn: ListOf<ServiceDay, DatedServiceJourneyIndex>;
  readonly replacedBy: ListOf<DatedServiceJourneyIndex, DatedServiceJourneyIndex>;
  readonly interchangesFrom: ListOf<ServiceJourneyIndex, InterchangeIndex>;
  readonly interchangesTo: ListOf<ServiceJourneyIndex, InterchangeIndex>;
  readonly quaysOf: ListOf<StopPlaceIndex, StopIndex>;
  readonly childrenOf: ListOf<StopPlaceIndex, StopPlaceIndex>;
}

export function openLists(sections: Sections): Lists {
  const datedFirstDay = sections.int32('lists.datedJourneysFirstDay')[0] ?? 0;
  return {
    linesOfAuthority: openList(sections, 'linesOfAuthority'),
    linesOfOperator: openList(sections, 'linesOfOperator'),
    linesOfGroup: openList(sections, 'linesOfGroup'),
    patternsOfLine: openList(sections, 'patternsOfLine'),
    patternsOfStop: openList(sections, 'patternsOfStop'),
    journeysOfPattern: openList(sections, 'journeysOfPattern'),
    datedJourneysOf: openList(sections, 'datedJourneysOf'),
    datedJourneysOn: openList(sections, 'datedJourneysOn', datedFirstDay),
    replacedBy: openList(sections, 'replacedBy'),
    interchangesFrom: openList(sections, 'interchangesFrom'),
    interchangesTo: openList(sections, 'interchangesTo'),
    quaysOf: openList(sections, 'quaysOf'),
    childrenOf: openList(sections, 'childrenOf'),
  };
}

function openList<Named extends number, Row extends number>(
  sections: Sections,
  name: string,
  firstNamed = 0,
): ListOf<Named, Row> {
  const starts = sections.int32(`lists.${name}Start`);
  const rows = sections.int32(`lists.${name}`);
  return (named) => {
    const begin = starts[named - firstNamed] ?? 0;
    const end = starts[named - firstNamed + 1] ?? begin;
    return Array.from(rows.subarray(begin, end)) as Row[];
  };
}
