/** Reads the ids of a file in one bare scan: what other files of the dataset may refer to. */
import { decodeXml, XmlEncodingError } from '../xml/decode.ts';
import { NotWellFormedError, Scanner } from '../xml/scan.ts';
import type { IdIndexBuilder } from './id-index.ts';

/** Label of ids that several common files have. */
export const SEVERAL_FILES = '*';

/** Adds all ids under the file's name, as far as the file can be read: what is wrong with it, its validation says. */
export function addFileIds(file: { name: string; bytes: Uint8Array }, index: IdIndexBuilder): void {
  const scanner = new Scanner({
    start({ name, attributes }) {
      const { id } = attributes;
      if (id !== undefined && name !== 'Codespace' && !name.includes(':')) index.add(id, file.name);
    },
  });
  try {
    for (const text of decodeXml(file.bytes)) scanner.write(text);
    scanner.close();
  } catch (error) {
    if (!(error instanceof NotWellFormedError) && !(error instanceof XmlEncodingError)) throw error;
  }
}
