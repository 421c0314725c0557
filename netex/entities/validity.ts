/**
 * On which days a frame, or an entity that says so itself, is in force: ValidBetween and AvailabilityCondition. Callers: the readers of
 * this folder. What a frame says holds for all in it; what an entity says of itself counts in its place.
 *
 * Both dates are included, whatever their time of day. Of several conditions one is enough. Conditions that are only named, that say
 * what is not available, or that end before they begin, are passed over.
 */
import { parseDay } from '../model/calendar-day.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { ValidDays } from './entity-types.ts';
import { findChild, textOf, type XmlNode } from './xml-node.ts';

const CONDITIONS: ReadonlySet<string> = new Set(['ValidBetween', 'AvailabilityCondition']);

/** Undefined where nothing is said. */
export function readValidity(node: XmlNode): ValidDays | undefined {
  const list = findChild(node, 'validityConditions')?.children ?? [];
  let valid: ValidDays | undefined;
  for (const condition of [...list, ...node.children]) {
    if (!CONDITIONS.has(condition.name)) continue;
    if (textOf(condition, 'IsAvailable') === 'false') continue;
    valid = either(valid, daysBetween(textOf(condition, 'FromDate'), textOf(condition, 'ToDate')));
  }
  return valid;
}

/** What one frame says, heard of element by element. */
export class FrameValidity {
  readonly #depth: number;
  readonly #around: ValidDays | undefined;
  #own: ValidDays | undefined;
  #from: string | undefined;
  #to: string | undefined;
  #isAvailable = true;
  /** For what is in the frame: the same object until the frame says more. */
  days: ValidDays | undefined;

  constructor(depth: number, around: ValidDays | undefined) {
    this.#depth = depth;
    this.#around = around;
    this.days = around;
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
    if (this.#isAvailable) this.#own = either(this.#own, daysBetween(this.#from, this.#to));
    [this.#from, this.#to, this.#isAvailable] = [undefined, undefined, true];
    this.days = both(this.#around, this.#own);
  }
}

function daysBetween(from: string | undefined, to: string | undefined): ValidDays | undefined {
  const first = parseDay(from ?? '') ?? Number.NEGATIVE_INFINITY;
  const last = parseDay(to ?? '') ?? Number.POSITIVE_INFINITY;
  return first > last ? undefined : { first, last };
}

function either(one: ValidDays | undefined, other: ValidDays | undefined): ValidDays | undefined {
  if (!one || !other) return one ?? other;
  return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
}

function both(one: ValidDays | undefined, other: ValidDays | undefined): ValidDays | undefined {
  if (!one || !other) return one ?? other;
  return { first: Math.max(one.first, other.first), last: Math.min(one.last, other.last) };
}
