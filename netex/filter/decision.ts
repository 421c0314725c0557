/**
 * Decides which entities of a dataset are kept, and why the others are not. Caller: filterDataset, between the passes.
 *
 * What runs in the window is kept, then all that it needs, then what is about something kept. package.md tells the order.
 */
import { barReason, findBarred } from './barred.ts';
import { COMMON_FILE, type DatasetFacts } from './dataset-facts.ts';
import type { DropReason, FilterMode } from './filter-types.ts';
import type { FilterWindow } from './filter-window.ts';
import { JourneyCounts } from './journey-counts.ts';
import type { KindRole } from './kinds.ts';
import {
  ANCHOR,
  ASSIGNED_DAY_TYPE,
  ASSIGNED_PERIOD,
  BLOCK_JOURNEY,
  DATES_JOURNEY,
  LOOSE,
  ON_DAY,
  RUNS_ON,
} from './reference-roles.ts';
import { References } from './references.ts';
import { ServiceCalendar } from './service-calendar.ts';

export class Decision {
  readonly #facts: DatasetFacts;
  readonly #references: References;
  readonly #calendar: ServiceCalendar;
  readonly #window: FilterWindow;
  readonly #kept: Uint8Array;
  /** What may not stay, whoever refers to it; 0 for all else. */
  readonly #barred: Uint8Array;
  /** How many days before the window it may begin: how much later the journeys end that run on it. */
  readonly #lookBack: Uint8Array;
  readonly #journeys: JourneyCounts;
  readonly #open: number[] = [];
  /** The longest look back of all. */
  longestLookBack = 0;

  constructor(facts: DatasetFacts, window: FilterWindow, mode: FilterMode) {
    this.#facts = facts;
    this.#window = window;
    this.#references = new References(facts);
    this.#calendar = new ServiceCalendar(facts, this.#references, window);
    this.#kept = new Uint8Array(facts.size);
    this.#barred = findBarred(facts, this.#references, mode);
    this.#lookBack = new Uint8Array(facts.size);
    this.#journeys = new JourneyCounts(facts);
    this.#setLookBack();
    this.#keepJourneys();
    this.#keepDeadRuns();
    this.#keepTheRest();
  }

  isKept(entity: number): boolean {
    return this.#kept[entity] === 1;
  }

  /** Of an entity that is kept: how many days before the window its days begin. */
  lookBackOf(entity: number): number {
    return this.#lookBack[entity] as number;
  }

  /** Whether a reference is to be cut: what it names is in the dataset and is not kept. */
  isCut(reference: number): boolean {
    const target = this.#facts.target.at(reference);
    return target >= 0 && this.#kept[target] === 0;
  }

  reasonFor(entity: number): DropReason {
    const barred = barReason(this.#barred[entity] as number);
    if (barred) return barred;
    const { from, to } = this.#window;
    switch (this.#facts.roleOf(entity)) {
      case 'journey':
      case 'dead-run':
      case 'dated':
      case 'block':
        return this.#hasDayLeft(entity) ? 'no-journey-left' : 'no-day-left';
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
        const day = this.#facts.day.at(entity);
        return day < from || day > to ? 'no-day-left' : 'unreferenced';
      }
      default:
        return 'unreferenced';
    }
  }

