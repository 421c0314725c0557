/** UUIDs as they are stored. Pure. */

/** Callers may write a UUID in upper case, and as a URN. */
export function plainUuid(given: string): string {
  return given.toLowerCase().replace(/^urn:uuid:/, '');
}
