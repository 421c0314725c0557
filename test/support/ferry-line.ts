/**
 * Makes a ferry line of four stops in two snapshots. The second has other indexes, one journey less, another first quay
 * of a journey, and a renamed stop. Monday is 2026-11-23; times are Europe/Oslo.
 */
import { createTimetableBuilder, openTimetable, type Timetable } from '../../planner/index.ts';
import type { ServiceDay } from '../../planner/model/indices.ts';

export const MONDAY = (Date.UTC(2026, 10, 23) / 86_400_000) as ServiceDay;

export interface FerrySnapshot {
  readonly bytes: SharedArrayBuffer;
  readonly timetable: Timetable;
}

const HALTS = ['A', 'B', 'C', 'D'];
/** Only a boat from C calls here; it waits for the boat at eight. */
const ISLAND = 'E';
const hour = (hours: number, minutes = 0): number => hours * 3_600 + minutes * 60;

export function ferrySnapshot(version: 1 | 2): FerrySnapshot {
  const builder = createTimetableBuilder();
  builder.addAuthority({ id: 'FER:Authority:1', name: 'Ferries', timeZone: 'Europe/Oslo' });
  const halts = [...HALTS, ISLAND];
  (version === 2 ? ['0', ...halts] : halts).forEach((halt, at) => {
    const position = { latitude: 60 + 0.05 * (halts.indexOf(halt) + 1), longitude: 5 + 0.001 * at };
    const name = version === 2 && halt === 'C' ? 'New C' : halt;
    builder.addStopPlace({ id: `NSR:StopPlace:${halt}`, name, modes: ['water'], submodes: [], ...position });
    builder.addQuay({ id: `NSR:Quay:${halt}`, stopPlaceId: `NSR:StopPlace:${halt}`, ...position });
  });
  const line = { mode: 'water' as const, authorityId: 'FER:Authority:1' };
  builder.addLine({ id: 'FER:Line:1', publicCode: '1', ...line });
  builder.addLine({ id: 'FER:Line:2', publicCode: '2', ...line });
  const stop = (halt: string) => ({ quayId: `NSR:Quay:${halt}`, forBoarding: true, forAlighting: true });
  builder.addJourneyPattern({ id: 'FER:JourneyPattern:1', lineId: 'FER:Line:1', stops: HALTS.map(stop) });
  builder.addJourneyPattern({ id: 'FER:JourneyPattern:2', lineId: 'FER:Line:2', stops: ['B', 'C'].map(stop) });
  builder.addJourneyPattern({ id: 'FER:JourneyPattern:9', lineId: 'FER:Line:1', stops: ['D', ...HALTS].map(stop) });
  builder.addJourneyPattern({ id: 'FER:JourneyPattern:3', lineId: 'FER:Line:2', stops: ['C', ISLAND].map(stop) });
  const days = [MONDAY, (MONDAY + 1) as ServiceDay];
  for (const at of [8, 9, 10]) {
    if (version === 2 && at === 9) continue;
    const detour = version === 2 && at === 10;
    const times = [0, 20, 40, 60].map((minutes) => hour(at, minutes));
    const all = detour ? [hour(at, -20), ...times] : times;
    const patternId = `FER:JourneyPattern:${detour ? 9 : 1}`;
    builder.addServiceJourney({ id: `FER:ServiceJourney:${at}`, patternId, arrivals: all, departures: all, days });
  }
  // The times of one journey with a departure every hour.
  const times = [hour(8, 50), hour(9, 5)];
  builder.addServiceJourney({
    id: 'FER:ServiceJourney:often',
    patternId: 'FER:JourneyPattern:2',
    arrivals: times,
    departures: times,
    days,
    startOffsets: [0, 3_600, 7_200],
  });
  const on = [hour(8, 40), hour(9)];
  const island = { id: 'FER:ServiceJourney:island', patternId: 'FER:JourneyPattern:3' };
  builder.addServiceJourney({ ...island, arrivals: on, departures: on, days });
  builder.addInterchange({
    id: 'FER:Interchange:1',
    fromJourneyId: 'FER:ServiceJourney:8',
    fromPosition: 2,
    toJourneyId: 'FER:ServiceJourney:island',
    toPosition: 0,
    guaranteed: true,
    staySeated: false,
    maximumWaitSeconds: 300,
  });
  const { bytes } = builder.finish({ builtAt: version });
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return { bytes: shared, timetable: openTimetable(shared) };
}
