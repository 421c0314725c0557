/** The demo region's ids, and the writer that all its XML goes through. Callers: the XML modules of dev/demo. */
export { escapeXml, XmlWriter } from '../../netex/writing/xml-writer.ts';

const CODESPACE = 'DEM';
/** Of the stop register. */
const REGISTER = 'NSR';

export function demId(kind: string, local: string | number): string {
  return `${CODESPACE}:${kind}:${local}`;
}

/** Of a stop place, a quay or a zone. */
export function registerId(kind: string, local: string | number): string {
  return `${REGISTER}:${kind}:${local}`;
}

/** Attributes of an element with an id. */
export function identity(kind: string, local: string | number): string {
  return `version="1" id="${demId(kind, local)}"`;
}

/** Attributes of a reference to an element of the same file. It carries the version. */
export function localRef(kind: string, local: string | number): string {
  return `ref="${demId(kind, local)}" version="1"`;
}

/** Attributes of a reference to another file of the dataset. It has no version. */
export function foreignRef(kind: string, local: string | number): string {
  return `ref="${demId(kind, local)}"`;
}
