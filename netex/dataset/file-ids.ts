/** Reads the ids of a file in one bare scan: what other files of the dataset may refer to. */
import { NotWellFormedError, Scanner } from '../xml/scan.ts';
import type { IdIndexBuilder } from './id-index.ts';

const CHUNK_BYTES = 1 << 18;
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
  const decoder = new TextDecoder('utf-8');
  try {
    for (let start = 0; start < file.bytes.length; start += CHUNK_BYTES) {
      scanner.write(decoder.decode(file.bytes.subarray(start, start + CHUNK_BYTES), { stream: true }));
    }
    scanner.close();
  } catch (error) {
    if (!(error instanceof NotWellFormedError)) throw error;
  }
}
