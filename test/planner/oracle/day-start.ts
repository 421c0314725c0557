/** Start of a service day, computed from the zone's clock alone: noon there, less twelve hours. */
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

/** Seconds since 1970 UTC. */
export function startOfServiceDay(zone: string, day: ServiceDay): number {
  const noonUtc = day * 86_400 + 43_200;
  const [hours, minutes] = clockOf(zone)
    .format(noonUtc * 1000)
    .split(':')
    .map(Number) as [number, number];
  const ahead = (hours - 12) * 3600 + minutes * 60;
  return noonUtc - ahead - 43_200;
}
