/**
 * Gives stops to the builder: those of the national register that are in force. Every other stop of the register or the
 * dataset follows where a journey calls. Callers: importDatasets, the mapping of patterns. Each stop is given once.
 */
import type { StopAssignmentEntity } from '../../../netex/entities/entity-types.ts';
import type { StopFacts } from '../../../netex/stop-register/stop-facts.ts';
import type { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import type { TimetableBuilder } from '../../../planner/build/input.ts';
import { toAreaQuay, toQuay, toStopPlace, toTransfers } from './stop-mapping.ts';

export interface CalledStop {
  readonly quayId: string;
  readonly isArea: boolean;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

type Counts = Record<'stopPlaces' | 'quays' | 'areas' | 'tariffZones' | 'transfers', number>;

export class StopImport {
  readonly counts: Counts = { stopPlaces: 0, quays: 0, areas: 0, tariffZones: 0, transfers: 0 };
  readonly #builder: TimetableBuilder;
  readonly #given = new Set<string>();
  readonly #zonesOfStop = new Map<string, string[]>();
  readonly #national: StopRegister | undefined;
  /**
   * Stops of the dataset that is being imported: its common files and the line file. They are used only when the
   * register lacks the stop.
   */
  #own: readonly StopRegister[] = [];
  readonly #called = new Map<string, CalledStop>();
  readonly #areasOf = new WeakMap<StopRegister, Map<string, string[]>>();

  constructor(builder: TimetableBuilder, national: StopRegister | undefined) {
    this.#builder = builder;
    this.#national = national;
  }

  /** `atMs`: places no longer in force then are added only when a journey calls there. */
  addRegister(atMs: number | undefined): void {
    const register = this.#national;
    if (register === undefined) return;
    this.#addZones(register);
    for (const place of register.stops('StopPlace')) {
      if (isOver(place, atMs)) continue;
      this.#addPlace(register, place);
      for (const quay of register.quaysOf(place.id)) if (!isOver(quay, atMs)) this.#addQuay(register, quay);
    }
  }

  /** Call after the import: adds walks between stops that were added. */
  addRegisterTransfers(): void {
    if (this.#national) this.#addTransfers(this.#national);
  }

  /**
   * Sets the registers of the next dataset or file: those of its common files, then that of its line file, as far as
   * they exist.
   */
  useOwn(registers: readonly StopRegister[]): void {
    this.#own = registers;
    this.#called.clear();
  }

  addOwnZones(register: StopRegister, isLeftOut: (id: string) => boolean): void {
    this.#addZones(register, isLeftOut);
  }

  /** Call when all journeys that may call at them are imported. */
  addOwnTransfers(register: StopRegister, isLeftOut: (id: string) => boolean): void {
    this.#addTransfers(register, isLeftOut);
  }

  /** True when the zone is new. */
  addZone({ id, name }: { readonly id: string; readonly name: string | undefined }): boolean {
    if (!this.#isNew(id)) return false;
    this.#builder.addTariffZone({ id, name });
    this.counts.tariffZones++;
    return true;
  }

  /** The stop that an assignment names, which is then given to the builder; undefined when it is unknown. */
  findCalled(assignment: StopAssignmentEntity): CalledStop | undefined {
    const { quayRef, stopPlaceRef, flexibleStopPlaceRef } = assignment;
    for (const id of [quayRef, flexibleStopPlaceRef, stopPlaceRef]) {
      const called = id === undefined ? undefined : this.#call(id);
      if (called) return called;
    }
    return undefined;
  }

  #call(id: string): CalledStop | undefined {
    const known = this.#called.get(id);
    if (known) return known;
    const found = this.#find(id);
    if (found === undefined) return undefined;
    const called = this.#give(found.register, found.stop);
    if (called) this.#called.set(id, called);
    return called;
  }

  #find(id: string): { register: StopRegister; stop: StopFacts } | undefined {
    for (const register of this.#national ? [this.#national, ...this.#own] : this.#own) {
      const stop = register.findStop(id);
      if (stop) return { register, stop };
    }
    return undefined;
  }

  /** For a place without a named quay, its first quay is used. */
  #give(register: StopRegister, stop: StopFacts): CalledStop | undefined {
    if (stop.kind === 'FlexibleStopPlace') {
      const area = toAreaQuay(register, stop, this.#areas(register).get(stop.id) ?? []);
      if (this.#isNew(stop.id)) {
        this.#builder.addQuay(area);
        this.counts.areas++;
      }
      return { quayId: stop.id, isArea: true, latitude: area.latitude, longitude: area.longitude };
    }
    const quay = stop.kind === 'StopPlace' ? this.#firstQuay(register, stop) : stop;
    if (quay?.kind !== 'Quay') return undefined;
    const place = quay.parentId === undefined ? undefined : register.findStop(quay.parentId);
    if (place) this.#addPlace(register, place);
    this.#addQuay(register, quay);
    const { latitude = place?.latitude, longitude = place?.longitude } = quay;
    return { quayId: quay.id, isArea: false, latitude, longitude };
  }

  #firstQuay(register: StopRegister, place: StopFacts): StopFacts | undefined {
    const children = [place, ...register.childrenOf(place.id)];
    return children.flatMap(({ id }) => register.quaysOf(id)).find(({ latitude }) => latitude !== undefined);
  }

  #addPlace(register: StopRegister, place: StopFacts): void {
    if (!this.#isNew(place.id)) return;
    this.#builder.addStopPlace(toStopPlace(register, place, this.#zonesOf(place)));
    this.counts.stopPlaces++;
    const parent = place.parentId === undefined ? undefined : register.findStop(place.parentId);
    if (parent?.kind === 'StopPlace') this.#addPlace(register, parent);
  }

  #addQuay(register: StopRegister, quay: StopFacts): void {
    if (!this.#isNew(quay.id)) return;
    const place = quay.parentId === undefined ? undefined : register.findStop(quay.parentId);
    this.#builder.addQuay(toQuay(quay, place?.kind === 'StopPlace' ? place : undefined, this.#zonesOf(quay)));
    this.counts.quays++;
  }

  #addZones(register: StopRegister, isLeftOut: (id: string) => boolean = () => false): void {
    for (const kind of ['TariffZone', 'FareZone'] as const) {
      for (const zone of register.stops(kind)) {
        if (isLeftOut(zone.id) || !this.addZone(zone)) continue;
        if (register.membersOf(zone.id).length === 0) continue;
        for (const stop of register.stopsOfZone(zone.id)) {
          const zones = this.#zonesOfStop.get(stop.id);
          if (zones) zones.push(zone.id);
          else this.#zonesOfStop.set(stop.id, [zone.id]);
        }
      }
    }
  }

  #addTransfers(register: StopRegister, isLeftOut: (id: string) => boolean = () => false): void {
    for (const { id, transfers } of toTransfers(register, (stop) => this.#find(stop)?.stop)) {
      if (isLeftOut(id)) continue;
      if (transfers === undefined) this.#builder.reject('transfer', 'an end is no stop', id);
      for (const transfer of transfers ?? []) {
        if (!this.#given.has(transfer.fromId) || !this.#given.has(transfer.toId)) continue;
        this.#builder.addTransfer(transfer);
        this.counts.transfers++;
      }
    }
  }

  #zonesOf(stop: StopFacts): readonly string[] {
    const listed = this.#zonesOfStop.get(stop.id);
    return listed ? [...new Set([...stop.zoneIds, ...listed])] : stop.zoneIds;
  }

  /** FlexibleAreas by the FlexibleStopPlace that contains them. */
  #areas(register: StopRegister): Map<string, string[]> {
    let areas = this.#areasOf.get(register);
    if (areas === undefined) {
      areas = new Map();
      for (const kind of ['FlexibleArea', 'FlexibleQuay'] as const) {
        for (const { id, parentId } of register.stops(kind)) {
          if (parentId === undefined) continue;
          const siblings = areas.get(parentId);
          if (siblings) siblings.push(id);
          else areas.set(parentId, [id]);
        }
      }
      this.#areasOf.set(register, areas);
    }
    return areas;
  }

  #isNew(id: string): boolean {
    if (this.#given.has(id)) return false;
    this.#given.add(id);
    return true;
  }
}

function isOver({ validToMs }: StopFacts, atMs: number | undefined): boolean {
  return atMs !== undefined && validToMs !== undefined && validToMs < atMs;
}
