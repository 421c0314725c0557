/**
 * The symbol of a barcode: Aztec (ISO/IEC 24778) with 23 % of its room for error correction, which is what UIC asks. A
 * printed symbol needs a margin of one module around it.
 */
import bwipjs from 'bwip-js/node';

const OPTIONS = { bcid: 'azteccode', binarytext: true, eclevel: 23, format: 'full' } as const;
/** What fits into the largest symbol. */
const MOST_OCTETS = 1_400;

export interface AztecSymbol {
  /** Modules of a side. */
  readonly size: number;
  /** Row by row from the top; 1 is dark. */
  readonly modules: Uint8Array;
}

/** Throws a `RangeError` when the octets do not fit into a symbol. */
export function drawAztec(octets: Uint8Array): AztecSymbol {
  if (octets.length === 0 || octets.length > MOST_OCTETS) {
    throw new RangeError(`An Aztec symbol holds 1 to ${MOST_OCTETS} octets, not ${octets.length}`);
  }
  const [symbol] = bwipjs.raw({ ...OPTIONS, text: Buffer.from(octets).toString('latin1') });
  if (!symbol || !('pixs' in symbol)) throw new Error('The Aztec encoder has made no symbol');
  return { size: symbol.pixx, modules: Uint8Array.from(symbol.pixs) };
}
