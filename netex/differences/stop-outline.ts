/**
 * The facts of stops that are compared: of one that a dataset calls at, and of all in a stop register. Callers: the
 * outline of a dataset, the activity for stop registers.
 */
import type { StopFacts } from '../stop-register/stop-facts.ts';
import type { StopRegister } from '../stop-register/stop-register.ts';
import { JourneyTable } from './journey-table.ts';
import type { DatasetOutline, StopFactsKept, Vocabulary } from './outline.ts';

/** `pointName`: of its scheduled stop point, for a stop that no register names. A quay is where its place is. */
export function findStopFacts(
  registers: readonly StopRegister[],
  id: string,
  pointName: string | undefined,
): StopFactsKept {
  for (const register of registers) {
    const stop = register.findStop(id);
    if (stop) return factsIn(register, stop, pointName);
  }
  return { id, name: pointName, latitude: undefined, longitude: undefined };
}

function factsIn(register: StopRegister, stop: StopFacts, pointName?: string): StopFactsKept {
  const { id, parentId } = stop;
  const place = stop.latitude === undefined && parentId !== undefined ? register.findStop(parentId) : stop;
  const name = register.findName(id)?.text ?? pointName;
  return { id, name, latitude: place?.latitude, longitude: place?.longitude };
}

/** A stop register has stop places and quays, and nothing else that is compared. */
export function outlineRegister(register: StopRegister, vocabulary: Vocabulary): DatasetOutline {
  const stops = new Map<number, StopFactsKept>();
  for (const kind of ['StopPlace', 'Quay'] as const) {
    for (const stop of register.stops(kind)) stops.set(vocabulary.stops.number(stop.id), factsIn(register, stop));
  }
  return { lines: new Map(), stops, journeys: new JourneyTable(), service: undefined };
}
