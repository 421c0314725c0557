/**
 * docker/proxy/Caddyfile as data: which path goes to which service. Reads what this project writes there, not all that Caddy knows; the
 * proxy itself reads the file in `npm run try:docker`. Callers: the checks of the composition.
 */

/** A directive: its words, and the block behind them. */
export interface Directive {
  readonly words: readonly string[];
  readonly block: readonly Directive[];
}

export interface Upstream {
  readonly service: string;
  readonly port: number;
}

/** The first whose paths match has the request; `paths` is empty for the one that has all the others. */
export interface ProxyRoute {
  readonly paths: readonly string[];
  /** Undefined: the proxy answers itself. */
  readonly to: Upstream | undefined;
}

export interface ProxySite {
  readonly address: string;
  readonly routes: readonly ProxyRoute[];
  readonly directives: readonly Directive[];
}

export function parseCaddyfile(text: string): readonly Directive[] {
  const tokens = text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, ''))
    .map((line) => line.match(/"[^"]*"|\S+/g) ?? []);
  let at = 0;
  const parseBlock = (depth: number): Directive[] => {
    const found: Directive[] = [];
    while (at < tokens.length) {
      const words = [...(tokens[at++] ?? [])];
      if (words.length === 0) continue;
      if (words[0] === '}') {
        if (depth === 0) throw new Error('A } without its {');
        return found;
      }
      const opens = words.at(-1) === '{';
      if (opens) words.pop();
      found.push({ words: words.map((word) => word.replace(/^"|"$/g, '')), block: opens ? parseBlock(depth + 1) : [] });
    }
    if (depth > 0) throw new Error('A { without its }');
    return found;
  };
  return parseBlock(0);
}

/** The site that callers reach. */
export function findSite(file: readonly Directive[]): ProxySite {
  const site = file.find(({ words }) => words[0] === '{$PUBLIC_HOST}');
  if (!site) throw new Error('The proxy serves no {$PUBLIC_HOST}');
  const matchers = new Map<string, readonly string[]>();
  for (const { words } of site.block) {
    const [name = '', kind, ...paths] = words;
    if (name.startsWith('@') && kind === 'path') matchers.set(name, paths);
  }
  const handles = site.block.filter(({ words }) => words[0] === 'handle');
  const routes = handles.map(({ words, block }): ProxyRoute => {
    const [, matcher] = words;
    const paths = matcher === undefined ? [] : matcher.startsWith('@') ? matchers.get(matcher) : [matcher];
    if (paths === undefined) throw new Error(`The proxy has no ${matcher}`);
    return { paths, to: upstreamOf(block) };
  });
  return { address: site.words[0] ?? '', routes, directives: site.block };
}

/** Of all sites. */
export function listUpstreams(file: readonly Directive[]): readonly Upstream[] {
  return file.flatMap(({ words, block }) => {
    const to = words[0] === 'handle' ? upstreamOf(block) : undefined;
    return [...(to ? [to] : []), ...listUpstreams(block)];
  });
}

function upstreamOf(block: readonly Directive[]): Upstream | undefined {
  const to = block.find(({ words }) => words[0] === 'import' && words[1] === 'to');
  const [, , service, port] = to?.words ?? [];
  return service === undefined ? undefined : { service, port: Number(port) };
}

/** Where a request for this path goes. */
export function routeOf({ routes }: ProxySite, path: string): ProxyRoute | undefined {
  const matches = (pattern: string): boolean =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
  return routes.find(({ paths }) => paths.length === 0 || paths.some(matches));
}
