/**
 * The search attributes of all areas' workflows, for the servers of a stack. Callers: servers.ts, the check of docker/.
 */
import type { SearchAttributeType } from '@temporalio/common';
import proto from '@temporalio/proto';
import { AREAS } from '../../activities/areas.ts';
import { searchAttributesOf } from '../../platform/area.ts';

/** Names of the types on Temporal's command line. */
const CLI_TYPES: Readonly<Record<SearchAttributeType, string>> = {
  TEXT: 'Text',
  KEYWORD: 'Keyword',
  KEYWORD_LIST: 'KeywordList',
  INT: 'Int',
  DOUBLE: 'Double',
  BOOL: 'Bool',
  DATETIME: 'Datetime',
};
const { IndexedValueType } = proto.temporal.api.enums.v1;

const ATTRIBUTES = searchAttributesOf(AREAS);

/** Returns texts such as `Codespace=Keyword`. */
export function listCliAttributes(): readonly string[] {
  return ATTRIBUTES.map(({ name, type }) => `${name}=${CLI_TYPES[type]}`);
}

/** Returns the attributes that are not in `known`, by name, with their types in the API. */
export function missingAttributes(known: Readonly<Record<string, unknown>>) {
  const missing = ATTRIBUTES.filter(({ name }) => !(name in known));
  return new Map(missing.map(({ name, type }) => [name, IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]]));
}
