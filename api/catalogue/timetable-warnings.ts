/**
 * What a catalogue names and the published timetable lacks. No fault: a timetable may be published later. Dated journeys
 * are not compared: they come and go with their days. Callers: the operation that replaces the catalogue, and the start of a
 * process that has its file.
 */
import type { CatalogueContent } from '../../activities/shared/catalogue.ts';
import type { TimetableReader } from '../../activities/shared/timetable.ts';
import type { Logger } from '../../platform/log.ts';
import type { Schemas } from './contract.gen.ts';

export type NamedContent = Pick<CatalogueContent, 'trains' | 'fareProducts' | 'prices'>;
export type NamedTimetable = Pick<
  TimetableReader,
  'listLineIds' | 'listAuthorities' | 'listFareZones' | 'findStopPlaces' | 'listServiceJourneyIds'
>;

type Kind = 'LINE' | 'AUTHORITY' | 'FARE_ZONE' | 'STOP_PLACE' | 'SERVICE_JOURNEY';

const NAMES: Readonly<Record<Kind, string>> = {
  LINE: 'line',
  AUTHORITY: 'authority',
  FARE_ZONE: 'fare zone',
  STOP_PLACE: 'stop place',
  SERVICE_JOURNEY: 'service journey',
};

interface Named {
  readonly kind: Kind;
  readonly id: string;
  /** Into the catalogue. */
  readonly pointer: string;
}

/** As for faults. */
export const MAX_WARNINGS = 50;

/** Trains of unknown journeys have no seats, and fares of unknown places are not offered. None before the first timetable. */
export async function timetableWarnings(
  content: NamedContent,
  timetable: NamedTimetable,
): Promise<readonly Schemas['Warning'][]> {
  const named = [...namesOfTrains(content), ...namesOfAreas(content), ...namesOfPairs(content)];
  if (named.length === 0) return [];
  const lineIds = await timetable.listLineIds();
  if (lineIds.length === 0) return [];
  const idsOf = (kind: Kind) => [...new Set(named.flatMap((each) => (each.kind === kind ? [each.id] : [])))];
  const known: Readonly<Record<Kind, ReadonlySet<string>>> = {
    LINE: new Set(lineIds),
    AUTHORITY: asIds(await timetable.listAuthorities()),
    FARE_ZONE: asIds(await timetable.listFareZones()),
    STOP_PLACE: asIds(await timetable.findStopPlaces(idsOf('STOP_PLACE'))),
    SERVICE_JOURNEY: new Set(await timetable.listServiceJourneyIds(idsOf('SERVICE_JOURNEY'))),
  };
  const unknown = named.filter(({ kind, id }) => !known[kind].has(id));
  return unknown.slice(0, MAX_WARNINGS).map(({ kind, id, pointer }) => ({
    ...{ pointer, code: `UNKNOWN_${kind}` as const },
    detail: `the published timetable has no ${NAMES[kind]} ${id}`,
  }));
}

/** None, with a line in the log, where the timetable cannot be read: the catalogue is in force all the same. */
export async function findWarnings(
  content: NamedContent,
  timetable: NamedTimetable,
  log: Logger,
): Promise<readonly Schemas['Warning'][]> {
  return await timetableWarnings(content, timetable).catch((error: unknown) => {
    log.warn({ err: error }, 'the catalogue cannot be compared with the timetable');
    return [];
  });
}

/** For a catalogue that came as a file: nobody gets an answer that names them. */
export async function logWarnings(content: NamedContent, timetable: NamedTimetable, log: Logger): Promise<void> {
  const warnings = await findWarnings(content, timetable, log);
  if (warnings.length > 0) log.warn({ warnings }, 'the catalogue names what the published timetable lacks');
}

function* namesOfTrains({ trains }: NamedContent): Generator<Named> {
  for (const [at, { lineIds, serviceJourneyIds }] of trains.entries()) {
    yield* each('LINE', lineIds, `/trains/${at}/lineIds`);
    yield* each('SERVICE_JOURNEY', serviceJourneyIds, `/trains/${at}/serviceJourneyIds`);
  }
}

function* namesOfAreas({ fareProducts }: NamedContent): Generator<Named> {
  for (const [at, product] of fareProducts.entries()) {
    if (product.kind !== 'PREASSIGNED') continue;
    const { area } = product;
    const pointer = `/fareProducts/${at}/area`;
    yield* each('AUTHORITY', area.authorityIds, `${pointer}/authorityIds`);
    if (area.kind === 'LINES') yield* each('LINE', area.lineIds, `${pointer}/lineIds`);
    else yield* each('FARE_ZONE', area.zoneIds, `${pointer}/zoneIds`);
  }
}

function* namesOfPairs({ prices }: NamedContent): Generator<Named> {
  for (const [at, { basis }] of prices.entries()) {
    if (basis.kind !== 'STOP_PAIRS') continue;
    for (const [index, pair] of basis.pairs.entries()) {
      for (const member of ['fromStopPlaceId', 'toStopPlaceId'] as const)
        yield { kind: 'STOP_PLACE', id: pair[member], pointer: `/prices/${at}/basis/pairs/${index}/${member}` };
    }
  }
}

function* each(kind: Kind, ids: readonly string[] = [], pointer: string): Generator<Named> {
  for (const [at, id] of ids.entries()) yield { kind, id, pointer: `${pointer}/${at}` };
}

function asIds(items: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ id }) => id));
}
