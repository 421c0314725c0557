/**
 * Makes a document self-contained. Each component that it refers to in another file is copied among its own, with all
 * that the component refers to in turn. Called when a document is loaded, once at start; only `read` touches files.
 */
import { type Json, resolve, toJson } from './openapi-reference.ts';

export type ReadDocument = (file: URL) => Json;

type Components = Record<string, Record<string, unknown>>;

/** `base` is the document's URL; `read` answers another file's parsed content. Throws when two files use one name. */
export function bundleDocument(root: Json, base: URL, read: ReadDocument): Json {
  const components: Components = {};
  const origins = new Map<string, string>();

  /** A reference within the bundled document, to a copy of the target of `reference` in `file`. */
  function adopt(reference: string, file: URL): string {
    const { target, pointer } = splitReference(reference, file);
    const [, , section = '', name = '', ...rest] = pointer.split('/');
    if (!pointer.startsWith('/components/') || name === '' || rest.length > 0) {
      throw new Error(`${reference} must name a component: <file>#/components/<kind>/<name>`);
    }
    const key = `${section}/${name}`;
    const origin = origins.get(key) ?? target.href;
    if (origin !== target.href) throw new Error(`the component ${key} is in ${origin} and in ${target.href}`);
    if (!origins.has(key)) {
      origins.set(key, origin);
      components[section] ??= {};
      components[section][name] = copy(resolve(read(target), { $ref: `#${pointer}` }, reference)[0], target);
    }
    return `#${pointer}`;
  }

  function copy(value: unknown, file: URL): unknown {
    if (Array.isArray(value)) return value.map((item) => copy(item, file));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, ...siblings } = toJson(value, file.pathname);
    if (typeof reference === 'string' && (file !== base || !reference.startsWith('#'))) {
      return Object.keys(siblings).length === 0 ? { $ref: adopt(reference, file) } : refined(reference, siblings, file);
    }
    const members = Object.entries(value).map(([name, member]) => [name, copy(member, file)]);
    return Object.fromEntries(members);
  }

  /** Members next to a `$ref` override those of the component. */
  function refined(reference: string, siblings: Json, file: URL): unknown {
    const { target } = splitReference(reference, file);
    const component = toJson(copy(follow(read(target), { $ref: reference }, file, read), target), reference);
    return { ...component, ...toJson(copy(siblings, file), reference) };
  }

  for (const [section, entries] of Object.entries(toJson(root.components ?? {}, 'components'))) {
    for (const name of Object.keys(toJson(entries, section))) origins.set(`${section}/${name}`, base.href);
  }
  const own = toJson(copy(root, base), base.pathname);
  return { ...own, components: mergeSections(toJson(own.components ?? {}, 'components'), components) };
}

function mergeSections(own: Json, adopted: Components): Json {
  const merged: Record<string, unknown> = { ...own };
  for (const [section, entries] of Object.entries(adopted)) {
    merged[section] = { ...toJson(merged[section] ?? {}, section), ...entries };
  }
  return merged;
}

/** The object `value`, or the target of its reference, here or in another file. */
export function follow(root: Json, value: unknown, base: URL, read: ReadDocument): Json {
  const { $ref: reference } = toJson(value, base.pathname);
  if (typeof reference !== 'string' || reference.startsWith('#')) return resolve(root, value, base.pathname)[0];
  const { target, pointer } = splitReference(reference, base);
  return resolve(read(target), { $ref: `#${pointer}` }, reference)[0];
}

function splitReference(reference: string, file: URL): { readonly target: URL; readonly pointer: string } {
  const target = new URL(reference, file);
  const pointer = target.hash.slice(1);
  target.hash = '';
  return { target, pointer };
}
