/** Maps ids, as hashes, to entities. Callers: ReferenceResolver. */

import { HashSet } from '../dataset/hash-set.ts';
import { IdHasher } from '../dataset/id-hash.ts';
import { growingInt32 } from '../packed/growing-array.ts';

class IdTable {
  readonly #hashes = new HashSet();
  readonly #entities = growingInt32();

  /** Returns the entity that had the id before, -1 for none. */
  add(high: number, low: number, entity: number): number {
    if (this.#hashes.add(high, low)) {
      this.#entities.push(entity);
      return -1;
    }
    return this.#entities.get(this.#hashes.find(high, low));
  }

  find(high: number, low: number): number {
    const number = this.#hashes.find(high, low);
    return number < 0 ? -1 : this.#entities.get(number);
  }
}

/** Numbers with the hashes of ids: references that are not resolved yet, and entities to register. */
class HashedNumbers {
  readonly numbers = growingInt32();
  readonly highs = growingInt32();
  readonly lows = growingInt32();

  add(number: number, high: number, low: number): void {
    this.numbers.push(number);
    this.highs.push(high);
    this.lows.push(low);
  }

  forEach(visit: (number: number, high: number, low: number) => void): void {
    for (let at = 0; at < this.numbers.length; at++) {
      visit(this.numbers.get(at), this.highs.get(at) >>> 0, this.lows.get(at) >>> 0);
    }
  }
}

/**
 * Resolves as the dataset's rules do: in the file itself, then in the common files; references to journeys and blocks
 * finally in all files. A target that is found nowhere belongs to a register outside the dataset.
 */
export class ReferenceResolver {
  readonly #hasher = new IdHasher();
  readonly #setTarget: (reference: number, entity: number) => void;
  readonly #common = new IdTable();
  readonly #journeys = new IdTable();
  #commonWaiting = new HashedNumbers();
  readonly #journeysWaiting = new HashedNumbers();
  #local = new IdTable();
  #localWaiting = new HashedNumbers();
  /** Ids of a common file. */
  #localIds: HashedNumbers | undefined;

  constructor(setTarget: (reference: number, entity: number) => void) {
    this.#setTarget = setTarget;
  }

  beginFile(isCommon: boolean): void {
    this.#local = new IdTable();
    this.#localIds = isCommon ? new HashedNumbers() : undefined;
    this.#localWaiting = new HashedNumbers();
  }

  /** The entity of the same file that already has this id, or -1. */
  identify(id: string, entity: number, isJourney: boolean): number {
    this.#hasher.hash(id);
    const { high, low } = this.#hasher;
    if (isJourney) this.#journeys.add(high, low, entity);
    this.#localIds?.add(entity, high, low);
    return this.#local.add(high, low, entity);
  }

  refer(ref: string, reference: number): void {
    this.#hasher.hash(ref);
    this.#localWaiting.add(reference, this.#hasher.high, this.#hasher.low);
  }

  endFile(): void {
    const isCommon = this.#localIds !== undefined;
    const next = isCommon ? this.#commonWaiting : this.#journeysWaiting;
    this.#localWaiting.forEach((reference, high, low) => {
      let entity = this.#local.find(high, low);
      if (entity < 0 && !isCommon) entity = this.#common.find(high, low);
      if (entity < 0) next.add(reference, high, low);
      else this.#setTarget(reference, entity);
    });
    this.#localIds?.forEach((entity, high, low) => {
      this.#common.add(high, low, entity);
    });
  }

  /** Call after the last common file and before the first line file ends. */
  endCommonFiles(): void {
    this.#commonWaiting.forEach((reference, high, low) => {
      const entity = this.#common.find(high, low);
      if (entity < 0) this.#journeysWaiting.add(reference, high, low);
      else this.#setTarget(reference, entity);
    });
    this.#commonWaiting = new HashedNumbers();
  }

  endDataset(): void {
    this.#journeysWaiting.forEach((reference, high, low) => {
      const entity = this.#journeys.find(high, low);
      if (entity >= 0) this.#setTarget(reference, entity);
    });
  }
}
