/** Elements of one kind by id. When an id occurs in several versions, a reference finds the version that it names. */
import type { ModelElement } from './timetable-model.ts';

interface Versioned<T> {
  readonly element: T;
  readonly version: string | undefined;
}

export class ById<T extends ModelElement> {
  readonly #first = new Map<string, Versioned<T>>();
  /** By id and version, for ids that occur again. */
  readonly #others = new Map<string, T>();

  add(element: T, version: string | undefined): void {
    const { id } = element;
    if (id === '') return;
    if (!this.#first.has(id)) this.#first.set(id, { element, version });
    else if (!this.#others.has(`${id}\n${version}`)) this.#others.set(`${id}\n${version}`, element);
  }

  /** The first with the id when no version is given or none has it. */
  find(id: string | undefined, version?: string): T | undefined {
    if (id === undefined) return undefined;
    const first = this.#first.get(id);
    if (first === undefined || version === undefined || first.version === version) return first?.element;
    return (this.#others.size === 0 ? undefined : this.#others.get(`${id}\n${version}`)) ?? first.element;
  }
}
