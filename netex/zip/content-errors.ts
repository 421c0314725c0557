/** Errors for an entry whose content does not match the directory. Callers: code that unpacks entries. */
import { type ArchiveError, contradictory, damaged, shownName } from './archive-error.ts';

/** The directory's statements about an entry. */
interface Declared {
  readonly name: string;
  readonly bytes: number;
  readonly crc32: number;
}

/** Throws ArchiveError unless the content has the declared size and checksum. */
export function checkContent(declared: Declared, bytes: number, checksum: number): void {
  const shown = shownName(declared.name);
  if (bytes > declared.bytes) throw tooLong(declared);
  if (bytes < declared.bytes) {
    throw contradictory(`"${shown}" unpacks to ${bytes} bytes where the zip says ${declared.bytes}.`, shown);
  }
  if (checksum !== declared.crc32) throw damaged(`The checksum of "${shown}" does not match its content.`, shown);
}

export function tooLong({ name, bytes }: Pick<Declared, 'name' | 'bytes'>): ArchiveError {
  const shown = shownName(name);
  return contradictory(`"${shown}" unpacks to more than the ${bytes} bytes that the zip says.`, shown);
}

export function endsEarly(shown: string): ArchiveError {
  return contradictory(`The data of "${shown}" ends before its packed size is reached.`, shown);
}

/** Returns the error unchanged unless it comes from unpacking. */
export function unpackingError(error: unknown, shown: string): unknown {
  return isUnpackingError(error) ? damaged(`The packed data of "${shown}" cannot be unpacked.`, shown) : error;
}

function isUnpackingError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}
