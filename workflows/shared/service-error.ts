import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';

/**
 * One wrong member of a body, or one wrong parameter. `pointer` is a JSON pointer; parameters are `/query/x`,
 * `/header/x`, `/path/x`.
 */
export interface ErrorItem {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface ServiceErrorOptions {
  /** For the log only; never shown to a caller. */
  readonly cause?: unknown;
  readonly errors?: readonly ErrorItem[];
  /** In place of 400: the shape is right, what it says is not. */
  readonly status?: 422;
  /** Further members of the problem. They may be secret: the answer is not stored under an idempotency key. */
  readonly members?: Readonly<Record<string, string>>;
  /** Response headers that belong to the error, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The one error class of the service: a stable code, its HTTP status, and a text that is safe to show. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly ErrorItem[] | undefined;
  readonly members: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: ServiceErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUS[code];
    this.errors = options.errors;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}
