/** Asks for each of many things, a few at the same time. Used by the kill runs. */
const AT_ONCE = 8;

export async function inTurns<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results.push(await ask(items[at] as Item));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
