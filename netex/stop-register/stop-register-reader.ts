/**
 * Reads the files of a stop register dataset, or the SiteFrames inside a timetable dataset, into a StopRegister.
 *
 * Callers: the activity that stores a newly published register, the scan of common files, tests. In memory of a chunk
 * plus what is kept.
 */
import { decodeXml, XmlDecoder, XmlEncodingError } from '../xml/decode.ts';
import { NotWellFormedError, type OpenElement, type ScanListener, Scanner } from '../xml/scan.ts';
import { SiteFrameReader } from './site-frame-reader.ts';
import { StopRegister } from './stop-register.ts';
import { StopRegisterBuilder } from './stop-register-builder.ts';

/** Collects the files of one register; of an id that comes more than once the version that counts is kept. */
export class StopRegisterReader {
  readonly #builder: StopRegisterBuilder;

  /** `atMs`: versions valid at this instant are preferred; without it the highest version number is. */
  constructor(atMs?: number) {
    this.#builder = new StopRegisterBuilder(atMs);
  }

  /** Throws NotWellFormedError or XmlEncodingError: the register is read only after it was found valid. */
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
 * The stops of SiteFrames in a timetable dataset. Feed it the elements of each common file by `listener()`; frames of
 * other kinds are passed over. Callers: the scan of common files, a file under the rules.
 */
export class DatasetStopsBuilder {
  readonly #builder: StopRegisterBuilder;
  #isEmpty = true;

  constructor(atMs?: number) {
    this.#builder = new StopRegisterBuilder(atMs);
  }

  /** Nothing was found: there is nothing to store or to open. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Of one file. Costs one comparison per element outside SiteFrames. */
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

  /** A whole file; as far as it can be read: what is wrong with it, its validation says. */
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
