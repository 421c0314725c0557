/**
 * Everything that the login of a process reaches, tried with the variables of its environment on running servers.
 * Callers: `npm run try:privileges`, tests.
 */
import { AREAS } from '../../activities/areas.ts';
import { type Area, collectionsOf, type DocumentRight, type ObjectRight } from '../../platform/area.ts';
import { type Environment, objectStoreShape, parseConfig } from '../../platform/config.ts';
import { PLATFORM_COLLECTIONS } from '../../platform/mongo/platform-collections.ts';
import { RESTORE_MARK } from '../../platform/mongo/restore-mark.ts';
import type { Privileges, Rights } from '../../platform/privileges/process-privileges.ts';
import { DocumentTries } from './try-documents.ts';
import { ObjectTries } from './try-objects.ts';

export interface TriedAccess extends Privileges {
  /** Accesses that no process should have. */
  readonly extraordinary: readonly string[];
}

export interface Databases {
  readonly data: string;
  readonly customerKeys: string;
}

const WHOLE_BUCKET = '';

export async function tryAccess(environment: Environment, databases: Databases): Promise<TriedAccess> {
  const uris = [environment.MONGODB_URI, environment.CUSTOMER_KEYS_MONGODB_URI].filter((uri) => uri !== undefined);
  const documents = await Promise.all(uris.map((uri) => tryDatabases(uri, databases)));
  const objects = environment.S3_ACCESS_KEY_ID ? await tryBucket(environment) : new Map();
  const whole = [...(objects.get(WHOLE_BUCKET) ?? [])].map((right) => `${right} outside the prefixes`);
  objects.delete(WHOLE_BUCKET);
  return {
    data: union(documents.map(({ data }) => data)),
    customerKeys: union(documents.map(({ customerKeys }) => customerKeys)),
    objects,
    extraordinary: [...documents.flatMap(({ extraordinary }) => extraordinary), ...whole],
  };
}

function collectionsIn(kind: 'data' | 'customerKeys'): readonly string[] {
  const entries = [...collectionsOf(AREAS), ...PLATFORM_COLLECTIONS].filter(
    ({ database = 'data' }) => database === kind,
  );
  return [...entries.map(({ definition }) => definition.collection), RESTORE_MARK];
}

async function tryDatabases(uri: string, databases: Databases) {
  const tries = await DocumentTries.connect(uri);
  const rightsIn = async (kind: 'data' | 'customerKeys'): Promise<Rights<DocumentRight>> => {
    const rights = new Map<string, ReadonlySet<DocumentRight>>();
    for (const name of collectionsIn(kind)) {
      const allowed = await tries.rightsOn(databases[kind], name);
      if (allowed.size > 0) rights.set(name, allowed);
    }
    return rights;
  };
  try {
    const [data, customerKeys] = [await rightsIn('data'), await rightsIn('customerKeys')];
    const extraordinary = [
      ...(await tries.listExtraordinary(databases.data, collectionsIn('data'))),
      ...(await tries.listExtraordinary(databases.customerKeys, collectionsIn('customerKeys'))),
    ];
    return { data, customerKeys, extraordinary };
  } finally {
    await tries.close();
  }
}

async function tryBucket(environment: Environment): Promise<Map<string, ReadonlySet<ObjectRight>>> {
  const areas: readonly Area[] = AREAS;
  const tries = new ObjectTries(parseConfig(objectStoreShape, environment));
  const rights = new Map<string, ReadonlySet<ObjectRight>>();
  try {
    for (const prefix of [...areas.flatMap(({ objects = [] }) => objects.map((each) => each.prefix)), WHOLE_BUCKET]) {
      const allowed = await tries.rightsBelow(prefix);
      if (allowed.size > 0) rights.set(prefix, allowed);
    }
  } finally {
    tries.close();
  }
  return rights;
}

function union(all: readonly Rights<DocumentRight>[]): Rights<DocumentRight> {
  const merged = new Map<string, ReadonlySet<DocumentRight>>();
  for (const [name, rights] of all.flatMap((each) => [...each])) {
    merged.set(name, new Set([...(merged.get(name) ?? []), ...rights]));
  }
  return merged;
}
