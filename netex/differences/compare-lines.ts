/** Lines that came, went or say something else. Caller: `compare-outlines.ts`. */
import type { DatasetDifferences, LineDifference, LineTexts } from './differences.ts';
import { byText, listed } from './listed.ts';
import type { DatasetOutline, LineFacts } from './outline.ts';

type Lines = DatasetOutline['lines'];

const TEXTS = ['name', 'publicCode', 'transportMode', 'transportSubmode'] as const;

export function compareLines(before: Lines, after: Lines): DatasetDifferences['lines'] {
  const items: LineDifference[] = [];
  for (const [number, now] of after) {
    const old = before.get(number);
    if (old === undefined) items.push({ lineId: now.id, change: 'added', ...textsOf(now) });
    else {
      const was = TEXTS.filter((text) => old[text] !== now[text]).map((text) => [text, old[text] ?? null] as const);
      if (was.length > 0) {
        items.push({ lineId: now.id, change: 'changed', ...textsOf(now), before: Object.fromEntries(was) });
      }
    }
  }
  for (const [number, old] of before) {
    if (!after.has(number)) items.push({ lineId: old.id, change: 'removed', ...textsOf(old) });
  }
  const count = (wanted: LineDifference['change']) => items.filter(({ change }) => change === wanted).length;
  return {
    before: before.size,
    after: after.size,
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    ...listed(items.sort((a, b) => byText(a.lineId, b.lineId))),
  };
}

function textsOf({ name, publicCode, transportMode, transportSubmode }: LineFacts): LineTexts {
  return {
    name: name ?? null,
    publicCode: publicCode ?? null,
    transportMode: transportMode ?? null,
    transportSubmode: transportSubmode ?? null,
  };
}
