/**
 * Result of the first pass over a dataset: entities by number, references by number, all in lists of integers. Holds
 * no XML, and no text except kinds, names of lines and the bits of UIC periods.
 *
 * Callers: FactCollector fills it, the decision reads it.
 */

import { growingInt32 } from '../packed/growing-array.ts';
import { NO_DAY } from './filter-window.ts';
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

  readonly kind = growingInt32();
  readonly flags = growingInt32();
  /** Number of its file; files are numbered among the entities. */
  readonly file = growingInt32();
  /** The network or calendar around it, else the file. */
  readonly outer = growingInt32();
  /** Number of the frame, 0 for none. */
  readonly frame = growingInt32();
  /** Date of an assignment or operating day, first day of a period; weekdays of a day type. */
  readonly day = growingInt32();
  /** Last day of a period; how many days later a journey arrives. */
  readonly lastDay = growingInt32();
  readonly dayBits = new Map<number, string>();

  readonly source = growingInt32();
  /** -1 when not in the dataset. */
  readonly target = growingInt32();
  readonly role = growingInt32();

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
    return this.kinds[this.kind.get(entity)] as string;
  }

  /** Undefined for files and for elements that are always removed. */
  roleOf(entity: number): KindRole | undefined {
    return (this.flags.get(entity) & UNKNOWN) !== 0 ? undefined : this.roles[this.kind.get(entity)];
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
