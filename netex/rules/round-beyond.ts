/**
 * Rounds numbers in messages next to the limit that they exceed. Callers: rules on distances and speeds.
 *
 * Adds decimals when the rounded number would equal the limit: `10 km; expected at most 10 km` helps no reader.
 */
const MOST_DECIMALS = 6;

export function roundBeyond(value: number, limit: number, decimals: number): number {
  let rounded = Number(value.toFixed(decimals));
  for (let more = decimals + 1; rounded === limit && more <= MOST_DECIMALS; more++) {
    rounded = Number(value.toFixed(more));
  }
  return rounded;
}
