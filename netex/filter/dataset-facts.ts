/**
 * What the first pass leaves of a dataset: entities by number, references by number, all in lists of integers. No XML, and
 * no text but kinds, names of lines and the bits of UIC periods.
 *
 * Callers: FactCollector fills it, the decision reads it.
 */
import { NO_DAY } from './filter-window.ts';
import { IntList } from './int-list.ts';
import { type KindRole, roleOfKind } from './kinds.ts';

/** Facts about an entity; several may hold. */
export const RESTRICTED = 1;
export const UNKNOWN = 2;
export const UNAVAILABLE = 4;
export const COMMON_FILE = 8;

export interface LineNames {
  readonly number: number;
  readonly kind: string;
  readonly id: string;
  name: string;
  publicCode: string;
  privateCode: string;
}

export class DatasetFacts {
  readonly kinds: string[] = [];
  readonly roles: Array<KindRole | undefined> = [];
  readonly #kindNumbers = new Map<string, number>();

  readonly kind = new IntList();
  readonly flags = new IntList();
  /** Number of the file that it lies in; files are numbered among the entities. */
  readonly file = new IntList();
  /** The network or calendar around it, else the file. */
  readonly outer = new IntList();
  /** Number of the frame, 0 for none. */
  readonly frame = new IntList();
  /** Date of an assignment or operating day, first day of a period; weekdays of a day type. */
  readonly day = new IntList();
  /** Last day of a period; how many days later a journey arrives. */
  readonly lastDay = new IntList();
  readonly dayBits = new Map<number, string>();

  readonly source = new IntList();
  /** -1: not in the dataset. */
  readonly target = new IntList();
  readonly role = new IntList();

  readonly lines: LineNames[] = [];

  addEntity(kindName: string, place: { flags: number; file: number; outer: number; frame: number }): void {
    this.kind.push(this.#kindNumber(kindName));
    this.flags.push(place.flags);
    this.file.push(place.file);
    this.outer.push(place.outer);
    this.frame.push(place.frame);
    const role = roleOfKind(kindName);
    this.day.push(role === 'day-type' ? 0 : NO_DAY);
    this.lastDay.push(role === 'period' ? NO_DAY : 0);
  }

  addReference(source: number, role: number, target = -1): void {
    this.source.push(source);
    this.role.push(role);
    this.target.push(target);
  }

  get size(): number {
    return this.kind.length;
  }

  kindOf(entity: number): string {
    return this.kinds[this.kind.at(entity)] as string;
  }

  /** Undefined for files and for what is removed whatever the decision. */
  roleOf(entity: number): KindRole | undefined {
    return (this.flags.at(entity) & UNKNOWN) !== 0 ? undefined : this.roles[this.kind.at(entity)];
  }

  #kindNumber(name: string): number {
    let number = this.#kindNumbers.get(name);
    if (number === undefined) {
      number = this.kinds.length;
      this.#kindNumbers.set(name, number);
      this.kinds.push(name);
      this.roles.push(roleOfKind(name));
    }
    return number;
  }
}
