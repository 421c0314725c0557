/**
 * The route table of one server: the operations of its areas and the operational routes. Built once at start, where every
 * operation of a document must have its handler and every handler its operation. Each request is matched here, once.
 */
import { type MatchFunction, match } from 'path-to-regexp';
import { audited } from './audited.ts';
import { compileEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import { loadDocument } from './openapi-document.ts';
import type { Json } from './openapi-reference.ts';
import type { Area, PresentError } from './operation.ts';
import { SchemaChecks } from './schema-check.ts';
import { toServedDocument } from './served-document.ts';

export interface Route {
  /** Template as in the document, `/a/{b}`. */
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The area's own error format at this path; undefined for problem+json. */
  readonly present: PresentError | undefined;
}

export interface RouteMatch {
  readonly route: Route;
  /** Path parameters by name, still percent-encoded. */
  readonly encodedPath: Readonly<Record<string, string>>;
}

export interface LoadedArea {
  readonly name: string;
  readonly document: Json;
}

interface GrowingRoute extends Route {
  readonly endpoints: Map<string, Endpoint>;
  readonly match: MatchFunction<Record<string, string>>;
}

export class RouteTable {
  readonly #routes = new Map<string, GrowingRoute>();
  readonly #areas: LoadedArea[] = [];
  readonly #tokenPaths: string[] = [];
  /** In the order of {@link find}; undefined until asked for again. */
  #sorted: readonly GrowingRoute[] | undefined;
  readonly #publicUrl: string | undefined;

  /** `publicUrl`: of the server, for its documents. */
  constructor(publicUrl?: string) {
    this.#publicUrl = publicUrl;
  }

  addArea(area: Area, options: EndpointOptions): void {
    const { root, operations, tokenPaths, isChecked } = loadDocument(area.document, options.headerPrefix);
    const checks = new SchemaChecks(area.name, root, { isChecked });
    const unused = new Set([...Object.keys(area.operations), ...Object.keys(area.finds ?? {})]);
    for (const operation of operations) {
      const handler = area.operations[operation.operationId];
      if (!handler) throw new Error(`${area.name}: the operation ${operation.operationId} has no handler`);
      unused.delete(operation.operationId);
      const present = operation.errors === undefined ? undefined : area.errors?.[operation.errors];
      if (operation.errors !== undefined && !present)
        throw new Error(`${area.name}: no errors named ${operation.errors}`);
      const find = area.finds?.[operation.operationId];
      const parts = { handler: audited(operation, handler, find, options.audit), find, present };
      const endpoint = compileEndpoint(operation, parts, checks, options);
      this.add(operation.method, operation.path, endpoint, present);
    }
    if (unused.size > 0) throw new Error(`${area.name}: not in the document: ${[...unused].join(', ')}`);
    this.#areas.push({ name: area.name, document: toServedDocument(root, this.#publicUrl) });
    this.#tokenPaths.push(...tokenPaths);
  }

  /** Throws for a path that cannot be matched, so that the process does not start with it. */
  add(method: string, path: string, endpoint: Endpoint, present?: PresentError): void {
    const route = this.#routes.get(path) ?? createRoute(path, present);
    if (route.endpoints.has(method)) throw new Error(`${method} ${path} is defined twice`);
    route.endpoints.set(method, endpoint);
    this.#routes.set(path, route);
    this.#sorted = undefined;
  }

  get areas(): readonly LoadedArea[] {
    return this.#areas;
  }

  /** Literal paths win over templates that also match. */
  find(path: string): RouteMatch | undefined {
    this.#sorted ??= [...this.#routes.values()].sort((a, b) => (sortKey(a.path) < sortKey(b.path) ? -1 : 1));
    for (const route of this.#sorted) {
      const found = route.match(path);
      if (found) return { route, encodedPath: found.params };
    }
    return undefined;
  }

  /** Below an area's `x-token-paths`, only callers with a token learn whether a path exists. */
  needsToken(path: string): boolean {
    return this.#tokenPaths.some((each) => path === each || path.startsWith(`${each}/`));
  }

  /** Methods at a request target; undefined when no route matches. Requests that Node's parser refuses need it. */
  allowedFor(target: string): readonly string[] | undefined {
    const [path = ''] = target.split('?');
    const found = this.find(path);
    return found && allowedMethods(found.route);
  }
}

export function allowedMethods({ endpoints }: Route): readonly string[] {
  return [...endpoints.keys(), ...(endpoints.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function createRoute(path: string, present: PresentError | undefined): GrowingRoute {
  const matchPath = match<Record<string, string>>(toPattern(path), { sensitive: true, decode: false });
  return { path, endpoints: new Map(), present, match: matchPath };
}

/** U+FFFF sorts a parameter behind every literal segment. */
function sortKey(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '\uffff');
}

/** `/a/{b}/` → `/a/:b`. The library then accepts the path with and without a slash at its end. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
}
