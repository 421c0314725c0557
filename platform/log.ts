/**
 * The log of every process: JSON lines on standard output. Redaction happens only here, so that no caller has to
 * remember it. Hidden are members with secret names at any depth, also in errors and their causes. Hidden are also
 * credentials inside texts: bearer values, JWTs, `name=value` of secret names, user and password of a URL.
 */
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LogOptions {
  readonly level: string;
  /** Name of the process, e.g. `api`. */
  readonly name: string;
  /** Set in tests; default: standard output. */
  readonly destination?: DestinationStream;
}

export function createLog(options: LogOptions): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: { process: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'msg',
    // Errors are made plain by redact(): pino's own serialiser would let their extra members pass.
    serializers: { err: (value: unknown) => value },
    formatters: {
      level: (label) => ({ level: label }),
      log: (members) => redact(members) as Record<string, unknown>,
      bindings: (members) => redact(members) as Record<string, unknown>,
    },
    hooks: {
      logMethod(args, method) {
        method.apply(this, cleanArguments(args) as Parameters<typeof method>);
      },
    },
  };
  const log = options.destination ? pino(settings, options.destination) : pino(settings);
  // pino formats the members of its root only, not those given to a child; children of children inherit this.
  const { child } = log;
  log.child = function redactedChild(this: Logger, members: pino.Bindings, childOptions?: object) {
    return child.call(this, redact(members) as pino.Bindings, childOptions);
  } as typeof log.child;
  return log;
}

/** Redacts texts. Puts an error under the member `err` with a text, because pino would otherwise use its raw text. */
function cleanArguments(args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args.map((arg) => (typeof arg === 'string' ? redactText(arg) : arg));
  const members = first instanceof Error ? { err: first } : first;
  const { err } = (members ?? {}) as { err?: unknown };
  return rest.length === 0 && err instanceof Error ? [members, redactText(err.message)] : [members, ...rest];
}

const HIDDEN = '[redacted]';
const MAX_DEPTH = 8;
const MAX_ITEMS = 100;
const MAX_MEMBERS = 2_000;
const MAX_TEXT_LENGTH = 16_384;

/** Compared without case, `-` and `_`; a longer name ending in one of these is hidden too (`oldPassword`, `x-api-key`). */
const SECRET_ENDINGS =
  /(authorization|cookies?|secret|password|passphrase|token|assertion|idempotencykey|apikey|privatekey|accesskey|encryptionkey|secretkey|payloadkeys|cvv|cardnumber)$/;

const NAME_IN_TEXT =
  /((?:client|secret|access|refresh|id)?[_-]?(?:secret|password|passphrase|token|assertion|authorization|cookie|idempotency-key|api[_-]?key))(\\?["']?\s*[:=]\s*\\?["']?)(?!\[redacted\])(?:(?:bearer|basic)\s+)?[^\s"'\\&,;}]+/gi;
const SCHEME_IN_TEXT = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi;
const JWT_IN_TEXT = /\beyJ[\w-]{5,}(?:\.[\w-]*)+/g;
/** Keys of Stripe, which begin with what they are. */
const PROVIDER_KEY_IN_TEXT = /\b(?:(?:sk|rk)_(?:live|test)|whsec)_\w+/g;
/** Bounded repeats: unbounded ones would take quadratic time on hostile texts. */
const CREDENTIALS_IN_URL = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"']{1,500}@/gi;

export function redactText(text: string): string {
  return (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text)
    .replace(CREDENTIALS_IN_URL, `$1${HIDDEN}@`)
    .replace(NAME_IN_TEXT, `$1$2${HIDDEN}`)
    .replace(SCHEME_IN_TEXT, `$1 ${HIDDEN}`)
    .replace(JWT_IN_TEXT, HIDDEN)
    .replace(PROVIDER_KEY_IN_TEXT, HIDDEN);
}

/** The number of members and items that may still be written; all branches of one value share it. */
interface Budget {
  left: number;
}

/** A copy that is safe to write; bounded in depth, width and whole, so that a log line cannot hang a request. */
export function redact(value: unknown, depth = 0, budget: Budget = { left: MAX_MEMBERS }): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value;
  if (value instanceof Date) return value;
  if (value instanceof URL) return redactText(value.href);
  if (depth >= MAX_DEPTH) return '[deep]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return redactMembers(errorMembers(value), depth, budget);
  if (Array.isArray(value)) return redactItems(value, depth, budget);
  if (value instanceof Map) return redactMembers(Object.fromEntries(value), depth, budget);
  if (value instanceof Set) return redactItems([...value], depth, budget);
  return redactMembers(value as Record<string, unknown>, depth, budget);
}

function redactItems(items: readonly unknown[], depth: number, budget: Budget): unknown[] {
  const shown = items.slice(0, Math.min(MAX_ITEMS, budget.left));
  budget.left -= shown.length;
  return shown.map((item) => redact(item, depth + 1, budget));
}

function redactMembers(members: Record<string, unknown>, depth: number, budget: Budget): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const shown = Object.entries(members).slice(0, Math.min(MAX_ITEMS, budget.left));
  budget.left -= shown.length;
  for (const [name, member] of shown) {
    const secret = SECRET_ENDINGS.test(name.toLowerCase().replaceAll(/[-_ ]/g, ''));
    result[name] = secret && member !== undefined && member !== null ? HIDDEN : redact(member, depth + 1, budget);
  }
  return result;
}

function errorMembers(error: Error): Record<string, unknown> {
  const { name, message, stack, cause, ...own } = error as Error & { cause?: unknown };
  return { ...own, type: error.constructor.name, name, message, stack, ...(cause === undefined ? {} : { cause }) };
}
