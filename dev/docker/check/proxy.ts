/** Faults of the proxy's routes: each leads to a service that listens there, and whatever the servers describe reaches the one that serves it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../setup/resolve.mjs';
import { routeOf } from '../caddyfile.ts';
import type { Composition } from './composition.ts';
import { portsOf } from './processes.ts';

/** Beside what OpenAPI documents say: GraphQL, its page, and where each server shows its document. */
const OTHER_PATHS: readonly (readonly [path: string, service: string | undefined])[] = [
  ['/journey-planner/v3/graphql', 'journey-planner'],
  ['/journey-planner/v2/graphql', 'journey-planner'],
  ['/journey-planner/v3/ide', 'journey-planner'],
  ['/geocoder/v1/api-docs', 'journey-planner'],
  ['/api-docs/timetable', 'api'],
  ['/api-docs/customers', 'api'],
  ['/api-docs/auth', 'auth'],
  ['/health/ready', 'api'],
  ['/metrics', undefined],
  ['/metrics/', undefined],
];
/** Of the proxy's own log: what callers ask for, and who they are. */
const PERSONAL = ['uri', 'headers', 'remote_ip', 'remote_port', 'client_ip'];
const LARGEST = /^(\d+)MB$/;
const MEGABYTE = 1_000_000;
/** What stands around the file in the body of an upload. */
const MULTIPART_BYTES = 1_000_000;

export function checkProxy(composition: Composition, uploadLimitBytes: number): readonly string[] {
  const { site, compose } = composition;
  const faults = composition.upstreams.flatMap((to) => {
    const target = compose.services[to.service];
    if (!target) return [`The proxy sends to ${to.service}, which is no service`];
    if (!portsOf(target).includes(to.port))
      return [`The proxy sends to ${to.service}:${to.port}, where nobody listens`];
    const shared = Object.keys(target.networks).some((network) => network in (compose.services.proxy?.networks ?? {}));
    return shared ? [] : [`The proxy sends to ${to.service}, with which it shares no network`];
  });
  const wrong = [...listServed(), ...OTHER_PATHS].flatMap(([path, service]) => {
    const got = routeOf(site, path)?.to?.service;
    return got === service ? [] : [`The proxy sends ${path} to ${got ?? 'nobody'}, ${service ?? 'nobody'} has it`];
  });
  return [
    ...[...faults, ...wrong, ...checkBodies(composition, uploadLimitBytes)],
    ...[...checkPlain(composition), ...checkLog(composition)],
  ];
}

/** What the answers are the proxy itself says: `npm run try:docker`. */
function checkPlain({ proxyFile }: Composition): readonly string[] {
  const [options] = proxyFile;
  const isOurs = options?.block.some(({ words }) => words.join(' ') === 'auto_https disable_redirects');
  const site = proxyFile.find(({ words }) => words[0] === 'http://');
  const redirects = site?.block.flatMap(({ block }) => block).filter(({ words }) => words[0] === 'redir') ?? [];
  const isPermanent = redirects.length > 0 && redirects.every(({ words }) => words.at(-1) === '301');
  return isOurs && isPermanent ? [] : ['The proxy redirects plain HTTP otherwise than the processes do'];
}

function checkLog({ proxyFile }: Composition): readonly string[] {
  const log = proxyFile[0]?.block.find(({ words }) => words[0] === 'log');
  const format = log?.block.find(({ words }) => words.join(' ') === 'format filter');
  const fields = format?.block.find(({ words }) => words[0] === 'fields')?.block ?? [];
  const dropped = fields.map(({ words }) => words.join(' '));
  const kept = PERSONAL.filter((name) => !dropped.includes(`request>${name} delete`));
  return kept.map((name) => `The proxy logs the ${name} of requests`);
}

/** The process itself has to be the one that refuses, with its own words. */
function checkBodies({ site }: Composition, uploadLimitBytes: number): readonly string[] {
  const limit = site.directives.find(({ words }) => words[0] === 'request_body')?.block[0]?.words[1] ?? '';
  const bytes = Number(LARGEST.exec(limit)?.[1]) * MEGABYTE;
  return bytes >= uploadLimitBytes + MULTIPART_BYTES
    ? []
    : [`The proxy takes bodies of ${limit}, the API of ${uploadLimitBytes} bytes`];
}

/** Every path of every OpenAPI document, with a word in place of its parameters. */
export function listServed(): readonly (readonly [path: string, service: string])[] {
  const folder = join(projectRoot, 'api');
  const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('openapi.yaml'),
  );
  return documents.flatMap((file) => {
    const area = file.split('/')[0] ?? '';
    const service = area === 'auth' || area === 'journey-planner' ? area : 'api';
    const { paths = {} } = parse(readFileSync(join(folder, file), 'utf8')) as { paths?: Record<string, unknown> };
    return Object.keys(paths).map((path) => [path.replaceAll(/\{[^}]+\}/g, 'x'), service] as const);
  });
}
