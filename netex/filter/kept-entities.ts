/**
 * Holds the kept entities with everything that they need, and how long before the window the days of each begin.
 * Callers: the decision, which adds what runs, and the followers.
 */
import { barReason, findBarred } from './barred.ts';
import type { DatasetFacts } from './dataset-facts.ts';
import type { DropReason, FilterMode } from './filter-types.ts';
import type { FilterWindow } from './filter-window.ts';
import {
  ASSIGNED_DAY_TYPE,
  ASSIGNED_PERIOD,
  BLOCK_JOURNEY,
  DATES_JOURNEY,
  LOOSE,
  ON_DAY,
  RUNS_ON,
} from './reference-roles.ts';
import type { References } from './references.ts';
import type { ServiceCalendar } from './service-calendar.ts';

export interface KeptListener {
  kept(entity: number): void;
  /** Called when an entity's days begin earlier than before. */
  lengthened(entity: number): void;
}

export class KeptEntities {
  readonly #facts: DatasetFacts;
  readonly #references: References;
  readonly #calendar: ServiceCalendar;
  readonly #window: FilterWindow;
  readonly #kept: Uint8Array;
  /** Why an entity must be dropped whatever refers to it; 0 when it may stay. */
  readonly #barred: Uint8Array;
  /** How many days before the window it may begin: as many as the journeys that run on it end later. */
  readonly #lookBack: Uint8Array;
  readonly #open: number[] = [];
  /** Called while entities are being kept: it must only record, not keep more. */
  listener: KeptListener | undefined;
  /** The longest look-back of all entities. */
  longestLookBack = 0;

  constructor(
    facts: DatasetFacts,
    references: References,
    calendar: ServiceCalendar,
    { window, mode }: { readonly window: FilterWindow; readonly mode: FilterMode },
  ) {
    this.#facts = facts;
    this.#references = references;
    this.#calendar = calendar;
    this.#window = window;
    this.#kept = new Uint8Array(facts.size);
    this.#barred = findBarred(facts, references, mode);
    this.#lookBack = new Uint8Array(facts.size);
    this.#setLookBack();
  }

  has(entity: number): boolean {
    return this.#kept[entity] === 1;
  }

  isBarred(entity: number): boolean {
    return this.#barred[entity] !== 0;
  }

  barReasonOf(entity: number): DropReason | undefined {
    return barReason(this.#barred[entity] as number);
  }

  lookBackOf(entity: number): number {
    return this.#lookBack[entity] as number;
  }

  /** Whether a day is left in the window, or as long before it as the entity looks back. */
  hasDayLeft(entity: number): boolean {
    const { from, to } = this.#window;
    const first = from - this.lookBackOf(entity);
    if (this.#facts.roleOf(entity) === 'dated') {
      const on = this.#references.find(entity, ON_DAY);
      return on >= 0 && this.#facts.day.get(on) >= first && this.#facts.day.get(on) <= to;
    }
    return this.#references.some(
      entity,
      (target, role) => role === RUNS_ON && this.#barred[target] === 0 && this.#calendar.hasDay(target, first),
    );
  }

  keep(entity: number): void {
    this.#enter(entity);
    this.#keepNeeded();
  }

  /** Extends its days, and those of the entities that it needs, so far before the window. */
  lookBackTo(entity: number, lookBack: number): void {
    if (lookBack <= this.lookBackOf(entity)) return;
    this.#lengthen(entity, lookBack);
    if (!this.has(entity)) return;
    this.#open.push(entity);
    this.#keepNeeded();
  }

  /** A dated journey arrives as late as its journey. */
  #setLookBack(): void {
    const { size, lastDay } = this.#facts;
    for (let entity = 0; entity < size; entity++) {
      const role = this.#facts.roleOf(entity);
      if (role !== 'journey' && role !== 'dead-run' && role !== 'dated') continue;
      const journey = role === 'dated' ? this.#references.find(entity, DATES_JOURNEY) : -1;
      this.#lookBack[entity] = Math.max(lastDay.get(entity), journey < 0 ? 0 : lastDay.get(journey));
    }
  }

  #keepNeeded(): void {
    for (let entity = this.#open.pop(); entity !== undefined; entity = this.#open.pop()) {
      const lookBack = this.lookBackOf(entity);
      this.longestLookBack = Math.max(this.longestLookBack, lookBack);
      this.#enter(this.#facts.outer.get(entity));
      // An entity kept for another reason than its days keeps them all.
      const runs = this.hasDayLeft(entity);
      this.#references.forEach(entity, (target, role) => {
        if (role === LOOSE || role === BLOCK_JOURNEY) return;
        if (role === RUNS_ON && runs && !this.#calendar.hasDay(target, this.#window.from - lookBack)) return;
        this.#enter(target);
        if (role === RUNS_ON || role === ASSIGNED_PERIOD) this.#lengthen(target, lookBack);
        if (role === ASSIGNED_DAY_TYPE) this.#lengthen(entity, this.lookBackOf(target));
      });
      if (this.#facts.roleOf(entity) === 'assignment') this.#lengthenPeriod(entity);
    }
  }

  #enter(entity: number): void {
    if (this.#kept[entity] === 1 || this.#barred[entity] !== 0) return;
    this.#kept[entity] = 1;
    this.#open.push(entity);
    this.listener?.kept(entity);
  }

  #lengthen(entity: number, lookBack: number): void {
    if (lookBack <= this.lookBackOf(entity)) return;
    this.#lookBack[entity] = lookBack;
    this.listener?.lengthened(entity);
  }

  /** In an assignment, the day type follows the period. */
  #lengthenPeriod(assignment: number): void {
    const period = this.#references.find(assignment, ASSIGNED_PERIOD);
    if (period >= 0) this.#lengthen(period, this.lookBackOf(assignment));
  }
}
