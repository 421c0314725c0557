/**
 * Parses JSON bodies strictly: valid UTF-8, bounded depth, no NUL, no lone surrogates. Removes `null` members, and writes the
 * canonical text by which two bodies are compared. Pure.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** Far deeper than any request needs. Protects recursive code that reads the body later. */
export const MAX_JSON_DEPTH = 32;

/** Databases and hashes would replace it by another character. */
const LONE_SURROGATE = 'must not contain half a surrogate pair';

export function parseJsonBody(bytes: Uint8Array): unknown {
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

/** Works without recursion, because the depth is not yet bounded. */
function refuseUnusable(root: unknown): void {
  const pending: { value: unknown; pointer: string; depth: number }[] = [{ value: root, pointer: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, pointer, depth } = next;
    if (typeof value === 'string' && value.includes('\0')) throw unusable(pointer, 'NUL', 'must not contain NUL');
    if (typeof value === 'string' && !value.isWellFormed()) throw unusable(pointer, 'UNICODE', LONE_SURROGATE);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_JSON_DEPTH) throw unusable(pointer, 'DEPTH', `must not nest deeper than ${MAX_JSON_DEPTH} levels`);
    for (const [name, member] of Object.entries(value)) {
      if (name.includes('\0')) throw unusable(pointer, 'NUL', 'a member name must not contain NUL');
      if (!name.isWellFormed()) throw unusable(pointer, 'UNICODE', LONE_SURROGATE);
      pending.push({ value: member, pointer: `${pointer}/${escapePointer(name)}`, depth: depth + 1 });
    }
  }
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
