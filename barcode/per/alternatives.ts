/** CHOICE and ENUMERATED of unaligned PER (ITU-T X.691), and types that contain themselves. */
import { readOctetString, readSmallNumber } from './length.ts';
import { PerError, withinComponent } from './per-error.ts';
import type { AnyPerType, PerType, ValueOf } from './per-type.ts';
import { integer } from './simple-types.ts';

/** An item of a newer version is an error: its meaning is not known. */
export function enumerated<const Item extends string>(
  notation: string,
  items: readonly Item[],
  { isExtensible = true } = {},
): PerType<Item> & { readonly items: readonly Item[]; readonly isExtensible: boolean } {
  const index = integer(0, items.length - 1);
  return {
    notation,
    items,
    isExtensible,
    encode(value, out) {
      const at = items.indexOf(value);
      if (at < 0) throw new PerError(`${value} is no ${notation}`);
      if (isExtensible) out.writeBit(false);
      index.encode(at, out);
    },
    decode(input) {
      if (isExtensible && input.readBit()) {
        throw new PerError(`item ${items.length + readSmallNumber(input)} of ${notation} belongs to a newer version`);
      }
      return items[index.decode(input)] as Item;
    },
  };
}

/** One alternative by its name: `{ openTicket: … }`. */
export type ChoiceValue<Of> = {
  [Name in keyof Of]: { readonly [Key in Name]: ValueOf<Of[Name]> };
}[keyof Of];

/**
 * `order` names all alternatives of the module, `types` those that are known here. An alternative of a newer version is
 * read as `{}`: its octets are passed over.
 */
export function choice<const Of extends Record<string, AnyPerType>>(
  notation: string,
  order: readonly string[],
  types: Of,
): PerType<ChoiceValue<Of> | Record<string, never>> & { readonly order: readonly string[]; readonly types: Of } {
  const index = integer(0, order.length - 1);
  const typeOf = (name: string): AnyPerType => {
    const type = types[name];
    if (!type) throw new PerError(`${notation} ${name} is not supported`);
    return type;
  };
  return {
    notation,
    order,
    types,
    encode(value, out) {
      const [[name, content] = ['', undefined], ...others] = Object.entries(value);
      const at = order.indexOf(name);
      if (at < 0 || others.length > 0) throw new PerError(`${notation} needs one of ${order.join(', ')}`);
      out.writeBit(false);
      index.encode(at, out);
      withinComponent(name, () => typeOf(name).encode(content, out));
    },
    decode(input) {
      if (input.readBit()) {
        readSmallNumber(input);
        readOctetString(input);
        return {};
      }
      const name = order[index.decode(input)] ?? '';
      const content = withinComponent(name, () => typeOf(name).decode(input));
      return { [name]: content } as ChoiceValue<Of>;
    },
  };
}

/** For a type that contains itself. */
export function lazy<Value>(
  notation: string,
  getType: () => PerType<Value>,
): PerType<Value> & { readonly getType: () => PerType<Value> } {
  return {
    notation,
    getType,
    encode: (value, out) => getType().encode(value, out),
    decode: (input) => getType().decode(input),
  };
}
