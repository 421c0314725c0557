/** Start of a service day, reckoned by the clock of the zone alone: noon there, less twelve hours. */
import type { ServiceDay } from '../../../planner/model/indices.ts';

/** Seconds since 1970 UTC. */
export function startOfServiceDay(zone: string, day: ServiceDay): number {
  const noonUtc = day * 86_400 + 43_200;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [hours, minutes] = clock
    .format(noonUtc * 1000)
    .split(':')
    .map(Number) as [number, number];
  const ahead = (hours - 12) * 3600 + minutes * 60;
  return noonUtc - ahead - 43_200;
}
