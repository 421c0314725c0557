/**
 * Reads stops, zones and the transfers between them from the elements of a scan into a StopRegisterBuilder.
 *
 * Callers: StopRegisterReader (whole register files), DatasetStopsBuilder (SiteFrames of common files), a file under
 * the rules (its own SiteFrame). Skips unknown elements and checks nothing.
 */
import type { OpenElement, ScanListener } from '../xml/scan.ts';
import { readFact } from './site-frame-facts.ts';
import type { StopDraft } from './stop-draft.ts';
import { STOP_KINDS, type StopKind } from './stop-facts.ts';
import { BYTE, TEXT } from './stop-layout.ts';
import type { StopRegisterBuilder } from './stop-register-builder.ts';

const KIND_NUMBERS: ReadonlyMap<string, number> = new Map(STOP_KINDS.map((kind: StopKind, number) => [kind, number]));

export class SiteFrameReader implements ScanListener {
  readonly builder: StopRegisterBuilder;
  /** Open elements, the innermost last. */
  readonly #open: StopDraft[] = [];
  #innermost: StopDraft | undefined;
  /** Language of names without their own. */
  #defaultLanguage: string | undefined;
  #assignedPoint: string | undefined;
  #assignedStop: string | undefined;

  constructor(builder: StopRegisterBuilder) {
    this.builder = builder;
  }

  start(element: OpenElement): void {
    const kind = KIND_NUMBERS.get(element.name);
    const { id, version, modification } = element.attributes;
    if (kind === undefined || id === undefined) return;
    const around = this.#innermost;
    const draft = this.builder.begin(element.depth, around);
    draft.bytes[BYTE.kind] = kind;
    draft.texts[TEXT.id] = this.builder.texts.add(id);
    if (around) draft.texts[TEXT.parent] = around.texts[TEXT.id] as number;
    draft.texts[TEXT.version] = this.builder.texts.add(version);
    draft.isDeleted = modification === 'delete';
    if (element.name === 'Quay' || element.name === 'FlexibleQuay') this.#inheritPlace(draft);
    this.#open.push(draft);
    this.#innermost = draft;
  }

  end(element: OpenElement): void {
    const draft = this.#innermost;
    if (draft === undefined) {
      this.#readOutside(element);
      return;
    }
    if (element.depth > draft.depth) {
      readFact(element, draft, this.builder, this.#defaultLanguage);
      return;
    }
    this.builder.add(element.attributes.id as string, draft);
    this.#open.pop();
    this.#innermost = this.#open.at(-1);
  }

  /** A quay has the modes of its stop place, which it follows in the file. */
  #inheritPlace(draft: StopDraft): void {
    const place = this.#innermost;
    if (!place) return;
    draft.texts[TEXT.mode] = place.texts[TEXT.mode] as number;
    draft.texts[TEXT.submode] = place.texts[TEXT.submode] as number;
  }

  #readOutside({ name, attributes, text, parent }: OpenElement): void {
    switch (name) {
      case 'DefaultLanguage':
        this.#defaultLanguage = text.trim();
        return;
      case 'ScheduledStopPointRef':
        if (parent?.name === 'PassengerStopAssignment') this.#assignedPoint = attributes.ref;
        return;
      case 'StopPlaceRef':
        if (parent?.name === 'PassengerStopAssignment') this.#assignedStop ??= attributes.ref;
        return;
      case 'QuayRef':
        if (parent?.name === 'PassengerStopAssignment') this.#assignedStop = attributes.ref;
        return;
      case 'PassengerStopAssignment':
        if (this.#assignedPoint && this.#assignedStop) this.builder.assign(this.#assignedPoint, this.#assignedStop);
        this.#assignedPoint = undefined;
        this.#assignedStop = undefined;
        return;
    }
  }
}
