/** Types of the barcode library, seen as data: for tests that compare them, and that make values of them. */
import type { AnyPerType } from '../../barcode/per/per-type.ts';

export type Component = Reflected | { readonly type: Reflected; readonly initial?: unknown };

export interface Reflected extends AnyPerType {
  readonly components?: Readonly<Record<string, Component>>;
  readonly items?: readonly string[];
  readonly order?: readonly string[];
  readonly types?: Readonly<Record<string, Reflected>>;
  readonly item?: Reflected;
  readonly getType?: () => Reflected;
  readonly isExtensible?: boolean;
}

export function typeOf(component: Component): Reflected {
  return 'type' in component ? component.type : component;
}

/** What can be encoded: each component, alternative and item, as `Type.name`. */
export function membersOf(type: Reflected, found = new Set<string>(), seen = new Set<string>()): Set<string> {
  const { notation, components = {}, items = [], types = {}, item, getType } = type;
  if (getType) return membersOf(getType(), found, seen);
  if (seen.has(notation)) return found;
  seen.add(notation);
  for (const name of [...Object.keys(components), ...items, ...Object.keys(types)]) found.add(`${notation}.${name}`);
  const parts = [...Object.values(components).map(typeOf), ...Object.values(types), ...(item ? [item] : [])];
  for (const part of parts) membersOf(part, found, seen);
  return found;
}

/** The members of {@link membersOf} that a value has. */
export function membersIn(type: Reflected, value: unknown, found = new Set<string>()): Set<string> {
  const { notation, components, items, types, item, getType } = type;
  if (getType) return membersIn(getType(), value, found);
  if (items) found.add(`${notation}.${value}`);
  if (item) for (const each of value as readonly unknown[]) membersIn(item, each, found);
  const parts = components ?? types;
  if (!parts) return found;
  for (const [name, part] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    found.add(`${notation}.${name}`);
    membersIn(typeOf(parts[name] as Component), part, found);
  }
  return found;
}
