/** Views of stop places and quays over their tables. */
import type { Accessibility, Quay, StopPlace } from '../model/entities.ts';
import type { StopIndex, StopPlaceIndex, TariffZoneIndex } from '../model/indices.ts';
import { TRANSPORT_MODES, type TransportMode } from '../model/transport-mode.ts';
import type { Lists } from './lists.ts';
import type { CatalogueReader } from './reader.ts';
import { ACCESSIBILITIES } from './tables.ts';

export class StopPlaceView implements StopPlace {
  readonly index: StopPlaceIndex;
  readonly #reader: CatalogueReader;
  readonly #lists: Lists;

  constructor(reader: CatalogueReader, lists: Lists, index: StopPlaceIndex) {
    this.#reader = reader;
    this.#lists = lists;
    this.index = index;
  }

  get #table() {
    return this.#reader.tables.stopPlace;
  }

  get id(): string {
    return this.#table.id.at(this.index) ?? '';
  }

  get name(): string {
    return this.#table.name.at(this.index) ?? '';
  }

  get description(): string | undefined {
    return this.#table.description.at(this.index);
  }

  get latitude(): number {
    return this.#table.latitude.at(this.index);
  }

  get longitude(): number {
    return this.#table.longitude.at(this.index);
  }

  get parent(): StopPlaceIndex | undefined {
    return this.#table.parent.find(this.index);
  }

  get isParent(): boolean {
    return this.#lists.childrenOf(this.index).length > 0;
  }

  get modes(): readonly TransportMode[] {
    return this.#table.modes.at(this.index).map((mode) => TRANSPORT_MODES[mode] ?? 'unknown');
  }

  get submodes(): readonly string[] {
    return this.#table.submodes.at(this.index);
  }

  get interchangePriority(): string | undefined {
    return this.#table.interchangePriority.at(this.index);
  }

  get timeZone(): string {
    return this.#table.timeZone.at(this.index) ?? '';
  }

  get accessibility(): Accessibility {
    return ACCESSIBILITIES[this.#table.accessibility.at(this.index)] ?? 'noInformation';
  }

  get tariffZones(): readonly TariffZoneIndex[] {
    return this.#table.tariffZones.at(this.index);
  }

  get locality(): string | undefined {
    return this.#table.locality.at(this.index);
  }

  get county(): string | undefined {
    return this.#table.county.at(this.index);
  }
}

export class QuayView implements Quay {
  readonly index: StopIndex;
  readonly #reader: CatalogueReader;

  constructor(reader: CatalogueReader, index: StopIndex) {
    this.#reader = reader;
    this.index = index;
  }

  get #table() {
    return this.#reader.tables.quay;
  }

  get id(): string {
    return this.#table.id.at(this.index) ?? '';
  }

  get name(): string {
    return this.#table.name.at(this.index) ?? '';
  }

  get publicCode(): string | undefined {
    return this.#table.publicCode.at(this.index);
  }

  get description(): string | undefined {
    return this.#table.description.at(this.index);
  }

  get latitude(): number {
    return this.#table.latitude.at(this.index);
  }

  get longitude(): number {
    return this.#table.longitude.at(this.index);
  }

  get stopPlace(): StopPlaceIndex | undefined {
    return this.#table.stopPlace.find(this.index);
  }

  get accessibility(): Accessibility {
    return ACCESSIBILITIES[this.#table.accessibility.at(this.index)] ?? 'noInformation';
  }

  get tariffZones(): readonly TariffZoneIndex[] {
    return this.#table.tariffZones.at(this.index);
  }

  get stopType(): 'regular' | 'flexible_area' {
    return this.#table.area.at(this.index) === 0 ? 'regular' : 'flexible_area';
  }

  get area(): readonly (readonly [number, number])[] | undefined {
    const number = this.#table.area.at(this.index);
    if (number === 0) return undefined;
    const { latitudes, longitudes } = this.#reader.polylines.at(number);
    return Array.from(latitudes, (latitude, position) => [longitudes[position] ?? 0, latitude] as const);
  }
}
