/** Stores the catalogue: its tables, texts, polylines and reverse lists. */
import { openTable, type Table } from '../catalogue/table.ts';
import type { TableName } from '../catalogue/tables.ts';
import { Texts } from '../catalogue/texts.ts';
import type { SectionWriter } from '../snapshot/section-writer.ts';
import { FinalNumbers } from './final-numbers.ts';
import type { NamedTable } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';
import type { PackedTable } from './packed-table.ts';
import type { Resolved } from './resolve.ts';
import { type Pairs, writeReverseLists } from './reverse-lists.ts';
import { writeTable } from './table-writer.ts';

const NAMED_TABLES = [
  'authority',
  'operator',
  'notice',
  'tariffZone',
  'groupOfLines',
  'stopPlace',
  'quay',
  'line',
  'journeyPattern',
  'serviceJourney',
  'datedServiceJourney',
  'interchange',
] as const satisfies readonly NamedTable[];

export function writeCatalogue(input: PackedInput, resolved: Resolved, sections: SectionWriter): void {
  const texts = new FinalNumbers(input.texts);
  const polylines = new FinalNumbers(input.polylines);
  const { rejections, texts: pool } = input;
  const writerInput = { sections, pool, texts, polylines, numberings: resolved, rejections };
  const write = (name: TableName, order: Int32Array): void =>
    writeTable(input.tables[name] as unknown as PackedTable<TableName>, order, writerInput);
  for (const name of NAMED_TABLES) write(name, resolved[name].order);
  write('patternStop', resolved.patternStopRows);
  write('callNotice', resolved.callNoticeRows);
  sections.add('journeyPattern.stopsStart', resolved.patternStopsStart);
  const hasCallNotices = resolved.callNoticeRows.length > 0;
  sections.add('serviceJourney.callNoticesStart', hasCallNotices ? resolved.callNoticesStart : new Int32Array(0));
  texts.write('texts', sections);
  polylines.write('polylines', sections);
  writeLists(sections, resolved);
}

/** Reads the stored tables, so that the lists agree with the catalogue. */
function writeLists(sections: SectionWriter, resolved: Resolved): void {
  const written = sections.written();
  const texts = new Texts(written);
  const open = <Name extends TableName>(name: Name): Table<Name> => openTable(name, written, texts);
  const count = (name: NamedTable): number => resolved[name].order.length;
  const list = (name: string, of: NamedTable, pairs: Pairs): void =>
    writeReverseLists(sections, `lists.${name}`, count(of), pairs);
  const [line, quay, place] = [open('line'), open('quay'), open('stopPlace')];
  const [pattern, journey, dated] = [open('journeyPattern'), open('serviceJourney'), open('datedServiceJourney')];
  const [patternStop, interchange] = [open('patternStop'), open('interchange')];
  list('linesOfAuthority', 'authority', eachOne(line.rowCount, line.authority));
  list('linesOfOperator', 'operator', eachOne(line.rowCount, line.operator));
  list('linesOfGroup', 'groupOfLines', eachOfMany(line.rowCount, line.groups));
  list('patternsOfLine', 'line', eachOne(pattern.rowCount, pattern.line));
  list('patternsOfStop', 'quay', (take) => {
    for (let row = 0; row < pattern.rowCount; row++) {
      const end = resolved.patternStopsStart[row + 1] ?? 0;
      for (let stop = resolved.patternStopsStart[row] ?? 0; stop < end; stop++) take(row, patternStop.quay.at(stop));
    }
  });
  list('journeysOfPattern', 'journeyPattern', eachOne(journey.rowCount, journey.pattern));
  list('datedJourneysOf', 'serviceJourney', eachOne(dated.rowCount, dated.journey));
  list('replacedBy', 'datedServiceJourney', eachOfMany(dated.rowCount, dated.replaces));
  list('interchangesFrom', 'serviceJourney', eachOne(interchange.rowCount, interchange.fromJourney));
  list('interchangesTo', 'serviceJourney', eachOne(interchange.rowCount, interchange.toJourney));
  list('quaysOf', 'stopPlace', eachOne(quay.rowCount, quay.stopPlace));
  list('childrenOf', 'stopPlace', eachOne(place.rowCount, place.parent));
  writeDatedJourneysByDay(sections, dated);
}

function writeDatedJourneysByDay(sections: SectionWriter, dated: Table<'datedServiceJourney'>): void {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < dated.rowCount; row++) {
    first = Math.min(first, dated.day.at(row));
    last = Math.max(last, dated.day.at(row));
  }
  const days = dated.rowCount === 0 ? 0 : last - first + 1;
  sections.add('lists.datedJourneysFirstDay', Int32Array.of(dated.rowCount === 0 ? 0 : first));
  writeReverseLists(sections, 'lists.datedJourneysOn', days, (take) => {
    for (let row = 0; row < dated.rowCount; row++) take(row, dated.day.at(row) - first);
  });
}

function eachOne(rows: number, column: { at(row: number): number }): Pairs {
  return (take) => {
    for (let row = 0; row < rows; row++) take(row, column.at(row));
  };
}

function eachOfMany(rows: number, column: { at(row: number): readonly number[] }): Pairs {
  return (take) => {
    for (let row = 0; row < rows; row++) for (const named of column.at(row)) take(row, named);
  };
}
