/**
 * Containers have an address each; here each instance of a process has one of the loopback network, so that their ports stay as the compose
 * file has them. Servers are on free ports of its first address: MinIO listens there whatever it is told. Knows which service is where and puts addresses in place of names. Callers: the other files of this folder.
 */
import { createServer } from 'node:net';
import type { ComposeService } from '../compose-file.ts';

export class Addresses {
  readonly #prefix: string;
  /** By service, in the order of their start. */
  readonly #taken = new Map<string, string[]>();
  /** Of what listens elsewhere than the compose file says. */
  readonly #moved = new Map<string, string>();
  #next = 10;

  private constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Of a network whose first address nobody listens at; another try of this script has another. */
  static async choose(): Promise<Addresses> {
    for (let tries = 0; tries < 20; tries += 1) {
      const prefix = `127.${random(64, 250)}.${random(1, 250)}`;
      if (await isFree(`${prefix}.10`)) return new Addresses(prefix);
    }
    throw new Error('No loopback network is free');
  }

  /** For one more instance. */
  take(service: string): string {
    const address = `${this.#prefix}.${this.#next++}`;
    this.#taken.set(service, [...(this.#taken.get(service) ?? []), address]);
    return address;
  }

  /** `name:port` is found at this `host:port`. */
  move(name: string, place: string): void {
    this.#moved.set(name, place);
  }

  /** It is not named any more. */
  release(address: string): void {
    for (const [service, all] of this.#taken)
      this.#taken.set(
        service,
        all.filter((each) => each !== address),
      );
  }

  /** What the engine's name server would answer. */
  listAddresses(service: string): readonly string[] {
    return this.#taken.get(service) ?? [];
  }

  /** Names of services in front of a port become addresses. */
  locate(value: string): string {
    return value.replace(/(^|\/\/|@)([a-z][a-z0-9-]*):(\d+)(?=$|[/?])/g, (found, before, name, port) => {
      const moved = this.#moved.get(`${name}:${port}`);
      if (moved !== undefined) return `${before}${moved}`;
      const [address] = this.listAddresses(name);
      return address === undefined ? found : `${before}${address}:${port}`;
    });
  }
}

/** The environment of one instance: what the compose file says, where things are on this machine. */
export function locateEnvironment(
  service: ComposeService,
  addresses: Addresses,
  places: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) => [name, places[value] ?? addresses.locate(value)]),
  );
}

function random(from: number, to: number): number {
  return from + Math.floor(Math.random() * (to - from));
}

function isFree(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port: 8080, host }, () => server.close(() => resolve(true)));
  });
}
