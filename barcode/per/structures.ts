/** SEQUENCE and SEQUENCE OF of unaligned PER (ITU-T X.691). */
import { readParts, skipAdditions, writeParts } from './length.ts';
import { PerError, withinComponent } from './per-error.ts';
import type { AnyPerType, PerType } from './per-type.ts';

export interface Optional<Value> {
  readonly type: PerType<Value>;
  readonly optional: true;
  /** Never encoded (canonical encoding), and given by a decoder. */
  readonly initial?: Value;
}

type Component = AnyPerType | Optional<unknown>;
type Components = Readonly<Record<string, Component>>;
type OptionalName<Of extends Components> = {
  [Name in keyof Of]: Of[Name] extends { optional: true } ? Name : never;
}[keyof Of];
type ComponentValue<Of> = Of extends Optional<infer Value> ? Value : Of extends PerType<infer Value> ? Value : never;
export type SequenceValue<Of extends Components> = {
  -readonly [Name in Exclude<keyof Of, OptionalName<Of>>]: ComponentValue<Of[Name]>;
} & { -readonly [Name in OptionalName<Of>]?: ComponentValue<Of[Name]> };

/** A component without which a value is complete, or with the value it has then. */
export function optional<Value>(type: PerType<Value>, initial?: Value): Optional<Value> {
  return { type, optional: true, ...(initial !== undefined && { initial }) };
}

export interface SequenceType<Of extends Components> extends PerType<SequenceValue<Of>> {
  readonly components: Of;
  readonly isExtensible: boolean;
}

/** `components` are in the order of the module. A newer version may add some behind an extensible one. */
export function sequence<const Of extends Components>(
  notation: string,
  components: Of,
  { isExtensible = true } = {},
): SequenceType<Of> {
  const all = Object.entries(components).map(([name, component]) => {
    const { type, initial } = 'optional' in component ? component : { type: component, initial: undefined };
    return { name, type: type as PerType<unknown>, isOptional: 'optional' in component, initial: initial as unknown };
  });
  const optionals = all.filter(({ isOptional }) => isOptional);
  const known = new Set(all.map(({ name }) => name));
  return {
    notation,
    components,
    isExtensible,
    encode(value, out) {
      const values = value as Readonly<Record<string, unknown>>;
      const unknownName = Object.keys(values).find((name) => !known.has(name));
      if (unknownName) throw new PerError(`${notation} has no component ${unknownName}`);
      const isThere = ({ name, initial }: (typeof all)[number]) =>
        values[name] !== undefined && values[name] !== initial;
      if (isExtensible) out.writeBit(false);
      for (const component of optionals) out.writeBit(isThere(component));
      for (const component of all) {
        const { name, type, isOptional } = component;
        if (!isThere(component)) {
          if (isOptional) continue;
          throw new PerError('is missing', [name]);
        }
        withinComponent(name, () => type.encode(values[name], out));
      }
    },
    decode(input) {
      const hasAdditions = isExtensible && input.readBit();
      const present = new Set(optionals.filter(() => input.readBit()));
      const values: Record<string, unknown> = {};
      for (const component of all) {
        const { name, type, isOptional, initial } = component;
        if (!isOptional || present.has(component)) values[name] = withinComponent(name, () => type.decode(input));
        else if (initial !== undefined) values[name] = initial;
      }
      if (hasAdditions) skipAdditions(input);
      return values as SequenceValue<Of>;
    },
  };
}

export function sequenceOf<Value>(item: PerType<Value>): PerType<readonly Value[]> & { readonly item: PerType<Value> } {
  return {
    item,
    notation: `SEQUENCE OF ${item.notation}`,
    encode(values, out) {
      writeParts(out, values.length, (from, to) => {
        for (let at = from; at < to; at += 1) {
          withinComponent(String(at), () => item.encode(values[at] as Value, out));
        }
      });
    },
    decode(input) {
      const values: Value[] = [];
      for (const count of readParts(input)) {
        for (let at = 0; at < count; at += 1) values.push(item.decode(input));
      }
      return values;
    },
  };
}
