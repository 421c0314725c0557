/** Views of lines over their table. */
import type { BookingArrangement, Branding, Line } from '../model/entities.ts';
import type { AuthorityIndex, GroupOfLinesIndex, LineIndex, NoticeIndex, OperatorIndex } from '../model/indices.ts';
import { TRANSPORT_MODES, type TransportMode } from '../model/transport-mode.ts';
import { bookingOf, brandingOf } from './json-texts.ts';
import type { CatalogueReader } from './reader.ts';

export class LineView implements Line {
  readonly index: LineIndex;
  readonly #reader: CatalogueReader;

  constructor(reader: CatalogueReader, index: LineIndex) {
    this.#reader = reader;
    this.index = index;
  }

  get #table() {
    return this.#reader.tables.line;
  }

  get id(): string {
    return this.#table.id.at(this.index) ?? '';
  }

  get name(): string | undefined {
    return this.#table.name.at(this.index);
  }

  get publicCode(): string | undefined {
    return this.#table.publicCode.at(this.index);
  }

  get privateCode(): string | undefined {
    return this.#table.privateCode.at(this.index);
  }

  get description(): string | undefined {
    return this.#table.description.at(this.index);
  }

  get url(): string | undefined {
    return this.#table.url.at(this.index);
  }

  get mode(): TransportMode {
    return TRANSPORT_MODES[this.#table.mode.at(this.index)] ?? 'unknown';
  }

  get submode(): string | undefined {
    return this.#table.submode.at(this.index);
  }

  get authority(): AuthorityIndex {
    return this.#table.authority.get(this.index);
  }

  get operator(): OperatorIndex | undefined {
    return this.#table.operator.find(this.index);
  }

  get groups(): readonly GroupOfLinesIndex[] {
    return this.#table.groups.at(this.index);
  }

  get colour(): string | undefined {
    return this.#table.colour.at(this.index);
  }

  get textColour(): string | undefined {
    return this.#table.textColour.at(this.index);
  }

  get branding(): Branding | undefined {
    return brandingOf(this.#table.branding.at(this.index));
  }

  get flexibleLineType(): string | undefined {
    return this.#table.flexibleLineType.at(this.index);
  }

  get booking(): BookingArrangement | undefined {
    return bookingOf(this.#table.booking.at(this.index));
  }

  get notices(): readonly NoticeIndex[] {
    return this.#table.notices.at(this.index);
  }
}
