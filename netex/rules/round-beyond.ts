/**
 * Numbers in messages beside the limit that they are beyond. Callers: rules on distances and speeds.
 *
 * Rounded as told, but with more decimals where the rounded number would read as the limit: nobody mends `10 km; expected
 * at most 10 km`.
 */
const MOST_DECIMALS = 6;

export function roundBeyond(value: number, limit: number, decimals: number): number {
  let rounded = Number(value.toFixed(decimals));
  for (let more = decimals + 1; rounded === limit && more <= MOST_DECIMALS; more++) {
    rounded = Number(value.toFixed(more));
  }
  return rounded;
}
