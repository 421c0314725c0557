/**
 * Decides which entities of a dataset are kept, and why the others are not. Caller: filterDataset, between the
 * passes.
 *
 * Keeps what runs in the window, then everything that it needs, then elements about kept ones. package.md describes
 * the order.
 */
import type { DatasetFacts } from './dataset-facts.ts';
import type { DropReason, FilterMode } from './filter-types.ts';
import type { FilterWindow } from './filter-window.ts';
import { Followers } from './followers.ts';
import { JourneyCounts } from './journey-counts.ts';
import { KeptEntities } from './kept-entities.ts';
import type { KindRole } from './kinds.ts';
import { References } from './references.ts';
import { ServiceCalendar } from './service-calendar.ts';

export class Decision {
  readonly #facts: DatasetFacts;
  readonly #references: References;
  readonly #calendar: ServiceCalendar;
  readonly #window: FilterWindow;
  readonly #kept: KeptEntities;
  readonly #journeys: JourneyCounts;

  constructor(facts: DatasetFacts, window: FilterWindow, mode: FilterMode) {
    this.#facts = facts;
    this.#window = window;
    this.#references = new References(facts);
    this.#calendar = new ServiceCalendar(facts, this.#references, window);
    this.#kept = new KeptEntities(facts, this.#references, this.#calendar, { window, mode });
    this.#journeys = new JourneyCounts(facts);
    this.#keepJourneys();
    this.#keepDeadRuns();
    // Blocks first: they may extend the days backwards, on which the choice of assignments depends.
    this.#keepFollowers((role) => role === 'block');
    this.#keepFollowers((role) => role === 'satellite' || role === 'assignment');
  }

  isKept(entity: number): boolean {
    return this.#kept.has(entity);
  }

  /** How many days before the window a kept entity's days begin. */
  lookBackOf(entity: number): number {
    return this.#kept.lookBackOf(entity);
  }

  get longestLookBack(): number {
    return this.#kept.longestLookBack;
  }

  /** Whether to cut a reference: its target is in the dataset but not kept. */
  isCut(reference: number): boolean {
    const target = this.#facts.target.get(reference);
    return target >= 0 && !this.#kept.has(target);
  }

  reasonFor(entity: number): DropReason {
    const barred = this.#kept.barReasonOf(entity);
    if (barred) return barred;
    const { from, to } = this.#window;
    switch (this.#facts.roleOf(entity)) {
      case 'journey':
      case 'dead-run':
      case 'dated':
      case 'block':
        return this.#kept.hasDayLeft(entity) ? 'no-journey-left' : 'no-day-left';
      case 'day-type':
        return this.#calendar.hasDay(entity, from) ? 'unreferenced' : 'no-day-left';
      case 'assignment': {
        const [first, last] = this.#calendar.spanOf(entity);
        return last < from || first > to ? 'no-day-left' : 'unreferenced';
      }
      case 'period': {
        const [first, last] = this.#calendar.spanOfPeriod(entity);
        return last < from || first > to ? 'no-day-left' : 'unreferenced';
      }
      case 'operating-day': {
        const day = this.#facts.day.get(entity);
        return day < from || day > to ? 'no-day-left' : 'unreferenced';
      }
      default:
        return 'unreferenced';
    }
  }

  #keepJourneys(): void {
    const { size } = this.#facts;
    for (let entity = 0; entity < size; entity++) {
      const role = this.#facts.roleOf(entity);
      if (role === 'journey') this.#journeys.add(entity, 'had');
      if ((role === 'journey' || role === 'dated') && this.#kept.hasDayLeft(entity)) this.#kept.keep(entity);
    }
    for (let entity = 0; entity < size; entity++) {
      if (this.#kept.has(entity) && this.#facts.roleOf(entity) === 'journey') this.#journeys.add(entity, 'kept');
    }
  }

  #keepDeadRuns(): void {
    for (let entity = 0; entity < this.#facts.size; entity++) {
      if (this.#facts.roleOf(entity) !== 'dead-run' || !this.#journeys.allow(entity)) continue;
      if (this.#kept.hasDayLeft(entity)) this.#kept.keep(entity);
    }
  }

  #keepFollowers(isMeant: (role: KindRole | undefined) => boolean): void {
    const facts = this.#facts;
    const from = {
      facts,
      references: this.#references,
      calendar: this.#calendar,
      window: this.#window,
      kept: this.#kept,
    };
    const isFollower = (entity: number): boolean =>
      isMeant(facts.roleOf(entity)) && !this.#kept.isBarred(entity) && this.#journeys.allow(entity);
    new Followers(from, isFollower).keepAll();
  }
}
