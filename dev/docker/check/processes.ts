/**
 * Finds faults of the services that run our image. The image must have the command's entry, and the configuration must
 * know each variable and get each that it needs. The port, the health command and all addresses must lead to a service
 * that listens.
 */
import { PLANNER_ENVIRONMENT } from '../../../api/node-flags.ts';
import { PROCESS_NAMES, PROCESSES, type ProcessName } from '../../stack/processes.ts';
import { listCliAttributes } from '../../stack/search-attributes.ts';
import { type ComposeService, toSeconds } from '../compose-file.ts';
import { filesOf, MADE_BY_BUILD } from '../image-files.ts';
import type { Composition } from './composition.ts';
import { readConfig } from './read-config.ts';
import { IMAGES, imageOf, isJob } from './services.ts';

/** Not the service's own, so no schema names them: of Node, and of the C library. */
const FOREIGN = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS', ...Object.keys(PLANNER_ENVIRONMENT)];
/** A process ends its tasks within WORKER_FORCE_MS, requests within SHUTDOWN_GRACE_MS; then it closes connections. */
const LONGEST_STOP_SECONDS = 35;
const HEALTH_COMMAND = 'docker/image/healthcheck.mjs';

export function serviceName(process: ProcessName): string {
  return process.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function isOurs(service: ComposeService): boolean {
  return imageOf(service)?.name === 'samferd';
}

/** Everything that needs no process to be asked. */
export function checkProcesses(composition: Composition): readonly string[] {
  const { services } = composition.compose;
  const missing = PROCESS_NAMES.filter((name) => !(serviceName(name) in services));
  const ours = Object.entries(services).filter(([, service]) => isOurs(service));
  return [
    ...missing.map((name) => `${serviceName(name)}: is no service`),
    ...checkSearchAttributes(services['temporal-namespace']),
    ...PROCESS_NAMES.flatMap((name) => checkProcess(name, services[serviceName(name)], composition)),
    ...ours.flatMap(([name, service]) => [
      ...checkCommand(name, service, composition),
      ...checkAddresses(name, composition),
    ]),
  ];
}

/** Those that the manifests name, whatever their order. */
function checkSearchAttributes(service: ComposeService | undefined): readonly string[] {
  const given = (service?.environment.SEARCH_ATTRIBUTES ?? '').split(' ').sort().join(' ');
  const wanted = [...listCliAttributes()].sort().join(' ');
  return given === wanted ? [] : [`temporal-namespace: SEARCH_ATTRIBUTES is ${given}, the areas name ${wanted}`];
}

function entryOf(command: readonly string[]): string {
  return command.find((word, index) => index > 0 && !word.startsWith('-')) ?? '';
}

/** The arguments after the entry. */
function wordsBehind(command: readonly string[]): readonly string[] {
  return command.slice(command.indexOf(entryOf(command)) + 1);
}

/** The source of what the build makes. */
export function sourceOf(command: readonly string[]): string {
  const entry = entryOf(command);
  return Object.values(MADE_BY_BUILD).find(({ made }) => made === entry)?.from ?? entry;
}

function checkCommand(
  name: string,
  { command, entrypoint, read_only, stop_grace_period, ...rest }: ComposeService,
  composition: Composition,
) {
  const faults: string[] = [];
  const files = filesOf(
    composition.stages.at(-1) ?? { name: '', base: '', instructions: [] },
    composition.contextFiles,
  );
  const entry = entryOf(command);
  const isMade = Object.values(MADE_BY_BUILD).some(({ made }) => made === entry);
  if (entrypoint !== undefined || command[0] !== 'node') faults.push('something else than Node is the process');
  if (!isMade && !files.has(entry)) faults.push(`starts ${entry}, which the image does not hold`);
  if (!read_only) faults.push('may write to its image');
  if (!rest.cap_drop.includes('ALL')) faults.push('keeps rights of root');
  if (![...rest.tmpfs, ...rest.volumes].includes('/tmp')) faults.push('has no place for temporary files');
  if (toSeconds(stop_grace_period ?? '10s') < LONGEST_STOP_SECONDS) faults.push('is killed before it can have ended');
  if (isJob({ command, entrypoint, read_only, stop_grace_period, ...rest }))
    return faults.map((fault) => `${name}: ${fault}`);
  const [kind, node, script, what] = rest.healthcheck?.test ?? [];
  if (kind !== 'CMD' || node !== 'node' || script !== HEALTH_COMMAND || !files.has(HEALTH_COMMAND)) {
    faults.push('its health command is not the image’s');
  } else if (what !== 'ready' && what !== 'live') faults.push(`its health command asks for ${what}`);
  return faults.map((fault) => `${name}: ${fault}`);
}

function checkProcess(
  name: ProcessName,
  service: ComposeService | undefined,
  { compose }: Composition,
): readonly string[] {
  if (!service) return [];
  const { entry, args = [], usualPort, startedWhen = 'ready' } = PROCESSES[name];
  const { nodeFlags = [], composedNodeFlags = nodeFlags } = PROCESSES[name];
  const faults: string[] = [];
  const source = sourceOf(service.command);
  const expected = typeof entry === 'string' ? entry : MADE_BY_BUILD['dev/planner/build.ts']?.from;
  if (source !== expected) faults.push(`runs ${source}, the process is ${expected}`);
  const words = wordsBehind(service.command);
  if (words.join(' ') !== args.join(' ')) faults.push(`runs ${words.join(' ')}, the process is ${args.join(' ')}`);
  const flags = service.command.filter((word) => word.startsWith('-'));
  if (flags.join(' ') !== composedNodeFlags.join(' '))
    faults.push(`runs Node with other flags than ${composedNodeFlags.join(' ') || 'none'}`);
  if (Number(service.environment.PORT) !== usualPort)
    faults.push(`listens on ${service.environment.PORT}, not on ${usualPort}`);
  if (service.scale === undefined) faults.push('says nothing of how many run: the next `up` makes it one');
  if (service.environment.HOST !== '0.0.0.0') faults.push('listens where no other container reaches it');
  if (service.healthcheck?.test.at(-1) !== startedWhen) faults.push(`is healthy when it is ${startedWhen}`);
  const proxy = Object.values(compose.services.proxy?.networks ?? {}).flatMap(
    ({ ipv4_address: address }) => address ?? [],
  );
  const { TRUSTED_PROXIES } = service.environment;
  if (TRUSTED_PROXIES !== undefined && TRUSTED_PROXIES !== proxy.join())
    faults.push(`believes ${TRUSTED_PROXIES}, which is not the proxy`);
  return faults.map((fault) => `${serviceName(name)}: ${fault}`);
}

/** `host:port` in the values, where the host is a name of one word, as services have. */
function checkAddresses(name: string, { compose: { services } }: Composition): readonly string[] {
  const service = services[name];
  const addresses = Object.entries(service?.environment ?? {}).flatMap(([variable, value]) =>
    [...value.matchAll(/(?:^|\/\/|@)([a-z][a-z0-9-]*):(\d+)(?=$|[/?])/g)].map(([, host = '', port]) => ({
      variable,
      host,
      port,
    })),
  );
  return addresses.flatMap(({ variable, host, port }) => {
    if (host === 'localhost') return [];
    const target = services[host];
    if (!target) return [`${name}: ${variable} leads to ${host}, which is no service`];
    if (!portsOf(target).includes(Number(port)))
      return [`${name}: ${variable} leads to ${host}:${port}, where nobody listens`];
    const shared = Object.keys(target.networks).some((network) => network in (service?.networks ?? {}));
    if (!shared) return [`${name}: ${variable} leads to ${host}, with which it shares no network`];
    return waitsFor(name, host, services) ? [] : [`${name}: does not wait for ${host}, to which ${variable} leads`];
  });
}

export function portsOf(service: ComposeService): readonly number[] {
  if (isOurs(service)) return [Number(service.environment.PORT)];
  return IMAGES[imageOf(service)?.name ?? ''] ?? [];
}

function waitsFor(name: string, other: string, services: Readonly<Record<string, ComposeService>>): boolean {
  const next = Object.keys(services[name]?.depends_on ?? {});
  return next.includes(other) || next.some((each) => waitsFor(each, other, services));
}

/** Asks the process's own code. */
export async function checkEnvironment(name: string, { compose, stages }: Composition): Promise<readonly string[]> {
  const service = compose.services[name];
  if (!service) return [`${name}: is no service`];
  const image = Object.fromEntries(
    (stages.at(-1)?.instructions ?? []).flatMap((each) => (each.kind === 'env' ? [[each.name, each.value]] : [])),
  );
  const { known, fault } = await readConfig(sourceOf(service.command), wordsBehind(service.command), {
    ...image,
    ...service.environment,
  });
  const names = new Set([...known.map((each) => each.name), ...FOREIGN]);
  const unknown = Object.keys(service.environment).filter((variable) => !names.has(variable));
  return [
    ...(fault === null ? [] : [`${name}: ${fault}`]),
    ...unknown.map((variable) => `${name}: sets ${variable}, which the process does not know`),
  ];
}
