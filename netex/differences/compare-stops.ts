/** Stops that came, went, moved or have another name. Caller: `compare-outlines.ts`. */
import { distanceMetres } from '../geo/distance.ts';
import type { DatasetDifferences, StopDifference } from './differences.ts';
import { byText, listed } from './listed.ts';
import type { DatasetOutline, StopFactsKept } from './outline.ts';

type Stops = DatasetOutline['stops'];

/** Shorter ways are rounding. */
const LEAST_METRES = 1;

export function compareStops(before: Stops, after: Stops): DatasetDifferences['stops'] {
  const items: StopDifference[] = [];
  const counts = { added: 0, removed: 0, moved: 0, renamed: 0 };
  for (const [number, now] of after) {
    const old = before.get(number);
    if (old === undefined) {
      counts.added++;
      items.push({ ...textsOf(now), change: 'added' });
      continue;
    }
    const metres = metresBetween(old, now);
    const isMoved = metres >= LEAST_METRES;
    const isRenamed = old.name !== now.name;
    if (isMoved) counts.moved++;
    if (isRenamed) counts.renamed++;
    if (!isMoved && !isRenamed) continue;
    items.push({
      ...textsOf(now),
      change: 'changed',
      ...(isRenamed && { nameBefore: old.name ?? null }),
      ...(isMoved && { movedMetres: Math.round(metres) }),
    });
  }
  for (const [number, old] of before) {
    if (after.has(number)) continue;
    counts.removed++;
    items.push({ ...textsOf(old), change: 'removed' });
  }
  const sorted = items.sort((a, b) => byText(a.stopId, b.stopId));
  return { before: before.size, after: after.size, ...counts, ...listed(sorted) };
}

function textsOf({ id, name, latitude, longitude }: StopFactsKept) {
  return { stopId: id, name: name ?? null, latitude: latitude ?? null, longitude: longitude ?? null };
}

/** 0 where either position is unknown. */
function metresBetween(old: StopFactsKept, now: StopFactsKept): number {
  if (old.latitude === undefined || old.longitude === undefined) return 0;
  if (now.latitude === undefined || now.longitude === undefined) return 0;
  return distanceMetres(old.latitude, old.longitude, now.latitude, now.longitude);
}
