/** Draws the symbol of a ticket as outlines: no gaps between its modules, whatever the resolution. */
import { type AztecSymbol, drawAztec } from '../../../barcode/aztec.ts';
import { COLOURS, POINTS_PER_MM } from '../../shared/pdf/styles.ts';

/** UIC asks for a module at least; phones read more safely with more around it. */
export const QUIET_MODULES = 4;
/** Modules of a crowded symbol stay large enough for a scanner. */
const LEAST_MODULE_MM = 0.6;
const LEAST_SYMBOL_MM = 60;

export interface PlacedSymbol {
  readonly symbol: AztecSymbol;
  /** Points of a module's side. */
  readonly module: number;
  /** Points of a side, with its quiet zone. */
  readonly side: number;
}

export function prepareSymbol(barcode: Uint8Array): PlacedSymbol {
  const symbol = drawAztec(barcode);
  const module = Math.max(LEAST_MODULE_MM, LEAST_SYMBOL_MM / symbol.size) * POINTS_PER_MM;
  return { symbol, module, side: (symbol.size + 2 * QUIET_MODULES) * module };
}

export function drawSymbol(document: PDFKit.PDFDocument, placed: PlacedSymbol, x: number, top: number): void {
  const { symbol, module, side } = placed;
  document.rect(x, top, side, side).fill(COLOURS.paper);
  document.save();
  document.translate(x + QUIET_MODULES * module, top + QUIET_MODULES * module).scale(module);
  for (const [first, ...corners] of outlinesOf(symbol)) {
    if (first === undefined) continue;
    document.moveTo(...first);
    for (const corner of corners) document.lineTo(...corner);
    document.closePath();
  }
  document.fill('#000000', 'even-odd');
  document.restore();
}

type Corner = readonly [number, number];

/** Edges between dark and light, joined to closed lines. A corner where two lines touch belongs to either: even-odd filling cares for it. */
export function outlinesOf({ size, modules }: AztecSymbol): readonly (readonly Corner[])[] {
  const isDark = (column: number, row: number) =>
    column >= 0 && column < size && row >= 0 && row < size && modules[row * size + column] === 1;
  const key = (column: number, row: number) => row * (size + 1) + column;
  /** From each corner, where its edges lead to. */
  const edges = new Map<number, number[]>();
  const add = (from: number, to: number) => edges.set(from, [...(edges.get(from) ?? []), to]);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!isDark(column, row)) continue;
      if (!isDark(column, row - 1)) add(key(column, row), key(column + 1, row));
      if (!isDark(column + 1, row)) add(key(column + 1, row), key(column + 1, row + 1));
      if (!isDark(column, row + 1)) add(key(column + 1, row + 1), key(column, row + 1));
      if (!isDark(column - 1, row)) add(key(column, row + 1), key(column, row));
    }
  }
  return joinEdges(edges).map((line) => line.map((at) => [at % (size + 1), Math.floor(at / (size + 1))]));
}

function joinEdges(edges: Map<number, number[]>): readonly (readonly number[])[] {
  const lines: number[][] = [];
  for (const [start, ends] of edges) {
    while (ends.length > 0) {
      const line = [start];
      for (let at = ends.pop(); at !== undefined && at !== start; at = edges.get(at)?.pop()) line.push(at);
      lines.push(withoutStraights(line));
    }
  }
  return lines;
}

/** Only corners stay: those where the line turns. */
function withoutStraights(line: readonly number[]): number[] {
  return line.filter((at, index) => {
    const before = line.at(index - 1) ?? at;
    const after = line[(index + 1) % line.length] ?? at;
    return at - before !== after - at;
  });
}
