/** Faults of the access to Temporal: who gets which certificate and token, and which roles they carry. */
import { PROCESS_NAMES } from '../../stack/processes.ts';
import type { ComposeFile, ComposeService } from '../compose-file.ts';
import type { Composition } from './composition.ts';
import { isOurs, serviceName } from './processes.ts';

const JOB = 'temporal-access';
const NETWORK = 'temporal';
const MOUNT = '/run/temporal:ro';
/** Holds the private keys of the authorities. */
const AUTHORITY = 'authority';
/** Services that call as another does. */
const CALLS_AS: Readonly<Record<string, string>> = { 'temporal-command': 'tools', 'temporal-ui-proxy': 'temporal-ui' };
const SETTINGS = {
  TEMPORAL_TLS_CA_FILE: '/run/temporal/ca.pem',
  TEMPORAL_TLS_CERT_FILE: '/run/temporal/cert.pem',
  TEMPORAL_TLS_KEY_FILE: '/run/temporal/key.pem',
  TEMPORAL_AUTH_TOKEN_FILE: '/run/temporal/token',
};
/**
 * The server must be started with these values. Without one of them it accepts callers that it should refuse, or does
 * not reach itself.
 */
const SERVER = {
  TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: 'true',
  TEMPORAL_TLS_CLIENT1_CA_CERT: '/run/temporal/clients-ca.pem',
  TEMPORAL_TLS_SERVER_CA_CERT: '/run/temporal/ca.pem',
  TEMPORAL_AUTH_AUTHORIZER: 'default',
  TEMPORAL_AUTH_CLAIM_MAPPER: 'default',
  USE_INTERNAL_FRONTEND: 'true',
  TEMPORAL_SERVICES: 'frontend,internal-frontend,history,matching,worker',
  TEMPORAL_JWT_KEY_SOURCE1: 'file:///run/temporal/keys.json',
};

export function checkTemporalAccess({ compose }: Composition): readonly string[] {
  const { services } = compose;
  const callers = Object.entries(services).filter(
    ([name, { environment }]) => name !== JOB && ('TEMPORAL_ADDRESS' in environment || name in CALLS_AS),
  );
  const names = [...new Set(callers.map(([name]) => callerOf(name)))];
  return [
    ...checkSettings('temporal', services.temporal, SERVER),
    ...callers.flatMap(([name, service]) => (isOurs(service) ? checkSettings(name, service, SETTINGS) : [])),
    ...checkRoles(compose, names),
    ...checkNetwork(compose, ['temporal', ...callers.map(([name]) => name)]),
    ...checkMounts(
      compose,
      new Map([...callers.map(([name]) => [name, callerOf(name)] as const), ['temporal', 'temporal']]),
    ),
  ];
}

function callerOf(service: string): string {
  return CALLS_AS[service] ?? service;
}

function checkSettings(name: string, service: ComposeService | undefined, wanted: Readonly<Record<string, string>>) {
  return Object.entries(wanted).flatMap(([variable, value]) =>
    service?.environment[variable] === value ? [] : [`${name}: ${variable} is not ${value}`],
  );
}

function checkRoles({ services }: ComposeFile, callers: readonly string[]): readonly string[] {
  const given = (services[JOB]?.environment.TEMPORAL_CALLERS ?? '').split(/\s+/).filter((each) => each !== '');
  const roles = new Map(given.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
  const processes = PROCESS_NAMES.map(serviceName);
  return [
    ...[...roles.keys()].filter((name) => !callers.includes(name)).map((name) => `${JOB}: ${name} calls no Temporal`),
    ...callers.flatMap((name) => {
      const namespace = services[name]?.environment.TEMPORAL_NAMESPACE ?? 'samferd';
      const wanted = processes.includes(name) ? `${namespace}:worker,${namespace}:write` : rolesOf(name, namespace);
      const found = roles.get(name) ?? 'nothing';
      return found === wanted ? [] : [`${JOB}: ${name} may ${found}, and needs ${wanted}`];
    }),
  ];
}

function rolesOf(name: string, namespace: string): string {
  if (name === 'temporal-namespace') return 'temporal-system:admin';
  if (name === 'temporal-ui') return `${namespace}:read,temporal-system:read`;
  return `${namespace}:admin`;
}

/** Nobody else reaches it, as the public planner. */
function checkNetwork({ services }: ComposeFile, allowed: readonly string[]): readonly string[] {
  return Object.entries(services)
    .filter(([name, { networks }]) => NETWORK in networks !== allowed.includes(name))
    .map(([name]) =>
      allowed.includes(name)
        ? `${name}: calls Temporal, and is not in its network`
        : `${name}: is in the network of Temporal, which it does not call`,
    );
}

/** Each its own volume and no other's; the keys of the authorities for the job alone. */
function checkMounts({ services }: ComposeFile, callers: ReadonlyMap<string, string>): readonly string[] {
  return Object.entries(services).flatMap(([name, { volumes }]) => {
    const found = volumes.filter((volume) => volume.startsWith(`${JOB}-`));
    const wanted = name === JOB ? jobMounts(callers) : mountOf(callers.get(name));
    const [missing, surplus] = [
      wanted.filter((each) => !found.includes(each)),
      found.filter((each) => !wanted.includes(each)),
    ];
    return [
      ...missing.map((each) => `${name}: lacks the volume ${each}`),
      ...surplus.map((each) => `${name}: has the volume ${each}, which is another's`),
    ];
  });
}

function mountOf(caller: string | undefined): readonly string[] {
  return caller === undefined ? [] : [`${JOB}-${caller}:${MOUNT}`];
}

function jobMounts(callers: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([AUTHORITY, ...callers.values()])].map((name) => `${JOB}-${name}:/access/${name}`);
}
