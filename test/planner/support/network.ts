/**
 * Small networks in a few lines, for every test of the planner:
 *
 *   const network = createNetwork({ from: '2026-11-23', to: '2026-11-29' });
 *   network.stops('A 59.900 10.700', 'B 59.910 10.720', 'C 59.930 10.750');
 *   network.line('1', ['A 08:00 - B 08:10/08:12 - C 08:20', 'A 09:00 - B 09:10/09:12 - C 09:20']);
 *   const timetable = network.open();
 *   timetable.boards.calls({ stops: [network.stop('B')], from: network.at('2026-11-23 08:00'), … });
 *
 * Ids: stop `A` is quay `TST:Quay:A`; line `1` is `TST:Line:1`, its journeys `TST:ServiceJourney:1-1`, `1-2` … in the
 * order given, patterns `TST:JourneyPattern:1-1` … one per sequence of stops and flags. Times may be past 24:00;
 * `08:10/08:12` is arrival and departure. After a stop's name `+` means boarding only, `~` alighting only, `!` passing
 * through.
 */
import type {
  JourneyPatternInput,
  LineInput,
  QuayInput,
  ServiceJourneyInput,
  SnapshotOptions,
  StopPlaceInput,
  TimetableBuilder,
} from '../../../planner/build/input.ts';
import { type BuiltSnapshot, createTimetableBuilder, openTimetable, type Timetable } from '../../../planner/index.ts';
import type {
  LineIndex,
  ServiceDay,
  ServiceJourneyIndex,
  StopIndex,
  TripIndex,
} from '../../../planner/model/indices.ts';
import { shiftOf } from '../../../planner/transit/service-days.ts';

export interface NetworkOptions {
  /**
   * First and last day on which journeys run, `YYYY-MM-DD`. By default the first is a Monday, and the last six days
   * later.
   */
  readonly from?: string;
  readonly to?: string;
  readonly timeZone?: string;
  readonly snapshot?: Partial<SnapshotOptions>;
}

/** Options for all journeys of a line. */
export interface LineSettings {
  readonly line?: Partial<LineInput>;
  readonly pattern?: Partial<JourneyPatternInput>;
  readonly journey?: Partial<ServiceJourneyInput>;
  /** Days on which it runs, `YYYY-MM-DD`; by default those of the network. */
  readonly days?: readonly string[];
}

export const serviceDay = (date: string): ServiceDay => (Date.parse(`${date}T00:00:00Z`) / 86_400_000) as ServiceDay;

/** Days from the first to the last, both included. */
export function serviceDays(from: string, to: string): ServiceDay[] {
  const first = serviceDay(from);
  return Array.from({ length: serviceDay(to) - first + 1 }, (_, offset) => (first + offset) as ServiceDay);
}

/** `08:10`, `25:10:30` in seconds. */
export function seconds(time: string): number {
  const [hours = 0, minutes = 0, rest = 0] = time.split(':').map(Number);
  return hours * 3600 + minutes * 60 + rest;
}

export class Network {
  readonly builder: TimetableBuilder = createTimetableBuilder();
  readonly #options: NetworkOptions;
  readonly #days: readonly ServiceDay[];
  readonly #zone: string;
  #built: BuiltSnapshot | undefined;
  #timetable: Timetable | undefined;

