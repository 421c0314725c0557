/** Colours, sizes and measures of documents. Colours are those of the service's pages. Points, 72 of which are an inch. */
import type { Face } from './faces.ts';

export interface TextStyle {
  readonly face: Face;
  readonly size: number;
  readonly color: string;
  /** Of a line, in sizes. */
  readonly lineHeight?: number;
}

/** Puts capitals and digits into the middle of their line: half their height. */
const HALF_CAPITAL = 0.364;
const USUAL_LINE_HEIGHT = 1.35;

export const COLOURS = {
  ink: '#16202c',
  faint: '#52606f',
  rule: '#d8dee6',
  accent: '#0b5cad',
  /** Behind the symbol's neighbours and headings of tables. */
  soft: '#f1f4f8',
  /** Large marks across a page, below its text. */
  mark: '#e6eaef',
  paper: '#ffffff',
} as const;

/** A space that no line ends at. */
export const NO_BREAK = '\u00a0';

export const PAGE = { width: 595.28, height: 841.89, margin: 48 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;
export const POINTS_PER_MM = 72 / 25.4;

export function regular(size: number, color: string = COLOURS.ink): TextStyle {
  return { face: 'regular', size, color };
}

export function semibold(size: number, color: string = COLOURS.ink): TextStyle {
  return { face: 'semibold', size, color };
}

export function faint(size: number): TextStyle {
  return regular(size, COLOURS.faint);
}

/** Where a smaller line begins that stands on the baseline of a larger one. */
export function besideTop(top: number, large: TextStyle, small: TextStyle): number {
  return top + baselineOf(large) - baselineOf(small);
}

/** Below the top of its line. */
export function baselineOf({ size, lineHeight = USUAL_LINE_HEIGHT }: TextStyle): number {
  return size * (lineHeight / 2 + HALF_CAPITAL);
}

export function lineHeightOf({ size, lineHeight = USUAL_LINE_HEIGHT }: TextStyle): number {
  return size * lineHeight;
}
