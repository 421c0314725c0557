/** Starts of service days and of runs, computed from the zone's clock alone. */
import type { ServiceDay } from '../../../planner/model/indices.ts';

/** One for each zone, because making one takes far longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clocks.set(zone, clock);
  return clock;
}

/** Noon by the clock, less twelve hours, in seconds since 1970 UTC. */
export function startOfServiceDay(zone: string, day: ServiceDay): number {
  const noonUtc = day * 86_400 + 43_200;
  const [hours, minutes] = clockOf(zone)
    .format(noonUtc * 1000)
    .split(':')
    .map(Number) as [number, number];
  const ahead = (hours - 12) * 3600 + minutes * 60;
  return noonUtc - ahead - 43_200;
}

/**
 * From when the times of a run count, in seconds since 1970 UTC: its first departure is when the clock first shows it. A
 * time that the clock skips is as long after the change as it would have been without.
 */
export function startOfRun(zone: string, day: ServiceDay, firstDeparture: number): number {
  const start = startOfServiceDay(zone, day);
  const starts = [start - 3600, start, start + 3600];
  const shows = (from: number): number => {
    const [hours, minutes] = clockOf(zone)
      .format((from + firstDeparture) * 1000)
      .split(':')
      .map(Number) as [number, number];
    return (hours * 3600 + minutes * 60 - firstDeparture + 30 * 86_400) % 86_400;
  };
  return starts.find((from) => shows(from) === 0) ?? starts.find((from) => shows(from) === 3600) ?? start;
}
