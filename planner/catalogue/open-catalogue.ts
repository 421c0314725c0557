/** Opens the catalogue of a snapshot: tables, their views and the reverse lists. */
import type { Catalogue } from '../model/catalogue.ts';
import type { JourneyPatternIndex, StopIndex, StopPlaceIndex } from '../model/indices.ts';
import type { Sections } from '../snapshot/sections.ts';
import { entitiesOf, keepingViews } from './entities.ts';
import { DatedJourneyView, InterchangeView, JourneyView } from './journey-views.ts';
import { LineView } from './line-views.ts';
import { type Lists, openLists } from './lists.ts';
import { PatternView } from './pattern-views.ts';
import { QuayView, StopPlaceView } from './place-views.ts';
import { type CatalogueReader, openReader } from './reader.ts';
import { authorityOf, groupOfLinesOf, noticeOf, operatorOf, tariffZoneOf } from './small-views.ts';

/** Views of patterns keep their stops, which resolvers read repeatedly. */
const KEPT_PATTERNS = 512;

export interface OpenedCatalogue {
  readonly catalogue: Catalogue;
  /** Returns the number of the front text at a position of a pattern. Equal texts have equal numbers. */
  destinationOf(pattern: number, position: number): number;
}

export function openCatalogue(sections: Sections): OpenedCatalogue {
  const reader = openReader(sections);
  const lists = openLists(sections);
  const { frontText } = reader.tables.patternStop;
  return {
    catalogue: { ...kindsOf(reader, lists), ...listsOf(lists) },
    destinationOf: (pattern, position) => frontText.numberAt((reader.patternStopsStart[pattern] ?? 0) + position),
  };
}

function kindsOf(reader: CatalogueReader, lists: Lists) {
  const { tables: table, texts } = reader;
  const patternOf = keepingViews<PatternView, JourneyPatternIndex>(
    KEPT_PATTERNS,
    (index) => new PatternView(reader, index),
  );
  return {
    authorities: entitiesOf(table.authority, texts, (index) => authorityOf(reader, index)),
    operators: entitiesOf(table.operator, texts, (index) => operatorOf(reader, index)),
    lines: entitiesOf(table.line, texts, (index) => new LineView(reader, index)),
    groupsOfLines: entitiesOf(table.groupOfLines, texts, (index) => groupOfLinesOf(reader, index)),
    stopPlaces: entitiesOf(table.stopPlace, texts, (index) => new StopPlaceView(reader, lists, index)),
    quays: entitiesOf(table.quay, texts, (index) => new QuayView(reader, index)),
    tariffZones: entitiesOf(table.tariffZone, texts, (index) => tariffZoneOf(reader, index)),
    notices: entitiesOf(table.notice, texts, (index) => noticeOf(reader, index)),
    journeyPatterns: entitiesOf(table.journeyPattern, texts, patternOf),
    serviceJourneys: entitiesOf(table.serviceJourney, texts, (index) => new JourneyView(reader, index)),
    datedServiceJourneys: entitiesOf(
      table.datedServiceJourney,
      texts,
      (index) => new DatedJourneyView(reader, lists, index),
    ),
    interchanges: entitiesOf(table.interchange, texts, (index) => new InterchangeView(reader, index)),
  } satisfies Partial<Catalogue>;
}

function listsOf(lists: Lists): Omit<Catalogue, keyof ReturnType<typeof kindsOf>> {
  return {
    ...lists,
    journeysOfLine: (line) =>
      ascending(lists.patternsOfLine(line).flatMap((pattern) => [...lists.journeysOfPattern(pattern)])),
    quaysOf: (place, withChildren) => (withChildren ? ascending(allQuaysOf(lists, place)) : lists.quaysOf(place)),
  };
}

function allQuaysOf(lists: Lists, place: StopPlaceIndex): StopIndex[] {
  return [...lists.quaysOf(place), ...lists.childrenOf(place).flatMap((child) => allQuaysOf(lists, child))];
}

function ascending<Index extends number>(indexes: Index[]): Index[] {
  return indexes.sort((one, other) => one - other);
}
