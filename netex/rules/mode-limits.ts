/**
 * Plausible distances between stops and speeds, by mode of transport. Data only.
 *
 * Callers: the rules on distances and speeds. Modes that are missing here are not checked. Limits are those of the
 * national rules; for a missing minimum, those of the reference validator.
 */
export interface ModeLimits {
  readonly minimumHopMetres: number;
  readonly maximumHopMetres: number;
  readonly minimumKmPerHour: number;
  readonly warningKmPerHour: number;
  readonly maximumKmPerHour: number;
}

function limits(
  minimumHopMetres: number,
  maximumHopMetres: number,
  minimumKmPerHour: number,
  warningKmPerHour: number,
  maximumKmPerHour: number,
): ModeLimits {
  return { minimumHopMetres, maximumHopMetres, minimumKmPerHour, warningKmPerHour, maximumKmPerHour };
}

const LIMITS: ReadonlyMap<string, ModeLimits> = new Map([
  ['bus', limits(100, 10_000, 5, 70, 120)],
  ['coach', limits(500, 30_000, 10, 80, 130)],
  ['trolleyBus', limits(300, 2_000, 10, 50, 70)],
  ['rail', limits(1_000, 300_000, 10, 180, 210)],
  ['metro', limits(200, 2_000, 15, 50, 70)],
  ['tram', limits(200, 1_000, 10, 50, 70)],
  ['water', limits(200, 30_000, 5, 50, 200)],
  ['ferry', limits(200, 30_000, 1, 40, 50)],
  ['air', limits(30_000, 2_100_000, 10, 900, 1_000)],
  ['taxi', limits(500, 300_000, 1, 110, 130)],
  ['funicular', limits(100, 1_000, 10, 30, 80)],
  ['cableway', limits(300, 2_000, 10, 30, 80)],
]);

export function findModeLimits(transportMode: string | undefined): ModeLimits | undefined {
  return transportMode === undefined ? undefined : LIMITS.get(transportMode);
}

/** The more lenient of each limit, for a pattern that journeys of several modes share. */
export function mostLenient(a: ModeLimits, b: ModeLimits): ModeLimits {
  return {
    minimumHopMetres: Math.min(a.minimumHopMetres, b.minimumHopMetres),
    maximumHopMetres: Math.max(a.maximumHopMetres, b.maximumHopMetres),
    minimumKmPerHour: Math.min(a.minimumKmPerHour, b.minimumKmPerHour),
    warningKmPerHour: Math.max(a.warningKmPerHour, b.warningKmPerHour),
    maximumKmPerHour: Math.max(a.maximumKmPerHour, b.maximumKmPerHour),
  };
}
