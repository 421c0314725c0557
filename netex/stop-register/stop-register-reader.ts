/**
 * Reads the files of a stop register dataset, or the SiteFrames inside a timetable dataset, into a StopRegister.
 *
 * Callers: the activity that stores a newly published register, the scan of common files, tests. Holds one chunk plus
 * what is kept.
 */
import { decodeXml, XmlDecoder, XmlEncodingError } from '../xml/decode.ts';
import { NotWellFormedError, type OpenElement, type ScanListener, Scanner } from '../xml/scan.ts';
import { SiteFrameReader } from './site-frame-reader.ts';
import { StopRegister } from './stop-register.ts';
import { StopRegisterBuilder } from './stop-register-builder.ts';

/** Collects the files of one register; keeps the preferred version of an id that occurs several times. */
export class StopRegisterReader {
  readonly #builder: StopRegisterBuilder;

  /** `atMs`: versions valid at this instant are preferred; without it the highest version number wins. */
  constructor(atMs?: number) {
    this.#builder = new StopRegisterBuilder(atMs);
  }

  /** Throws NotWellFormedError or XmlEncodingError: only valid registers are read. */
  addFile(bytes: Uint8Array): void {
    const scanner = new Scanner(new SiteFrameReader(this.#builder));
    for (const text of decodeXml(bytes)) scanner.write(text);
    scanner.close();
  }

  /** The same from a stream. */
  async addStream(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const scanner = new Scanner(new SiteFrameReader(this.#builder));
    const decoder = new XmlDecoder();
    for await (const chunk of chunks) scanner.write(decoder.write(chunk));
    scanner.write(decoder.end());
    scanner.close();
  }

  build(): StopRegister {
    return StopRegister.open(this.#builder.build());
  }
}

/**
 * The stops of SiteFrames in a timetable dataset. Pass the elements of each common file to `listener()`; it skips
 * frames of other kinds. Callers: the scan of common files, a file under the rules.
 */
export class DatasetStopsBuilder {
  readonly #builder: StopRegisterBuilder;
  #isEmpty = true;

  constructor(atMs?: number) {
    this.#builder = new StopRegisterBuilder(atMs);
  }

  /** True when nothing was found: there is nothing to store or to open. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Listens to one file. Costs one comparison per element outside SiteFrames. */
  listener(): ScanListener {
    let reader: SiteFrameReader | undefined;
    let frameDepth = 0;
    return {
      start: (element: OpenElement) => {
        if (reader) reader.start(element);
        else if (element.name === 'SiteFrame') {
          reader = new SiteFrameReader(this.#builder);
          frameDepth = element.depth;
          this.#isEmpty = false;
        }
      },
      end(element: OpenElement) {
        if (!reader) return;
        if (element.depth === frameDepth) reader = undefined;
        else reader.end(element);
      },
    };
  }

  /** Adds a whole file as far as it can be read. Its validation reports why it cannot. */
  addFile(bytes: Uint8Array): void {
    const scanner = new Scanner(this.listener());
    try {
      for (const text of decodeXml(bytes)) scanner.write(text);
      scanner.close();
    } catch (error) {
      if (!(error instanceof NotWellFormedError || error instanceof XmlEncodingError)) throw error;
    }
  }

  build(): StopRegister {
    return StopRegister.open(this.#builder.build());
  }
}
