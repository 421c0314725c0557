/** Elements of one kind by id. Where an id occurs in several versions, a reference finds the version that it names. */
import type { ModelElement } from './timetable-model.ts';

interface Versioned<T> {
  readonly element: T;
  readonly version: string | undefined;
}

export class ById<T extends ModelElement> {
  readonly #first = new Map<string, Versioned<T>>();
  readonly #others = new Map<string, Versioned<T>[]>();

  add(element: T, version: string | undefined): void {
    const { id } = element;
    if (id === '') return;
    const entry = { element, version };
    if (!this.#first.has(id)) this.#first.set(id, entry);
    else this.#others.set(id, [...(this.#others.get(id) ?? []), entry]);
  }

  /** The first with the id when no version is named, or none has it. */
  find(id: string | undefined, version?: string): T | undefined {
    if (id === undefined) return undefined;
    const first = this.#first.get(id);
    if (first === undefined || version === undefined || first.version === version) return first?.element;
    return (this.#others.get(id)?.find((other) => other.version === version) ?? first).element;
  }
}
