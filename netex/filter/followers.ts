/**
 * Keeps elements that are about kept ones or made of them: blocks, satellites, assignments of days. Caller: the
 * decision.
 *
 * Each follower counts what it waits for and is checked again only when one of these is kept. So a chain of followers
 * costs no more than its references, in any order.
 */
import { groupNumbers, ListTable } from '../packed/list-table.ts';
import { COMMON_FILE, type DatasetFacts } from './dataset-facts.ts';
import type { FilterWindow } from './filter-window.ts';
import type { KeptEntities, KeptListener } from './kept-entities.ts';
import { ANCHOR, ASSIGNED_DAY_TYPE, ASSIGNED_PERIOD, BLOCK_JOURNEY, LOOSE, RUNS_ON } from './reference-roles.ts';
import type { References } from './references.ts';
import type { ServiceCalendar } from './service-calendar.ts';

export interface FollowerSources {
  readonly facts: DatasetFacts;
  readonly references: References;
  readonly calendar: ServiceCalendar;
  readonly window: FilterWindow;
  readonly kept: KeptEntities;
}

/** Marks the count of a satellite without anchors: any one of its targets suffices. */
const ANY_ONE = 1 << 30;

export class Followers implements KeptListener {
  readonly #from: FollowerSources;
  readonly #isFollower: (entity: number) => boolean;
  /** By entity: how many of the entities that it follows are not kept. */
  readonly #missing: Int32Array;
  /** By entity: 1 for satellites without anchors. */
  readonly #needsOne: Uint8Array;
  readonly #followersOf: ListTable;
  readonly #keptLately: number[] = [];
  readonly #lengthenedLately: number[] = [];

  constructor(from: FollowerSources, isFollower: (entity: number) => boolean) {
    const { size } = from.facts;
    this.#from = from;
    this.#isFollower = isFollower;
    this.#missing = new Int32Array(size);
    this.#needsOne = new Uint8Array(size);
    const [starts, values] = groupNumbers(size, (visit) => this.#forEachFollowed(visit));
    this.#followersOf = new ListTable(starts, values);
    this.#forEachFollowed((followed, follower) => {
      if (!from.kept.has(followed)) this.#wait(followed, follower);
    });
    this.#forEachFollowed((followed, follower) => {
      if (from.kept.has(followed) && this.#isOneOfAny(followed, follower)) this.#waitNoMore(followed, follower);
    });
  }

  /** Runs until no further entity follows a kept one. */
  keepAll(): void {
    const { facts, kept } = this.#from;
    kept.listener = this;
    for (let entity = 0; entity < facts.size; entity++) {
      if (!this.#isFollower(entity)) continue;
      if (facts.roleOf(entity) === 'block') this.#joinMembers(entity);
      else this.#keepIfWanted(entity);
      this.#goOn();
    }
    kept.listener = undefined;
  }

  kept(entity: number): void {
    if (this.#followersOf.of(entity).length > 0) this.#keptLately.push(entity);
  }

  lengthened(entity: number): void {
    if (this.#followersOf.of(entity).length > 0) this.#lengthenedLately.push(entity);
  }

  #goOn(): void {
    for (;;) {
      const kept = this.#keptLately.pop();
      const lengthened = kept === undefined ? this.#lengthenedLately.pop() : undefined;
      const followed = kept ?? lengthened;
      if (followed === undefined) return;
      for (const follower of this.#followersOf.of(followed)) {
        if (this.#from.facts.roleOf(follower) === 'block') this.#join(follower, followed);
        else {
          if (kept !== undefined) this.#waitNoMore(followed, follower);
          this.#keepIfWanted(follower);
        }
      }
    }
  }

  /**
   * Visits everything that a follower waits for, and its file unless common: a common file stays with whatever of it
   * is kept.
   */
  #forEachFollowed(visit: (followed: number, follower: number) => void): void {
    const { facts, references } = this.#from;
    for (let entity = 0; entity < facts.size; entity++) {
      if (!this.#isFollower(entity)) continue;
      const kind = facts.roleOf(entity);
      const hasAnchor = kind !== 'satellite' || references.find(entity, ANCHOR) >= 0;
      if (!hasAnchor) this.#needsOne[entity] = 1;
      const meant = kind === 'assignment' ? ASSIGNED_DAY_TYPE : hasAnchor ? ANCHOR : LOOSE;
      references.forEach(entity, (target, role) => {
        if (kind === 'block' ? this.#isMember(target, role) : role === meant) visit(target, entity);
      });
      if (kind !== 'block' && (facts.flags.get(entity) & COMMON_FILE) === 0) visit(facts.file.get(entity), entity);
    }
  }

  #isMember(target: number, role: number): boolean {
    return role === BLOCK_JOURNEY || (role === LOOSE && this.#from.facts.roleOf(target) === 'block');
  }

  #isOneOfAny(followed: number, follower: number): boolean {
    return this.#needsOne[follower] === 1 && followed !== this.#from.facts.file.get(follower);
  }

  #wait(followed: number, follower: number): void {
    const missing = this.#missing[follower] as number;
    this.#missing[follower] = this.#isOneOfAny(followed, follower) ? missing | ANY_ONE : missing + 1;
  }

  #waitNoMore(followed: number, follower: number): void {
    const missing = this.#missing[follower] as number;
    this.#missing[follower] = this.#isOneOfAny(followed, follower) ? missing & ~ANY_ONE : missing - 1;
  }

  #keepIfWanted(follower: number): void {
    const { facts, kept } = this.#from;
    if (this.#missing[follower] !== 0) return;
    if (facts.roleOf(follower) === 'satellite') kept.keep(follower);
    else this.#keepAssignment(follower);
  }

  #keepAssignment(assignment: number): void {
    const { references, calendar, window, kept } = this.#from;
    const dayType = references.find(assignment, ASSIGNED_DAY_TYPE);
    if (dayType < 0) return;
    const lookBack = kept.lookBackOf(dayType);
    if (kept.has(assignment)) {
      kept.lookBackTo(assignment, lookBack);
      return;
    }
    const period = references.find(assignment, ASSIGNED_PERIOD);
    if (period >= 0 && kept.isBarred(period)) return;
    const [first, last] = calendar.spanOf(assignment);
    if (last >= window.from - lookBack && first <= window.to) kept.keep(assignment);
  }

  #joinMembers(block: number): void {
    const { references, kept } = this.#from;
    let lookBack = -1;
    references.forEach(block, (target, role) => {
      if (this.#isMember(target, role) && kept.has(target)) lookBack = Math.max(lookBack, kept.lookBackOf(target));
    });
    if (lookBack >= 0) this.#keepBlock(block, lookBack);
  }

  /** Only a member that begins earlier than those before it changes the block. */
  #join(block: number, member: number): void {
    const { kept } = this.#from;
    const lookBack = kept.lookBackOf(member);
    if (this.#missing[block] === 0 && lookBack <= kept.lookBackOf(block)) return;
    this.#keepBlock(block, lookBack);
  }

  #keepBlock(block: number, lookBack: number): void {
    const { references, kept } = this.#from;
    this.#missing[block] = 0;
    kept.lookBackTo(block, lookBack);
    if (kept.has(block)) return;
    if (references.find(block, RUNS_ON) < 0 || kept.hasDayLeft(block)) kept.keep(block);
  }
}
