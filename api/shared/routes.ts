/**
 * All paths of one server: the operations of its areas and the few built in. Made once at start, where every document
 * operation must have its handler and the other way round; answers 405 with `Allow`, OPTIONS and HEAD by itself.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { compileEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import { loadDocument } from './openapi-document.ts';
import type { Json } from './openapi-reference.ts';
import type { Area, PresentError, Reply } from './operation.ts';
import { presentError } from './present-error.ts';
import type { RequestContext } from './request-context.ts';
import { SchemaChecks } from './schema-check.ts';

export interface Route {
  /** Template as in the document, `/a/{b}`. */
  readonly path: string;
  readonly endpoints: Map<string, Endpoint>;
  present: PresentError | undefined;
}

export interface LoadedArea {
  readonly name: string;
  readonly document: Json;
}

export class RouteTable {
  readonly #routes = new Map<string, Route>();
  readonly #areas: LoadedArea[] = [];
  readonly #tokenPaths: string[] = [];

  addArea(area: Area, options: EndpointOptions): void {
    const { root, operations, tokenPaths } = loadDocument(area.document, options.headerPrefix);
    const checks = new SchemaChecks(area.name, root);
    const unused = new Set([...Object.keys(area.operations), ...Object.keys(area.finds ?? {})]);
    for (const operation of operations) {
      const handler = area.operations[operation.operationId];
      if (!handler) throw new Error(`${area.name}: the operation ${operation.operationId} has no handler`);
      unused.delete(operation.operationId);
      const present = operation.errors === undefined ? undefined : area.errors?.[operation.errors];
      if (operation.errors !== undefined && !present)
        throw new Error(`${area.name}: no errors named ${operation.errors}`);
      const parts = { handler, find: area.finds?.[operation.operationId], present };
      const endpoint = compileEndpoint(operation, parts, checks, options);
      this.add(operation.method, operation.path, endpoint, present);
    }
    if (unused.size > 0) throw new Error(`${area.name}: not in the document: ${[...unused].join(', ')}`);
    this.#areas.push({ name: area.name, document: root });
    this.#tokenPaths.push(...tokenPaths);
  }

  /** Whether even what is not there is told only to callers with a token. */
  needsToken(path: string): boolean {
    return this.#tokenPaths.some((each) => path === each || path.startsWith(`${each}/`));
  }

  add(method: string, path: string, endpoint: Endpoint, present?: PresentError): void {
    const route = this.#routes.get(path) ?? { path, endpoints: new Map<string, Endpoint>(), present };
    if (route.endpoints.has(method)) throw new Error(`${method} ${path} is defined twice`);
    route.endpoints.set(method, endpoint);
    this.#routes.set(path, route);
  }

  get areas(): readonly LoadedArea[] {
    return this.#areas;
  }

  /** Literal paths before templates that would also match them. */
  list(): readonly Route[] {
    return [...this.#routes.values()].sort((a, b) => (sortKey(a.path) < sortKey(b.path) ? -1 : 1));
  }

  /** Methods of the path that the request target names; undefined when there is none. For requests Node itself refuses. */
  allowedFor(target: string): readonly string[] | undefined {
    const [path = ''] = target.split('?');
    const route = this.#find(path);
    return route && allowOf(route);
  }

  /** The shape of errors at this path, for requests that are refused before they come to their route. */
  presenterFor(path: string): PresentError | undefined {
    return this.#find(path)?.present;
  }

  #find(path: string): Route | undefined {
    return this.list().find((each) => toPattern(each.path).test(path));
  }
}

export async function dispatch(
  route: Route,
  context: RequestContext,
  path: Readonly<Record<string, string>>,
  checkToken: (context: RequestContext) => Promise<void>,
): Promise<Reply> {
  const { method = '' } = context.request;
  const endpoint = route.endpoints.get(method === 'HEAD' ? 'GET' : method);
  if (endpoint) return await endpoint(context, path);
  const allow = allowOf(route).join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow } };
  try {
    await checkToken(context);
    throw new ServiceError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
  } catch (refusal) {
    return presentError(context, refusal, route.present);
  }
}

function allowOf(route: Route): readonly string[] {
  const methods = [...route.endpoints.keys()];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function sortKey(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '\uffff');
}

/** `/a/{b}` → `/a/:b`. */
export function toExpressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function toPattern(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\/$/, '');
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}
