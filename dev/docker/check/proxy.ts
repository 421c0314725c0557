/**
 * Faults of the proxy: a route to nothing that listens, a described path that reaches another process, personal data in
 * its log.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../setup/resolve.mjs';
import { findRoute, listRoutes, listUpstreams } from '../caddyfile.ts';
import type { Composition } from './composition.ts';
import { portsOf } from './processes.ts';

/** Paths beside those of the OpenAPI documents: GraphQL, its page, and each server's view of its document. */
const OTHER_PATHS: readonly (readonly [path: string, service: string | undefined])[] = [
  ['/journey-planner/v3/graphql', 'journey-planner'],
  ['/journey-planner/v2/graphql', 'journey-planner'],
  ['/journey-planner/v3/ide', 'journey-planner'],
  ['/geocoder/v1/api-docs', 'journey-planner'],
  ['/api-docs', 'api'],
  ['/api-docs/timetable', 'api'],
  ['/api-docs/customers', 'api'],
  ['/api-docs/auth', 'auth'],
  ['/health/ready', 'api'],
  ['/metrics', undefined],
  ['/metrics/', undefined],
];
/** Fields of the proxy's own log that tell of callers and their queries. It must not have them. */
const PERSONAL = ['uri', 'headers', 'remote_ip', 'remote_port', 'client_ip'];
const LARGEST = /max_size (\d+)MB/;
const MEGABYTE = 1_000_000;
/** The bytes around the file in the body of an upload. */
const MULTIPART_BYTES = 1_000_000;

export function checkProxy(composition: Composition, uploadLimitBytes: number): readonly string[] {
  const { texts, compose } = composition;
  const routes = listRoutes(texts.caddyfile);
  const faults = listUpstreams(texts.caddyfile).flatMap((to) => {
    const target = compose.services[to.service];
    if (!target) return [`The proxy sends to ${to.service}, which is no service`];
    if (!portsOf(target).includes(to.port))
      return [`The proxy sends to ${to.service}:${to.port}, where nobody listens`];
    const shared = Object.keys(target.networks).some((network) => network in (compose.services.proxy?.networks ?? {}));
    return shared ? [] : [`The proxy sends to ${to.service}, with which it shares no network`];
  });
  const wrong = [...listServed(), ...OTHER_PATHS].flatMap(([path, service]) => {
    const got = findRoute(routes, path)?.to?.service;
    return got === service ? [] : [`The proxy sends ${path} to ${got ?? 'nobody'}, ${service ?? 'nobody'} has it`];
  });
  return [
    ...faults,
    ...wrong,
    ...checkBodies(composition, uploadLimitBytes),
    ...checkPlain(composition),
    ...checkLog(composition),
  ];
}

/** `npm run try:docker` tests how the proxy answers plain HTTP. */
function checkPlain({ texts }: Composition): readonly string[] {
  const redirects = texts.caddyfile.match(/^\s*redir .*$/gm) ?? [];
  const isPermanent = redirects.length > 0 && redirects.every((line) => line.endsWith(' 301'));
  const isOurs = isPermanent && texts.caddyfile.includes('\tauto_https disable_redirects\n');
  return isOurs ? [] : ['The proxy redirects plain HTTP otherwise than the processes do'];
}

function checkLog({ texts }: Composition): readonly string[] {
  const kept = PERSONAL.filter((name) => !texts.caddyfile.includes(`request>${name} delete\n`));
  return kept.map((name) => `The proxy logs the ${name} of requests`);
}

/** The process itself has to be the one that refuses, with its own words. */
function checkBodies({ texts }: Composition, uploadLimitBytes: number): readonly string[] {
  const [, limit = ''] = LARGEST.exec(texts.caddyfile) ?? [];
  return Number(limit) * MEGABYTE >= uploadLimitBytes + MULTIPART_BYTES
    ? []
    : [`The proxy takes bodies of ${limit}MB, the API of ${uploadLimitBytes} bytes`];
}

/** Without a service the path is served inside only. */
type ServedPath = readonly [path: string, service: string | undefined];

let served: readonly ServedPath[] | undefined;

/** Every path of every OpenAPI document, with a word in place of its parameters. The documents are read once. */
export function listServed(): readonly ServedPath[] {
  served ??= readServed();
  return served;
}

function readServed(): readonly ServedPath[] {
  const folder = join(projectRoot, 'api');
  const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('openapi.yaml'),
  );
  return documents.flatMap((file) => {
    const area = file.split('/')[0] ?? '';
    const isInside = file === 'auth/clients.openapi.yaml';
    const service = isInside ? undefined : area === 'auth' || area === 'journey-planner' ? area : 'api';
    const { paths = {} } = parse(readFileSync(join(folder, file), 'utf8')) as { paths?: Record<string, unknown> };
    return Object.keys(paths).map((path) => [path.replaceAll(/\{[^}]+\}/g, 'x'), service] as const);
  });
}
