/** The client name that a caller sends: `<company>-<application>` in one of the configured headers. Pure. */
import type { IncomingHttpHeaders } from 'node:http';

export const CLIENT_NAME_MAX = 100;

/** No comma: Node puts one between the values of a header that was sent twice. */
const CHARACTERS = /^[\p{L}\p{N}._+@()/ -]+$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export interface ClientName {
  /** In lower case; undefined where none is well-formed. */
  readonly name: string | undefined;
  readonly blocked: boolean;
}

/** `headerNames` in lower case, the first well-formed one counts; a blocked name in any of them is blocked. */
export function readClientName(
  headers: IncomingHttpHeaders,
  headerNames: readonly string[],
  blockedNames: ReadonlySet<string>,
): ClientName {
  let name: string | undefined;
  for (const header of headerNames) {
    const value = headers[header];
    if (typeof value !== 'string' || value.length > CLIENT_NAME_MAX) continue;
    const given = value.trim().toLowerCase();
    if (blockedNames.has(given)) return { name: given, blocked: true };
    if (name === undefined && isClientName(given)) name = given;
  }
  return { name, blocked: false };
}

export function isClientName(text: string): boolean {
  if (text.length > CLIENT_NAME_MAX || !CHARACTERS.test(text)) return false;
  const hyphen = text.indexOf('-');
  return hyphen > 0 && LETTER_OR_DIGIT.test(text.slice(0, hyphen)) && LETTER_OR_DIGIT.test(text.slice(hyphen + 1));
}
