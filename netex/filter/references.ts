/** The references of a dataset, by source entity. Callers: the decision and its calendar. */
import { groupNumbers } from '../packed/list-table.ts';
import type { DatasetFacts } from './dataset-facts.ts';

export class References {
  readonly #facts: DatasetFacts;
  /** Numbers of references, by source entity. */
  readonly #starts: Uint32Array;
  readonly #order: Uint32Array;

  constructor(facts: DatasetFacts) {
    const { source, target } = facts;
    this.#facts = facts;
    [this.#starts, this.#order] = groupNumbers(facts.size, (visit) => {
      for (let reference = 0; reference < source.length; reference++) {
        if (target.get(reference) >= 0) visit(source.get(reference), reference);
      }
    });
  }

  /** Visits an entity's references in order; only those with a target in the dataset. */
  forEach(entity: number, visit: (target: number, role: number) => void): void {
    const end = this.#starts[entity + 1] as number;
    for (let place = this.#starts[entity] as number; place < end; place++) {
      const reference = this.#order[place] as number;
      visit(this.#facts.target.get(reference), this.#facts.role.get(reference));
    }
  }

  some(entity: number, test: (target: number, role: number) => boolean): boolean {
    const end = this.#starts[entity + 1] as number;
    for (let place = this.#starts[entity] as number; place < end; place++) {
      const reference = this.#order[place] as number;
      if (test(this.#facts.target.get(reference), this.#facts.role.get(reference))) return true;
    }
    return false;
  }

  /** Target of the first reference of this role, -1 for none. */
  find(entity: number, wanted: number): number {
    let found = -1;
    this.some(entity, (target, role) => {
      if (role === wanted) found = target;
      return role === wanted;
    });
    return found;
  }
}
