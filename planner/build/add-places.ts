/** Puts stops, and the entities that belong to them, into the tables. */
import { ACCESSIBILITIES } from '../catalogue/tables.ts';
import { TRANSPORT_MODES, type TransportMode } from '../model/transport-mode.ts';
import type { QuayInput, StopPlaceInput, TransferInput } from './input.ts';
import type { PackedInput } from './packed-input.ts';

/** Limit in metres or seconds. A longer transfer is not plausible. */
const MOST_WALK = 1_000_000;

export function addStopPlace(input: PackedInput, place: StopPlaceInput): void {
  const position = positionOf(place.latitude, place.longitude);
  input.tables.stopPlace.add({
    id: place.id,
    name: place.name,
    description: place.description,
    latitude: position[0],
    longitude: position[1],
    parent: place.parentId,
    modes: place.modes.map(modeNumber),
    submodes: place.submodes,
    interchangePriority: place.interchangePriority,
    timeZone: place.timeZone,
    accessibility: accessibilityNumber(place.accessibility),
    tariffZones: place.tariffZoneIds,
    locality: place.locality,
    county: place.county,
  });
}

export function addQuay(input: PackedInput, quay: QuayInput): void {
  const ring = quay.area?.flatMap(([longitude, latitude]) => [latitude, longitude]);
  const middle = quay.area === undefined ? undefined : middleOf(quay.area);
  const position = positionOf(quay.latitude ?? middle?.[0], quay.longitude ?? middle?.[1]);
  input.tables.quay.add({
    id: quay.id,
    name: quay.name,
    publicCode: quay.publicCode,
    description: quay.description,
    latitude: position[0],
    longitude: position[1],
    stopPlace: quay.stopPlaceId,
    accessibility: accessibilityNumber(quay.accessibility),
    tariffZones: quay.tariffZoneIds,
    area: input.polylines.numberOf(ring),
  });
}

export function addTransfer(input: PackedInput, transfer: TransferInput): void {
  const seconds = transfer.minimumSeconds;
  const wheelchairSeconds = transfer.wheelchairSeconds ?? seconds;
  const reject = (reason: string) => input.rejections.add('transfer', reason, `${transfer.fromId} - ${transfer.toId}`);
  if (!isWalk(seconds) || !isWalk(transfer.metres ?? 0)) {
    reject('length or time that cannot be');
    return;
  }
  if (!isWalk(wheelchairSeconds)) reject('time of wheelchair users that cannot be');
  input.transferFrom.push(input.texts.numberOf(transfer.fromId));
  input.transferTo.push(input.texts.numberOf(transfer.toId));
  input.transferMetres.push(transfer.metres === undefined ? -1 : Math.round(transfer.metres));
  input.transferSeconds.push(Math.round(seconds));
  input.transferWheelchairSeconds.push(Math.round(isWalk(wheelchairSeconds) ? wheelchairSeconds : seconds));
}

/** Seconds or metres that a transfer can have. */
function isWalk(length: number): boolean {
  return length >= 0 && length <= MOST_WALK;
}

export function accessibilityNumber(accessibility: (typeof ACCESSIBILITIES)[number] | undefined): number {
  return accessibility === undefined ? 0 : ACCESSIBILITIES.indexOf(accessibility);
}

/** Returns 0 (unknown) for a word that is no mode. */
export function modeNumber(mode: TransportMode): number {
  return Math.max(0, TRANSPORT_MODES.indexOf(mode));
}

/** Returns NaN without a valid position; `resolve-places.ts` then takes one from related stops. */
function positionOf(latitude: number | undefined, longitude: number | undefined): readonly [number, number] {
  const isPosition =
    latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPosition ? [latitude, longitude] : [Number.NaN, Number.NaN];
}

/** Returns the middle of the box around a ring, so that searches near the area find it. */
function middleOf(ring: readonly (readonly [number, number])[]): readonly [number, number] | undefined {
  const [first] = ring;
  if (first === undefined) return undefined;
  let [west, south] = first;
  let [east, north] = first;
  for (const [longitude, latitude] of ring) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [(south + north) / 2, (west + east) / 2];
}
