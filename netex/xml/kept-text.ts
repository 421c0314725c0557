/**
 * A copy of a value that is to outlive its element. A name, attribute or text of the scan is a view of the chunk that it
 * was cut from: one that is kept holds 64 KB in memory, a few thousand of them a whole file.
 *
 * Callers: whoever stores values of a scan until the end of a file.
 */
export function keptText(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
