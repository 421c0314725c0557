/** Splits the extra field of a header into its parts, by number. Callers: the directory and the local headers. */
import { contradictory, damaged } from './archive-error.ts';

/** Some programs align data with up to three padding bytes. */
const MAX_PADDING_BYTES = 3;
const ZIP64 = 0x0001;

export function parseExtraFields(bytes: Buffer, shownEntryName: string): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  while (bytes.length - at > MAX_PADDING_BYTES) {
    const id = bytes.readUInt16LE(at);
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (end > bytes.length) {
      throw damaged(`The additional data of "${shownEntryName}" in the zip is cut off.`, shownEntryName);
    }
    if (id === ZIP64 && fields.has(id)) {
      throw contradictory(`"${shownEntryName}" has its zip64 sizes twice.`, shownEntryName);
    }
    fields.set(id, bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
