/**
 * Faults of the composition as such: names that lead nowhere, images without a version, ports open to everybody,
 * settings that are missing.
 */
import type { ComposeFile, ComposeService } from '../compose-file.ts';
import type { Composition } from './composition.ts';

/** The images that others publish, and the ports on which they listen. A new service needs its image here. */
export const IMAGES: Readonly<Record<string, readonly number[]>> = {
  caddy: [80, 443, 8233, 8234],
  mongo: [27017],
  postgres: [5432],
  'temporalio/server': [7233, 8000],
  'temporalio/admin-tools': [],
  'temporalio/ui': [8080],
  'apache/kafka': [9092],
  'samferd-minio': [9000, 9001],
  samferd: [],
};

const IMAGE = /^((?:[a-z0-9]+(?:[._-][a-z0-9]+)*\/)*[a-z0-9]+(?:[._-][a-z0-9]+)*):([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$/;
/** The one service that callers reach. */
const PROXY = 'proxy';

export function imageOf({ image = '' }: ComposeService): { readonly name: string; readonly tag: string } | undefined {
  const [, name, tag] = IMAGE.exec(image) ?? [];
  return name === undefined || tag === undefined ? undefined : { name, tag };
}

/** Ends when it has done its work; others wait for that. */
export function isJob({ restart }: ComposeService): boolean {
  return restart === 'no' || restart?.startsWith('on-failure') === true;
}

export function checkServices({ compose }: Composition): readonly string[] {
  return Object.entries(compose.services).flatMap(([name, service]) => [
    ...checkImageName(name, service),
    ...checkDependencies(name, service, compose),
    ...checkPlaces(name, service, compose),
    ...checkPorts(name, service, compose),
    ...checkLife(name, service),
    ...checkScripts(name, service),
  ]);
}

/** Every login that may read could otherwise run scripts in a query ($where, $function). */
function checkScripts(name: string, { command }: ComposeService): readonly string[] {
  if (command[0] !== 'mongod' || command.includes('--noscripting')) return [];
  return [`${name}: runs the scripts of queries`];
}

function checkImageName(name: string, service: ComposeService): readonly string[] {
  const image = imageOf(service);
  if (!image) return [`${name}: ${service.image ?? 'nothing'} is no image name with a tag`];
  if (!(image.name in IMAGES)) return [`${name}: nobody here knows the image ${image.name}`];
  const ours = image.name.startsWith('samferd');
  if (!ours && !/\d/.test(image.tag)) return [`${name}: the tag ${image.tag} names no version`];
  return ours === (service.build !== undefined) ? [] : [`${name}: an image of our own is built here, others are not`];
}

function checkDependencies(name: string, service: ComposeService, { services }: ComposeFile): readonly string[] {
  return Object.entries(service.depends_on).flatMap(([other, { condition }]) => {
    const target = services[other];
    if (!target) return [`${name}: depends on ${other}, which is no service`];
    if (target.profiles.some((profile) => !service.profiles.includes(profile))) {
      return [`${name}: depends on ${other}, which is started with a profile only`];
    }
    if (condition === 'service_healthy' && !target.healthcheck)
      return [`${name}: waits for ${other}, which has no health check`];
    if ((condition === 'service_completed_successfully') !== isJob(target)) {
      return [`${name}: waits for ${other} ${isJob(target) ? 'to run, which ends' : 'to end, which runs on'}`];
    }
    return [];
  });
}

function checkPlaces(name: string, service: ComposeService, { networks, volumes }: ComposeFile): readonly string[] {
  const unknownNetworks = Object.keys(service.networks).filter((network) => !(network in networks));
  const sources = service.volumes.filter((volume) => volume.includes(':')).map((volume) => volume.split(':')[0] ?? '');
  const unknownVolumes = sources.filter((source) => !source.startsWith('.') && !(source in volumes));
  return [
    ...unknownNetworks.map((network) => `${name}: there is no network ${network}`),
    ...(Object.keys(service.networks).length === 0 && service.network_mode !== 'none'
      ? [`${name}: is in no network of ours`]
      : []),
    ...unknownVolumes.map((volume) => `${name}: there is no volume ${volume}`),
  ];
}

/** Networks that lead nowhere publish nothing. */
function checkPorts(name: string, service: ComposeService, { networks }: ComposeFile): readonly string[] {
  if (service.ports.length === 0) return [];
  const faults = name === PROXY ? [] : service.ports.filter((port) => !port.startsWith('127.0.0.1:'));
  const listens = IMAGES[imageOf(service)?.name ?? ''] ?? [];
  const nobody = service.ports.filter((port) => !listens.includes(Number(port.split('/')[0]?.split(':').at(-1))));
  const isShut = Object.keys(service.networks).every((network) => networks[network]?.internal);
  return [
    ...faults.map((port) => `${name}: ${port} is open to everybody; only the proxy's ports are`),
    ...nobody.map((port) => `${name}: publishes ${port}, where nobody listens`),
    ...(isShut ? [`${name}: its ports are published in networks that nothing gets into`] : []),
  ];
}

function checkLife(name: string, service: ComposeService): readonly string[] {
  const faults: string[] = [];
  if (service.restart === undefined) faults.push('says nothing of being started again');
  if (service.mem_limit === undefined) faults.push('may take all memory');
  if (!service.security_opt.includes('no-new-privileges:true')) faults.push('may gain rights');
  if (!isJob(service) && imageOf(service)?.name !== 'temporalio/ui' && !service.healthcheck)
    faults.push('has no health check');
  return faults.map((fault) => `${name}: ${fault}`);
}
