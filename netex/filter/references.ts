/** The references of a dataset, by what they stand in. Callers: the decision and its calendar. */
import type { DatasetFacts } from './dataset-facts.ts';

export class References {
  readonly #facts: DatasetFacts;
  /** Where the references of each entity begin in `#order`. */
  readonly #starts: Int32Array;
  readonly #order: Int32Array;

  constructor(facts: DatasetFacts) {
    const { source, size } = { source: facts.source, size: facts.size };
    this.#facts = facts;
    this.#starts = new Int32Array(size + 1);
    for (let at = 0; at < source.length; at++) {
      if (facts.target.at(at) >= 0) this.#starts[source.at(at) + 1] = (this.#starts[source.at(at) + 1] as number) + 1;
    }
    for (let entity = 0; entity < size; entity++) {
      this.#starts[entity + 1] = (this.#starts[entity + 1] as number) + (this.#starts[entity] as number);
    }
    this.#order = new Int32Array(this.#starts[size] as number);
    const next = this.#starts.slice();
    for (let at = 0; at < source.length; at++) {
      if (facts.target.at(at) < 0) continue;
      const place = next[source.at(at)] as number;
      this.#order[place] = at;
      next[source.at(at)] = place + 1;
    }
  }

  /** Of an entity, in the order in which they stand; only those that lead to an entity of the dataset. */
  forEach(entity: number, visit: (target: number, role: number) => void): void {
    const end = this.#starts[entity + 1] as number;
    for (let place = this.#starts[entity] as number; place < end; place++) {
      const reference = this.#order[place] as number;
      visit(this.#facts.target.at(reference), this.#facts.role.at(reference));
    }
  }

  some(entity: number, test: (target: number, role: number) => boolean): boolean {
    const end = this.#starts[entity + 1] as number;
    for (let place = this.#starts[entity] as number; place < end; place++) {
      const reference = this.#order[place] as number;
      if (test(this.#facts.target.at(reference), this.#facts.role.at(reference))) return true;
    }
    return false;
  }

  /** Target of the first reference of this role, -1 when there is none. */
  find(entity: number, wanted: number): number {
    let found = -1;
    this.some(entity, (target, role) => {
      if (role === wanted) found = target;
      return role === wanted;
    });
    return found;
  }

  targetsOf(entity: number): number[] {
    const targets: number[] = [];
    this.forEach(entity, (target) => targets.push(target));
    return targets;
  }
}
