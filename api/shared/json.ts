/**
 * Parses JSON bodies strictly: valid UTF-8, bounded depth, no NUL, no lone surrogates. Removes `null` members, and writes the
 * canonical text by which two bodies are compared. Pure.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** Far deeper than any request needs. Protects recursive code that reads the body later. */
export const MAX_JSON_DEPTH = 32;

/** Databases and hashes would replace it by another character. */
const LONE_SURROGATE = 'must not contain half a surrogate pair';

/**
 * Many times what requests hold. Each value costs some microseconds of the event loop, in parsing and in every check, so
 * a small body with very many would stop the process for others.
 */
export const MAX_JSON_VALUES = 10_000;

export function parseJsonBody(bytes: Uint8Array, maxValues = MAX_JSON_VALUES): unknown {
  refuseManyValues(bytes, maxValues);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's message quotes the body, which may hold secrets: keep it out of the answer and the log.
    throw new ServiceError('MALFORMED_JSON', 'The body is not valid JSON in UTF-8.');
  }
  refuseUnusable(value);
  return value;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [...'"\\,[{'].map((character) => character.charCodeAt(0));

/** Counts before the parser makes an object of each: every value but the first follows a comma or a bracket. */
function refuseManyValues(bytes: Uint8Array, most: number): void {
  let values = 1;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  if (values > most) throw unusable('', 'VALUES', `must not hold more than ${most.toLocaleString('en')} values`);
}

/** An object or array, and where it stands. */
interface Place {
  readonly value: object;
  readonly name: string;
  readonly outer: Place | undefined;
  readonly depth: number;
}

/** Works without recursion, because the depth is not yet bounded. */
function refuseUnusable(root: unknown): void {
  if (typeof root !== 'object' || root === null) {
    refuseText(root, '', undefined);
    return;
  }
  const pending: Place[] = [{ value: root, name: '', outer: undefined, depth: 0 }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value, depth } = place;
    if (depth >= MAX_JSON_DEPTH) {
      throw unusable(pointerOf(place), 'DEPTH', `must not nest deeper than ${MAX_JSON_DEPTH} levels`);
    }
    for (const [name, member] of Object.entries(value)) {
      if (name.includes('\0')) throw unusable(pointerOf(place), 'NUL', 'a member name must not contain NUL');
      if (!name.isWellFormed()) throw unusable(pointerOf(place), 'UNICODE', LONE_SURROGATE);
      if (typeof member === 'object' && member !== null) {
        pending.push({ value: member, name, outer: place, depth: depth + 1 });
      } else refuseText(member, name, place);
    }
  }
}

function refuseText(value: unknown, name: string, outer: Place | undefined): void {
  if (typeof value !== 'string') return;
  const pointer = () => (outer ? `${pointerOf(outer)}/${escapePointer(name)}` : '');
  if (value.includes('\0')) throw unusable(pointer(), 'NUL', 'must not contain NUL');
  if (!value.isWellFormed()) throw unusable(pointer(), 'UNICODE', LONE_SURROGATE);
}

function pointerOf({ name, outer }: Place): string {
  return outer ? `${pointerOf(outer)}/${escapePointer(name)}` : '';
}

function unusable(pointer: string, code: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer || 'The body'} ${detail}.`, {
    errors: [{ pointer, code, detail }],
  });
}

const NONE: ReadonlySet<string> = new Set();

/**
 * `null` means absent: such members are removed, in place, but not within the outermost members that are `verbatim`. Call
 * after {@link parseJsonBody}, which bounds the depth.
 */
export function removeNulls(value: unknown, verbatim = NONE): void {
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const [name, member] of Object.entries(members)) {
    if (member === null && !Array.isArray(value)) delete members[name];
    else if (!verbatim.has(name)) removeNulls(member);
  }
}

/** The same text for bodies that differ in member order and white space only. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Members and elements at any depth. Stops counting beyond the limit. */
export function countParts(value: unknown, limit: number): number {
  const open = [value];
  let parts = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const within = Object.values(next);
    parts += within.length;
    if (parts > limit) return parts;
    for (const each of within) open.push(each);
  }
  return parts;
}
