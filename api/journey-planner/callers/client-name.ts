/**
 * Reads the client name of a caller: `<company>-<application>` in one of the configured headers. The functions are
 * pure.
 */
import type { IncomingHttpHeaders } from 'node:http';

export const CLIENT_NAME_MAX = 100;

/** Commas are invalid, because Node joins the values of a repeated header with one. */
const CHARACTERS = /^[\p{L}\p{N}._+@()/ -]+$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export interface ClientName {
  /** In lower case; undefined if no header is well-formed. */
  readonly name: string | undefined;
  readonly blocked: boolean;
}

/**
 * `headerNames` must be in lower case. The first well-formed name counts. A blocked name in any of the headers blocks
 * the request.
 */
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
