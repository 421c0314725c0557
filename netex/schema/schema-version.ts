/**
 * Determines the XSDs that a file asks for: the part of `PublicationDelivery/@version` before the first `:` when it
 * has three parts.
 *
 * Callers: SchemaSet. Reads no further than the root's start tag.
 */
import { decodeXml, XmlEncodingError } from '../xml/decode.ts';
import { NotWellFormedError, Scanner } from '../xml/scan.ts';

const DECLARED = /^\s*([^\s:]+):[^:]+:[^:]+$/;

/** The version that a file declares, e.g. `1.13`; undefined without one of that form. */
export function declaredVersion(bytes: Uint8Array): string | undefined {
  let root: { name: string; version: string | undefined } | undefined;
  const scanner = new Scanner({
    start: ({ name, attributes }) => {
      root ??= { name, version: attributes.version };
    },
  });
  try {
    for (const text of decodeXml(bytes)) {
      scanner.write(text);
      if (root) break;
    }
  } catch (error) {
    if (!(error instanceof NotWellFormedError) && !(error instanceof XmlEncodingError)) throw error;
  }
  // Accepts any namespace: the schema reports a wrong one best.
  if (!root || !/(?:^|\})PublicationDelivery$/.test(root.name)) return undefined;
  return DECLARED.exec(root.version ?? '')?.[1];
}

/** Oldest first; `1.04beta` comes before `1.07`, `1.9` before `1.10`. */
export function compareVersions(a: string, b: string): number {
  const numbers = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? 1 : a > b ? -1 : 0;
}

/** The folder with the XSDs of a version: its own, or that of its draft (`1.04` is in `1.04beta`). */
export function findVersion(versions: readonly string[], declared: string): string | undefined {
  return versions.find((v) => v === declared) ?? versions.find((v) => v.replace(/[a-z]+$/, '') === declared);
}
