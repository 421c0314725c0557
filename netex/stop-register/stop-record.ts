/** A stop as StopFacts over the register's arrays; reads each fact on demand. Callers: StopRegister. */
import type { ListTable } from '../packed/list-table.ts';
import type { InterchangeWeighting, LimitationStatus, StopFacts, StopKind, StopName } from './stop-facts.ts';
import { STOP_KINDS } from './stop-facts.ts';
import {
  BEARING_UNITS_PER_DEGREE,
  BYTE,
  BYTES_PER_ELEMENT,
  FLAG_MULTIMODAL_PARENT,
  LIMITATION_STATUSES,
  NO_BEARING,
  NO_POSITION,
  TEXT,
  TEXTS_PER_ELEMENT,
  TEXTS_PER_NAME,
  UNITS_PER_DEGREE,
  WEIGHTINGS,
} from './stop-layout.ts';
import type { TextTable } from './text-table.ts';

/** The arrays of an open register that describe its elements. */
export interface StopColumns {
  readonly texts: TextTable;
  readonly bytes: Uint8Array;
  readonly textRows: Uint32Array;
  readonly positions: Int32Array;
  readonly bearings: Int16Array;
  readonly validity: Float64Array;
  readonly zones: ListTable;
  readonly names: ListTable;
}

export class StopRecord implements StopFacts {
  readonly #columns: StopColumns;
  readonly #element: number;

  constructor(columns: StopColumns, element: number) {
    this.#columns = columns;
    this.#element = element;
  }

  get id(): string {
    return this.#text(TEXT.id) ?? '';
  }

  get kind(): StopKind {
    return STOP_KINDS[this.#byte(BYTE.kind)] as StopKind;
  }

  get version(): string | undefined {
    return this.#text(TEXT.version);
  }

  get name(): string | undefined {
    return this.#text(TEXT.name);
  }

  get nameLanguage(): string | undefined {
    return this.#text(TEXT.language);
  }

  get alternativeNames(): readonly StopName[] {
    const { names, texts } = this.#columns;
    const row = names.of(this.#element);
    return Array.from({ length: row.length / TEXTS_PER_NAME }, (_, index) => {
      const [nameType = 0, language = 0, text = 0] = row.subarray(index * TEXTS_PER_NAME);
      return { nameType: texts.read(nameType), language: texts.read(language), text: texts.read(text) ?? '' };
    });
  }

  get description(): string | undefined {
    return this.#text(TEXT.description);
  }

  get latitude(): number | undefined {
    return this.#degrees(0);
  }

  get longitude(): number | undefined {
    return this.#degrees(1);
  }

  get transportMode(): string | undefined {
    return this.#text(TEXT.mode);
  }

  get transportSubmode(): string | undefined {
    return this.#text(TEXT.submode);
  }

  get parentId(): string | undefined {
    return this.#text(TEXT.parent);
  }

  get publicCode(): string | undefined {
    return this.#text(TEXT.publicCode);
  }

  get privateCode(): string | undefined {
    return this.#text(TEXT.privateCode);
  }

  get placeType(): string | undefined {
    return this.#text(TEXT.placeType);
  }

  get isMultimodalParent(): boolean {
    return (this.#byte(BYTE.flags) & FLAG_MULTIMODAL_PARENT) !== 0;
  }

  get weighting(): InterchangeWeighting | undefined {
    return WEIGHTINGS[this.#byte(BYTE.weighting) - 1];
  }

  get compassBearingDegrees(): number | undefined {
    const units = this.#columns.bearings[this.#element] as number;
    return units === NO_BEARING ? undefined : units / BEARING_UNITS_PER_DEGREE;
  }

  get wheelchairAccess(): LimitationStatus | undefined {
    return LIMITATION_STATUSES[this.#byte(BYTE.wheelchair) - 1];
  }

  get stepFreeAccess(): LimitationStatus | undefined {
    return LIMITATION_STATUSES[this.#byte(BYTE.stepFree) - 1];
  }

  get topographicPlaceId(): string | undefined {
    return this.#text(TEXT.topographicPlace);
  }

  get zoneIds(): readonly string[] {
    const { zones, texts } = this.#columns;
    return Array.from(zones.of(this.#element), (zone) => texts.read(zone) ?? '');
  }

  get ownerRef(): string | undefined {
    return this.#text(TEXT.owner);
  }

  get scopingMethod(): string | undefined {
    return this.#text(TEXT.scoping);
  }

  get validFromMs(): number | undefined {
    return this.#instantMs(0);
  }

  get validToMs(): number | undefined {
    return this.#instantMs(1);
  }

  #text(column: number): string | undefined {
    const { texts, textRows } = this.#columns;
    return texts.read(textRows[this.#element * TEXTS_PER_ELEMENT + column] as number);
  }

  #byte(column: number): number {
    return this.#columns.bytes[this.#element * BYTES_PER_ELEMENT + column] as number;
  }

  /** A position with one coordinate counts as none. */
  #degrees(axis: 0 | 1): number | undefined {
    const { positions } = this.#columns;
    const at = this.#element * 2;
    if (positions[at] === NO_POSITION || positions[at + 1] === NO_POSITION) return undefined;
    return (positions[at + axis] as number) / UNITS_PER_DEGREE;
  }

  #instantMs(side: 0 | 1): number | undefined {
    const instantMs = this.#columns.validity[this.#element * 2 + side] as number;
    return Number.isFinite(instantMs) ? instantMs : undefined;
  }
}
