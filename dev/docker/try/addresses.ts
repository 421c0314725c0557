/**
 * Gives each instance of a process a loopback address, as each container has its own address. Ports can therefore stay
 * as in the compose file. Servers use free ports of 127.0.0.1, where MinIO always listens too. Replaces
 * service names by addresses. Callers: the other files of this folder.
 */
import { createServer } from 'node:net';
import type { ComposeService } from '../compose-file.ts';

export class Addresses {
  readonly #prefix: string;
  /** Addresses by service, in the order of start. */
  readonly #taken = new Map<string, string[]>();
  /** Servers that listen at another address than the compose file names. */
  readonly #moved = new Map<string, string>();
  #next = 10;

  private constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Chooses a network whose first address is free, so that a second run uses another network. */
  static async choose(): Promise<Addresses> {
    for (let tries = 0; tries < 20; tries += 1) {
      const prefix = `127.${random(64, 250)}.${random(1, 250)}`;
      if (await isFree(`${prefix}.10`)) return new Addresses(prefix);
    }
    throw new Error('No loopback network is free');
  }

  /** Reserves an address for one more instance. */
  take(service: string): string {
    const address = `${this.#prefix}.${this.#next++}`;
    this.#taken.set(service, [...(this.#taken.get(service) ?? []), address]);
    return address;
  }

  /** Maps `name:port` to this `host:port`. */
  move(name: string, place: string): void {
    this.#moved.set(name, place);
  }

  /** Removes an address from its service. */
  release(address: string): void {
    for (const [service, all] of this.#taken)
      this.#taken.set(
        service,
        all.filter((each) => each !== address),
      );
  }

  /** The addresses that the engine's name server would return. */
  listAddresses(service: string): readonly string[] {
    return this.#taken.get(service) ?? [];
  }

  /** Replaces names of services in front of a port by addresses. */
  locate(value: string): string {
    return value.replace(/(^|\/\/|@)([a-z][a-z0-9-]*):(\d+)(?=$|[/?])/g, (found, before, name, port) => {
      const moved = this.#moved.get(`${name}:${port}`);
      if (moved !== undefined) return `${before}${moved}`;
      const [address] = this.listAddresses(name);
      return address === undefined ? found : `${before}${address}:${port}`;
    });
  }
}

/** The environment of one instance: the values of the compose file with the addresses and folders of this machine. */
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
