/** Random values of a type, with any of its optional components. Norwegian letters in texts. */
import type { AnyPerType } from '../../barcode/per/per-type.ts';
import { type Component, type Reflected, typeOf } from './reflected.ts';

export type Random = (limit: number) => number;

const LETTERS = 'ABCÆØÅabcæøå Čáŋ-0123456789';
/** Below, fewer optional components: a via station holds others. */
const DEEP = 6;
const DEEPEST = 12;
const MOST_ITEMS = 3;

export function randomValue(type: AnyPerType, random: Random, depth = 0): unknown {
  const { notation, components, items, types, item, getType } = type as Reflected;
  if (getType) return randomValue(getType(), random, depth);
  if (components) return randomSequence(components, random, depth);
  if (items) return items[random(items.length)];
  if (types) {
    const [name, alternative] = Object.entries(types)[random(Object.keys(types).length)] as [string, Reflected];
    return { [name]: randomValue(alternative, random, depth + 1) };
  }
  if (item) return Array.from({ length: 1 + random(MOST_ITEMS) }, () => randomValue(item, random, depth + 1));
  return randomSimple(notation, random);
}

function randomSequence(components: Readonly<Record<string, Component>>, random: Random, depth: number): object {
  const isChosen = () => depth < DEEPEST && random(depth < DEEP ? 2 : 4) === 0;
  const chosen = Object.entries(components).filter(([, component]) => !('type' in component) || isChosen());
  return Object.fromEntries(
    chosen.map(([name, component]) => [name, randomValue(typeOf(component), random, depth + 1)]),
  );
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
