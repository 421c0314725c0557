/**
 * First pass: collects what the decision needs to know about each entity. Caller: filterDataset, file by file, common
 * files first.
 */
import { parseDay, parseWeekdays } from '../model/calendar-day.ts';
import { keptText } from '../xml/kept-text.ts';
import { COMMON_FILE, DatasetFacts, type LineNames, RESTRICTED, UNAVAILABLE, UNKNOWN } from './dataset-facts.ts';
import { NO_DAY } from './filter-window.ts';
import { ReferenceResolver } from './id-table.ts';
import { NEEDED, WANTED } from './reference-roles.ts';
import { textOf } from './source-tokens.ts';
import { ENTITY, LIST, PART, REMOVED, type Walker, type WalkListener } from './walker.ts';

const JOURNEY_ROLES: ReadonlySet<string | undefined> = new Set(['journey', 'dated', 'dead-run', 'block']);
/** A longer journey is a typing error. */
const LONGEST_JOURNEY_DAYS = 30;

export class FactCollector implements WalkListener {
  readonly facts = new DatasetFacts();
  readonly #resolver = new ReferenceResolver((reference, entity) => this.facts.target.set(reference, entity));
  /** Versions of one element: a reference to one is a reference to all. */
  readonly #versions: Array<[one: number, other: number]> = [];
  readonly #isPublic: boolean;
  #isCommon = false;
  #text = '';
  #line: LineNames | undefined;

  constructor(isPublic: boolean) {
    this.#isPublic = isPublic;
  }

  beginFile(isCommon: boolean): void {
    if (this.#isCommon && !isCommon) this.#resolver.endCommonFiles();
    this.#isCommon = isCommon;
    this.#resolver.beginFile(isCommon);
  }

  endFile(): void {
    this.#resolver.endFile();
  }

  endDataset(): void {
    if (this.#isCommon) this.#resolver.endCommonFiles();
    this.#resolver.endDataset();
    // Links between versions are not in the text: their numbers come after all others.
    for (const [one, other] of this.#versions) {
      this.facts.addReference(one, WANTED, other);
      this.facts.addReference(other, WANTED, one);
    }
  }

  number(walker: Walker, kind: string): void {
    const isRemoved = kind !== '' && walker.place === REMOVED;
    const restricted = this.#isPublic && (walker.isRestricted || (kind !== '' && walker.attributes.isRestricted));
    const flags =
      (isRemoved ? UNKNOWN : 0) | (restricted ? RESTRICTED : 0) | (this.#isCommon && kind !== '' ? COMMON_FILE : 0);
    const outer = kind === '' ? walker.fileNumber : walker.outerOwner;
    this.facts.addEntity(kind, { flags, file: walker.fileNumber, frame: walker.frame, outer });
    if (kind === '' || isRemoved) return;
    const { ownerRole } = walker;
    if (ownerRole === 'line') {
      const { id } = walker.attributes;
      this.#line = { number: walker.lastNumber, kind, id: keptText(id), name: '', publicCode: '', privateCode: '' };
      this.facts.lines.push(this.#line);
    }
  }

  open(walker: Walker): void {
    this.#text = '';
    const { attributes } = walker;
    const { place } = walker;
    if (attributes.id !== '' && place >= ENTITY) this.#identify(walker);
    if (place === REMOVED) return;
    if (place === PART && this.#isPublic && attributes.isRestricted) {
      this.facts.flags.set(walker.owner, this.facts.flags.get(walker.owner) | RESTRICTED);
    }
    for (const { name, ref } of attributes.references) this.#refer(walker, name, ref);
    if (walker.isReference) this.#refer(walker, walker.name, attributes.ref);
  }

  text(_walker: Walker, source: string): void {
    this.#text += source;
  }

  close(walker: Walker): void {
    if (walker.place === PART) this.#read(walker);
    this.#text = '';
  }

  #identify(walker: Walker): void {
    const { owner } = walker;
    const isEntity = walker.place === ENTITY;
    const isJourney = isEntity && JOURNEY_ROLES.has(walker.ownerRole);
    const same = this.#resolver.identify(walker.attributes.id, owner, isJourney);
    if (same >= 0 && isEntity && this.facts.kind.get(same) === this.facts.kind.get(owner)) {
      this.#versions.push([same, owner]);
    }
  }

  #refer(walker: Walker, name: string, ref: string): void {
    const inList = walker.parentPlace === LIST;
    const role = walker.roleOfReference(name);
    this.facts.addReference(walker.owner, inList && role === NEEDED ? WANTED : role);
    this.#resolver.refer(ref, this.facts.source.length - 1);
  }

  #read(walker: Walker): void {
    const { ownerRole: role, name, owner } = walker;
    const { facts } = this;
    if (role === 'journey' || role === 'dead-run' || role === 'dated') {
      if (name.length > 8 && name.endsWith('DayOffset')) this.#readOffset(owner);
    } else if (role === 'day-type') {
      if (name === 'DaysOfWeek') facts.day.set(owner, facts.day.get(owner) | parseWeekdays(textOf(this.#text).trim()));
    } else if (walker.depthInOwner === 1) this.#readDirect(walker, name, owner);
  }

  #readOffset(owner: number): void {
    const days = Number(textOf(this.#text).trim());
    const offset = Math.min(LONGEST_JOURNEY_DAYS, Number.isInteger(days) ? days : 0);
    if (offset > this.facts.lastDay.get(owner)) this.facts.lastDay.set(owner, offset);
  }

  #readDirect(walker: Walker, name: string, owner: number): void {
    const { facts } = this;
    const text = textOf(this.#text).trim();
    switch (walker.ownerRole) {
      case 'operating-day':
        if (name === 'CalendarDate') facts.day.set(owner, parseDay(text) ?? NO_DAY);
        return;
      case 'period':
        if (name === 'FromDate') facts.day.set(owner, parseDay(text) ?? NO_DAY);
        else if (name === 'ToDate') facts.lastDay.set(owner, parseDay(text) ?? NO_DAY);
        else if (name === 'ValidDayBits') facts.dayBits.set(owner, keptText(text));
        return;
      case 'assignment':
        if (name === 'Date') facts.day.set(owner, parseDay(text) ?? NO_DAY);
        else if (name === 'isAvailable' && (text === 'false' || text === '0')) {
          facts.flags.set(owner, facts.flags.get(owner) | UNAVAILABLE);
        }
        return;
      case 'line':
        this.#readLine(name, keptText(text));
    }
  }

  #readLine(name: string, text: string): void {
    if (!this.#line) return;
    if (name === 'Name') this.#line.name = text;
    else if (name === 'PublicCode') this.#line.publicCode = text;
    else if (name === 'PrivateCode') this.#line.privateCode = text;
  }
}
