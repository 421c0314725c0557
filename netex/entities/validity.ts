/**
 * Reads the days on which a frame or an entity is in force: ValidBetween and AvailabilityCondition. A frame's
 * validity holds for its content unless an entity has its own. Callers: the readers of this folder.
 *
 * Both dates are inclusive, whatever their time of day. With several conditions one suffices; the days between them
 * are not in force. Skips conditions that are only referenced, that state unavailability, or that end before they
 * begin.
 */
import { parseDay } from '../model/calendar-day.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { ValidDays, ValidPeriod } from './entity-types.ts';
import { findChild, textOf, type XmlNode } from './xml-node.ts';

const CONDITIONS: ReadonlySet<string> = new Set(['ValidBetween', 'AvailabilityCondition']);

/** Undefined without any condition. */
export function readValidity(node: XmlNode): ValidDays | undefined {
  const list = findChild(node, 'validityConditions')?.children ?? [];
  const periods: ValidPeriod[] = [];
  for (const condition of [...list, ...node.children]) {
    if (!CONDITIONS.has(condition.name)) continue;
    if (textOf(condition, 'IsAvailable') === 'false') continue;
    addPeriod(periods, textOf(condition, 'FromDate'), textOf(condition, 'ToDate'));
  }
  return anyOf(periods);
}

/** Without conditions, every day is valid. */
export function isValid(validity: ValidDays | undefined, day: number): boolean {
  return validity === undefined || validity.some(({ first, last }) => day >= first && day <= last);
}

/** Collects the validity of one frame, element by element. */
export class FrameValidity {
  readonly #depth: number;
  readonly #around: ValidDays | undefined;
  readonly #own: ValidPeriod[] = [];
  #from: string | undefined;
  #to: string | undefined;
  #isAvailable = true;
  #days: ValidDays | undefined;
  /** Whether the frame has added conditions since `days` was computed. */
  #isOld = false;

  constructor(depth: number, around: ValidDays | undefined) {
    this.#depth = depth;
    this.#around = around;
    this.#days = around;
  }

  /** Validity of the frame's content: the same object until the frame adds a condition. */
  get days(): ValidDays | undefined {
    if (this.#isOld) this.#days = both(this.#around, anyOf(this.#own));
    this.#isOld = false;
    return this.#days;
  }

  /** Call at every end tag outside entities. */
  end({ name, depth, parent, text }: OpenElement): void {
    if (CONDITIONS.has(name)) {
      if (this.#isMine(depth, parent)) this.#take();
    } else if (name === 'FromDate' || name === 'ToDate' || name === 'IsAvailable') {
      if (parent === undefined || !CONDITIONS.has(parent.name) || !this.#isMine(depth - 1, parent.parent)) return;
      if (name === 'FromDate') this.#from = text;
      else if (name === 'ToDate') this.#to = text;
      else this.#isAvailable = text.trim() !== 'false';
    }
  }

  #isMine(depth: number, holder: OpenElement | undefined): boolean {
    return depth === this.#depth + 1 || (depth === this.#depth + 2 && holder?.name === 'validityConditions');
  }

  #take(): void {
    if (this.#isAvailable) addPeriod(this.#own, this.#from, this.#to);
    [this.#from, this.#to, this.#isAvailable] = [undefined, undefined, true];
    this.#isOld = true;
  }
}

function addPeriod(periods: ValidPeriod[], from: string | undefined, to: string | undefined): void {
  const first = parseDay(from ?? '') ?? Number.NEGATIVE_INFINITY;
  const last = parseDay(to ?? '') ?? Number.POSITIVE_INFINITY;
  if (first <= last) periods.push({ first, last });
}

/** Undefined for an empty list. */
function anyOf(periods: readonly ValidPeriod[]): ValidDays | undefined {
  const joined: ValidPeriod[] = [];
  for (const period of periods.toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))) {
    const before = joined.at(-1);
    if (before === undefined || period.first > before.last + 1) joined.push(period);
    else joined[joined.length - 1] = { first: before.first, last: Math.max(before.last, period.last) };
  }
  return joined.length === 0 ? undefined : joined;
}

/** Intersects both. They are sorted, so one pass over each suffices. */
function both(one: ValidDays | undefined, other: ValidDays | undefined): ValidDays | undefined {
  if (!one || !other) return one ?? other;
  const common: ValidPeriod[] = [];
  for (let [i, j] = [0, 0]; ; ) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return common;
    const [first, last] = [Math.max(a.first, b.first), Math.min(a.last, b.last)];
    if (first <= last) common.push({ first, last });
    if (a.last < b.last) i += 1;
    else j += 1;
  }
}
