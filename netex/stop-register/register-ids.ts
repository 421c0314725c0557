/**
 * Reads out of a stop register dataset what timetables may refer to: ids with their kinds, in one scan per file.
 *
 * Callers: the activity that stores the index of a newly published register. Positions, parents and names are not read
 * here; whoever draws or routes reads the register itself.
 */
import { type IdIndex, IdIndexBuilder } from '../dataset/id-index.ts';
import { decodeXml, XmlDecoder } from '../xml/decode.ts';
import { type OpenElement, Scanner } from '../xml/scan.ts';

const REFERABLE_KINDS: ReadonlySet<string> = new Set([
  'StopPlace',
  'Quay',
  'BoardingPosition',
  'AccessSpace',
  'StopPlaceEntrance',
  'FlexibleStopPlace',
  'FlexibleArea',
  'HailAndRideArea',
  'GroupOfStopPlaces',
  'TopographicPlace',
  'TariffZone',
  'FareZone',
  'GroupOfTariffZones',
  'ScheduledStopPoint',
  'SiteConnection',
  'PathLink',
  'Parking',
]);

/** Collects the files of one register; an id in several of them counts once. */
export class StopRegisterReader {
  readonly #builder = new IdIndexBuilder();

  /** Throws NotWellFormedError or XmlEncodingError: the register is read only after it was found valid. */
  addFile(bytes: Uint8Array): void {
    const scanner = this.#scanner();
    for (const text of decodeXml(bytes)) scanner.write(text);
    scanner.close();
  }

  /** The same from a stream, in memory of a chunk. */
  async addStream(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const scanner = this.#scanner();
    const decoder = new XmlDecoder();
    for await (const chunk of chunks) scanner.write(decoder.write(chunk));
    scanner.write(decoder.end());
    scanner.close();
  }

  /** Labels are the names of the elements, e.g. `Quay`. */
  build(): IdIndex {
    return this.#builder.build();
  }

  #scanner(): Scanner {
    return new Scanner({
      start: ({ name, attributes }: OpenElement) => {
        if (attributes.id !== undefined && REFERABLE_KINDS.has(name)) this.#builder.add(attributes.id, name);
      },
    });
  }
}
