/** Views of service journeys, dated service journeys and interchanges over their tables. */
import type {
  Accessibility,
  BookingArrangement,
  DatedServiceJourney,
  Interchange,
  ServiceAlteration,
  ServiceJourney,
} from '../model/entities.ts';
import type {
  DatedServiceJourneyIndex,
  InterchangeIndex,
  JourneyPatternIndex,
  LineIndex,
  NoticeIndex,
  OperatorIndex,
  ServiceDay,
  ServiceJourneyIndex,
} from '../model/indices.ts';
import { TRANSPORT_MODES, type TransportMode } from '../model/transport-mode.ts';
import { bookingOf } from './json-texts.ts';
import type { Lists } from './lists.ts';
import type { CatalogueReader } from './reader.ts';
import { ACCESSIBILITIES, ALTERATIONS, INTERCHANGE_GUARANTEED, INTERCHANGE_STAY_SEATED, PRIORITIES } from './tables.ts';

export class JourneyView implements ServiceJourney {
  readonly index: ServiceJourneyIndex;
  readonly #reader: CatalogueReader;

  constructor(reader: CatalogueReader, index: ServiceJourneyIndex) {
    this.#reader = reader;
    this.index = index;
  }

  get #table() {
    return this.#reader.tables.serviceJourney;
  }

  get id(): string {
    return this.#table.id.at(this.index) ?? '';
  }

  get privateCode(): string | undefined {
    return this.#table.privateCode.at(this.index);
  }

  get publicCode(): string | undefined {
    return this.#table.publicCode.at(this.index);
  }

  get line(): LineIndex {
    return this.#reader.tables.journeyPattern.line.get(this.pattern);
  }

  get pattern(): JourneyPatternIndex {
    return this.#table.pattern.get(this.index);
  }

  get mode(): TransportMode {
    return TRANSPORT_MODES[this.#table.mode.at(this.index)] ?? 'unknown';
  }

  get submode(): string | undefined {
    return this.#table.submode.at(this.index);
  }

  get operator(): OperatorIndex | undefined {
    return this.#table.operator.find(this.index);
  }

  get accessibility(): Accessibility {
    return ACCESSIBILITIES[this.#table.accessibility.at(this.index)] ?? 'noInformation';
  }

  get booking(): BookingArrangement | undefined {
    return bookingOf(this.#table.booking.at(this.index));
  }

  get notices(): readonly NoticeIndex[] {
    return this.#table.notices.at(this.index);
  }

  callNotices(position: number): readonly NoticeIndex[] {
    const { callNoticesStart, tables } = this.#reader;
    const notices: NoticeIndex[] = [];
    const end = callNoticesStart[this.index + 1] ?? 0;
    for (let row = callNoticesStart[this.index] ?? 0; row < end; row++) {
      const notice = tables.callNotice.notice.find(row);
      if (notice !== undefined && tables.callNotice.position.at(row) === position) notices.push(notice);
    }
    return notices;
  }
}

export class DatedJourneyView implements DatedServiceJourney {
  readonly index: DatedServiceJourneyIndex;
  readonly #reader: CatalogueReader;
  readonly #lists: Lists;

  constructor(reader: CatalogueReader, lists: Lists, index: DatedServiceJourneyIndex) {
    this.#reader = reader;
    this.#lists = lists;
    this.index = index;
  }

  get #table() {
    return this.#reader.tables.datedServiceJourney;
  }

  get id(): string {
    return this.#table.id.at(this.index) ?? '';
  }

  get journey(): ServiceJourneyIndex {
    return this.#table.journey.get(this.index);
  }

  get day(): ServiceDay {
    return this.#table.day.at(this.index) as ServiceDay;
  }

  get alteration(): ServiceAlteration | undefined {
    return ALTERATIONS[this.#table.alteration.at(this.index)];
  }

  get replaces(): readonly DatedServiceJourneyIndex[] {
    return this.#table.replaces.at(this.index);
  }

  get replacedBy(): readonly DatedServiceJourneyIndex[] {
    return this.#lists.replacedBy(this.index);
  }
}

export class InterchangeView implements Interchange {
  readonly index: InterchangeIndex;
  readonly #reader: CatalogueReader;

  constructor(reader: CatalogueReader, index: InterchangeIndex) {
    this.#reader = reader;
    this.index = index;
  }

  get #table() {
    return this.#reader.tables.interchange;
  }

  get id(): string {
    return this.#table.id.at(this.index) ?? '';
  }

  get fromJourney(): ServiceJourneyIndex {
    return this.#table.fromJourney.get(this.index);
  }

  get fromPosition(): number {
    return this.#table.fromPosition.at(this.index);
  }

  get toJourney(): ServiceJourneyIndex {
    return this.#table.toJourney.get(this.index);
  }

  get toPosition(): number {
    return this.#table.toPosition.at(this.index);
  }

  get guaranteed(): boolean {
    return (this.#table.flags.at(this.index) & INTERCHANGE_GUARANTEED) !== 0;
  }

  get staySeated(): boolean {
    return (this.#table.flags.at(this.index) & INTERCHANGE_STAY_SEATED) !== 0;
  }

  get priority(): Interchange['priority'] {
    return PRIORITIES[this.#table.priority.at(this.index)];
  }

  get maximumWaitSeconds(): number | undefined {
    const seconds = this.#table.maximumWaitSeconds.at(this.index);
    return seconds < 0 ? undefined : seconds;
  }
}