  constructor(options: NetworkOptions) {
    this.#options = options;
    const first = options.from ?? '2026-11-23';
    const last = options.to ?? dateOf((serviceDay(first) + 6) as ServiceDay);
    this.#days = serviceDays(first, last);
    this.#zone = options.timeZone ?? 'Europe/Oslo';
    this.authority('TST', this.#zone);
  }

  authority(name: string, timeZone: string): this {
    this.builder.addAuthority({ id: `TST:Authority:${name}`, name, timeZone });
    return this;
  }

  /** `A 59.900 10.700`: quays, each without a stop place. */
  stops(...stops: readonly string[]): this {
    for (const stop of stops) this.quay(stop);
    return this;
  }

  quay(stop: string, more: Partial<QuayInput> = {}): this {
    const [name = '', latitude, longitude] = stop.split(' ');
    const position = latitude === undefined ? {} : { latitude: Number(latitude), longitude: Number(longitude) };
    this.builder.addQuay({ id: `TST:Quay:${name}`, name, ...position, ...more });
    return this;
  }

  /** A stop place and its quays, given as for `stops`: `network.stopPlace('Centre', ['A 59.900 10.700', 'B 59.901 10.700'])`. */
  stopPlace(name: string, stops: readonly string[], more: Partial<StopPlaceInput> = {}): this {
    const stopPlaceId = `TST:StopPlace:${name}`;
    this.builder.addStopPlace({ id: stopPlaceId, name, modes: ['bus'], submodes: [], ...more });
    for (const stop of stops) this.quay(stop, { stopPlaceId });
    return this;
  }

  /** Journeys of a line: `A 08:00 - B 08:10 - C 08:20`. */
  line(name: string, journeys: readonly string[], settings: LineSettings = {}): this {
    const lineId = `TST:Line:${name}`;
    const authorityId = 'TST:Authority:TST';
    this.builder.addLine({ id: lineId, publicCode: name, name, mode: 'bus', authorityId, ...settings.line });
    const patterns = new Map<string, string>();
    for (const [index, journey] of journeys.entries()) {
      const calls = journey.split(' - ').map(parsedCall);
      const key = calls.map((call) => call.stop).join();
      const patternId = patterns.get(key) ?? `TST:JourneyPattern:${name}-${patterns.size + 1}`;
      if (!patterns.has(key)) {
        const stops = calls.map(({ quayId, forBoarding, forAlighting }) => ({ quayId, forBoarding, forAlighting }));
        this.builder.addJourneyPattern({ id: patternId, lineId, stops, ...settings.pattern });
      }
      patterns.set(key, patternId);
      this.builder.addServiceJourney({
        id: `TST:ServiceJourney:${name}-${index + 1}`,
        patternId,
        arrivals: calls.map((call) => call.arrival),
        departures: calls.map((call) => call.departure),
        days: settings.days?.map(serviceDay) ?? this.#days,
        ...settings.journey,
      });
    }
    return this;
  }

  transfer(from: string, to: string, minimumSeconds: number, metres?: number): this {
    this.builder.addTransfer({ fromId: `TST:Quay:${from}`, toId: `TST:Quay:${to}`, minimumSeconds, metres });
    return this;
  }

  build(): BuiltSnapshot {
    this.#built ??= this.builder.finish({ builtAt: 0, ...this.#options.snapshot });
    return this.#built;
  }

  /** The snapshot, in memory that threads can share. */
  bytes(): SharedArrayBuffer {
    const { bytes } = this.build();
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    return shared;
  }

  open(): Timetable {
    this.#timetable ??= openTimetable(this.bytes());
    return this.#timetable;
  }

  stop(name: string): StopIndex {
    return known(this.open().catalogue.quays.find(`TST:Quay:${name}`)).index;
  }

  stopName(stop: StopIndex): string {
    return this.open().catalogue.quays.at(stop).name;
  }

  lineIndex(name: string): LineIndex {
    return known(this.open().catalogue.lines.find(`TST:Line:${name}`)).index;
  }

  /** `1-2`: the second journey of line 1. */
  journey(name: string): ServiceJourneyIndex {
    return known(this.open().catalogue.serviceJourneys.find(`TST:ServiceJourney:${name}`)).index;
  }

  trip(name: string): TripIndex {
    return known(this.open().transit.tripsOfJourney(this.journey(name))[0]);
  }

  /**
   * Converts `2026-11-23 08:10`, by the clock of the network's service day, to seconds since 1970 UTC. The hour may be
   * past 24: 25:10.
   */
  at(dateAndTime: string): number {
    const [date = '', time = ''] = dateAndTime.split(' ');
    const zone = this.open().transit.zones.indexOf(this.#zone);
    const { transit } = this.open();
    const day = serviceDay(date);
    const clock = seconds(time);
    const shift = shiftOf(transit.clockShifts(Math.max(zone, 0), day), clock);
    return transit.dayStart(Math.max(zone, 0), day) + shift + clock;
  }
}

export function createNetwork(options: NetworkOptions = {}): Network {
  return new Network(options);
}

function dateOf(day: ServiceDay): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

function parsedCall(call: string) {
  const [stop = '', times = ''] = call.trim().split(' ');
  const [arrival = '', departure = arrival] = times.split('/');
  const mark = /[+~!]$/.exec(stop)?.[0];
  return {
    stop,
    quayId: `TST:Quay:${mark === undefined ? stop : stop.slice(0, -1)}`,
    forBoarding: mark === undefined || mark === '+',
    forAlighting: mark === undefined || mark === '~',
    arrival: seconds(arrival),
    departure: seconds(departure),
  };
}

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the network has no such thing');
  return value;
}
