/** Errors of the token endpoint in the format of RFC 6749 §5.2. They never say which part of a credential was wrong. */
import type { ServiceError } from '../../workflows/shared/service-error.ts';

export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'slow_down'
  | 'server_error'
  | 'temporarily_unavailable';

export function oauthError<Status extends number>(
  status: Status,
  error: OauthErrorCode,
  description: string,
  headers: Readonly<Record<string, string>> = {},
) {
  return {
    status,
    headers: { ...headers, 'cache-control': 'no-store' },
    json: { error, error_description: description },
  };
}

/** Refusals of the HTTP base before the handler: method, media type, size, body. */
export function presentAsOauth(error: ServiceError) {
  return oauthError(error.status, codeFor(error.status), describe(error), error.headers);
}

function codeFor(status: number): OauthErrorCode {
  if (status === 429) return 'slow_down';
  if (status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** RFC 6749 allows printable ASCII in a description, except `"` and `\`. */
function describe(error: ServiceError): string {
  const [first] = error.errors ?? [];
  const text = first ? `${first.pointer.slice(1) || 'The body'} ${first.detail}` : error.message;
  return text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');
}
