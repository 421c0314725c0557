/**
 * The checks of every request before routing, in their order: open requests, HTTPS, framing, address, CORS. Called by
 * the app.
 */
import { applyCors } from './cors.ts';
import { findFramingFault } from './framing-fault.ts';
import type { HttpsRule } from './https-rule.ts';
import type { OpenRequests } from './open-requests.ts';
import type { Reply } from './operation.ts';
import type { RequestContext } from './request-context.ts';
import { findTargetFault } from './target-fault.ts';

export interface ChecksBeforeRouting {
  readonly openRequests: OpenRequests | undefined;
  readonly https: HttpsRule | undefined;
  readonly allowedOrigins: ReadonlySet<string>;
  /** Throws when the path needs a token and the request has none that is valid. */
  readonly checkToken: (context: RequestContext) => Promise<void>;
}

/**
 * The answer to a redirect, a preflight or `OPTIONS *`; undefined for all other requests. Throws the error of a refused
 * request.
 */
export async function checkBeforeRouting(
  context: RequestContext,
  { openRequests, https, allowedOrigins, checkToken }: ChecksBeforeRouting,
): Promise<Reply | undefined> {
  const { request, response } = context;
  openRequests?.begin(context);
  const redirect = https?.check(context);
  if (redirect) return redirect;
  const fault = findFramingFault(request) ?? findTargetFault(request);
  if (fault) {
    await checkToken(context);
    throw fault;
  }
  const preflight = applyCors(request, response, allowedOrigins);
  if (preflight) return preflight;
  if (request.method === 'OPTIONS' && request.url === '*') {
    return { status: 204, headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } };
  }
  return undefined;
}
