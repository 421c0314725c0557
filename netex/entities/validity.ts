/**
 * On which days a frame, or an entity that says so itself, is in force: ValidBetween and AvailabilityCondition. Callers: the readers of
 * this folder. What a frame says holds for all in it; what an entity says of itself counts in its place.
 *
 * Both dates are included, whatever their time of day. Of several conditions one is enough: what lies between them is not in force.
 * Conditions that are only named, that say what is not available, or that end before they begin, are passed over.
 */
import { parseDay } from '../model/calendar-day.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { ValidDays, ValidPeriod } from './entity-types.ts';
import { findChild, textOf, type XmlNode } from './xml-node.ts';

const CONDITIONS: ReadonlySet<string> = new Set(['ValidBetween', 'AvailabilityCondition']);

/** Undefined where nothing is said. */
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

/** What one frame says, heard of element by element. */
export class FrameValidity {
  readonly #depth: number;
  readonly #around: ValidDays | undefined;
  readonly #own: ValidPeriod[] = [];
  #from: string | undefined;
  #to: string | undefined;
  #isAvailable = true;
  #days: ValidDays | undefined;
  /** Whether the frame has said more since they were put together. */
  #isOld = false;

  constructor(depth: number, around: ValidDays | undefined) {
    this.#depth = depth;
    this.#around = around;
    this.#days = around;
  }

  /** For what is in the frame: the same object until the frame says more. */
  get days(): ValidDays | undefined {
    if (this.#isOld) this.#days = both(this.#around, anyOf(this.#own));
    this.#isOld = false;
    return this.#days;
  }

  /** At every end tag outside of entities. */
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

/** Undefined: of none. */
function anyOf(periods: readonly ValidPeriod[]): ValidDays | undefined {
  const joined: ValidPeriod[] = [];
  for (const period of periods.toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))) {
    const before = joined.at(-1);
    if (before === undefined || period.first > before.last + 1) joined.push(period);
    else joined[joined.length - 1] = { first: before.first, last: Math.max(before.last, period.last) };
  }
  return joined.length === 0 ? undefined : joined;
}

/** Both are in order, so their work is their sum. */
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
