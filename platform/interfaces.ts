/**
 * Named interfaces between areas: one area provides an implementation, others ask for it by its key, and neither
 * imports the other. Filled once at the start of a process, from the manifests.
 */
declare const offered: unique symbol;

/** `T` is what the interface offers. */
export interface InterfaceKey<T> {
  readonly name: string;
  readonly [offered]?: T;
}

export function interfaceKey<T>(name: string): InterfaceKey<T> {
  return { name };
}

export class Interfaces {
  readonly #provided = new Map<InterfaceKey<unknown>, unknown>();

  /** Throws when another area provides it already. */
  provide<T>(key: InterfaceKey<T>, implementation: T): void {
    if (this.#provided.has(key)) throw new Error(`Two areas provide the interface ${key.name}`);
    this.#provided.set(key, implementation);
  }

  /** Undefined when no area of the list provides it. */
  find<T>(key: InterfaceKey<T>): T | undefined {
    return this.#provided.get(key) as T | undefined;
  }

  /** Throws when no area of the list provides it. */
  get<T>(key: InterfaceKey<T>): T {
    if (!this.#provided.has(key)) throw new Error(`No area in activities/areas.ts provides the interface ${key.name}`);
    return this.#provided.get(key) as T;
  }
}
