/**
 * A copy of a value that outlives its element. A name, attribute or text of the scan is a view of its chunk. Keeping
 * one holds 64 KB in memory; keeping a few thousand holds a whole file.
 *
 * Callers: code that stores values of a scan until the end of a file.
 */
export function keptText(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
