/** The search attributes of the workflows of all areas, as the servers of a stack are given them. Callers: servers.ts, the check of docker/. */
import type { SearchAttributeType } from '@temporalio/common';
import proto from '@temporalio/proto';
import { AREAS } from '../../activities/areas.ts';
import { searchAttributesOf } from '../../platform/area.ts';

/** As Temporal's command line names the types. */
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

/** `Codespace=Keyword`. */
export function listCliAttributes(): readonly string[] {
  return ATTRIBUTES.map(({ name, type }) => `${name}=${CLI_TYPES[type]}`);
}

/** Those that are not among `known`, by name, with their types in the API. */
export function missingAttributes(known: Readonly<Record<string, unknown>>) {
  const missing = ATTRIBUTES.filter(({ name }) => !(name in known));
  return new Map(missing.map(({ name, type }) => [name, IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]]));
}
