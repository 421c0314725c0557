/** Random values of a type, with any of its optional components. Norwegian letters in texts. */
import type { AnyPerType } from '../../barcode/per/per-type.ts';

export type Random = (limit: number) => number;

interface Reflected extends AnyPerType {
  readonly components?: Readonly<Record<string, Reflected | { readonly type: Reflected }>>;
  readonly items?: readonly string[];
  readonly types?: Readonly<Record<string, Reflected>>;
  readonly item?: Reflected;
}

const LETTERS = 'ABCÆØÅabcæøå Čáŋ-0123456789';
const DEEPEST = 6;
const MOST_ITEMS = 3;

export function randomValue(type: AnyPerType, random: Random, depth = 0): unknown {
  const { notation, components, items, types, item } = type as Reflected;
  if (components) return randomSequence(components, random, depth);
  if (items) return items[random(items.length)];
  if (types) {
    const [name, alternative] = Object.entries(types)[random(Object.keys(types).length)] as [string, Reflected];
    return { [name]: randomValue(alternative, random, depth + 1) };
  }
  if (item) return Array.from({ length: 1 + random(MOST_ITEMS) }, () => randomValue(item, random, depth + 1));
  return randomSimple(notation, random);
}

function randomSequence(
  components: Readonly<Record<string, Reflected | { readonly type: Reflected }>>,
  random: Random,
  depth: number,
): object {
  const chosen = Object.entries(components).filter(
    ([, component]) => !('type' in component) || (depth < DEEPEST && random(2) === 1 && endsItself(component.type)),
  );
  return Object.fromEntries(
    chosen.map(([name, component]) => [
      name,
      randomValue('type' in component ? component.type : component, random, depth + 1),
    ]),
  );
}

/** Types that contain themselves are left out. */
function endsItself({ notation }: Reflected): boolean {
  return notation !== 'SEQUENCE OF ViaStationType';
}

function randomSimple(notation: string, random: Random): unknown {
  const [, from, to] = /^INTEGER \((-?\d+)\.\.(-?\d+)\)$/.exec(notation) ?? [];
  if (from !== undefined) return Number(from) + random(Number(to) - Number(from) + 1);
  const [, shortest = '0', longest = shortest] = /SIZE\((\d+)(?:\.\.(\d+))?\)/.exec(notation) ?? ['', '0', '20'];
  const length = Number(shortest) + random(Number(longest) - Number(shortest) + 1);
  if (notation === 'INTEGER') return (random(2) === 1 ? -1 : 1) * (1 + random(2 ** 30)) * (1 + random(2 ** 20));
  if (notation === 'BOOLEAN') return random(2) === 1;
  if (notation === 'OCTET STRING') return Buffer.from(Array.from({ length }, () => random(256)));
  if (notation === 'UTF8String') return pick(LETTERS, length, random);
  return String.fromCodePoint(...Array.from({ length }, () => random(128)));
}

function pick(letters: string, length: number, random: Random): string {
  const all = [...letters];
  return Array.from({ length }, () => all[random(all.length)]).join('');
}
