/** The documents of the catalogue: the one in force, and every version. Callers: the catalogue store, the manifest. */
import { createHash } from 'node:crypto';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { CatalogueContent } from '../shared/catalogue.ts';

export interface StoredVersion {
  readonly version: number;
  readonly content: CatalogueContent;
  /** SHA-256 of the content as canonical JSON. An equal hash means an equal catalogue. */
  readonly sha256: string;
  readonly storedAt: Date;
}

export interface CurrentDocument extends StoredVersion {
  readonly _id: 'current';
}

export interface VersionDocument extends Omit<StoredVersion, 'version'> {
  /** The version. */
  readonly _id: number;
}

/** The index holds the version, so that a look at the version does not read the content, which may take megabytes. */
export const CATALOGUE = new CollectionDefinition<CurrentDocument>('catalogue', [
  { name: 'version', key: { version: 1 } },
]);
export const CATALOGUE_VERSIONS = new CollectionDefinition<VersionDocument>('catalogue_versions');

export function hashOf(content: CatalogueContent): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

/** Members sorted by name, so that the same content always gives the same text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
