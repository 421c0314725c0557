/**
 * Reads the ids of a common file, which other files of the dataset may refer to. Other listeners can share the same
 * scan.
 */
import { decodeXml, XmlDecoder, XmlEncodingError } from '../xml/decode.ts';
import { NotWellFormedError, type ScanListener, Scanner } from '../xml/scan.ts';
import type { IdIndexBuilder } from './id-index.ts';

/** Label of ids that several common files define. */
export const SEVERAL_FILES = '*';

/** Adds all ids under the file's name, as far as the file can be read. Its validation reports why it cannot. */
export function addFileIds(
  file: { name: string; bytes: Uint8Array },
  index: IdIndexBuilder,
  ...readers: readonly ScanListener[]
): void {
  const scanner = idScanner(file.name, index, readers);
  try {
    for (const text of decodeXml(file.bytes)) scanner.write(text);
    scanner.close();
  } catch (error) {
    if (!isDefectOfFile(error)) throw error;
  }
}

/**
 * Adds the ids from a stream and holds one chunk in memory. Reads the stream to its end even when the XML is broken.
 */
export async function addStreamIds(
  file: { name: string; chunks: AsyncIterable<Uint8Array> },
  index: IdIndexBuilder,
  ...readers: readonly ScanListener[]
): Promise<void> {
  const scanner = idScanner(file.name, index, readers);
  const decoder = new XmlDecoder();
  let readable = true;
  const take = (read: () => void) => {
    if (!readable) return;
    try {
      read();
    } catch (error) {
      if (!isDefectOfFile(error)) throw error;
      readable = false;
    }
  };
  for await (const chunk of file.chunks) take(() => scanner.write(decoder.write(chunk)));
  take(() => {
    scanner.write(decoder.end());
    scanner.close();
  });
}

function idScanner(fileName: string, index: IdIndexBuilder, readers: readonly ScanListener[]): Scanner {
  return new Scanner({
    start(element) {
      const { name } = element;
      const { id } = element.attributes;
      if (id !== undefined && name !== 'Codespace' && !name.includes(':')) index.add(id, fileName);
      for (const reader of readers) reader.start?.(element);
    },
    end(element) {
      for (const reader of readers) reader.end?.(element);
    },
  });
}

function isDefectOfFile(error: unknown): boolean {
  return error instanceof NotWellFormedError || error instanceof XmlEncodingError;
}
