/**
 * Runs services of the compose file as processes of this machine. They use their own commands and only their own
 * environment. Their image is read-only, and under root they run as a user without rights. Callers: main.ts and
 * workload.ts.
 */
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findOnPath } from '../../setup/resolve.mjs';
import type { Child, Children } from '../../stack/children.ts';
import { type ComposeFile, type ComposeService, toSeconds } from '../compose-file.ts';
import { type Addresses, locateEnvironment } from './addresses.ts';
import type { BuiltImage } from './build-image.ts';

/** The user `node` in the image. */
const USER_ID = 1000;
const START_TIMEOUT_MS = 240_000;
const HEALTH_TIMEOUT_MS = 15_000;
const LOOK_MS = 500;
const execute = promisify(execFile);

/** Gives a folder to the user that containers run as. */
export function chownToNode(path: string): void {
  if (isRoot()) chownSync(path, USER_ID, USER_ID);
}

export interface Container {
  readonly service: string;
  readonly address: string;
  readonly child: Child;
  readonly graceMs: number;
}

interface Instance {
  readonly name: string;
  readonly id: string;
  /** Replaces the folders that a container may write to. */
  readonly temporary: string;
}

export interface ContainersOptions {
  readonly compose: ComposeFile;
  readonly image: BuiltImage;
  readonly addresses: Addresses;
  readonly children: Children;
  /** The parent of logs and of the containers' own folders. */
  readonly folder: string;
  /** Values that differ on this machine: addresses, files. */
  readonly places: Readonly<Record<string, string>>;
  /** Variables in addition to those of the compose file. */
  readonly extra: (service: string) => Readonly<Record<string, string>>;
}

export class Containers {
  readonly #options: ContainersOptions;
  readonly running: Container[] = [];
  #count = 0;

  constructor(options: ContainersOptions) {
    this.#options = options;
  }

  service(name: string): ComposeService {
    const service = this.#options.compose.services[name];
    if (!service) throw new Error(`There is no service ${name}`);
    return service;
  }

  /** Starts an instance and waits until its own health command succeeds. */
  async start(name: string): Promise<Container> {
    const service = this.service(name);
    const address = this.#options.addresses.take(name);
    const instance = this.#newInstance(name);
    const [command, args] = this.#commandLine(instance, service.command, address);
    const logFile = join(this.#options.folder, `${instance.id}.log`);
    const cwd = this.#options.image.directory;
    const child = this.#options.children.start({ name, command, args, logFile, cwd });
    const graceMs = toSeconds(service.stop_grace_period ?? '10s') * 1_000;
    const container = { service: name, address, child, graceMs };
    this.running.push(container);
    await this.#untilHealthy(container, instance);
    return container;
  }

  /** Runs a job or an operator's command to its end. Returns its output. */
  async run(name: string, command = this.service(name).command): Promise<string> {
    const [file, args] = this.#commandLine(this.#newInstance(name), command, '127.0.0.1');
    const { stdout } = await execute(file, [...args], { cwd: this.#options.image.directory });
    return stdout;
  }

  /** Stops a container as `docker stop` does. Throws when it was killed or failed. */
  async stop(container: Container): Promise<number> {
    const startedAt = performance.now();
    this.#forget(container);
    const { code, signal } = await container.child.stop(container.graceMs);
    if (code !== 0)
      throw new Error(`${container.service} ended with ${signal ?? code}:\n${container.child.lastLines()}`);
    return performance.now() - startedAt;
  }

  async kill(container: Container): Promise<void> {
    this.#forget(container);
    await container.child.stop(0);
  }

  #forget(container: Container): void {
    this.#options.addresses.release(container.address);
    this.running.splice(this.running.indexOf(container), 1);
  }

  /** `env -i` and `setpriv` replace themselves by Node, so the process id is that of Node. */
  #commandLine({ name, temporary }: Instance, command: readonly string[], address: string): [string, string[]] {
    const { image, addresses, places, extra } = this.#options;
    const environment = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      TMPDIR: temporary,
      HOME: temporary,
      ...image.environment,
      ...locateEnvironment(this.service(name), addresses, { ...places, '0.0.0.0': address }),
      ...(image.environment.PLANNER_CACHE_DIR && { PLANNER_CACHE_DIR: temporary }),
      ...extra(name),
    };
    const words = command.map((word, index) => (index === 0 && word === 'node' ? image.node : word));
    const pairs = Object.entries(environment).map(([key, value]) => `${key}=${value}`);
    return ['env', ['-i', ...pairs, ...asNobody(), ...words]];
  }

  #newInstance(name: string): Instance {
    const id = `${name}-${++this.#count}`;
    const temporary = join(this.#options.folder, id);
    mkdirSync(temporary);
    chownToNode(temporary);
    return { name, id, temporary };
  }

  async #untilHealthy({ service: name, child, address }: Container, instance: Instance): Promise<void> {
    const [, ...test] = this.service(name).healthcheck?.test ?? [];
    const [file, args] = this.#commandLine(instance, test, address);
    for (const end = performance.now() + START_TIMEOUT_MS; ; await delay(LOOK_MS)) {
      try {
        await execute(file, [...args], { cwd: this.#options.image.directory, timeout: HEALTH_TIMEOUT_MS });
        return;
      } catch (error) {
        if (child.isRunning() && performance.now() < end) continue;
        throw new Error(
          `${name} is not well: ${error instanceof Error ? error.message.split('\n').at(-2) : error}\n${child.lastLines()}`,
        );
      }
    }
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0 && findOnPath('setpriv') !== undefined;
}

function asNobody(): readonly string[] {
  return isRoot() ? ['setpriv', `--reuid=${USER_ID}`, `--regid=${USER_ID}`, '--clear-groups', '--no-new-privs'] : [];
}
