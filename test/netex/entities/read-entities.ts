/** Reads the entities of a small file, for the tests of the reader. */
import { type EntityFilter, EntityReader, type EntitySink } from '../../../netex/entities/entity-reader.ts';
import { Scanner } from '../../../netex/xml/scan.ts';

const KINDS = [
  ...(['organisation', 'network', 'groupOfLines', 'branding', 'line', 'direction', 'route', 'pattern'] as const),
  ...(['serviceLink', 'destinationDisplay', 'stopAssignment', 'scheduledStopPoint', 'serviceJourney'] as const),
  ...(['headway', 'datedServiceJourney', 'interchange', 'notice', 'noticeAssignment', 'zone'] as const),
] satisfies ReadonlyArray<keyof EntitySink>;
type Kind = (typeof KINDS)[number];
type EntityOf<K extends Kind> = Parameters<NonNullable<EntitySink[K]>>[0];

/** All entities of one kind, in the order of the file. */
export function read<K extends Kind>(kind: K, frames: string, isLeftOut?: EntityFilter): EntityOf<K>[] {
  const found: EntityOf<K>[] = [];
  scan(frames, { [kind]: (entity: EntityOf<K>) => found.push(entity) }, isLeftOut);
  return found;
}

/** Emitted entities of every kind: `line ABC:Line:1`. */
export function kindsOf(frames: string, isLeftOut?: EntityFilter): string[] {
  const found: string[] = [];
  const sink = KINDS.map((kind) => [kind, (entity: { id?: string }) => found.push(`${kind} ${entity.id ?? '-'}`)]);
  scan(frames, Object.fromEntries(sink) as EntitySink, isLeftOut);
  return found;
}

function scan(frames: string, sink: EntitySink, isLeftOut: EntityFilter | undefined): void {
  const scanner = new Scanner(new EntityReader(sink, isLeftOut));
  scanner.write(
    `<PublicationDelivery xmlns="http://www.netex.org.uk/netex" xmlns:gis="http://www.opengis.net/gml/3.2"><dataObjects>${frames}</dataObjects></PublicationDelivery>`,
  );
  scanner.close();
}
