/**
 * The destination displays of the demo region: one per text and via, numbered by first occurrence. The common file
 * defines them, and the line files refer to them.
 */
import type { Region } from './model.ts';

export interface Display {
  readonly number: number;
  readonly frontText: string;
  /** Number of the display that shows the via's text. */
  readonly via: number | undefined;
}

export interface Displays {
  readonly all: readonly Display[];
  /** Finds the number by a pattern's text, `A` or `A via B`. */
  numberOf(text: string): number;
}

const made = new WeakMap<Region, Displays>();

export function createDisplays(region: Region): Displays {
  const known = made.get(region);
  if (known) return known;
  const byText = new Map<string, Display>();
  const define = (text: string): Display => {
    const existing = byText.get(text);
    if (existing) return existing;
    const [frontText, viaText] = text.split(' via ');
    const via = viaText === undefined ? undefined : define(viaText).number;
    const display = { number: byText.size + 1, frontText: frontText ?? text, via };
    byText.set(text, display);
    return display;
  };
  for (const pattern of region.lines.flatMap((line) => line.patterns)) {
    for (const text of pattern.displays) if (text !== undefined) define(text);
  }
  const displays: Displays = {
    all: [...byText.values()],
    numberOf: (text) => {
      const display = byText.get(text);
      if (!display) throw new Error(`No destination display shows "${text}"`);
      return display.number;
    },
  };
  made.set(region, displays);
  return displays;
}
