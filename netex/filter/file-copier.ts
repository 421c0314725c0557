/**
 * Second pass: writes the kept content of a file as it was written. Caller: filterDataset, for each file of the
 * output.
 *
 * An element that loses all its content is removed too: a list, a frame, the list of day types of a journey. Until
 * that is known, its text is held back; everything else is written out at once.
 */
import { DateClipper } from './date-clipper.ts';
import type { Decision } from './decision.ts';
import type { FilterWindow } from './filter-window.ts';
import { ENTITY, FRAME, LIST, OUTER, PART, PROPERTY, REMOVED, type Walker, type WalkListener } from './walker.ts';

const CHUNK_CHARACTERS = 64 * 1024;
/** The rules require them in a file without a CompositeFrame, even when empty. */
const NEEDED_WHEN_EMPTY = new Set(['ResourceFrame', 'ServiceFrame', 'ServiceCalendarFrame']);

interface Level {
  /** Index of its first part among those held back. */
  start: number;
  /** Has kept content. */
  isSolid: boolean;
  /** Has lost content. */
  isCut: boolean;
}

export class FileCopier implements WalkListener {
  readonly #decision: Decision;
  readonly #clipper: DateClipper;
  readonly #countCut: (name: string) => void;
  readonly #levels: Level[] = [];
  #parts: string[] = [];
  #characters = 0;
  #given: string[] = [];
  /** Text since the last tag. */
  #lead = '';
  #skippedDepth = 0;

  constructor(decision: Decision, window: FilterWindow, countCut: (name: string) => void) {
    this.#decision = decision;
    this.#clipper = new DateClipper(window, decision);
    this.#countCut = countCut;
  }

  /**
   * Returns the text that can be written out, if it is long enough; call between chunks of the file and at its end.
   */
  take(walker: Walker): string {
    if (walker.depth > 0 && this.#characters < CHUNK_CHARACTERS) return '';
    this.#release(this.#skippedDepth > 0 ? this.#skippedDepth - 1 : walker.depth);
    const text = this.#given.join('');
    this.#given = [];
    return text;
  }

  open(walker: Walker, tag: string): void {
    if (this.#skippedDepth > 0) return;
    const { depth } = walker;
    if (this.#isDropped(walker)) {
      this.#skippedDepth = depth;
      this.#lead = '';
      this.#level(depth - 1).isCut = true;
      return;
    }
    const level = this.#level(depth);
    level.start = this.#parts.length;
    level.isSolid = walker.place === OUTER;
    level.isCut = false;
    this.#put(this.#lead + this.#withoutCutAttributes(walker, tag));
    this.#lead = '';
    if (walker.place === ENTITY) this.#solidify(depth);
  }

  text(_walker: Walker, source: string): void {
    if (this.#skippedDepth === 0) this.#lead += source;
  }

  close(walker: Walker, tag: string): void {
    const { depth, place } = walker;
    if (this.#skippedDepth > 0) {
      if (this.#skippedDepth === depth) this.#skippedDepth = 0;
      return;
    }
    const level = this.#level(depth);
    if (this.#isEmptied(walker, level)) {
      for (const part of this.#parts.splice(level.start)) this.#characters -= part.length;
      this.#level(depth - 1).isCut = true;
    } else {
      this.#put((tag === '' ? '' : this.#clipper.edit(walker, this.#lead, this.#parts)) + tag);
      if (place === PART || (place === PROPERTY && walker.parentPlace === PROPERTY)) this.#solidify(depth - 1);
    }
    this.#lead = '';
    if (depth === 1) this.#put('\n');
  }

  #isDropped(walker: Walker): boolean {
    if (walker.place === REMOVED) return true;
    if (walker.place === ENTITY) return !this.#decision.isKept(walker.owner);
    if (!walker.isReference) return false;
    const isCut = this.#decision.isCut(walker.references + walker.attributes.references.length);
    if (isCut) this.#countCut(walker.name);
    return isCut;
  }

  #isEmptied(walker: Walker, level: Level): boolean {
    if (level.isSolid) return false;
    if (walker.place === LIST) return true;
    if (walker.place === FRAME) {
      return walker.parentName === 'frames' || walker.isRestricted || !NEEDED_WHEN_EMPTY.has(walker.name);
    }
    return level.isCut && this.#lead.trim() === '';
  }

  #withoutCutAttributes(walker: Walker, tag: string): string {
    let rest = tag;
    walker.attributes.references.forEach(({ name }, place) => {
      if (!this.#decision.isCut(walker.references + place)) return;
      this.#countCut(name);
      rest = rest.replace(new RegExp(`\\s${name}\\s*=\\s*("[^"]*"|'[^']*')`), '');
    });
    return rest;
  }

  #level(depth: number): Level {
    let level = this.#levels[depth];
    if (!level) {
      level = { start: 0, isSolid: true, isCut: false };
      this.#levels[depth] = level;
    }
    return level;
  }

  /** A kept element keeps all its ancestors. */
  #solidify(depth: number): void {
    for (let at = depth; at > 0; at--) {
      const level = this.#level(at);
      if (level.isSolid && at < depth) return;
      level.isSolid = true;
    }
  }

  #put(part: string): void {
    this.#parts.push(part);
    this.#characters += part.length;
  }

  /** Releases text up to the first open element that may still be removed. */
  #release(openDepth: number): void {
    let end = this.#parts.length;
    for (let depth = 1; depth <= openDepth; depth++) {
      const level = this.#level(depth);
      if (!level.isSolid && level.start < end) end = level.start;
    }
    end = Math.min(end, this.#clipper.heldPart);
    if (end === 0) return;
    for (const part of this.#parts.splice(0, end)) {
      this.#given.push(part);
      this.#characters -= part.length;
    }
    for (let depth = 1; depth <= openDepth; depth++) this.#level(depth).start -= end;
    this.#clipper.shift(end);
  }
}
