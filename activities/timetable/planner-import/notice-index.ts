/**
 * The notices of each element, by the element's id. Passing times are found by a hash, because their ids are not kept
 * as text. Callers: the mappings of this folder, through the dataset's import.
 */
import { HashSet } from '../../../netex/dataset/hash-set.ts';
import { IdHasher } from '../../../netex/dataset/id-hash.ts';
import type { NoticeAssignmentEntity } from '../../../netex/entities/entity-types.ts';

export class NoticeIndex {
  readonly #hasher = new IdHasher();
  readonly #objects = new HashSet();
  readonly #notices: string[][] = [];
  readonly #common: NoticeIndex | undefined;

  constructor(assignments: readonly NoticeAssignmentEntity[], common?: NoticeIndex) {
    this.#common = common;
    for (const { noticeRef, notice, noticedObjectRef } of assignments) {
      const noticeId = noticeRef ?? notice?.id;
      if (noticeId === undefined || noticedObjectRef === undefined) continue;
      this.#hasher.hash(noticedObjectRef);
      const { high, low } = this.#hasher;
      if (this.#objects.add(high, low)) this.#notices.push([]);
      const notices = this.#notices[this.#objects.find(high, low)];
      if (notices && !notices.includes(noticeId)) notices.push(noticeId);
    }
  }

  /** Undefined when it has none. */
  find(objectId: string): readonly string[] | undefined {
    if (this.isEmpty) return undefined;
    this.#hasher.hash(objectId);
    return this.findHashed(this.#hasher.high, this.#hasher.low);
  }

  findHashed(high: number, low: number): readonly string[] | undefined {
    const number = this.#objects.find(high, low);
    const own = number < 0 ? undefined : this.#notices[number];
    const common = this.#common?.findHashed(high, low);
    return own && common ? [...new Set([...own, ...common])] : (own ?? common);
  }

  get isEmpty(): boolean {
    return this.#notices.length === 0 && (this.#common === undefined || this.#common.isEmpty);
  }
}
