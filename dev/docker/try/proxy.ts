/**
 * Runs the proxy with the command and Caddyfile of the composition, and a certificate of its own authority. Ports of
 * this machine replace 80 and 443, and name-server.ts replaces the engine's. Caller: main.ts.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { projectRoot, serverPath } from '../../setup/resolve.mjs';
import type { Child, Children } from '../../stack/children.ts';
import { freePort } from '../../stack/ports.ts';
import { waitUntilReady } from '../../stack/wait.ts';
import type { ComposeService } from '../compose-file.ts';

const START_TIMEOUT_MS = 60_000;
const HOST = '127.0.0.1';

export interface ProxyPorts {
  readonly https: number;
  readonly http: number;
  readonly health: number;
  readonly codec: number;
}

export async function chooseProxyPorts(): Promise<ProxyPorts> {
  return { https: await freePort(), http: await freePort(), health: await freePort(), codec: await freePort() };
}

export interface ProxyOptions {
  readonly service: ComposeService;
  readonly ports: ProxyPorts;
  readonly resolver: string;
  readonly children: Children;
  readonly folder: string;
}

export interface RunningProxy {
  readonly child: Child;
  /** PEM file of the authority that callers and processes trust. */
  readonly authorityFile: string;
}

export async function startProxy({ service, ports, resolver, children, folder }: ProxyOptions): Promise<RunningProxy> {
  const [, ...args] = service.command.map(locateFile(service));
  const child = children.start({
    name: 'proxy',
    command: serverPath('caddy'),
    args,
    env: {
      ...service.environment,
      PROXY_BIND: HOST,
      PROXY_HTTP_PORT: String(ports.http),
      PROXY_HEALTH_PORT: String(ports.health),
      PROXY_CODEC_PORT: String(ports.codec),
      PROXY_RESOLVER: resolver,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      HOME: folder,
    },
    logFile: join(folder, 'proxy.log'),
  });
  const authorityFile = join(dirname(folder), 'own-ca.pem');
  // Sends the request of its health command, since the image has wget and this machine may not.
  const url = (service.healthcheck?.test.at(-1) ?? '').replace(/:\d+/, `:${ports.health}`);
  const checkHealth = async (): Promise<void> => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    const authority = await readFile(join(folder, 'caddy/pki/authorities/local/root.crt'), 'utf8');
    // Only the owner may read Caddy's own file, so processes read a copy.
    await writeFile(authorityFile, authority, { mode: 0o644 });
    setDefaultCACertificates([...getCACertificates('default'), authority]);
  };
  await waitUntilReady(child, checkHealth, START_TIMEOUT_MS);
  return { child, authorityFile };
}

/** The compose file mounts files of docker/. */
function locateFile({ volumes }: ComposeService): (word: string) => string {
  return (word) => {
    const mount = volumes.find((volume) => volume.split(':')[1] === word);
    return mount ? join(projectRoot, 'docker', mount.split(':')[0] ?? '') : word;
  };
}