  /** A dated journey arrives as late as its journey. */
  #setLookBack(): void {
    const { size, lastDay } = this.#facts;
    for (let entity = 0; entity < size; entity++) {
      const role = this.#facts.roleOf(entity);
      if (role !== 'journey' && role !== 'dead-run' && role !== 'dated') continue;
      const journey = role === 'dated' ? this.#references.find(entity, DATES_JOURNEY) : -1;
      this.#lookBack[entity] = Math.max(lastDay.at(entity), journey < 0 ? 0 : lastDay.at(journey));
    }
  }

  #hasDayLeft(entity: number): boolean {
    const { from, to } = this.#window;
    const first = from - (this.#lookBack[entity] as number);
    if (this.#facts.roleOf(entity) === 'dated') {
      const on = this.#references.find(entity, ON_DAY);
      return on >= 0 && this.#facts.day.at(on) >= first && this.#facts.day.at(on) <= to;
    }
    return this.#references.some(
      entity,
      (target, role) => role === RUNS_ON && this.#barred[target] === 0 && this.#calendar.hasDay(target, first),
    );
  }

  #keepJourneys(): void {
    const { size } = this.#facts;
    for (let entity = 0; entity < size; entity++) {
      const role = this.#facts.roleOf(entity);
      if (role === 'journey') this.#journeys.add(entity, 'had');
      if ((role === 'journey' || role === 'dated') && this.#hasDayLeft(entity)) this.#keep(entity);
    }
    for (let entity = 0; entity < size; entity++) {
      if (this.#kept[entity] === 1 && this.#facts.roleOf(entity) === 'journey') this.#journeys.add(entity, 'kept');
    }
  }

  #keepDeadRuns(): void {
    for (let entity = 0; entity < this.#facts.size; entity++) {
      if (this.#facts.roleOf(entity) !== 'dead-run' || !this.#journeys.allow(entity)) continue;
      if (this.#hasDayLeft(entity)) this.#keep(entity);
    }
  }

  /** Until nothing more is about something that is kept. */
  #keepTheRest(): void {
    // Blocks first: they may make the days begin earlier, which assignments go by.
    this.#keepWanted((role) => role === 'block');
    this.#keepWanted((role) => role === 'satellite' || role === 'assignment');
  }

  #keepWanted(isMeant: (role: KindRole | undefined) => boolean): void {
    const waiting: number[] = [];
    for (let entity = 0; entity < this.#facts.size; entity++) {
      if (this.#barred[entity] === 0 && isMeant(this.#facts.roleOf(entity))) waiting.push(entity);
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (const entity of waiting) {
        if (this.#kept[entity] === 1 || !this.#isWanted(entity)) continue;
        this.#keep(entity);
        changed = true;
      }
    }
  }

  #isWanted(entity: number): boolean {
    if (!this.#journeys.allow(entity)) return false;
    const role = this.#facts.roleOf(entity);
    if (role === 'block') return this.#isBlockWanted(entity);
    if (!this.#isFileKept(entity)) return false;
    return role === 'assignment' ? this.#isAssignmentWanted(entity) : this.#isSatelliteWanted(entity);
  }

  /** A common file comes with whatever of it is kept. */
  #isFileKept(entity: number): boolean {
    const { file, flags } = this.#facts;
    return (flags.at(entity) & COMMON_FILE) !== 0 || this.#kept[file.at(entity)] === 1;
  }

  #isSatelliteWanted(entity: number): boolean {
    let anchors = 0;
    let loose = 0;
    let kept = 0;
    this.#references.forEach(entity, (target, role) => {
      if (role === ANCHOR) anchors++;
      else if (role === LOOSE) loose++;
      else return;
      kept += this.#kept[target] as number;
    });
    return anchors > 0 ? !this.#missesAnchor(entity) : loose === 0 || kept > 0;
  }

  #missesAnchor(entity: number): boolean {
    return this.#references.some(entity, (target, role) => role === ANCHOR && this.#kept[target] === 0);
  }

  #isAssignmentWanted(entity: number): boolean {
    const dayType = this.#references.find(entity, ASSIGNED_DAY_TYPE);
    if (dayType < 0 || this.#kept[dayType] === 0) return false;
    const period = this.#references.find(entity, ASSIGNED_PERIOD);
    if (period >= 0 && this.#barred[period] !== 0) return false;
    const [first, last] = this.#calendar.spanOf(entity);
    return last >= this.#window.from - (this.#lookBack[dayType] as number) && first <= this.#window.to;
  }

  #isBlockWanted(entity: number): boolean {
    let members = 0;
    let days = 0;
    this.#references.forEach(entity, (target, role) => {
      if (role === RUNS_ON) days++;
      const isMember = role === BLOCK_JOURNEY || (role === LOOSE && this.#facts.roleOf(target) === 'block');
      if (!isMember || this.#kept[target] === 0) return;
      members++;
      this.#lookBack[entity] = Math.max(this.#lookBack[entity] as number, this.#lookBack[target] as number);
    });
    return members > 0 && (days === 0 || this.#hasDayLeft(entity));
  }

  #keep(first: number): void {
    this.#enter(first);
    for (let entity = this.#open.pop(); entity !== undefined; entity = this.#open.pop()) {
      const lookBack = this.#lookBack[entity] as number;
      this.longestLookBack = Math.max(this.longestLookBack, lookBack);
      this.#enter(this.#facts.outer.at(entity));
      // One that stays for another reason than its days keeps them all.
      const runs = this.#hasDayLeft(entity);
      this.#references.forEach(entity, (target, role) => {
        if (role === LOOSE || role === BLOCK_JOURNEY) return;
        if (role === RUNS_ON && runs && !this.#calendar.hasDay(target, this.#window.from - lookBack)) return;
        this.#enter(target);
        if (role === RUNS_ON || role === ASSIGNED_PERIOD) this.#lengthen(target, lookBack);
        if (role === ASSIGNED_DAY_TYPE) this.#lengthen(entity, this.#lookBack[target] as number);
      });
      if (this.#facts.roleOf(entity) === 'assignment') this.#lengthenPeriod(entity);
    }
  }

  #enter(entity: number): void {
    if (this.#kept[entity] === 1 || this.#barred[entity] !== 0) return;
    this.#kept[entity] = 1;
    this.#open.push(entity);
  }

  #lengthen(entity: number, lookBack: number): void {
    if (lookBack > (this.#lookBack[entity] as number)) this.#lookBack[entity] = lookBack;
  }

  /** The day type stands behind the period in an assignment. */
  #lengthenPeriod(assignment: number): void {
    const period = this.#references.find(assignment, ASSIGNED_PERIOD);
    if (period >= 0) this.#lengthen(period, this.#lookBack[assignment] as number);
  }
}
