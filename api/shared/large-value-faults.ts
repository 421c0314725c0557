/**
 * Finds faults of a value with so many parts that finding all at once would take minutes. It looks for the first fault, takes
 * out the faulty element of a list with what stands before it, and looks again. Pure.
 */
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { countParts, unescapePointer } from './json.ts';

type Faults = (value: unknown) => readonly ErrorItem[];

const MAX_ROUNDS = 20;
/** Each round may read the whole value, and nothing else is answered meanwhile. */
const MAX_PARTS_READ = 1_000_000;
/** All faults of an element with more parts would take too long as well. */
const MAX_ELEMENT_PARTS = 200;

interface Place {
  /** Members that lead to the outermost list. */
  readonly path: readonly string[];
  readonly list: readonly unknown[];
  readonly index: number;
}

/** `first` finds one fault of any value; `all` finds each fault of a small one. None: the value has no fault. */
export function faultsOfLargeValue(value: unknown, first: Faults, all: Faults): readonly ErrorItem[] {
  const found: ErrorItem[] = [];
  const takenOut = new Map<string, number>();
  const rounds = Math.min(MAX_ROUNDS, 1 + Math.floor(MAX_PARTS_READ / countParts(value, MAX_PARTS_READ)));
  let rest = value;
  for (let round = 0; round < rounds; round += 1) {
    const [fault] = first(rest);
    if (!fault) break;
    const place = findPlace(rest, fault.pointer);
    // A fault of a list itself may come from what was taken out.
    if (!place) return found.length > 0 ? found : [fault];
    const prefix = fault.pointer
      .split('/')
      .slice(0, place.path.length + 1)
      .join('/');
    const before = takenOut.get(prefix) ?? 0;
    for (const each of faultsOfElement(place, prefix, fault, all))
      found.push({ ...each, pointer: moved(each.pointer, prefix, before + place.index) });
    takenOut.set(prefix, before + place.index + 1);
    rest = withList(rest, place.path, place.list.slice(place.index + 1));
  }
  return found;
}

function faultsOfElement({ path, list, index }: Place, prefix: string, fault: ErrorItem, all: Faults) {
  const element = list[index];
  if (countParts(element, MAX_ELEMENT_PARTS) > MAX_ELEMENT_PARTS) return [fault];
  const alone = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), [element]);
  const faults = all(alone).filter(({ pointer }) => `${pointer}/`.startsWith(`${prefix}/0/`));
  return faults.length > 0 ? faults : [fault];
}

function findPlace(value: unknown, pointer: string): Place | undefined {
  const names = pointer.split('/').slice(1).map(unescapePointer);
  let within: unknown = value;
  for (const [depth, name] of names.entries()) {
    if (Array.isArray(within)) return { path: names.slice(0, depth), list: within, index: Number(name) };
    if (typeof within !== 'object' || within === null) return undefined;
    within = Object.getOwnPropertyDescriptor(within, name)?.value;
  }
  return undefined;
}

function withList(value: unknown, [name, ...deeper]: readonly string[], list: readonly unknown[]): unknown {
  if (name === undefined) return list;
  const member = Object.getOwnPropertyDescriptor(value, name)?.value;
  return { ...Object(value), [name]: withList(member, deeper, list) };
}

/** The pointer of the same place in the whole value, where the element has another index. */
function moved(pointer: string, prefix: string, index: number): string {
  const [, ...deeper] = pointer.slice(prefix.length + 1).split('/');
  return [prefix, index, ...deeper].join('/');
}
