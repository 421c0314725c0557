/** Maps modes to the categories of place search clients, and computes a place's importance. The functions are pure. */
import type { TransportMode } from '../../../planner/model/transport-mode.ts';

const CATEGORIES: Readonly<Partial<Record<TransportMode, string>>> = {
  air: 'airport',
  bus: 'onstreetBus',
  cableway: 'liftStation',
  coach: 'coachStation',
  funicular: 'liftStation',
  lift: 'liftStation',
  metro: 'metroStation',
  monorail: 'metroStation',
  rail: 'railStation',
  tram: 'onstreetTram',
  trolleybus: 'onstreetBus',
  water: 'ferryStop',
};

export function categoriesOf(modes: readonly TransportMode[]): readonly string[] {
  const found = new Set(modes.map((mode) => CATEGORIES[mode] ?? 'other'));
  return found.size > 0 ? [...found] : ['other'];
}

/** Returns 0 to 99. Doubling the number of lines adds ten. Each mode beyond the first adds four. */
export function importanceOf(lines: number, modes: number): number {
  return Math.min(99, Math.round(10 * Math.log2(1 + lines)) + 4 * Math.max(0, modes - 1));
}
