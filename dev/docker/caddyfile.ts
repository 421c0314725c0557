/**
 * The routes of docker/proxy/Caddyfile, by patterns: as much as the checks of the composition need. Caddy itself reads
 * the whole file in `npm run try:docker`.
 */

export interface Upstream {
  readonly service: string;
  readonly port: number;
}

/** `paths` is empty for the route that takes all other requests. */
export interface ProxyRoute {
  readonly paths: readonly string[];
  /** Undefined: the proxy answers itself. */
  readonly to: Upstream | undefined;
}

const PUBLIC_SITE = /^\{\$PUBLIC_HOST\} \{\n(.*?)^\}/ms;
const MATCHER = /^\s*(@\w+) path (.+)$/gm;
const HANDLE = /^\s*handle(?: (\S+))? \{\n([^}]*)\}/gm;
const UPSTREAM = /^\s*import to (\S+) (\d+)/gm;

/** Lists the routes of the site that callers reach, in the order in which Caddy tries them. */
export function listRoutes(text: string): readonly ProxyRoute[] {
  const site = PUBLIC_SITE.exec(text)?.[1] ?? '';
  const matchers = new Map([...site.matchAll(MATCHER)].map(([, name = '', paths = '']) => [name, paths.split(' ')]));
  return [...site.matchAll(HANDLE)].map(([, matcher, block = '']): ProxyRoute => {
    const paths = matcher === undefined ? [] : (matchers.get(matcher) ?? [matcher]);
    return { paths, to: listUpstreams(block)[0] };
  });
}

/** Lists the upstreams of all sites. */
export function listUpstreams(text: string): readonly Upstream[] {
  return [...text.matchAll(UPSTREAM)].map(([, service = '', port]) => ({ service, port: Number(port) }));
}

export function findRoute(routes: readonly ProxyRoute[], path: string): ProxyRoute | undefined {
  const matches = (pattern: string): boolean =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  return routes.find(({ paths }) => paths.length === 0 || paths.some(matches));
}
