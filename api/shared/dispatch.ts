/**
 * Answers a request whose path is in the route table. The endpoint of its method answers; OPTIONS and methods that the
 * path does not support are answered here. Called by the app. Never throws.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Reply } from './operation.ts';
import { presentError } from './present-error.ts';
import type { RequestContext } from './request-context.ts';
import { allowedMethods, type RouteMatch } from './routes.ts';

export async function dispatch(
  { route, encodedPath }: RouteMatch,
  context: RequestContext,
  checkToken: (context: RequestContext) => Promise<void>,
): Promise<Reply> {
  context.route = route.path;
  const { method = '' } = context.request;
  const endpoint = route.endpoints.get(method === 'HEAD' ? 'GET' : method);
  if (endpoint) return await endpoint(context, decodeParameters(encodedPath));
  const allow = allowedMethods(route).join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow } };
  try {
    await checkToken(context);
    throw new ServiceError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
  } catch (refusal) {
    return presentError(context, refusal, route.present);
  }
}

/** Cannot fail: the app has refused malformed percent-encoding before. */
function decodeParameters(encoded: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(encoded).map(([name, text]) => [name, decodeURIComponent(text)]));
}
