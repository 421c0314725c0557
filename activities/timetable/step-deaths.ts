/**
 * Counts how often a step killed its worker. A step marks that it runs and removes the mark when it ends; remaining
 * marks belong to processes that died. So a dataset that kills its worker is detected, while outages of servers,
 * however long, do not count.
 *
 * Callers: the activities of the validation queue. A first attempt sets no mark, so the usual case costs nothing: a
 * second attempt proves the death of the first.
 */

import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { ManifestInput } from '../../workflows/timetable/activities.ts';
import { stepMarksPrefix } from './work-keys.ts';

/** More than the deaths that restarts and deployments cause within one short step. */
export const MAX_DEATHS = 4;

export class StepDeaths {
  readonly #objects: ObjectStore;
  readonly #input: ManifestInput;
  readonly #attempt: number;

  constructor(objects: ObjectStore, input: ManifestInput, attempt: number) {
    this.#objects = objects;
    this.#input = input;
    this.#attempt = attempt;
  }

  /**
   * Runs `task`, or `otherwise` when the step has killed too many workers before. The mark stays when this process dies.
   */
  async guard<T>(step: string, task: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    if (this.#attempt === 1) return await task();
    const prefix = stepMarksPrefix(this.#input, step);
    if ((await this.#count(prefix)) >= MAX_DEATHS) return await otherwise();
    const mark = `${prefix}${this.#attempt}`;
    await this.#objects.put(mark, new Uint8Array(), 'application/octet-stream');
    try {
      return await task();
    } finally {
      // The mark stays when the store is unavailable: it then counts as one death too many, which the limit allows for.
      await this.#objects.delete(mark).catch(() => undefined);
    }
  }

  async #count(prefix: string): Promise<number> {
    let count = 0;
    for await (const _ of this.#objects.list(prefix)) count++;
    return count;
  }
}
