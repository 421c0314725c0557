/**
 * Walks through a file and classifies each element for the filter: frame property, list, entity, part of an entity,
 * or element to remove. Numbers entities and references in order over all files. Both passes walk in the same order,
 * so the numbers of the first hold in the second.
 *
 * Callers: FactCollector (first pass), FileCopier (second). Never decides what is kept.
 */
import { Attributes, Names } from './attributes.ts';
import type { FilterMode } from './filter-types.ts';
import { CONTAINED_LISTS, ESSENTIAL_PARTS, FRAME_PROPERTIES, FRAMES, type KindRole, roleOfKind } from './kinds.ts';
import { roleOfReference } from './reference-roles.ts';
import { SourceTokens, type TokenListener } from './source-tokens.ts';

/** Root, `dataObjects`, `frames`. */
export const OUTER = 0;
export const FRAME = 1;
/** A property of a file or frame. */
export const PROPERTY = 2;
/** Holds entities. */
export const LIST = 3;
export const ENTITY = 4;
export const PART = 5;
/** Removed with all its content. It has a number of its own, so that references into it are known to be cut. */
export const REMOVED = 6;

/** The numbers reached before a file. */
export interface WalkMark {
  readonly lastNumber: number;
  readonly references: number;
  readonly frames: number;
}

export interface WalkListener {
  /** Called when a number is assigned: to the file (kind `''`), an entity, or an element to remove. */
  number?(walker: Walker, kind: string): void;
  open(walker: Walker, tag: string): void;
  /** Called before the element is left; `tag` as in TokenListener. */
  close(walker: Walker, tag: string): void;
  text(walker: Walker, source: string): void;
}

export class Walker implements TokenListener {
  readonly attributes = new Attributes();
  /** Number of the last entity, removed element or file; numbers begin with 0. */
  lastNumber = -1;
  /** References seen before the open tag. */
  references = 0;
  depth = 0;
  /** True inside a restricted frame in public mode. */
  isRestricted = false;
  /** Counts frames from 1 over all files; 0 outside a frame. */
  frame = 0;
  fileNumber = 0;
  readonly #mode: FilterMode;
  readonly #listener: WalkListener;
  readonly #places: number[] = [];
  readonly #names: string[] = [];
  /** For each open element: its entity, removed element or file, and the depth at which that begins. */
  readonly #owners: number[] = [];
  readonly #ownerDepths: number[] = [];
  readonly #ownerRoles: Array<KindRole | undefined> = [];
  readonly #ownerKinds: string[] = [];
  #frames = 0;
  #scopes = new Names();
  #tokens = new SourceTokens(this);
  #restrictedDepth = 0;

  constructor(mode: FilterMode, listener: WalkListener) {
    this.#mode = mode;
    this.#listener = listener;
  }

