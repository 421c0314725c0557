/**
 * JSON bodies as the service wants them: parsed from strict UTF-8, shallow, without NUL or half characters, `null` members
 * removed; and the canonical text that tells whether two bodies are the same. Pure.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** Far deeper than any request of ours; keeps recursive code behind it safe. */
export const MAX_JSON_DEPTH = 32;

/** Databases and hashes would take it for another character. */
const HALF = 'must not contain half a surrogate pair';

export function parseJsonBody(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's message quotes the body, which may hold secrets: it goes neither to the caller nor to the log.
    throw new ServiceError('MALFORMED_JSON', 'The body is not valid JSON in UTF-8.');
  }
  refuseUnfit(value);
  return value;
}

/** Walks without recursion: the depth is not known to be small before this has run. */
function refuseUnfit(root: unknown): void {
  const pending: { value: unknown; pointer: string; depth: number }[] = [{ value: root, pointer: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, pointer, depth } = next;
    if (typeof value === 'string' && value.includes('\0')) throw unfit(pointer, 'NUL', 'must not contain NUL');
    if (typeof value === 'string' && !value.isWellFormed()) throw unfit(pointer, 'UNICODE', HALF);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_JSON_DEPTH) throw unfit(pointer, 'DEPTH', `must not nest deeper than ${MAX_JSON_DEPTH} levels`);
    for (const [name, member] of Object.entries(value)) {
      if (name.includes('\0')) throw unfit(pointer, 'NUL', 'a member name must not contain NUL');
      if (!name.isWellFormed()) throw unfit(pointer, 'UNICODE', HALF);
      pending.push({ value: member, pointer: `${pointer}/${escapePointer(name)}`, depth: depth + 1 });
    }
  }
}

function unfit(pointer: string, code: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', 'The body is not as this operation needs it.', {
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

/** Same text for bodies that differ only in member order and white space. */
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