  /** The numbers with which a second walk can start at this file. */
  get mark(): WalkMark {
    return { lastNumber: this.lastNumber, references: this.references, frames: this.#frames };
  }

  beginFile(mark = this.mark): void {
    this.lastNumber = mark.lastNumber;
    this.references = mark.references;
    this.#frames = mark.frames;
    this.#tokens = new SourceTokens(this);
    this.#scopes = new Names();
    this.depth = 0;
    this.frame = 0;
    this.fileNumber = ++this.lastNumber;
    this.#setOwner(0, this.fileNumber, 0, undefined, '');
    this.#listener.number?.(this, '');
  }

  write(text: string): void {
    this.#tokens.write(text);
  }

  endFile(): void {
    this.#tokens.end();
  }

  /** The open element's role in the filter. */
  get place(): number {
    return this.#places[this.depth] as number;
  }

  get name(): string {
    return this.#names[this.depth] as string;
  }

  get owner(): number {
    return this.#owners[this.depth] as number;
  }

  get ownerRole(): KindRole | undefined {
    return this.#ownerRoles[this.depth];
  }

  get ownerKind(): string {
    return this.#ownerKinds[this.depth] as string;
  }

  /** 0: the element is the entity itself; 1: its direct child. */
  get depthInOwner(): number {
    return this.depth - (this.#ownerDepths[this.depth] as number);
  }

  get parentName(): string {
    return this.#names[this.depth - 1] ?? '';
  }

  get parentPlace(): number {
    return this.depth > 1 ? (this.#places[this.depth - 1] as number) : OUTER;
  }

  /** The owner around the open entity. */
  get outerOwner(): number {
    return this.#owners[this.depth - 1] as number;
  }

  /**
   * Whether the open tag is a reference. A passing time's reference to its point is skipped: the journey's pattern
   * has it already.
   */
  get isReference(): boolean {
    return (
      this.attributes.ref !== '' &&
      !(this.name === 'StopPointInJourneyPatternRef' && this.parentName === 'TimetabledPassingTime')
    );
  }

  roleOfReference(name: string): number {
    return roleOfReference(name, {
      kind: this.ownerKind,
      role: this.ownerRole,
      parent: this.parentName,
      isNear: this.depthInOwner <= 2,
    });
  }

  start(written: string, tag: string): void {
    const { attributes } = this;
    attributes.read(tag, written.length);
    this.depth++;
    if (attributes.declared.length > 0) this.#scopes.enter(this.depth, attributes.declared);
    const name = this.#scopes.of(written);
    this.#names[this.depth] = name;
    this.#classify(name);
    this.#listener.open(this, tag);
    if (this.place === REMOVED) return;
    this.references += attributes.references.length + (this.isReference ? 1 : 0);
  }

  end(tag: string): void {
    this.#listener.close(this, tag);
    if (this.place === FRAME) this.frame = 0;
    if (this.depth === this.#restrictedDepth) {
      this.#restrictedDepth = 0;
      this.isRestricted = false;
    }
    this.#scopes.leave(this.depth);
    this.depth--;
  }

  text(source: string): void {
    if (this.depth > 0) this.#listener.text(this, source);
  }

  #setOwner(depth: number, owner: number, ownerDepth: number, role: KindRole | undefined, kind: string): void {
    this.#owners[depth] = owner;
    this.#ownerDepths[depth] = ownerDepth;
    this.#ownerRoles[depth] = role;
    this.#ownerKinds[depth] = kind;
  }

  #classify(name: string): void {
    const { depth } = this;
    const above = depth - 1;
    this.#setOwner(
      depth,
      this.#owners[above] as number,
      this.#ownerDepths[above] as number,
      this.#ownerRoles[above],
      this.#ownerKinds[above] as string,
    );
    const place = depth === 1 ? OUTER : this.#placeWithin(this.#places[above] as number, name);
    this.#places[depth] = place;
    if (place === FRAME) this.#enterFrame(name);
    else if (place === ENTITY) this.#number(name, roleOfKind(name));
    else if (place === REMOVED && this.#places[above] !== REMOVED) this.#number(name || '(other namespace)', undefined);
  }

  #number(name: string, role: KindRole | undefined): void {
    this.#setOwner(this.depth, ++this.lastNumber, this.depth, role, name);
    this.#listener.number?.(this, name);
  }

  #enterFrame(name: string): void {
    if (name !== 'CompositeFrame') this.frame = ++this.#frames;
    if (this.#mode === 'private' || !this.attributes.isRestricted || this.isRestricted) return;
    this.isRestricted = true;
    this.#restrictedDepth = this.depth;
  }

  #placeWithin(parent: number, name: string): number {
    if (parent === REMOVED || name === '' || name === 'Extensions') return REMOVED;
    if (parent === OUTER) return this.#placeInOuter(name);
    if (parent === FRAME) return this.#placeInFrame(name);
    if (parent === LIST) return this.#placeInList(name);
    if (parent === ENTITY && this.ownerRole === 'container' && CONTAINED_LISTS.has(name)) return LIST;
    if (this.#mode === 'public' && this.attributes.isRestricted && !ESSENTIAL_PARTS.has(name)) return REMOVED;
    return parent === PROPERTY ? PROPERTY : PART;
  }

  #placeInOuter(name: string): number {
    if (name === 'dataObjects' || name === 'frames') return OUTER;
    if (FRAMES.has(name)) return FRAME;
    return name.endsWith('Frame') || name === 'PublicationRequest' ? REMOVED : PROPERTY;
  }

  #placeInFrame(name: string): number {
    if (name === 'frames') return OUTER;
    if (FRAME_PROPERTIES.has(name)) return PROPERTY;
    if (roleOfKind(name) && this.attributes.id !== '') return ENTITY;
    const first = name.charCodeAt(0);
    if (first >= 97 && first <= 122) return name === 'prerequisites' ? REMOVED : LIST;
    return this.attributes.id === '' ? PROPERTY : REMOVED;
  }

  #placeInList(name: string): number {
    if (roleOfKind(name)) return ENTITY;
    return name.endsWith('Ref') ? PART : REMOVED;
  }
}
